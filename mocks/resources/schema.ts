import { identityFields, pathSeparator } from '../../src/conventions.ts';
import type { Expandable, Resource } from '../../src/schema/resource.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { definitionOf, innerOf } from '../../src/schema/zod.ts';

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

const coreOf = (schema: Schema): Schema => {
  const inner = innerOf(schema);
  return inner === undefined ? schema : coreOf(inner);
};

const described = new WeakMap<Schema, Described>();

/** Describes a schema, once. */
export const describe = (schema: Schema): Described => {
  const known = described.get(schema);
  if (known !== undefined) return known;
  const core = coreOf(schema);
  const made = core === schema ? describeCore(core) : describe(core);
  described.set(schema, made);
  return made;
};

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
  const below = (name: string | number): string =>
    path === '' ? String(name) : `${path}${pathSeparator}${name}`;
  if (Array.isArray(value)) return value.flatMap((item, index) => relationsOf(item, at, below(index)));
  if (!isObject(value)) return [];
  const { target, fields } = at;
  if (target !== undefined) return [{ path, target, value }];
  return [...(fields ?? [])].flatMap(([name, field]) => relationsOf(value[name], field, below(name)));
};
