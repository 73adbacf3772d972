import {
  descendingPrefix,
  listSeparator,
  pathSeparator,
  type QueryParameter,
  queryParameters,
} from '../../src/conventions.ts';
import { type Collection, maxPerPageOf, supportsParameter } from '../../src/schema/collection.ts';
import { familyOf } from '../../src/schema/define-api.ts';
import { schemaAt } from '../../src/schema/field-paths.ts';
import { isIdentityField } from '../../src/schema/resource.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { definitionOf, fieldOf, fieldsOf, innerOf, kindOf } from '../../src/schema/zod.ts';
import { invalidItem, Refusal } from '../message.ts';
import { fits, parse } from '../rows/parse.ts';
import type { Json } from '../rows/schema.ts';

/** Field paths (§2.1), each as its names. */
export type Paths = readonly (readonly string[])[];

/** The part of a resource that a response has (§4.4). */
export interface Selection {
  /** Undefined for every field. */
  readonly fields: Paths | undefined;
  /** Undefined for a relation that is not expanded. */
  readonly expand: Paths | undefined;
}

/** The paths of a comma-separated list; undefined when there is no list. */
const readPaths = (list: string | null): Paths | undefined =>
  list?.split(listSeparator).map((path) => path.split(pathSeparator));

/** An endpoint's own query parameters: as the schema parses them, and as they were sent. */
export interface OwnParameters {
  readonly parsed: Json;
  readonly sent: Json;
}

/** What the string of a query parameter may stand for. */
const readingsOf = (value: string): readonly unknown[] => {
  const number = value.trim() === '' ? value : Number(value);
  const flag = /^(true|false)$/.test(value) ? value === 'true' : value;
  const bigint = /^-?\d+$/.test(value) ? BigInt(value) : value;
  return [value, number, flag, bigint, new Date(value)];
};

/**
 * Converts a query parameter to the type of its schema: a number, a boolean, a date, a BigInt, or a list or a
 * tuple of them.
 */
const coerce = (schema: Schema, value: string): unknown => {
  const { element, items, rest, in: input } = definitionOf(schema);
  if (element !== undefined || items !== undefined) {
    const parts = value === '' ? [] : value.split(listSeparator);
    return parts.map((part, index) => {
      const inner = element ?? items?.[index] ?? rest;
      return inner ? coerce(inner, part) : part;
    });
  }
  const inner = innerOf(schema) ?? input;
  if (inner !== undefined) return coerce(inner, value);
  return readingsOf(value).find((candidate) => fits(schema, candidate)) ?? value;
};

/** The schema of the items of a list, inside of its wrappers; undefined for any other schema. */
const elementIn = (schema: Schema): Schema | undefined => {
  const { element, innerType, in: input } = definitionOf(schema);
  const inner = innerType ?? input;
  return element ?? (inner && elementIn(inner));
};

/** Converts the values of a parameter that is sent once for each item of a list. */
const coerceAll = (schema: Schema, values: readonly string[]): unknown => {
  const element = elementIn(schema);
  if (element !== undefined) return values.map((value) => coerce(element, value));
  const [value = ''] = values;
  return values.length > 1 ? values : coerce(schema, value);
};

const isConventional = (name: string): name is QueryParameter => queryParameters.some((one) => one === name);

/**
 * True for a parameter that the schema of `params` declares, also where its name is one of §4.4 that the
 * endpoint lacks, and for any other name where the schema takes unknown ones.
 */
export const isOwn = (params: Schema | undefined, name: string): boolean => {
  if (params === undefined) return false;
  if (fieldOf(params, name) !== undefined) return true;
  const { catchall } = definitionOf(params);
  return catchall !== undefined && kindOf(catchall) !== 'never' && !isConventional(name);
};

/** Reads an endpoint's own query parameters by their schema, with their errors. */
const readOwnParameters = (schema: Schema, repeated: readonly string[], search: URLSearchParams) => {
  const names = [...new Set(search.keys())].filter((name) => !isConventional(name) || isOwn(schema, name));
  const sent = Object.fromEntries(
    names.map((name) => {
      const values = search.getAll(name);
      const value = values.join(listSeparator);
      const field = fieldOf(schema, name);
      if (field === undefined) return [name, value];
      return [name, repeated.includes(name) ? coerceAll(field, values) : coerce(field, value)];
    }),
  );
  const { parsed, errors } = parse(schema, sent);
  // The schema of `params` is an object schema.
  return { sent, parsed: parsed as Json, errors };
};

