// The id of a resource, which some servers name otherwise: `_id`, `uuid`, `documentId`.
import { descendingPrefix, pathSeparator } from '../conventions.ts';
import type { QueryParts } from '../families/query.ts';
import type { Wire } from '../families/wire.ts';
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
 * The schemas that a value may have, with those inside of wrappers and unions. Each is there once, so that the
 * time is linear in the value where options of a union contain the union.
 */
const withAlternatives = (schemas: readonly Schema[]): readonly Schema[] => {
  const all = new Set(schemas);
  for (const schema of all) for (const one of alternativesOf(schema)) all.add(one);
  return [...all];
};

/** The schemas that an item of a list may have. */
const itemSchemasOf = (schemas: readonly Schema[], index: number): readonly Schema[] =>
  schemas
    .map(definitionOf)
    .map(({ element, items, rest }) => element ?? items?.[index] ?? rest ?? undefined)
    .filter((one) => one !== undefined);

/** The schemas that a field of an object may have. */
const fieldSchemasOf = (schemas: readonly Schema[], name: string): readonly Schema[] =>
  schemas
    .map((schema) => fieldOf(schema, name) ?? definitionOf(schema).valueType)
    .filter((one) => one !== undefined);

// A resource may contain itself. A response is bounded, but not its nesting, and a body may have a cycle: both
// are refused later, by errors that say so.
const deepest = 500;

/** A value in which the id of each resource has another name; what has that name already is left out. */
const renameIds = (
  value: unknown,
  given: readonly Schema[],
  from: string,
  to: string,
  depth = 0,
): unknown => {
  if (typeof value !== 'object' || value === null || given.length === 0 || depth > deepest) return value;
  const schemas = withAlternatives(given);
  if (Array.isArray(value))
    return value.map((item, index) => renameIds(item, itemSchemasOf(schemas, index), from, to, depth + 1));
  // Any other object, such as a date, is no set of fields.
  const isOfFields = schemas.some(
    (schema) => (fieldsOf(schema) ?? definitionOf(schema).valueType) !== undefined,
  );
  if (!isOfFields) return value;
  const isRenamed = Object.hasOwn(value, from) && schemas.some(hasIdField);
  const entries = Object.entries(value)
    .filter(([name]) => !isRenamed || name !== to)
    .map(([name, inner]: [string, unknown]) => {
      const renamed = renameIds(inner, fieldSchemasOf(schemas, name), from, to, depth + 1);
      return [isRenamed && name === from ? to : name, renamed];
    });
  return Object.fromEntries(entries);
};

/** {@link renameIds} for a whole body. Of the schema of one resource, it may be a list. */
const renameIn = (body: unknown, schema: Schema, from: string, to: string): unknown => {
  if (from === to) return body;
  if (Array.isArray(body) && isResource(schema))
    return body.map((item: unknown) => renameIds(item, [schema], from, to));
  return renameIds(body, [schema], from, to);
};

/** A value of a response, whose resources have `id`. */
export const readIds = (value: unknown, schema: Schema, idField: string): unknown =>
  renameIn(value, schema, idField, ownName);

/** A value as a server has it whose resources have `idField`. */
export const writeIds = (value: unknown, schema: Schema, idField: string): unknown =>
  renameIn(value, schema, ownName, idField);

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
