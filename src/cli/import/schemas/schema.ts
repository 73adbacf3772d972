import { isObject } from '../../../options.ts';
import type { Json } from '../json.ts';

/**
 * What goes over the wire in one direction: `readOnly` fields are in responses alone, `writeOnly` ones in
 * bodies.
 */
export type Direction = 'response' | 'body';

type Value = string | number | boolean;

/** A JSON Schema as it is declared: with `allOf` as one object, and with `null` as an option of `anyOf`. */
export type Schema = {
  /** The key of a component. */
  readonly $ref?: string;
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
  readonly const?: Value;
  readonly enum?: readonly Value[];
  /** Any other string fits an `enum`, too. */
  readonly isOpen?: true;
  readonly anyOf?: readonly Schema[];
  /** The field that tells the options of `anyOf` apart. */
  readonly discriminator?: string;
  /** The fields of an object; undefined for an object of any names. */
  readonly properties?: Readonly<Record<string, Schema>>;
  /** In the order of `properties`. */
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly format?: string;
  readonly pattern?: string;
  /** `minLength`, `maximum` and the like. */
  readonly bounds?: Readonly<Record<string, number>> | undefined;
  /** What the server takes for a parameter that is left out: a value, or a list of them. */
  readonly default?: unknown;
  /** It is in no body. */
  readonly readOnly?: true;
  /** What of the document this schema does not say. */
  readonly lost?: string;
};

/** True for a schema that says nothing about a value. */
export const isUnknown = (schema: Schema): boolean => Object.keys(schema).every((name) => name === 'lost');

/** The component that a reference leads to. */
export type Find = (key: string) => Schema | undefined;

/** The values of an `enum`, or the one of a `const`; empty for any other schema. */
export const valuesOf = ({ const: only, enum: all }: Schema): readonly Value[] =>
  all ?? (only === undefined ? [] : [only]);

/** Whether a set of strings or of numbers may get another value in a minor release (§9.2). */
export const mayGrow = ({ enum: values = [] }: Pick<Schema, 'enum'>): boolean =>
  values.length > 1 && ['string', 'number'].some((type) => values.every((one) => typeof one === type));

export const isNull = ({ type }: Schema): boolean => type === 'null';

export const isNullable = (schema: Schema): boolean => schema.anyOf?.some(isNull) === true;

/** A schema without `null`. */
export const withoutNull = (schema: Schema): Schema =>
  isNullable(schema) ? (schema.anyOf?.find((one) => !isNull(one)) ?? schema) : schema;

/** What a schema refers to, or the schema itself; an unknown one when a reference has no target. */
export const resolve = (schema: Schema, find: Find): Schema => {
  let at: Schema = schema;
  for (let count = 0; at.$ref !== undefined && count < 100; count += 1) at = find(at.$ref) ?? {};
  return at.$ref === undefined ? at : {};
};

/** Tells whether two schemas describe the same values. A reference equals what it leads to. */
export const isSame = (left: Schema, right: Schema, find: Find): boolean => {
  const compared = new Map<unknown, Set<unknown>>();
  const same = (a: unknown, b: unknown): boolean => {
    if (Array.isArray(a) && Array.isArray(b))
      return a.length === b.length && a.every((one, index) => same(one, b[index]));
    if (!isObject(a) || !isObject(b)) return a === b;
    const [one, other]: readonly Json[] = [resolve(a, find), resolve(b, find)];
    if (one === undefined || other === undefined) return false;
    const others = compared.get(one) ?? new Set();
    if (one === other || others.has(other)) return true;
    compared.set(one, others.add(other));
    return [one, other].flatMap(Object.keys).every((name) => same(one[name], other[name]));
  };
  return same(left, right);
};
