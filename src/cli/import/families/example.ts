// A response as a document describes it: what an import reads of lists is what `restkin recognise` reads.
import { isObject } from '../../../options.ts';
import { idNameIn } from '../../id-names.ts';
import type { SeenResponse } from '../../recognise/observe.ts';
import { jsonOf } from '../api/contents.ts';
import type { Operation } from '../api/operations.ts';
import { type Json, listAt, objectAt, stringAt, targetOf } from '../json.ts';

// Where pages have their numbers and their next page.
const deepest = 4;

/** How many options and parts of `allOf` lead to a value. A part may contain itself. */
const mostParts = 4;

/** A number of records that no page in an example has. */
const manyRecords = 1_000;

/** Whether a count is that of the whole list. A server may count the records of the page. */
const isOfList = (name: string, schema: Json): boolean =>
  !/^count$/i.test(name) || /\b(?:total|all)\b/i.test(stringAt(schema, 'description') ?? '');

const exampleOfType = (name: string, schema: Json): unknown => {
  const types = [schema.type].flat();
  if (types.includes('integer') || types.includes('number')) return isOfList(name, schema) ? manyRecords : 1;
  if (!types.includes('string')) return undefined;
  // What is called `next` is taken for a URL, but `next_page` may be a cursor.
  return /page$/i.test(name) && !/^ur[il]/i.test(stringAt(schema, 'format') ?? '') ? 'cursor' : '/';
};

/** A list of one record; empty where its items are no records: the list of errors beside that of orders. */
const exampleRows = (document: Json, items: unknown, depth: number, inside: number): readonly unknown[] => {
  const item = exampleOf(document, items, '', depth, inside);
  if (!isObject(item)) return item === undefined ? [] : [item];
  return idNameIn(item) === undefined ? [] : [{}];
};

/** A value as a schema describes it, with all fields, but with none in the items of lists. */
export const exampleOf = (document: Json, given: unknown, name = '', depth = 0, inside = 0): unknown => {
  const schema = targetOf(document, given);
  if (depth === deepest || inside > mostParts) return undefined;
  if (schema.items !== undefined) return exampleRows(document, schema.items, depth + 1, inside);
  const options = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')];
  const option = options.find((one) => targetOf(document, one).type !== 'null');
  const parts = [...listAt(schema, 'allOf'), ...(option === undefined ? [] : [option])];
  const values = parts.map((part) => exampleOf(document, part, name, depth, inside + 1));
  const own = Object.entries(objectAt(schema, 'properties')).map(([field, value]) => {
    return [field, exampleOf(document, value, field, depth + 1, inside)] as const;
  });
  const isWhole = own.length > 0 || values.some(isObject) || schema.type === 'object';
  if (!isWhole) return exampleOfType(name, schema) ?? values.find((value) => value !== undefined);
  return Object.assign({}, ...values.filter(isObject), Object.fromEntries(own)) as unknown;
};

/** The value of each parameter is left out: what a list is asked for does not decide how it is read. */
const urlOf = ({ queryParameters }: Operation): URL => {
  const url = new URL('https://api.invalid/');
  for (const name of queryParameters.keys()) url.searchParams.set(name, '');
  return url;
};

const isHeaderName = (name: string): boolean => /^[!#$%&'*+.^_`|~\w-]+$/.test(name);

/** The response of an operation as the document describes it; undefined without JSON. */
export const exampleResponseOf = (document: Json, operation: Operation): SeenResponse | undefined => {
  const response = operation.responses.find(({ contents }) => jsonOf(contents) !== undefined);
  const content = response && jsonOf(response.contents);
  if (response === undefined || content === undefined) return undefined;
  const headers = new Headers(
    response.headers.filter(isHeaderName).map((name): [string, string] => [name, '']),
  );
  return { url: urlOf(operation), headers, body: exampleOf(document, content.schema) };
};
