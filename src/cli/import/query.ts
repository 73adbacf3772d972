import { descendingPrefix, header, paginationHeader, queryParameters } from '../../conventions.ts';
import { isCount } from '../../options.ts';
import { type Json, stringsAt, targetOf } from './json.ts';
import type { Model } from './model.ts';
import { Misfit, type Operation } from './operations.ts';
import { type Schema, withoutNull } from './schema.ts';

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

/** The fields that a parameter names, those of them that the resource has; `true` for all. */
const readNames = (
  schema: Json | undefined,
  { document }: Model,
  isKnown: (path: string) => boolean,
): true | readonly string[] | undefined => {
  if (schema === undefined) return undefined;
  const names = schema.type === 'array' ? targetOf(document, schema.items) : schema;
  if (names.enum === undefined) return true;
  const paths = stringsAt(names, 'enum').map((path) => path.replace(new RegExp(`^${descendingPrefix}`), ''));
  const known = [...new Set(paths)].filter(isKnown);
  return known.length > 0 ? known : undefined;
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
 * Reads what the query supports of an operation that returns one resource or a list (§4.4).
 *
 * @param isList - a list has all parameters of §4.4 and its own ones; one resource has `fields` and `expand`
 * @throws {@link Misfit} for a required parameter that the client cannot send
 */
export const readQuery = (operation: Operation, resource: Schema, isList: boolean, model: Model) => {
  const { queryParameters: all } = operation;
  const own = [...all].filter(([name]) => !queryParameters.some((one) => one === name));
  const { params, repeated, omitted } = readParameters(isList ? own : [], model);
  const unwritten = isList ? omitted : own;
  const needed = unwritten.find(isRequired);
  if (needed !== undefined)
    throw new Misfit(`it needs ${wordsOf(needed)}, which a collection does not write`);
  const schemaOf = (name: string): Json | undefined =>
    all.has(name) ? targetOf(model.document, all.get(name)?.schema) : undefined;
  const [sort, page, perPage] = isList ? ['sort', 'page', 'perPage'].map(schemaOf) : [];
  const hasField = (path: string): boolean => model.fieldsAlong(resource, path) !== undefined;
  const canExpand = (path: string): boolean => model.nestedAt(resource, path) !== undefined;
  const names = {
    sort: readNames(sort, model, hasField),
    fields: readNames(schemaOf('fields'), model, hasField),
    /** `true` for every nested resource that may be expanded, which the whole document says. */
    expand: readNames(schemaOf('expand'), model, canExpand),
  };
  const unused = Object.entries(names).filter(
    ([name, of]) => all.has(name) && (isList || name !== 'sort') && [of ?? []].flat().length === 0,
  );
  // The conventions join names with commas, which is `explode: false` of a list.
  const exploded = Object.keys(names).filter(
    (name) => schemaOf(name)?.type === 'array' && all.get(name)?.explode !== false,
  );
  return {
    options: { ...names, paging: page && perPage && readPaging(perPage, operation) },
    params,
    repeated,
    notes: [
      ...unwritten.map(wordsOf),
      ...exploded.map((name) => `\`${name}=a&${name}=b\`: the client sends \`${name}=a,b\` (§4.4)`),
      ...unused.map(([name]) => namesNoField(name)),
    ],
  };
};
