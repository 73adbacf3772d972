import { type QueryNames, readDirectionForm, type SortForm, type WholeFamily } from '../families/family.ts';
import { cursorParameterOf, nextAfterLastOf, offsetParameterOf } from '../families/list-form.ts';
import type { Collection } from '../index.ts';
import { withIdentityPaths } from '../schema/identity-paths.ts';
import { toWirePath } from '../schema/ids.ts';
import type { Schema } from '../schema/types/shape.ts';
import { convertParameters } from './convert.ts';
import type { JsonSchema, ParameterObject } from './document.ts';
import { sentNames } from './forms.ts';

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

/** The names of the lists that a family repeats, which others join with commas. */
export const repeatedNamesOf = ({ query, sortAs, repeated }: WholeFamily): readonly string[] => [
  ...repeated.flatMap((part) => query[part as keyof QueryNames] ?? []),
  ...(typeof sortAs === 'object' && repeated.includes('sort') ? [sortAs.direction] : []),
];

/** Paths below a resource as they are sent. */
const toSentPaths = (
  paths: true | readonly string[],
  resource: Schema,
  { idField }: WholeFamily,
): true | readonly string[] => paths === true || paths.map((path) => toWirePath(path, resource, idField));

/** `fields` and `expand` (§4.4) of a resource. */
export const selectionParameters = (
  resource: Schema,
  { fields = [], expand = [] }: Pick<Collection['options'], 'fields' | 'expand'>,
  family: WholeFamily,
  inQuery: InQuery,
  plainLists: boolean,
): readonly ParameterObject[] => {
  const { query, identity, impliesIdentity } = family;
  const { fields: fieldsName = 'fields', expand: expandName = 'expand' } = query;
  const own = sentNames(identity, family)
    .map((name) => `\`${name}\``)
    .join(' and ');
  const about = `The fields to return${impliesIdentity ? ` besides ${own}` : ''} (§4.4).`;
  // As the client, which names the identity where no server implies it.
  const named = fields === true || impliesIdentity ? fields : withIdentityPaths(resource, fields, identity);
  return [
    ...pathsIn(fieldsName, about, toSentPaths(named, resource, family), inQuery, plainLists),
    ...pathsIn(expandName, 'The nested resources to return in full (§4.4).', expand, inQuery, plainLists),
  ];
};

const directions = ['asc', 'desc'];

/** A field to sort by in both directions, where one value has both. */
const sortValuesOf = (name: string, form: SortForm & string): readonly string[] => {
  if (form === '-field') return [name, `-${name}`];
  const { separator, directions } = readDirectionForm(form);
  return directions.map((direction) => name + separator + direction);
};

/** `sort` (§4.4), with the parameter for its direction where the family has one. */
const sortParameters = (
  sort: true | readonly string[],
  { query, sortAs }: WholeFamily,
  inQuery: InQuery,
  plainLists: boolean,
): readonly ParameterObject[] => {
  const { sort: name = 'sort' } = query;
  const about = 'The fields to sort by';
  if (typeof sortAs === 'string') {
    const values = sort === true ? sort : sort.flatMap((path) => sortValuesOf(path, sortAs));
    const how = sortAs === '-field' ? '; `-` before a name means descending' : '';
    return pathsIn(name, `${about}${how} (§4.4).`, values, inQuery, plainLists);
  }
  if (sort !== true && sort.length === 0) return [];
  const names: JsonSchema = { type: 'string', ...(sort !== true && { enum: sort }) };
  const direction: JsonSchema = { type: 'string', enum: directions };
  const toSchema = (items: JsonSchema): JsonSchema => (sortAs.many ? { type: 'array', items } : items);
  return [
    inQuery(name, `${about} (§4.4).`, toSchema(names)),
    inQuery(sortAs.direction, 'The direction in which it sorts.', toSchema(direction)),
  ];
};

/** The page and its size (§4.4). */
const pageParameters = (
  { options: { paging } }: Collection,
  { query, firstPage, pageRequired, list }: WholeFamily,
  inQuery: InQuery,
): readonly ParameterObject[] => {
  const { page, perPage } = query;
  const cursor = cursorParameterOf(list);
  const offset = offsetParameterOf(list);
  const lastId = nextAfterLastOf(list)?.lastId;
  const { maxPerPage, defaultPerPage } = typeof paging === 'object' ? paging : {};
  const size = {
    type: 'integer',
    minimum: 1,
    ...(maxPerPage !== undefined && { maximum: maxPerPage }),
    ...(defaultPerPage !== undefined && { default: defaultPerPage }),
  };
  const number = { type: 'integer', minimum: firstPage, default: firstPage };
  const before = { type: 'integer', minimum: 0, default: 0 };
  const ofPage = page === undefined ? [] : [inQuery(page, 'The page of results (§4.4).', number)];
  return [
    ...ofPage.map((one) => ({ ...one, ...(pageRequired && { required: true }) })),
    ...(cursor === undefined ? [] : [inQuery(cursor, 'The cursor of the page before.', { type: 'string' })]),
    ...(offset === undefined ? [] : [inQuery(offset, 'The number of records before the page.', before)]),
    ...(lastId === undefined
      ? []
      : [inQuery(lastId, 'The id of the last record of the page before.', { type: 'string' })]),
    ...(perPage === undefined ? [] : [inQuery(perPage, 'Records per page (§4.4).', size)]),
  ];
};

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
  collection: Collection,
  isList: boolean,
  family: WholeFamily,
  plainLists = false,
): readonly ParameterObject[] => {
  const { options, resource } = collection;
  const { sort = [], paging, params, repeated = [] } = options;
  const { query, firstPage, pageRequired } = family;
  const inQuery = createInQuery([...repeated, ...repeatedNamesOf(family)], plainLists);
  const ofOne = selectionParameters(resource, options, family, inQuery, plainLists);
  if (!isList) return ofOne;
  const inEach = (name: string, schema: JsonSchema): ParameterObject => ({
    ...inQuery(name, 'What each list sends.', schema),
    required: true,
  });
  const always = Object.entries(family.listParameters).map(([name, value]) =>
    inEach(name, { type: 'string', const: value }),
  );
  const firstOnly =
    query.page !== undefined && pageRequired && paging === undefined
      ? [inEach(query.page, { type: 'integer', const: firstPage })]
      : [];
  return [
    ...sortParameters(toSentPaths(sort, resource, family), family, inQuery, plainLists),
    ...ofOne,
    ...(paging === undefined ? [] : pageParameters(collection, family, inQuery)),
    ...firstOnly,
    ...always,
    ...(params === undefined ? [] : ownParameters(params, inQuery)),
  ];
};
