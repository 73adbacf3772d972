import { $ZodAsyncError, type $ZodIssue, $ZodOptional, type $ZodRawIssue, config, util } from 'zod/v4/core';
import { type ErrorItem, errorItemCode, identityFields, pathSeparator } from '../../src/conventions.ts';
import { below } from '../../src/schema/parse.ts';
import type { Expandable, Resource } from '../../src/schema/resource.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import {
  coreOf,
  definitionOf,
  innerOf,
  objectOf,
  oncePerSchema,
  runSchema,
  targetOf,
  withInner,
} from '../../src/schema/zod.ts';
import { Refusal } from '../responses/message.ts';

/** A schema as the mock sees it: the same for a field and for the same field in an array or made optional. */
export interface Described {
  /** The schema without its wrappers. */
  readonly core: Schema;
  /** The resource behind a nested resource that can be expanded (§2.1); undefined for all others. */
  readonly target: Resource | undefined;
  /** True for a resource, which has `id` and `self` (§2.1). */
  readonly isResource: boolean;
  /** True when fields that the schema does not name are refused or kept by it. */
  readonly hasCatchall: boolean;
  /** The fields, of the target where there is one; undefined when the schema has none. */
  readonly fields: ReadonlyMap<string, Described> | undefined;
}

/** Describes a schema, once. */
export const describe: (schema: Schema) => Described = oncePerSchema((schema) => {
  const core = coreOf(schema);
  return core === schema ? describeCore(core) : describe(core);
});

const describeCore = (core: Schema): Described => {
  // `expandable` leaves its mark on the schema itself, where zod's types do not see it.
  const { target } = core as Partial<Expandable>;
  const definition = definitionOf(core);
  let fields: ReadonlyMap<string, Described> | undefined;
  return {
    core,
    target,
    get isResource() {
      return target === undefined && identityFields.every((name) => this.fields?.has(name) === true);
    },
    hasCatchall: definition.catchall !== undefined,
    // Read lazily: a resource may contain itself.
    get fields() {
      if (target !== undefined) return describe(target).fields;
      if (definition.shape === undefined) return undefined;
      fields ??= new Map(Object.entries(definition.shape).map(([name, field]) => [name, describe(field)]));
      return fields;
    },
  };
};

/** The field at a dotted path; undefined when there is none. */
export const fieldAt = (from: Described, path: string): Described | undefined => {
  let at: Described | undefined = from;
  for (const name of path.split(pathSeparator)) at = at?.fields?.get(name);
  return at;
};

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** True for a JSON object, and not for a list. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A nested resource that is only an `id` in a value (§2.1). */
export interface Relation {
  /** Dotted. */
  readonly path: string;
  readonly target: Resource;
  readonly value: Json;
}

/** The relations in a value, at any depth. */
export const relationsOf = (value: unknown, at: Described, path = ''): readonly Relation[] => {
  if (Array.isArray(value)) return value.flatMap((item, index) => relationsOf(item, at, below(path, index)));
  if (!isObject(value)) return [];
  const { target, fields } = at;
  if (target !== undefined) return [{ path, target, value }];
  return [...(fields ?? [])].flatMap(([name, field]) => relationsOf(value[name], field, below(path, name)));
};

/** The schema of what a client sends: a resource that may lack `id` and `self`, its relations by id. */
export const bodySchemaOf: (schema: Schema) => Schema = oncePerSchema((schema) => {
  const inner = innerOf(schema);
  if (inner !== undefined) return withInner(schema, bodySchemaOf(inner));
  const definition = definitionOf(schema);
  const { type, shape } = definition;
  if (type !== 'object' || shape === undefined) return schema;
  const { isResource } = describe(schema);
  const isRelation = targetOf(schema) !== undefined;
  return objectOf(() => bodyShape(shape, isResource, isRelation), definition);
});

