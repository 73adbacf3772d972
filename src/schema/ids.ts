// The id of a resource, which some servers name otherwise: `_id`, `uuid`, `documentId`.
import { descendingPrefix, pathSeparator } from '../conventions.ts';
import type { QueryParts } from '../families/query.ts';
import type { Wire } from '../families/wire.ts';
import { isObject } from '../options.ts';
import { isResource } from './resource.ts';
import type { Schema } from './types/shape.ts';
import { coreOf, definitionOf, fieldOf, fieldsOf, targetOf } from './zod.ts';

/** The name of the id in TypeScript. */
const ownName = 'id';

/** True for a resource, and for what stands for one: the ids of other objects have no other name. */
const hasIdField = (schema: Schema): boolean => isResource(coreOf(schema)) || targetOf(schema) !== undefined;

/** The schemas that the same value has: those inside a wrapper, and the options of a union. */
const alternativesOf = (schema: Schema): readonly Schema[] => {
  const { innerType, in: sent, options = [], left, right, getter } = definitionOf(schema);
  return [innerType, sent, ...options, left, right, getter?.()].filter((one) => one !== undefined);
};

/**
 * A value in which the id of each resource has another name; what has that name already is left out. Of the
 * schema of one resource, the value may be a list.
 */
const renameIds = (value: unknown, schema: Schema, from: string, to: string): unknown => {
  const rename = (inner: unknown, part: Schema | undefined): unknown =>
    part === undefined ? inner : renameIds(inner, part, from, to);
  if (typeof value !== 'object' || value === null) return value;
  const { element, items, valueType } = definitionOf(schema);
  const fields = fieldsOf(schema);
  if (Array.isArray(value) && items !== undefined)
    return value.map((item, index) => rename(item, items[index]));
  if (Array.isArray(value) && (element ?? fields) !== undefined)
    return value.map((item) => rename(item, element ?? schema));
  if (!isObject(value) || (fields ?? valueType) === undefined)
    return alternativesOf(schema).reduce<unknown>(rename, value);
  const isRenamed = hasIdField(schema) && Object.hasOwn(value, from);
  const partOf = (name: string): Schema | undefined =>
    fields && Object.hasOwn(fields, name) ? fields[name] : valueType;
  const entries = Object.entries(value)
    .filter(([name]) => !isRenamed || name !== to)
    .map(([name, inner]) => [isRenamed && name === from ? to : name, rename(inner, partOf(name))]);
  return Object.fromEntries(entries);
};

/** A value of a response, whose resources have `id`. */
export const readIds = (value: unknown, schema: Schema, idField: string): unknown =>
  idField === ownName ? value : renameIds(value, schema, idField, ownName);

/** A value as a server has it whose resources have `idField`. */
export const writeIds = (value: unknown, schema: Schema, idField: string): unknown =>
  idField === ownName ? value : renameIds(value, schema, ownName, idField);

/** A dotted path as the server has it, `company._id` for `company.id`. One to sort by may have a sign. */
export const toWirePath = (given: string, resource: Schema, idField: string): string => {
  const sign = given.startsWith(descendingPrefix) ? descendingPrefix : '';
  let at: Schema | undefined = resource;
  const names: string[] = [];
  for (const name of given.slice(sign.length).split(pathSeparator)) {
    const isId = at !== undefined && name === ownName && hasIdField(at);
    names.push(isId ? idField : name);
    at = at && fieldOf(at, name);
  }
  return sign + names.join(pathSeparator);
};

const toWireQuery = (query: QueryParts, resource: Schema, idField: string): QueryParts => ({
  ...query,
  sort: query.sort?.map((given) => toWirePath(given, resource, idField)),
  fields: query.fields?.map((path) => toWirePath(path, resource, idField)),
});

/** A wire whose family may name the id of a resource otherwise. In TypeScript it is `id`. */
export const withIdField = (wire: Wire): Wire => {
  const { idField } = wire.family;
  if (idField === ownName) return wire;
  return {
    ...wire,
    formatQuery: (query, isList, resource) =>
      wire.formatQuery(resource === undefined ? query : toWireQuery(query, resource, idField), isList),
    toBody: (value, resource) => wire.toBody(writeIds(value, resource, idField), resource),
    readIds: (value, schema) => readIds(value, schema, idField),
    writeIds: (value, schema) => writeIds(value, schema, idField),
  };
};
