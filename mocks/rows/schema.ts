import { $ZodOptional } from 'zod/v4/core';
import { isObject } from '../../src/options.ts';
import { below } from '../../src/schema/codec.ts';
import { isAbsent, isIdentified } from '../../src/schema/resource.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import {
  coreOf,
  definitionOf,
  elementOf,
  fieldOf,
  fieldsOf,
  innerOf,
  objectOf,
  oncePer,
  targetOf,
  withInner,
} from '../../src/schema/zod.ts';
import { fits } from './parse.ts';

/** True for a resource (§2.1); false for a relation to one. */
export const isResource = oncePer((schema: Schema) => targetOf(schema) === undefined && isIdentified(schema));

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** An object in a value, with its schema. */
export interface Nested {
  /** Dotted. */
  readonly path: string;
  readonly value: Json;
  readonly schema: Schema;
}

/**
 * The objects in a value, at any depth, but not inside a relation, because its content belongs to another
 * row.
 */
export function* objectsIn(value: unknown, schema: Schema, path = ''): Generator<Nested> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* objectsIn(item, schema, below(path, index));
  }
  if (!isObject(value)) return;
  yield { path, value, schema };
  const fields = targetOf(schema) === undefined ? fieldsOf(schema) : undefined;
  if (fields === undefined) return;
  for (const [name, inner] of Object.entries(value)) {
    const field = typeof inner === 'object' && Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field !== undefined) yield* objectsIn(inner, field, below(path, name));
  }
}

/** The schema of what a client sends: a resource that may lack `id` and `self`, its relations by id. */
export const bodySchemaOf: (schema: Schema) => Schema = oncePer((schema) => {
  const inner = innerOf(schema);
  if (inner !== undefined) return withInner(schema, bodySchemaOf(inner));
  const definition = definitionOf(schema);
  const { type, shape } = definition;
  if (type !== 'object' || shape === undefined) return schema;
  return objectOf(() => {
    const isOwn = isResource(schema);
    const hasLink = isOwn || targetOf(schema) !== undefined;
    const fields = Object.entries(shape).filter(([name]) => name !== 'self' || !hasLink);
    const bodyField = (name: string, field: Schema): Schema =>
      name === 'id' && isOwn ? new $ZodOptional({ type: 'optional', innerType: field }) : bodySchemaOf(field);
    return Object.fromEntries(fields.map(([name, field]) => [name, bodyField(name, field)]));
  }, definition);
});

/** The relation that a field such as `companyId` names, if the resource has none of that name. */
const relationOf = (name: string, schema: Schema) => {
  const field = name.endsWith('Id') ? fieldOf(schema, name.slice(0, -2)) : undefined;
  const target = field && elementOf(field) === undefined ? targetOf(field) : undefined;
  return target && { name: name.slice(0, -2), target };
};

/**
 * The relations of a resource that are left out until they are expanded, and whose ids are in declared
 * fields.
 */
const linkedRelationsOf = oncePer((schema: Schema) =>
  Object.entries(fieldsOf(schema) ?? {}).flatMap(([name, field]) => {
    const names = isAbsent(field) ? [`${name}Id`, `${name}_id`] : [];
    const idField = names.find((one) => fieldOf(schema, one) !== undefined);
    return idField === undefined ? [] : [{ name, idField }];
  }),
);

/** True for a resource that has relations whose ids are in declared fields. */
export const hasLinkedRelations = (schema: Schema): boolean => linkedRelationsOf(schema).length > 0;

/**
 * A value in which a relation that is left out, and the declared field with its id (`companyId` or
 * `company_id` for `company`), say the same. The relation counts where both are given.
 */
export const linkRelations = (value: Json, schema: Schema): Json => {
  if (!hasLinkedRelations(schema)) return value;
  const linked: Record<string, unknown> = {};
  for (const { name, idField } of linkedRelationsOf(schema)) {
    const relation = value[name];
    const id = value[idField];
    if (isObject(relation)) linked[idField] = relation.id;
    else if (relation === undefined && id !== undefined) linked[name] = id === null ? null : { id };
  }
  return { ...value, ...linked };
};

const toRelation = (id: unknown, target: Schema): unknown => {
  if (typeof id === 'string') return { id: toFieldValue(id, target, 'id') };
  return typeof id === 'number' ? { id } : id;
};

/** What a body may have besides the fields of its resource. */
interface Allowance {
  /** Fields that the resource does not have are stored, too. */
  readonly keepsUnknown?: boolean;
  /** A relation may be a bare id; `companyId` may stand for the relation `company`. */
  readonly takesIds?: boolean;
}

/** True where fields that a schema does not have are stored. */
const keepsUnknownFields = (schema: Schema, { keepsUnknown = false }: Allowance): boolean => {
  if (keepsUnknown) return true;
  const hasCatchall = definitionOf(coreOf(schema)).catchall !== undefined;
  return hasCatchall && !isResource(schema) && targetOf(schema) === undefined;
};

/** A field with its name, as it is stored; none for a field that is not. */
const normaliseField = (
  [name, inner]: readonly [string, unknown],
  owner: Json,
  schema: Schema,
  allowance: Allowance,
): readonly (readonly [string, unknown])[] => {
  const field = fieldOf(schema, name);
  if (field !== undefined) {
    const isLink = name === 'self' && isResource(schema);
    return isLink ? [] : [[name, normalise(inner, field, allowance)]];
  }
  const relation = allowance.takesIds ? relationOf(name, schema) : undefined;
  if (relation === undefined) return keepsUnknownFields(schema, allowance) ? [[name, inner]] : [];
  // The relation itself counts where both are given.
  const isIgnored = Object.hasOwn(owner, relation.name) || inner === undefined;
  return isIgnored ? [] : [[relation.name, toRelation(inner, relation.target)]];
};

/**
 * Converts a body to the form it is stored in: relations as `{ id }` or in full, no `self`, and without the
 * fields that the resource does not have, unless they are kept.
 */
export const normalise = (value: unknown, schema: Schema, allowance: Allowance): unknown => {
  if (Array.isArray(value)) return value.map((item) => normalise(item, schema, allowance));
  const isId = typeof value === 'number' || typeof value === 'string';
  if (allowance.takesIds && isId && targetOf(schema) !== undefined) return { id: value };
  if (!isObject(value) || fieldsOf(schema) === undefined) return value;
  const entries = Object.entries(value).flatMap((entry) => normaliseField(entry, value, schema, allowance));
  return linkRelations(Object.fromEntries(entries), schema);
};

/** The value of a path parameter, for a field of a resource. */
export const toFieldValue = (value: string, resource: Schema, name: string): unknown => {
  const field = fieldOf(resource, name);
  return field !== undefined && !fits(coreOf(field), value) ? Number(value) : value;
};