const bodyShape = (
  shape: Readonly<Record<string, Schema>>,
  isResource: boolean,
  isRelation: boolean,
): Record<string, Schema> => {
  const fields: Record<string, Schema> = {};
  for (const [name, field] of Object.entries(shape)) {
    if (name === 'self' && (isResource || isRelation)) continue;
    fields[name] =
      name === 'id' && isResource
        ? new $ZodOptional({ type: 'optional', innerType: field })
        : bodySchemaOf(field);
  }
  return fields;
};

/** What a value may contain beyond a body of the conventions. */
interface Allowance {
  /** Unknown fields are kept instead of removed. */
  readonly keepsUnknown?: boolean;
  /** A bare id is a relation. */
  readonly takesIds?: boolean;
}

/**
 * Brings a body to the form it is stored in: relations as `{ id }` or in full, no `self`, and without the
 * fields that the resource does not have, unless they are kept.
 */
export const normalise = (value: unknown, described: Described, allowance: Allowance): unknown => {
  if (Array.isArray(value)) return value.map((item) => normalise(item, described, allowance));
  const { keepsUnknown = false, takesIds = false } = allowance;
  const { target, isResource, hasCatchall, fields } = described;
  const isId = typeof value === 'number' || typeof value === 'string';
  if (takesIds && target !== undefined && isId) return { id: value };
  if (!isObject(value) || fields === undefined) return value;
  const keeps = keepsUnknown || (hasCatchall && !isResource && target === undefined);
  const entries: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const field = fields.get(name);
    const isOwnLink = name === identityFields[1] && isResource;
    if (isOwnLink || (field === undefined && !keeps)) continue;
    entries.push([name, field === undefined ? inner : normalise(inner, field, allowance)]);
  }
  return Object.fromEntries(entries);
};

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown => {
  let at = value;
  for (const name of path) {
    // Only whether there is a value matters, in an object or in an array.
    at = typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[name] : undefined;
  }
  return at;
};

const toItems = (issue: $ZodIssue, value: unknown): readonly ErrorItem[] => {
  const paths =
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
  return paths.map((path) => {
    const field = path.map(String).join(pathSeparator);
    return valueAt(value, path) === undefined
      ? { field, code: errorItemCode.missingField }
      : { field, code: errorItemCode.invalid, message: issue.message };
  });
};

/** Fields in error that a response lists: a body can have as many as it has values. */
export const maxItems = 100;

/** Makes items of the first issues only: messages for 200,000 would take seconds. */
const listItems = (issues: readonly $ZodRawIssue[], value: unknown): readonly ErrorItem[] => {
  const listed = issues.slice(0, maxItems).map((issue) => util.finalizeIssue(issue, undefined, config()));
  return uniqueByField(listed.flatMap((issue) => toItems(issue, value)));
};

/**
 * What is wrong with a value, one item per field in error (§7.2.3), at most {@link maxItems}; empty when it fits.
 *
 * @throws {@link Refusal} 400 where zod cannot count them
 */
export const findErrors = async (schema: Schema, value: unknown): Promise<readonly ErrorItem[]> => {
  try {
    const { issues } = await runSchema(schema, value, { async: true });
    return listItems(issues, value);
  } catch (error) {
    // zod passes all issues of a field as arguments of one call, and a runtime has a limit for those.
    if (error instanceof RangeError) throw new Refusal(400, 'There are more errors than can be listed');
    throw error;
  }
};

/** {@link findErrors} for a place that cannot wait; a schema that has to wait is taken to fit. */
export const findErrorsNow = (schema: Schema, value: unknown): readonly ErrorItem[] => {
  try {
    const result = runSchema(schema, value, { async: false });
    return result instanceof Promise ? [] : listItems(result.issues, value);
  } catch (error) {
    if (error instanceof $ZodAsyncError) return [];
    throw error;
  }
};

const uniqueByField = (items: readonly ErrorItem[]): readonly ErrorItem[] => [
  ...new Map(items.map((item) => [item.field, item])).values(),
];

/** True when a value fits a schema. */
export const fits = (schema: Schema, value: unknown): boolean => findErrorsNow(schema, value).length === 0;
