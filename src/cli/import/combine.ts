// Several schemas as one: options of which one applies, and parts that all apply.
import { isNull, isNullable, isUnknown, resolve, type Schema, withoutNull } from './schema.ts';

type Find = (key: string) => Schema | undefined;

const nullSchema: Schema = { type: 'null' };

/** A schema or `null`, as two options. */
export const nullable = (schema: Schema): Schema =>
  isNullable(schema) || isNull(schema) || isUnknown(schema) ? schema : { anyOf: [schema, nullSchema] };

/** A string without a format or a bound, which makes an enum beside it an open one. */
const isAnyString = (schema: Schema): boolean => schema.type === 'string' && Object.keys(schema).length === 1;

/** Known strings beside any other string, as one open enum. */
const openEnumOf = (options: readonly Schema[]): Schema | undefined => {
  const [one = {}, other = {}] = options;
  const known = isAnyString(one) ? other : one;
  const isOpen = options.length === 2 && options.some(isAnyString) && known.type === undefined;
  const values = known.enum ?? (known.const === undefined ? [] : [known.const]);
  const areStrings = values.length > 0 && values.every((value) => typeof value === 'string');
  return isOpen && areStrings ? { enum: values, isOpen: true } : undefined;
};

/** Schemas of which one applies. */
export const union = (all: readonly Schema[]): Schema => {
  const options = all.flatMap((one) => (isNullable(one) ? (one.anyOf ?? []) : [one]));
  const others = options.filter((one) => !isNull(one));
  const [first = nullSchema] = others;
  if (options.length === 0) return {};
  const unknown = others.find(isUnknown);
  if (unknown !== undefined) return unknown;
  const one: Schema = others.length > 1 ? (openEnumOf(others) ?? { anyOf: others }) : first;
  return others.length < options.length ? nullable(one) : one;
};

/** The field that tells objects apart: each requires it, with values that no other has. */
export const findDiscriminator = (options: readonly Schema[], find: Find): string | undefined => {
  const objects = options.map((option) => resolve(option, find));
  const valuesOf = ({ properties = {}, required = [] }: Schema, name: string): readonly unknown[] => {
    const { const: only, enum: all, isOpen } = resolve(properties[name] ?? {}, find);
    if (!required.includes(name) || isOpen) return [];
    return all ?? (only === undefined ? [] : [only]);
  };
  const [first, ...others] = objects;
  if (others.length === 0) return undefined;
  return first?.required?.find((name) => {
    const values = objects.map((object) => valuesOf(object, name));
    const all = values.flat();
    return values.every(({ length }) => length > 0) && new Set(all).size === all.length;
  });
};

/** The fields of an object, and which of them are required. */
export const withRequired = (
  properties: Readonly<Record<string, Schema>>,
  names: readonly string[],
): Pick<Schema, 'properties' | 'required'> => {
  const required = Object.keys(properties).filter((name) => names.includes(name));
  return required.length > 0 ? { properties, required } : { properties };
};

/** Objects as one: of a field that several have, the last one counts. */
const mergeObjects = (objects: readonly Schema[], names: readonly string[]): Schema => {
  const properties: Record<string, Schema> = {};
  let merged: Schema = {};
  for (const { properties: own = {}, required: _, ...object } of objects) {
    merged = { ...merged, ...object };
    for (const [name, field] of Object.entries(own))
      Object.defineProperty(properties, name, { value: field, enumerable: true, configurable: true });
  }
  const required = [...names, ...objects.flatMap((one) => one.required ?? [])];
  return { ...merged, ...withRequired(properties, required) };
};

const leafTypes: readonly unknown[] = ['array', 'string', 'number', 'integer', 'boolean'];

type Bounds = NonNullable<Schema['bounds']>;

/** Of each bound the narrower one. */
const mergeBounds = (one: Bounds, other: Bounds): Bounds => {
  const names = Object.keys({ ...one, ...other });
  const narrower = (name: string): number => {
    const [first = 0, second = first] = [one[name], other[name]].filter((value) => value !== undefined);
    return /^(?:min|exclusiveMin)/.test(name) ? Math.max(first, second) : Math.min(first, second);
  };
  return Object.fromEntries(names.map((name) => [name, narrower(name)]));
};

/** What two lists hold that are one; undefined where both say something. */
const mergeItems = ({ items: one = {} }: Schema, { items: other = {} }: Schema): Schema | undefined => {
  if (isUnknown(one)) return other;
  return isUnknown(other) ? one : undefined;
};

