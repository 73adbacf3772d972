// What the client and the mock know of zod's internals.

import { $ZodObjectJIT, $ZodUnknown, clone } from 'zod/v4/core';
import type { ExpansionTarget, Schema, Shape } from './types/shape.ts';

/** A check of a schema. A schema of a format, such as `z.email()`, is also a check of itself. */
export interface Check {
  readonly check?: string;
  readonly format?: string;
  readonly pattern?: RegExp;
  /** Of a URL. */
  readonly protocol?: RegExp;
  readonly hostname?: RegExp;
  /** Of a JWT. */
  readonly alg?: string;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly includes?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly length?: number;
  readonly value?: number;
  readonly inclusive?: boolean;
  /** The function of a refinement. */
  readonly fn?: unknown;
}

/** The definition of a schema, as far as it is read. Which properties it has depends on its type. */
interface Definition {
  readonly type: string;
  readonly innerType?: Schema;
  readonly element?: Schema;
  readonly shape?: Shape;
  readonly catchall?: Schema | undefined;
  readonly in?: Schema;
  readonly out?: Schema;
  readonly transform?: unknown;
  readonly reverseTransform?: unknown;
  readonly options?: readonly Schema[];
  readonly keyType?: Schema;
  readonly valueType?: Schema;
  /** Of a tuple; `rest` is that of any further items. */
  readonly items?: readonly Schema[];
  readonly rest?: Schema | null;
  /** Of an intersection. */
  readonly left?: Schema;
  readonly right?: Schema;
  readonly getter?: () => Schema;
  readonly coerce?: boolean;
  readonly checks?: readonly { readonly _zod: { readonly def: Check } }[];
}

/** The definition of a schema. zod's type for that of any schema has only `type`. */
export const definitionOf = (schema: Schema): Definition => schema._zod.def as unknown as Definition;

/** `string`, `object`, `optional`, ... */
export const kindOf = (schema: Schema): string => definitionOf(schema).type;

/** True for a zod schema, also one of another copy of zod. */
export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && '_zod' in value;

/** The schema that a wrapper or an array holds; undefined for all others. */
export const innerOf = (schema: Schema): Schema | undefined => {
  const { innerType, element } = definitionOf(schema);
  return innerType ?? element;
};

/** The schema inside of all wrappers and arrays. */
export const coreOf = (schema: Schema): Schema => {
  const inner = innerOf(schema);
  return inner === undefined ? schema : coreOf(inner);
};

/** False for the schema of a form, a file or any other class whose values JSON writes as {}. */
export const isJsonSchema = (value: unknown): boolean => {
  if (!isSchema(value)) return false;
  // Of `z.instanceof`.
  const { Class = Object } = value._zod.bag as { readonly Class?: { readonly prototype: object } };
  return kindOf(value) !== 'file' && !(Symbol.toStringTag in Class.prototype);
};

/** The schema of an array's items; undefined for all others. */
export const elementOf = (schema: Schema): Schema | undefined => definitionOf(schema).element;

/**
 * The expansion target of a schema, or of the schema inside of its wrappers and arrays; undefined when there
 * is none.
 */
export const targetOf = (schema: Schema): Schema | undefined => {
  const core: Schema & Partial<ExpansionTarget> = coreOf(schema);
  return core.target;
};

/** The fields below a schema, or those of its expansion target; undefined when there are none. */
export const fieldsOf = (schema: Schema): Shape | undefined => {
  const target = targetOf(schema);
  return target === undefined ? definitionOf(coreOf(schema)).shape : fieldsOf(target);
};

/** The field of a schema with a name; undefined when it has none. */
export const fieldOf = (schema: Schema, name: string): Schema | undefined => {
  const fields = fieldsOf(schema);
  return fields && Object.hasOwn(fields, name) ? fields[name] : undefined;
};

/** The values that a schema lists, as an enum or a literal does; empty for all others. */
export const valuesOf = (schema: Schema): readonly unknown[] => [...(schema._zod.values ?? [])];

/** The known values of an `openEnum`; undefined for all others. */
export const knownValuesOf = (schema: Schema & { readonly known?: readonly string[] }) => schema.known;

export const checksOf = (schema: Schema): readonly Check[] => [
  schema._zod.def as Check,
  ...(definitionOf(schema).checks ?? []).map(({ _zod }) => _zod.def),
];

/** The schemas that a schema is made of, whatever its type. */
export const partsOf = (schema: Schema): readonly Schema[] => {
  const { shape, getter, ...others } = definitionOf(schema);
  return [...Object.values(others).flat(), ...Object.values(shape ?? {}), getter?.()].filter(isSchema);
};

// A `z.lazy` that returns a new schema each time has no end.
const mostSchemas = 10_000;

/** True when `is` holds for a schema, or for one below it or that it expands to. It may contain itself. */
export const someSchema = (schema: Schema, is: (schema: Schema) => boolean): boolean => {
  const seen = new Set([schema]);
  for (const at of seen) {
    if (is(at)) return true;
    if (seen.size > mostSchemas) return false;
    for (const part of [...partsOf(at), targetOf(at)]) if (part !== undefined) seen.add(part);
  }
  return false;
};

const isAsyncFunction = (value: unknown): boolean =>
  Object.prototype.toString.call(value) === '[object AsyncFunction]';

/** True when a schema, one below it or one that may be expanded has a function that is declared `async`. */
export const hasAsyncFunction = (schema: Schema): boolean =>
  someSchema(schema, (part) => {
    const { transform, reverseTransform } = definitionOf(part);
    return [transform, reverseTransform, ...checksOf(part).map(({ fn }) => fn)].some(isAsyncFunction);
  });

/** A function that computes its result once per schema, or per declaration. */
export const oncePer = <K extends object, T>(compute: (key: K) => T): ((key: K) => T) => {
  const known = new WeakMap<K, T>();
  return (key) => {
    const result = known.get(key) ?? compute(key);
    known.set(key, result);
    return result;
  };
};

/** A copy of a wrapper or an array that holds another schema. */
export const withInner = (schema: Schema, inner: Schema): Schema => {
  const name = elementOf(schema) === undefined ? 'innerType' : 'element';
  // Copied as a getter, a default gives each record a value of its own.
  const properties = Object.getOwnPropertyDescriptors<object>(schema._zod.def);
  const definition = { ...properties, [name]: { value: inner, enumerable: true } };
  return clone(schema, Object.defineProperties({}, definition) as typeof schema._zod.def);
};

const anything = new $ZodUnknown({ type: 'unknown' });

/**
 * An object schema that reads its fields on first use, because a resource may contain itself. It keeps
 * unknown fields, because a minor release may add some (§9.2), unless `rest` has a `catchall`.
 *
 * @param rest - its definition besides the fields
 */
export const objectOf = (shape: () => Shape, rest: Partial<Definition> = {}): Schema =>
  new $ZodObjectJIT({
    ...(rest as object),
    type: 'object',
    catchall: rest.catchall ?? anything,
    get shape() {
      const fields = shape();
      Object.defineProperty(this, 'shape', { value: fields });
      return fields;
    },
  });