/** One field of `sort` (§4.4). */
export interface SortField {
  readonly path: readonly string[];
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

/** The path of a field that `sort` names. */
const withoutPrefix = (given: string): string =>
  given.startsWith(descendingPrefix) ? given.slice(descendingPrefix.length) : given;

/** The message of a 400 about parameters, with an item for each of them. */
export const invalidQuery = 'The query parameters are not valid';

const unknownParameter = 'this endpoint has no such query parameter';

/** What declares the parameters of a query: a collection, or an endpoint. */
export interface QueryDeclaration {
  readonly declaration: Pick<Collection, 'options' | 'wire'>;
  readonly resource: Schema;
}

/** True for the identity of a resource that a declared path leads through. */
const isIdentityAlong = (declared: readonly string[], path: string): boolean => {
  const names = path.split(pathSeparator);
  const above = names.with(-1, '').join(pathSeparator);
  return isIdentityField(names.at(-1) ?? '') && declared.some((one) => one.startsWith(above));
};

/** Whether a parameter may name a path of the resource. */
const mayName = (
  name: 'sort' | 'fields' | 'expand',
  path: string,
  { options, ...declaration }: QueryDeclaration['declaration'],
): boolean => {
  const { [name]: declared = [] } = options;
  if (declared === true || declared.includes(path)) return true;
  // A client names the identity beside other fields where no server implies it.
  return name === 'fields' && !familyOf(declaration).impliesIdentity && isIdentityAlong(declared, path);
};

/**
 * What is wrong with a query parameter of a GET; undefined when it is valid. Only a list pages and sorts
 * (§4.4).
 */
const problemOf = (
  name: string,
  [value = '', ...more]: readonly string[],
  { declaration, resource }: QueryDeclaration,
  isList: boolean,
): string | undefined => {
  const { options } = declaration;
  const { params, paging, repeated = [] } = options;
  const isOfList = isList && isOwn(params, name);
  const isKnown = isList ? isOfList || isConventional(name) : name === 'fields' || name === 'expand';
  if (!isKnown) return unknownParameter;
  if (more.length > 0 && !repeated.includes(name)) return `${name} must not be repeated`;
  // The value of an endpoint's own parameter is checked by its schema.
  if (isOfList || !isConventional(name)) return undefined;
  if (name === 'page' || name === 'perPage') {
    if (paging === undefined) return `this endpoint does not support ${name}`;
    if (!/^[1-9]\d{0,14}$/.test(value)) return `${name} must be an integer from 1`;
    const most = maxPerPageOf(options) ?? Number.MAX_SAFE_INTEGER;
    const isAbove = name === 'perPage' && Number(value) > most;
    return isAbove ? `perPage is above the maximum of ${most}` : undefined;
  }
  if (options[name] === undefined) return `this endpoint does not support ${name}`;
  for (const given of value.split(listSeparator)) {
    const path = name === 'sort' ? withoutPrefix(given) : given;
    const shown = JSON.stringify(path);
    const field = schemaAt(resource, path);
    if (field === undefined) return `${shown} is not a field`;
    if (!mayName(name, path, declaration)) return `${shown} is not supported by ${name} here`;
    if (name === 'sort' && fieldsOf(field)) return `${shown} is an object; sort by one of its fields`;
  }
  return undefined;
};

/**
 * Reads the query of a GET.
 *
 * @throws {@link Refusal} 400 with an item for each invalid parameter (§4.4, §7.1)
 */
export const readQuery = (
  declared: QueryDeclaration,
  search: URLSearchParams,
  isList: boolean,
): ReadQuery => {
  const { options } = declared.declaration;
  const { params, repeated = [] } = options;
  const own = isList && params !== undefined ? readOwnParameters(params, repeated, search) : undefined;
  const items = new Map(own?.errors.map((item) => [item.field, item]));
  for (const name of new Set(search.keys())) {
    const message = problemOf(name, search.getAll(name), declared, isList);
    if (message !== undefined) items.set(name, invalidItem(name, message));
  }
  if (items.size > 0) throw new Refusal(400, invalidQuery, [...items.values()]);
  const conventional = (name: QueryParameter) => (supportsParameter(options, name) ? search.get(name) : null);
  const sort = conventional('sort')?.split(listSeparator) ?? [];
  const perPage = conventional('perPage');
  return {
    sort: sort.map((given) => ({
      path: withoutPrefix(given).split(pathSeparator),
      descending: given.startsWith(descendingPrefix),
    })),
    fields: readPaths(conventional('fields')),
    expand: readPaths(conventional('expand')),
    page: Number(conventional('page') ?? 1),
    perPage: perPage === null ? undefined : Number(perPage),
    own: own ?? { parsed: {}, sent: {} },
  };
};

/**
 * @throws {@link Refusal} 400 for query parameters of a request that is not a GET: none are declared for it
 */
export const refuseQuery = (search: URLSearchParams): void => {
  const message = 'only a GET takes query parameters here';
  const items = [...new Set(search.keys())].map((name) => invalidItem(name, message));
  if (items.length > 0) throw new Refusal(400, invalidQuery, items);
};
