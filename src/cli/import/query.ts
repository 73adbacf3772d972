import {
  descendingPrefix,
  header,
  type operationMethods,
  paginationHeader,
  queryParameters,
} from '../../conventions.ts';
import { isCount } from '../../options.ts';
import { type Json, stringsAt, targetOf } from './json.ts';
import type { Model } from './model.ts';
import { Misfit, type Operation } from './operations.ts';
import { type Schema, withoutNull } from './schema.ts';

/** An operation of a collection: `list`, `get`, … */
export type Kind = keyof typeof operationMethods;

/** A name with the parameter in the document. */
type Parameter = readonly [name: string, value: Json];

/** What a report calls a parameter. */
export const wordsOf = ([name]: Parameter): string => `the query parameter \`${name}\``;

/** Reports a parameter of §4.4 without a use. */
export const namesNoField = (name: string): string =>
  `the query parameter \`${name}\`, which names no field of the resource`;

/** An endpoint's own query parameter; undefined for one that the client does not write. */
const readParameter = ([name, value]: Parameter, { read, structureOf }: Model) => {
  const { style = 'form', explode = true, content } = value;
  const schema = read(value.schema, 'body');
  const { type, anyOf = [] } = withoutNull(structureOf(schema));
  if (style !== 'form' || content !== undefined || type === 'object') return undefined;
  const types = [type, ...anyOf.map((option) => structureOf(option).type)];
  return { name, schema, isRepeated: explode !== false && types.includes('array') };
};

const isRequired = ([, { required }]: Parameter): boolean => required === true;

/**
 * The object of an endpoint's own query parameters, undefined when there are none; the lists of them that are
 * sent as one parameter for each item; and the parameters that are not in the object.
 */
export const readParameters = (parameters: readonly Parameter[], model: Model) => {
  const fields = parameters.flatMap((one) => readParameter(one, model) ?? []);
  const properties = Object.fromEntries(fields.map(({ name, schema }) => [name, schema]));
  const repeated = fields.filter(({ isRepeated }) => isRepeated).map(({ name }) => name);
  const required = parameters.filter(isRequired).map(([name]) => name);
  const params: Schema = { type: 'object', properties, required };
  const omitted = parameters.filter(([name]) => !Object.hasOwn(properties, name));
  return {
    params: fields.length > 0 ? params : undefined,
    repeated: repeated.length > 0 ? repeated : undefined,
    omitted,
  };
};

/** The names that a parameter takes, `true` for any; undefined without the parameter. */
const namesIn = (schema: Json | undefined, { document }: Model): true | readonly string[] | undefined => {
  if (schema === undefined) return undefined;
  const names = schema.type === 'array' ? targetOf(document, schema.items) : schema;
  if (names.enum === undefined) return true;
  const paths = stringsAt(names, 'enum').map((path) => path.replace(new RegExp(`^${descendingPrefix}`), ''));
  return [...new Set(paths)];
};

/** The names of fields, without others; undefined without any. */
const knownIn = (
  names: true | readonly string[] | undefined,
  isKnown: (path: string) => boolean,
): true | readonly string[] | undefined => {
  if (names === true || names === undefined) return names;
  const known = names.filter(isKnown);
  return known.length > 0 ? known : undefined;
};

/** Reports the fields that a parameter names beside others that the resource has. */
const unknownIn = (
  part: string,
  names: true | readonly string[] | undefined,
  isKnown: (path: string) => boolean,
): readonly string[] => {
  if (names === true || names === undefined || !names.some(isKnown)) return [];
  return names
    .filter((name) => !isKnown(name))
    .map((name) => `\`${part}\` by \`${name}\`, which is no field of the resource`);
};

/** The parts of a query (§4.4) that the client writes for an operation, of those that the document has. */
const writtenBy = (kind: Kind, all: Operation['queryParameters']): readonly string[] => {
  if (kind === 'get') return ['fields', 'expand'];
  if (kind !== 'list') return [];
  return queryParameters.filter((name) => name !== 'perPage' || all.has('page'));
};

