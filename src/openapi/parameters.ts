import type { Collection } from '../index.ts';
import type { Schema } from '../schema/types/shape.ts';
import type { JsonSchema, ParameterObject } from './document.ts';
import { convertParameters } from './schemas.ts';

export const inPath = (name: string, schema: JsonSchema): ParameterObject => {
  return { name, in: 'path', required: true, schema };
};

/**
 * Writes a parameter of the query, whose list is joined with commas or, with `repeated`, a parameter for each
 * item.
 */
export type InQuery = (name: string, description: string, schema: JsonSchema) => ParameterObject;

/** @param plainLists - writes lists as strings that are joined with commas */
export const createInQuery =
  (repeated: readonly string[], plainLists: boolean): InQuery =>
  (name, description, schema) => {
    const start = { name, in: 'query', description } as const;
    // Every tool repeats a parameter, which is what OpenAPI means by default.
    if (repeated.includes(name)) return { ...start, style: 'form', explode: true, schema };
    if (schema.type !== 'array') return { ...start, schema };
    if (!plainLists) return { ...start, style: 'form', explode: false, schema };
    return { ...start, description: `${description} Joined with commas.`, schema: { type: 'string' } };
  };

/**
 * A list of field paths. `true` allows every path, without a list: a resource that contains itself has paths
 * of any length.
 */
const pathsIn = (
  name: string,
  description: string,
  of: true | readonly string[],
  inQuery: InQuery,
  plainLists: boolean,
): readonly ParameterObject[] => {
  if (of !== true && of.length === 0) return [];
  const items = { type: 'string', ...(of !== true && { enum: of }) };
  const which = of === true || !plainLists ? '' : ` One of \`${of.join('`, `')}\`.`;
  return [inQuery(name, description + which, { type: 'array', items })];
};

/** `fields` and `expand` (§4.4). */
export const selectionParameters = (
  { fields = [], expand = [] }: Pick<Collection['options'], 'fields' | 'expand'>,
  inQuery: InQuery,
  plainLists: boolean,
): readonly ParameterObject[] => [
  ...pathsIn('fields', 'The fields to return besides `id` and `self` (§4.4).', fields, inQuery, plainLists),
  ...pathsIn('expand', 'The nested resources to return in full (§4.4).', expand, inQuery, plainLists),
];

/** The parameters that a declaration adds to those of the conventions. */
export const ownParameters = (params: Schema, inQuery: InQuery): readonly ParameterObject[] =>
  convertParameters(params).map(({ name, schema, isRequired }) => ({
    ...inQuery(name, `The endpoint's own parameter ${name}.`, schema),
    ...(isRequired && { required: true }),
  }));

/**
 * Writes the query parameters of a collection (§4.4): those of its list, or those of one resource.
 *
 * @param plainLists - writes lists as strings that are joined with commas
 */
export const queryParameters = (
  { options }: Collection,
  isList: boolean,
  plainLists = false,
): readonly ParameterObject[] => {
  const { sort = [], paging, params, repeated = [] } = options;
  const inQuery = createInQuery(repeated, plainLists);
  const ofOne = selectionParameters(options, inQuery, plainLists);
  if (!isList) return ofOne;
  const sortable = sort === true ? true : sort.flatMap((name) => [name, `-${name}`]);
  const ascending = 'The fields to sort by; `-` before a name means descending (§4.4).';
  const { maxPerPage, defaultPerPage } = typeof paging === 'object' ? paging : {};
  const perPage = {
    type: 'integer',
    minimum: 1,
    ...(maxPerPage !== undefined && { maximum: maxPerPage }),
    ...(defaultPerPage !== undefined && { default: defaultPerPage }),
  };
  const pages = [
    inQuery('page', 'The page of results (§4.4).', { type: 'integer', minimum: 1, default: 1 }),
    inQuery('perPage', 'Records per page (§4.4).', perPage),
  ];
  return [
    ...pathsIn('sort', ascending, sortable, inQuery, plainLists),
    ...ofOne,
    ...(paging === undefined ? [] : pages),
    ...(params === undefined ? [] : ownParameters(params, inQuery)),
  ];
};
