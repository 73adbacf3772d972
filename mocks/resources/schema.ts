import type { $ZodType } from 'zod/v4/core';
import { identityFields, pathSeparator } from '../../src/conventions.ts';
import type { Expandable, Resource } from '../../src/schema/resource.ts';

/** A zod schema, of `zod` or of `zod/mini`. */
export type Schema = $ZodType;

/** The definition of a schema in zod, as far as the mock reads it. */
export interface Definition {
  readonly type: string;
  readonly innerType?: Schema;
  readonly element?: Schema;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly catchall?: Schema;
  readonly values?: readonly unknown[];
  readonly in?: Schema;
  readonly out?: Schema;
  readonly options?: readonly Schema[];
  readonly keyType?: Schema;
  readonly valueType?: Schema;
  readonly items?: readonly Schema[];
  readonly left?: Schema;
  readonly right?: Schema;
  readonly getter?: () => Schema;
  readonly parts?: readonly unknown[];
  readonly checks?: readonly { readonly _zod: { readonly def: unknown } }[];
}

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

const wrappers: ReadonlySet<string> = new Set([
  'optional',
  'nullable',
  'nonoptional',
  'readonly',
  'default',
  'prefault',
  'catch',
  'array',
]);

/** The definition of a schema. */
export const definitionOf = (schema: Schema): Definition =>
  // zod types the definition of any schema by its `type` alone; Definition has the rest that is read here.
  schema._zod.def as unknown as Definition;

/** The schema inside of a wrapper or an array; undefined for all others. */
export const innerOf = (schema: Schema): Schema | undefined => {
  const { type, innerType, element } = definitionOf(schema);
  return wrappers.has(type) ? (innerType ?? element) : undefined;
};

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
