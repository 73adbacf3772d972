// Several schemas as one that all apply.
import {
  type Find,
  isNull,
  isNullable,
  isSame,
  isUnknown,
  resolve,
  type Schema,
  valuesOf,
  withoutNull,
} from './schema.ts';
import { nullable, union } from './union.ts';

/** The fields of an object, and which of them are required. */
export const withRequired = (
  properties: Readonly<Record<string, Schema>>,
  names: readonly string[],
): Pick<Schema, 'properties' | 'required'> => {
  const required = Object.keys(properties).filter((name) => names.includes(name));
  return required.length > 0 ? { properties, required } : { properties };
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

/** Two values of the same type as one, but for what lists hold; undefined where they cannot be. */
const mergeTwo = (one: Schema, other: Schema): Schema | undefined => {
  const isNumber = [one, other].every(({ type = '' }) => ['number', 'integer'].includes(type));
  if (one.type !== other.type && !isNumber) return undefined;
  const isEither = (name: 'format' | 'pattern' | 'prefixItems'): boolean =>
    one[name] === undefined || other[name] === undefined || one[name] === other[name];
  if (!isEither('format') || !isEither('pattern') || !isEither('prefixItems')) return undefined;
  if (one.bounds?.multipleOf !== undefined && other.bounds?.multipleOf !== undefined) return undefined;
  const bounds = mergeBounds(one.bounds ?? {}, other.bounds ?? {});
  return {
    ...one,
    ...other,
    ...(isNumber && { type: [one, other].some(({ type }) => type === 'integer') ? 'integer' : 'number' }),
    ...(Object.keys(bounds).length > 0 && { bounds }),
  };
};

/** The values that all parts have; undefined without any. Any string fits an open enum. */
const mergeEnums = (parts: readonly Schema[]): Schema | undefined => {
  const closed = parts.filter(({ isOpen }) => isOpen !== true);
  const [first = [], ...others] = closed.map(valuesOf);
  if (closed.length === 0) return parts.at(-1);
  const values = first.filter((value) => others.every((other) => other.includes(value)));
  const [only] = values;
  if (only === undefined) return undefined;
  return closed.some((part) => part.const !== undefined) ? { const: only } : { enum: values };
};

/** An object, or a union of objects, without some fields. */
export const omitFields = (
  schema: Schema,
  names: readonly string[],
  find: Find,
  isOption = false,
): Schema => {
  const { properties = {}, required = [], anyOf = [], ...rest } = resolve(schema, find);
  if (anyOf.length > 0 && !isOption) {
    const options = anyOf.map((option) => omitFields(option, names, find, true));
    return options.every((option, index) => option === anyOf[index]) ? schema : { ...rest, anyOf: options };
  }
  const kept = Object.entries(properties).filter(([name]) => !names.includes(name));
  if (kept.length === Object.keys(properties).length) return schema;
  return { ...rest, ...withRequired(Object.fromEntries(kept), required) };
};

/** How deep parts are combined: unions that are written out, and objects inside of objects. */
interface Depth {
  readonly unions: number;
  readonly nested: number;
}

/** A union beside other parts is written out, an option at a time, up to these bounds. */
const mostOptions = 32;
const mostUnions = 2;

/** Fields that several parts have are combined at this depth; deeper ones may contain themselves. */
const mostNested = 2;

const lost =
  'parts of `allOf`, or `properties` beside `anyOf` or `oneOf`, that cannot be one schema: any value is taken';

const lostParts = 'parts of `allOf` that cannot be one schema: the last one is declared';

/** What a part is, without `null`. */
const bareOf = (part: Schema, find: Find): Schema => resolve(withoutNull(resolve(part, find)), find);

const takesNull = (part: Schema, find: Find): boolean => {
  const structure = resolve(part, find);
  return isNullable(structure) || isNull(structure);
};

/**
 * What several parts say of one field or of the items of a list. Each value fits every part, so that one part
 * alone is right, too, where they cannot be combined.
 */
const mergeInside = (all: readonly Schema[], find: Find, depth: Depth): Schema => {
  const known = all.filter((one) => !isUnknown(one));
  if (known.length === 0) return all.at(-1) ?? {};
  const bare = known.map(({ readOnly, ...one }) => ({ one, isReadOnly: readOnly === true }));
  const merged = mergeKnown(
    bare.map(({ one }) => one),
    find,
    depth,
  );
  return bare.some(({ isReadOnly }) => isReadOnly) ? { ...merged, readOnly: true } : merged;
};

const mergeKnown = (parts: readonly Schema[], find: Find, { unions, nested }: Depth): Schema => {
  const [first = {}, ...others] = parts;
  if (others.every((one) => isSame(first, one, find))) return first;
  const deeper = { unions, nested: nested + 1 };
  const combined = nested < mostNested ? combineParts(parts.map(withoutNull), [], find, deeper) : { lost };
  const one = combined.lost === lost ? { ...parts.at(-1), lost: lostParts } : combined;
  return parts.every((part) => takesNull(part, find)) ? nullable(one) : one;
};

/** Objects as one, each field with what all of them say of it. */
const mergeObjects = (
  objects: readonly Schema[],
  names: readonly string[],
  find: Find,
  depth: Depth,
): Schema => {
  const fields = new Map<string, readonly Schema[]>();
  let whole: Schema = {};
  for (const object of objects) {
    whole = { ...whole, ...object };
    for (const [name, field] of Object.entries(object.properties ?? {}))
      fields.set(name, [...(fields.get(name) ?? []), field]);
  }
  const merge = (all: readonly Schema[]): Schema => mergeInside(all, find, depth);
  const properties = Object.fromEntries(Array.from(fields, ([name, all]) => [name, merge(all)]));
  const rest = objects.flatMap(({ additionalProperties }) => additionalProperties ?? []);
  const required = [...names, ...objects.flatMap((one) => one.required ?? [])];
  return {
    ...whole,
    ...(rest.length > 0 && { additionalProperties: merge(rest) }),
    ...withRequired(properties, required),
  };
};

/**
 * Values that all parts describe: known ones as they are, or the type with the bounds of all; undefined for
 * anything else.
 */
const mergeValues = (
  parts: readonly Schema[],
  structures: readonly Schema[],
  find: Find,
  depth: Depth,
): Schema | undefined => {
  const isLeaf = ({ type, properties }: Schema): boolean =>
    leafTypes.includes(type) && properties === undefined;
  const known = parts.filter((_, index) => !isLeaf(structures[index] ?? {}));
  const [only] = known;
  const areValues = known.every((part) => valuesOf(resolve(part, find)).length > 0);
  if (only !== undefined && areValues)
    return known.length > 1 ? mergeEnums(known.map((part) => resolve(part, find))) : only;
  const [first, ...others] = structures;
  if (known.length > 0 || first === undefined) return undefined;
  const merged = others.reduce<Schema | undefined>((one, other) => one && mergeTwo(one, other), first);
  if (merged?.type !== 'array') return merged;
  return {
    ...merged,
    items: mergeInside(
      structures.map(({ items = {} }) => items),
      find,
      depth,
    ),
  };
};

/** A union beside other parts: each option with all of them. */
const distribute = (
  { anyOf = [], discriminator }: Schema,
  rest: readonly Schema[],
  required: readonly string[],
  find: Find,
  { unions, nested }: Depth,
): Schema => {
  if (anyOf.length > mostOptions || unions === mostUnions) return { lost };
  const depth = { unions: unions + 1, nested };
  const whole = union(anyOf.map((option) => combineParts([...rest, option], required, find, depth)));
  return discriminator === undefined || whole.anyOf === undefined ? whole : { ...whole, discriminator };
};

/** A type alone adds nothing to other parts, unless it makes a number an integer. */
const addsNothing = (one: Schema): boolean => Object.keys(one).join() === 'type' && one.type !== 'integer';

const combineParts = (
  all: readonly Schema[],
  required: readonly string[],
  find: Find,
  depth: Depth,
): Schema => {
  const known = all.filter((one) => !isUnknown(one));
  const saying = known.filter((one) => !addsNothing(one));
  const parts = saying.length > 0 ? saying : known;
  const [first = {}, ...others] = parts;
  const structures = parts.map((part) => bareOf(part, find));
  if (others.length === 0) {
    const [{ properties, required: stated = [] } = {}] = structures;
    const isStated = (name: string): boolean =>
      stated.includes(name) || !Object.hasOwn(properties ?? {}, name);
    return required.every(isStated) ? first : mergeObjects(structures, required, find, depth);
  }
  const index = structures.findIndex(({ anyOf }) => anyOf !== undefined);
  const united = structures[index];
  if (united !== undefined) {
    const rest = parts.filter((_, at) => at !== index);
    return distribute(united, rest, required, find, depth);
  }
  const areObjects = structures.every(
    ({ type, properties }) => type === 'object' || properties !== undefined,
  );
  if (areObjects && structures.some(({ properties }) => properties !== undefined))
    return mergeObjects(structures, required, find, depth);
  return mergeValues(parts, structures, find, depth) ?? { lost };
};

/**
 * One schema of several that all apply: the fields of objects together, and of a union each option with the
 * other parts. What cannot be combined is any value, with the loss.
 */
export const combine = (all: readonly Schema[], required: readonly string[], find: Find): Schema => {
  const combined = combineParts(all, required, find, { unions: 0, nested: 0 });
  const { lost: before } = all.find((part) => part.lost !== undefined) ?? {};
  return before === undefined ? combined : { ...combined, lost: before };
};
