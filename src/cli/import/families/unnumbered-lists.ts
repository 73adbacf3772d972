// What leads on in a list without numbers of pages, where its document is certain: a cursor or an offset.
import type { NextAfterLast, NextCursor, NextOffset, NextUrl } from '../../../families/family.ts';
import { findCursor, findMore } from '../../recognise/next.ts';
import { isOffsetName } from '../../recognise/offset.ts';
import { jsonResponsesOf } from '../api/contents.ts';
import type { Operation } from '../api/operations.ts';
import { isAlwaysSent, type Json, namesAlong, targetOf } from '../json.ts';
import { exampleResponseOf } from './example.ts';

/** What leads on in a list without numbers of pages. */
export type Unnumbered = NextCursor | NextOffset | NextAfterLast;

/** `page_token` and `pageToken` as `pagetoken`. */
export const toPlainName = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

/** The parameters that take a cursor, by its name in the body. The first that a list has counts. */
const parametersOf: Readonly<Record<string, readonly string[]>> = {
  nextcursor: ['cursor', 'startcursor', 'nextcursor', 'pagecursor', 'after', 'pageafter'],
  nextpagecursor: ['pagecursor', 'cursor'],
  endcursor: ['after', 'pageafter', 'cursor'],
  aftercursor: ['after', 'pageafter', 'cursor'],
  nextpagetoken: ['pagetoken', 'nextpagetoken'],
  // `token` alone may be a credential.
  nexttoken: ['nexttoken', 'pagetoken', 'paginationtoken'],
  continuationtoken: ['continuationtoken'],
  nextpage: ['cursor', 'page'],
  cursor: ['cursor'],
  after: ['after'],
  offset: ['offset'],
};

/** A place of the next page in the body, which the last page may lack unless the document says otherwise. */
export const nextPlaceAt = (document: Json, operation: Operation, body: string): NextUrl => {
  const isSent = jsonResponsesOf(operation).some(({ schema }) =>
    isAlwaysSent(document, schema, namesAlong(document, schema, body)),
  );
  return isSent ? { body } : { body, optional: true };
};

const cursorOf = (document: Json, operation: Operation): NextCursor | undefined => {
  const example = exampleResponseOf(document, operation);
  const body = example && findCursor(example, false);
  const last = toPlainName(body?.slice(body.lastIndexOf('.') + 1) ?? '');
  const parameters = [...operation.queryParameters.keys()];
  const [parameter] = (parametersOf[last] ?? []).flatMap((name) =>
    parameters.filter((one) => toPlainName(one) === name),
  );
  if (example === undefined || body === undefined || parameter === undefined) return undefined;
  const more = findMore(example);
  return { ...nextPlaceAt(document, operation, body), parameter, ...(more !== undefined && { more }) };
};

/** The parameters that take the id of the last record, as those of Stripe and Anthropic. */
const lastIdParameters = ['startingafter', 'afterid', 'after'];

/** The id of the last record, in a list that says whether more records follow. */
const afterLastOf = (document: Json, operation: Operation): NextAfterLast | undefined => {
  const example = exampleResponseOf(document, operation);
  const more = example && findMore(example);
  const parameters = [...operation.queryParameters.keys()];
  const lastId = parameters.find((name) => lastIdParameters.includes(toPlainName(name)));
  return more === undefined || lastId === undefined ? undefined : { lastId, more };
};

/** The offset of a list that takes a size too. Elsewhere, a string of this name is a cursor. */
const offsetOf = (document: Json, { queryParameters }: Operation): NextOffset | undefined => {
  const isNumber = (value: Json): boolean => {
    const types = [targetOf(document, value.schema).type].flat();
    return types.includes('integer') || types.includes('number');
  };
  // That of SCIM begins with 1, and its size is `count`.
  const isStart = (name: string): boolean => isOffsetName(name) || toPlainName(name) === 'startindex';
  const [offset] = [...queryParameters].find(([name, value]) => isStart(name) && isNumber(value)) ?? [];
  return offset === undefined ? undefined : { offset };
};

/** What leads on in a list that takes no page; undefined where its document leaves that open. */
export const findUnnumbered = (
  document: Json,
  operation: Operation,
  hasSize: boolean,
): Unnumbered | undefined =>
  cursorOf(document, operation) ??
  afterLastOf(document, operation) ??
  (hasSize ? offsetOf(document, operation) : undefined);
