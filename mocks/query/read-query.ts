import {
  descendingPrefix,
  type ErrorItem,
  listSeparator,
  pathSeparator,
  type QueryParameter,
  queryParameters,
} from '../../src/conventions.ts';
import { hasField } from '../../src/schema/resource.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { definitionOf, fieldOf, innerOf, valuesOf } from '../../src/schema/zod.ts';
import type { Declared } from '../collections/declare.ts';
import { invalidItem, Refusal } from '../message.ts';
import type { Names, Selection } from '../represent.ts';
import { fits, type Json, parse } from '../rows/schema.ts';

const toTree = (paths: readonly (readonly string[])[]): Names => {
  const heads = new Set(paths.flatMap(([head]) => head ?? []));
  const below = (name: string): Names =>
    toTree(paths.filter(([head]) => head === name).map(([, ...rest]) => rest));
  return {
    whole: paths.some(({ length }) => length === 0),
    below: new Map([...heads].map((name) => [name, below(name)])),
  };
};

/** The dotted paths of a comma-separated list as a tree; undefined when there is no list. */
const readNames = (list: string | null): Names | undefined =>
  list === null ? undefined : toTree(list.split(listSeparator).map((path) => path.split(pathSeparator)));

/** An endpoint's own query parameters: as the schema parses them, and as they were sent. */
export interface OwnParameters {
  readonly parsed: Json;
  readonly sent: Json;
}

const numeric = (value: string): unknown =>
  value.trim() === '' || Number.isNaN(Number(value)) ? value : Number(value);

const dated = (value: string): unknown => (Number.isNaN(Date.parse(value)) ? value : new Date(value));

/** Converts a query parameter to the type of its schema: a number, a boolean, a date, or a list of them. */
const coerce = (schema: Schema, value: string): unknown => {
  const { type, element, options = [], in: input } = definitionOf(schema);
  if (type === 'array' && element !== undefined) {
    return value === '' ? [] : value.split(listSeparator).map((item) => coerce(element, item));
  }
  const inner = innerOf(schema) ?? input;
  if (inner !== undefined) return coerce(inner, value);
  if (type === 'number') return numeric(value);
  if (type === 'boolean') return /^(true|false)$/.test(value) ? value === 'true' : value;
  if (type === 'date') return dated(value);
  if (type === 'union') {
    const fitting = options.find((option) => fits(option, coerce(option, value)));
    return fitting === undefined ? value : coerce(fitting, value);
  }
  return valuesOf(schema).find((allowed) => String(allowed) === value) ?? value;
};

const isConventional = (name: string): name is QueryParameter =>
  (queryParameters as readonly string[]).includes(name);

/** Reads an endpoint's own query parameters by their schema, with their errors; a repeated one is a list. */
const readOwnParameters = (schema: Schema, search: URLSearchParams) => {
  const names = [...new Set(search.keys())].filter((name) => !isConventional(name));
  const sent = Object.fromEntries(
    names.map((name) => {
      const value = search.getAll(name).join(listSeparator);
      const field = fieldOf(schema, name);
      return [name, field === undefined ? value : coerce(field, value)];
    }),
  );
  const { parsed, errors } = parse(schema, sent);
  // The schema of `params` is an object schema.
  return { sent, parsed: parsed as Json, errors };
};

/** One field of `sort` (§4.4). */
export interface SortField {
  readonly path: string;
  readonly descending: boolean;
}

const toSortField = (value: string): SortField => {
  const descending = value.startsWith(descendingPrefix);
  return { path: descending ? value.slice(descendingPrefix.length) : value, descending };
};

/** The query of a GET as the mock reads it (§4.4). */
export interface ReadQuery extends Selection {
  readonly sort: readonly SortField[];
  readonly page: number;
  /** Undefined when the client left it to the endpoint. */
  readonly perPage: number | undefined;
  readonly own: OwnParameters;
}

/** What is wrong with the value of `page` or `perPage`; undefined when it is valid. */
const checkNumber = (name: string, value: string, { collection }: Declared): string | undefined => {
  const { paging } = collection.options;
  if (paging === undefined) return `this endpoint does not support ${name}`;
  if (!/^[1-9]\d{0,14}$/.test(value)) return `${name} must be an integer from 1`;
  const most = paging === true ? undefined : paging.maxPerPage;
  const isAbove = name === 'perPage' && most !== undefined && Number(value) > most;
  return isAbove ? `perPage is above the maximum of ${most}` : undefined;
};

/** What is wrong with a list of field names; undefined when it is valid. */
const checkNames = (
  name: 'sort' | 'fields' | 'expand',
  value: string,
  { collection, resource }: Declared,
): string | undefined => {
  const declared = collection.options[name];
  if (declared === undefined) return `this endpoint does not support ${name}`;
  for (const given of value.split(listSeparator)) {
    const path = name === 'sort' ? toSortField(given).path : given;
    if (!hasField(resource, path)) return `${JSON.stringify(path)} is not a field`;
    if (declared !== true && !declared.includes(path))
      return `${JSON.stringify(path)} is not supported by ${name} here`;
  }
  return undefined;
};

/** What is wrong with a query parameter of a GET; undefined when it is valid. Only a list pages and sorts (§4.4). */
const checkParameter = (
  name: string,
  values: readonly string[],
  endpoint: Declared,
  isList: boolean,
): string | undefined => {
  const { params } = endpoint.collection.options;
  const isOfList = name !== 'fields' && name !== 'expand';
  const isOwn = params !== undefined && fieldOf(params, name) !== undefined;
  if ((isOfList && !isList) || !(isConventional(name) || isOwn))
    return 'this endpoint has no such query parameter';
  if (!isConventional(name)) return undefined;
  const [value = '', ...more] = values;
  if (more.length > 0) return `${name} must not be repeated`;
  if (name === 'page' || name === 'perPage') return checkNumber(name, value, endpoint);
  return checkNames(name, value, endpoint);
};

/** @throws {@link Refusal} 400 with an item for each parameter that has a problem */
const refuseProblems = (
  search: URLSearchParams,
  check: (name: string) => string | undefined,
  more: readonly ErrorItem[] = [],
): void => {
  const problems = [...new Set(search.keys())].flatMap((field) => {
    const message = check(field);
    return message === undefined ? [] : [invalidItem(field, message)];
  });
  const others = more.filter(({ field }) => !problems.some((problem) => problem.field === field));
  if (problems.length + others.length > 0)
    throw new Refusal(400, 'The query parameters are not valid', [...problems, ...others]);
};

/**
 * Reads the query of a GET.
 *
 * @throws {@link Refusal} 400 with an item for each invalid parameter (§4.4, §7.1)
 */
export const readQuery = (endpoint: Declared, search: URLSearchParams, isList: boolean): ReadQuery => {
  const { params } = endpoint.collection.options;
  const own = isList && params !== undefined ? readOwnParameters(params, search) : undefined;
  const check = (name: string) => checkParameter(name, search.getAll(name), endpoint, isList);
  refuseProblems(search, check, own?.errors);
  const perPage = search.get('perPage');
  return {
    sort: search.get('sort')?.split(listSeparator).map(toSortField) ?? [],
    fields: readNames(search.get('fields')),
    expand: readNames(search.get('expand')),
    page: Number(search.get('page') ?? 1),
    perPage: perPage === null ? undefined : Number(perPage),
    own: own ?? { parsed: {}, sent: {} },
  };
};

/** @throws {@link Refusal} 400 for query parameters of a request that is not a GET: none are declared for it */
export const refuseQuery = (search: URLSearchParams): void =>
  refuseProblems(search, () => 'only a GET takes query parameters here');