/** Two values of the same type as one; undefined where they cannot be. */
const mergeTwo = (one: Schema, other: Schema): Schema | undefined => {
  const isNumber = [one, other].every(({ type = '' }) => ['number', 'integer'].includes(type));
  if (one.type !== other.type && !isNumber) return undefined;
  const isEither = (name: 'format' | 'pattern' | 'prefixItems'): boolean =>
    one[name] === undefined || other[name] === undefined || one[name] === other[name];
  const items = mergeItems(one, other);
  if (!isEither('format') || !isEither('pattern') || !isEither('prefixItems') || items === undefined)
    return undefined;
  if (one.bounds?.multipleOf !== undefined && other.bounds?.multipleOf !== undefined) return undefined;
  const bounds = mergeBounds(one.bounds ?? {}, other.bounds ?? {});
  return {
    ...one,
    ...other,
    ...(isNumber && { type: [one, other].some(({ type }) => type === 'integer') ? 'integer' : 'number' }),
    ...(one.type === 'array' && { items }),
    ...(Object.keys(bounds).length > 0 && { bounds }),
  };
};

/**
 * Values that all parts describe: known ones as they are, or the type with the bounds of all; undefined for
 * anything else.
 */
const mergeValues = (parts: readonly Schema[], structures: readonly Schema[]): Schema | undefined => {
  const isLeaf = ({ type, properties }: Schema): boolean =>
    leafTypes.includes(type) && properties === undefined;
  const known = parts.filter((_, index) => !isLeaf(structures[index] ?? {}));
  const [only = {}] = known;
  if (known.length === 1 && (only.enum ?? only.const) !== undefined) return only;
  const [first, ...others] = structures;
  if (known.length > 0 || first === undefined) return undefined;
  return others.reduce<Schema | undefined>((merged, other) => merged && mergeTwo(merged, other), first);
};

/** A union beside other parts is written out, an option at a time, up to these bounds. */
const mostOptions = 32;
const mostUnions = 2;

const lost =
  'parts of `allOf`, or `properties` beside `anyOf` or `oneOf`, that cannot be one schema: any value is taken';

/** What a part is, without `null`. */
const bareOf = (part: Schema, find: Find): Schema => resolve(withoutNull(resolve(part, find)), find);

/** A union beside other parts: each option with all of them. */
const distribute = (
  { anyOf = [], discriminator }: Schema,
  rest: readonly Schema[],
  required: readonly string[],
  find: Find,
  unions: number,
): Schema => {
  if (anyOf.length > mostOptions || unions === mostUnions) return { lost };
  const whole = union(anyOf.map((option) => combineParts([...rest, option], required, find, unions + 1)));
  return discriminator === undefined || whole.anyOf === undefined ? whole : { ...whole, discriminator };
};

const combineParts = (
  all: readonly Schema[],
  required: readonly string[],
  find: Find,
  unions: number,
): Schema => {
  const known = all.filter((one) => !isUnknown(one));
  // A type alone adds nothing to other parts, unless it makes a number an integer.
  const addsNothing = (one: Schema): boolean => Object.keys(one).join() === 'type' && one.type !== 'integer';
  const parts = known.length > 1 ? known.filter((one) => !addsNothing(one)) : known;
  const [first = {}, ...others] = parts;
  const structures = parts.map((part) => bareOf(part, find));
  if (others.length === 0) {
    const [{ properties, required: stated = [] } = {}] = structures;
    const isStated = required.every((name) => stated.includes(name));
    return isStated || properties === undefined ? first : mergeObjects(structures, required);
  }
  const index = structures.findIndex(({ anyOf }) => anyOf !== undefined);
  const united = structures[index];
  if (united !== undefined) {
    const rest = parts.filter((_, at) => at !== index);
    return distribute(united, rest, required, find, unions);
  }
  if (structures.some(({ properties }) => properties === undefined))
    return mergeValues(parts, structures) ?? { lost };
  return mergeObjects(structures, required);
};

/**
 * One schema of several that all apply: the fields of objects together, and of a union each option with the
 * other parts. What cannot be combined is any value, with the loss.
 */
export const combine = (all: readonly Schema[], required: readonly string[], find: Find): Schema => {
  const combined = combineParts(all, required, find, 0);
  const { lost: before } = all.find((part) => part.lost !== undefined) ?? {};
  return before === undefined ? combined : { ...combined, lost: before };
};