/** Whether and how a list has pages (§4.5). */
const readPaging = ({ maximum, default: usual }: Json, { responses }: Operation) => {
  const headers = responses.flatMap((response) => response.headers);
  const hasTotals = headers.includes(paginationHeader.totalCount) || !headers.includes(header.link);
  const limits = {
    ...(isCount(maximum) && { maxPerPage: maximum }),
    ...(isCount(usual) && { defaultPerPage: usual }),
    ...(!hasTotals && { totals: false }),
  };
  return Object.keys(limits).length > 0 ? limits : true;
};

/**
 * The fields and the nested resources that an operation selects (§4.4); `true` for all.
 *
 * @param written - the parameters that the client writes
 */
export const readSelection = (
  { queryParameters: all }: Operation,
  resource: Schema,
  model: Model,
  written: readonly string[] = queryParameters,
) => {
  const namesOf = (name: string): true | readonly string[] | undefined =>
    written.includes(name) && all.has(name)
      ? namesIn(targetOf(model.document, all.get(name)?.schema), model)
      : undefined;
  return {
    fields: knownIn(namesOf('fields'), (path) => model.fieldsAlong(resource, path) !== undefined),
    /** `true` for every nested resource that may be expanded, which the whole document says. */
    expand: knownIn(namesOf('expand'), (path) => model.nestedAt(resource, path) !== undefined),
  };
};

/**
 * Reads what the query supports of an operation that returns one resource or a list (§4.4).
 *
 * @throws {@link Misfit} for a required parameter that the client cannot send
 */
export const readQuery = (operation: Operation, resource: Schema, kind: Kind, model: Model) => {
  const { queryParameters: all } = operation;
  const isList = kind === 'list';
  const written = writtenBy(kind, all);
  const own = [...all].filter(([name]) => !written.includes(name));
  const isPart = ([name]: Parameter): boolean => queryParameters.some((one) => one === name);
  const { params, repeated, omitted } = readParameters(
    isList ? own.filter((one) => !isPart(one)) : [],
    model,
  );
  const unwritten = isList ? [...omitted, ...own.filter(isPart)] : own;
  const needed = unwritten.find(isRequired);
  if (needed !== undefined)
    throw new Misfit(`it needs ${wordsOf(needed)}, which a collection does not write`);
  const schemaOf = (name: string): Json | undefined =>
    written.includes(name) && all.has(name) ? targetOf(model.document, all.get(name)?.schema) : undefined;
  const [page, perPage = {}] = ['page', 'perPage'].map(schemaOf);
  const hasField = (path: string): boolean => model.fieldsAlong(resource, path) !== undefined;
  const sortNames = namesIn(schemaOf('sort'), model);
  const names = {
    sort: knownIn(sortNames, hasField),
    ...readSelection(operation, resource, model, written),
  };
  const unused = Object.entries(names).filter(
    ([name, of]) => schemaOf(name) !== undefined && [of ?? []].flat().length === 0,
  );
  const isSizeMissing = page !== undefined && schemaOf('perPage') === undefined;
  // The conventions join names with commas, which is `explode: false` of a list.
  const exploded = Object.keys(names).filter(
    (name) => schemaOf(name)?.type === 'array' && all.get(name)?.explode !== false,
  );
  return {
    options: { ...names, paging: page && readPaging(perPage, operation) },
    params,
    repeated,
    notes: [
      ...unwritten.map(wordsOf),
      ...exploded.map((name) => `\`${name}=a&${name}=b\`: the client sends \`${name}=a,b\` (§4.4)`),
      ...unused.map(([name]) => namesNoField(name)),
      ...unknownIn('sort', sortNames, hasField),
      ...(isSizeMissing ? ['`perPage`, which the document does not have: leave it out of queries'] : []),
    ],
  };
};
