// The id of a resource, which some servers name otherwise: `_id`, `uuid`, `documentId`.
import { descendingPrefix, pathSeparator } from '../conventions.ts';
import type { QueryParts } from '../families/query.ts';
import type { Wire } from '../families/wire.ts';
import { isObject } from '../options.ts';
import { isResource } from './resource.ts';
import type { Schema } from './types/shape.ts';
import { coreOf, fieldOf, fieldsOf, targetOf } from './zod.ts';

/** The name of the id in TypeScript. */
const ownName = 'id';

/** True for a resource, and for what stands for one: the ids of other objects have no other name. */
const hasIdField = (schema: Schema): boolean => isResource(coreOf(schema)) || targetOf(schema) !== undefined;

/** A value in which the id of each resource has another name; what has that name already is left out. */
const renameIds = (value: unknown, schema: Schema, from: string, to: string): unknown => {
  if (Array.isArray(value)) return value.map((item) => renameIds(item, schema, from, to));
  if (!isObject(value)) return value;
  const fields = fieldsOf(schema) ?? {};
  const isRenamed = hasIdField(schema) && Object.hasOwn(value, from);
  const entries = Object.entries(value)
    .filter(([name]) => !isRenamed || name !== to)
    .map(([name, inner]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      const renamed = field === undefined ? inner : renameIds(inner, field, from, to);
      return [isRenamed && name === from ? to : name, renamed];
    });
  return Object.fromEntries(entries);
};

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
    toBody: (value, resource) => wire.toBody(renameIds(value, resource, ownName, idField), resource),
    readIds: (value, schema) => renameIds(value, schema, idField, ownName),
  };
};
