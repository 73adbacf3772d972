import {
  descendingPrefix,
  type ErrorItem,
  listSeparator,
  pathSeparator,
  type QueryParameter,
  queryParameters,
} from '../../src/conventions.ts';
import type { CollectionOptions } from '../../src/schema/collection.ts';
import { hasField } from '../../src/schema/resource.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { definitionOf, fieldOf, fieldsOf, innerOf, valuesOf } from '../../src/schema/zod.ts';
import type { Declared } from '../collections/declare.ts';
import { invalidItem, Refusal } from '../message.ts';
import type { Names, Selection } from '../represent.ts';
import { fits, type Json, parse } from '../rows/schema.ts';

const splitNames = (value: string): readonly string[] => value.split(listSeparator);

const toTree = (paths: readonly (readonly string[])[]): Names => {
  const heads = new Set(paths.flatMap(([head]) => head ?? []));
  const below = (name: string): Names =>
    toTree(paths.filter(([head]) => head === name).map(([, ...rest]) => rest));
  return {
    whole: paths.some(({ length }) => length === 0),
    below: new Map([...heads].map((name) => [name, below(name)])),
  };
};

/** The dotted paths of a comma-separated list; undefined when there is no list. */
const readNames = (list: string | null): Names | undefined =>
  list === null ? undefined : toTree(splitNames(list).map((path) => path.split(pathSeparator)));

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

/** Reads an endpoint's own query parameters by their schema, with their errors. */
const readOwnParameters = (
  schema: Schema,
  values: ReadonlyMap<string, string>,
): OwnParameters & { readonly errors: readonly ErrorItem[] } => {
  const sent = Object.fromEntries(
    [...values].map(([name, value]) => {
      const field = fieldOf(schema, name);
      return [name, field === undefined ? value : coerce(field, value)];
    }),
  );
  const { parsed, errors } = parse(schema, sent);
  // The schema of `params` is an object schema.
  return { sent, parsed: parsed as Json, errors };
};

export const parameterNames = (schema: Schema | undefined): readonly string[] =>
  Object.keys((schema && fieldsOf(schema)) ?? {});

/** One field of `sort` (§4.4). */
export interface SortField {
  readonly path: string;
  readonly descending: boolean;
}

/** The query of a GET as the mock reads it (§4.4). */
export interface ReadQuery extends Selection {
  readonly sort: readonly SortField[];
  readonly page: number;
  /** Undefined when the client left it to the endpoint. */
  readonly perPage: number | undefined;
  readonly own: OwnParameters;
}

/** An item for each parameter with a problem. */
const findProblems = (
  search: URLSearchParams,
  check: (name: string) => string | undefined,
): readonly ErrorItem[] =>
  [...new Set(search.keys())].flatMap((field) => {
    const message = check(field);
    return message === undefined ? [] : [invalidItem(field, message)];
  });

const refuseItems = (items: readonly ErrorItem[]): void => {
  if (items.length > 0) throw new Refusal(400, 'The query parameters are not valid', items);
};

const isConventional = (name: string): name is QueryParameter =>
  (queryParameters as readonly string[]).includes(name);

const supports = (options: CollectionOptions, name: QueryParameter, isList: boolean): boolean => {
  if (name === 'fields' || name === 'expand') return options[name] !== undefined;
  // Only for a collection GET (§4.4).
  return isList && options[name === 'sort' ? 'sort' : 'paging'] !== undefined;
};

const checkNumber = (name: 'page' | 'perPage', value: string, options: CollectionOptions) => {
  if (!/^[1-9]\d{0,14}$/.test(value)) return `${name} must be an integer from 1`;
  const most = typeof options.paging === 'object' ? options.paging.maxPerPage : undefined;
  return name === 'perPage' && most !== undefined && Number(value) > most
    ? `perPage is above the maximum of ${most}`
    : undefined;
};

const checkName = (
  parameter: 'sort' | 'fields' | 'expand',
  name: string,
  { collection: { options }, resource }: Declared,
): string | undefined => {
  if (!hasField(resource, name)) return `${JSON.stringify(name)} is not a field`;
  const declared = options[parameter];
  if (declared === true || declared?.includes(name) === true) return undefined;
  return `${JSON.stringify(name)} is not supported by ${parameter} here`;
};

const toSortField = (value: string): SortField => {
  const descending = value.startsWith(descendingPrefix);
  return { path: descending ? value.slice(descendingPrefix.length) : value, descending };
};

/** The error in a parameter of the conventions; undefined when it is valid. */
const checkConventional = (name: QueryParameter, value: string, endpoint: Declared): string | undefined => {
  if (name === 'page' || name === 'perPage') return checkNumber(name, value, endpoint.collection.options);
  for (const field of splitNames(value)) {
    const path = name === 'sort' ? toSortField(field).path : field;
    const problem = checkName(name, path, endpoint);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

const checkParameter = (
  name: string,
  values: readonly string[],
  endpoint: Declared,
  isList: boolean,
): string | undefined => {
  const { options } = endpoint.collection;
  if (!isConventional(name)) {
    const isOwn = isList && parameterNames(options.params).includes(name);
    return isOwn ? undefined : 'this endpoint has no such query parameter';
  }
  if (!supports(options, name, isList)) return `this endpoint does not support ${name}`;
  if (values.length > 1) return `${name} must not be repeated`;
  return checkConventional(name, values[0] ?? '', endpoint);
};

/** A repeated own parameter is a list, like one with commas. */
const ownValues = (search: URLSearchParams): ReadonlyMap<string, string> =>
  new Map(
    [...new Set(search.keys())]
      .filter((name) => !isConventional(name))
      .map((name) => [name, search.getAll(name).join(listSeparator)]),
  );

/**
 * Reads the query of a GET.
 *
 * @throws {@link Refusal} 400 with an item for each invalid parameter (§4.4, §7.1)
 */
export const readQuery = (endpoint: Declared, search: URLSearchParams, isList: boolean): ReadQuery => {
  const problems = findProblems(search, (name) =>
    checkParameter(name, search.getAll(name), endpoint, isList),
  );
  const { params } = endpoint.collection.options;
  const own = isList && params !== undefined ? readOwnParameters(params, ownValues(search)) : undefined;
  refuseItems([
    ...problems,
    ...(own?.errors ?? []).filter(({ field }) => !problems.some((problem) => problem.field === field)),
  ]);
  const [sort, perPage] = [search.get('sort'), search.get('perPage')];
  return {
    sort: sort === null ? [] : splitNames(sort).map(toSortField),
    fields: readNames(search.get('fields')),
    expand: readNames(search.get('expand')),
    page: Number(search.get('page') ?? 1),
    perPage: perPage === null ? undefined : Number(perPage),
    own: own ?? { parsed: {}, sent: {} },
  };
};

/** @throws {@link Refusal} 400 for query parameters of a request that is not a GET: none are declared for it */
export const refuseQuery = (search: URLSearchParams): void =>
  refuseItems(findProblems(search, () => 'only a GET takes query parameters here'));
