import { isObject } from '../../src/options.ts';
import { below as pathBelow } from '../../src/schema/codec.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import {
  checksOf,
  definitionOf,
  fieldOf,
  innerOf,
  isSchema,
  kindOf,
  targetOf,
  valuesOf,
} from '../../src/schema/zod.ts';
import { fits, isResource } from '../rows/schema.ts';
import type { Id } from '../rows/store.ts';
import type { FromPattern, Random } from './random.ts';
import { describeString, generateTime, lengthsOf, stringsOf } from './strings.ts';

/** The target row of a relation; or the collection that lacks rows; undefined when no collection has its resource. */
export type Related = { readonly id: Id } | { readonly lacking: string } | undefined;

/** Where in a row a value is generated, and from what. */
export interface Place {
  /** The name of the field. */
  readonly name: string;
  /** The dotted path in the row. */
  readonly path: string;
  readonly random: Random;
  readonly depth: number;
  /** Whether the store assigns the ids of resources here, which it does only in objects and lists. */
  readonly assignsIds: boolean;
  /** The form of a value to begin with. */
  readonly attempt: number;
  readonly fromPattern: FromPattern;
  relate(target: Schema, random: Random): Related;
}

/** Thrown for a schema that no value can be generated for. */
export class UngeneratedError extends Error {
  readonly path: string;

  constructor(path: string, reason: string) {
    super(reason);
    this.path = path;
  }
}

const attempts = 30;

const refuse = (schema: Schema, { path }: Place): never => {
  const isString = kindOf(schema) === 'string';
  const what = isString ? describeString(schema) : `a ${kindOf(schema)}`;
  const hint = isString
    ? '; @faker-js/faker makes strings that match simple patterns, if it is installed'
    : '';
  throw new UngeneratedError(path, `no value can be generated for ${what}${hint}`);
};

/** @throws {@link UngeneratedError} when no attempt gives a value that fits */
const firstThatFits = (schema: Schema, place: Place, make: (attempt: number) => unknown): unknown => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const value = make(place.attempt + attempt);
    try {
      if (fits(schema, value)) return value;
    } catch {
      // A transform that does not expect this value.
    }
  }
  return refuse(schema, place);
};

/** Below this depth optional values are left out, so that a schema that contains itself comes to an end. */
const deepest = 4;
/** No real value is this deep: its schema contains itself, and nothing in it is optional. */
const endless = 60;

const inside = (place: Place, part: string): Place => ({
  ...place,
  random: place.random.fork(part),
  depth: place.depth + 1,
});

const below = (place: Place, name: string): Place => ({
  ...inside(place, name),
  name,
  path: pathBelow(place.path, name),
});

const nestable: ReadonlySet<string> = new Set(['object', 'lazy', 'record', 'union', 'intersection', 'tuple']);

/** Whether a schema can contain itself. */
const isNested = (schema: Schema): boolean => {
  const inner = innerOf(schema);
  return inner === undefined ? nestable.has(kindOf(schema)) : isNested(inner);
};

/**
 * The fields of an object, without the ids that the store assigns and without `self`, which each response adds.
 *
 * @param given - fields that need no value
 */
export const generateFields = (schema: Schema, place: Place, given: object = {}): Record<string, unknown> => {
  const isOwn = isResource(schema);
  const value: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(definitionOf(schema).shape ?? {})) {
    if ((isOwn && name === 'self') || Object.hasOwn(given, name)) continue;
    const isAssigned = isOwn && name === 'id' && place.assignsIds && [1, '1'].some((id) => fits(field, id));
    const inner = isAssigned ? undefined : generateValue(field, below(place, name));
    if (inner !== undefined) value[name] = inner;
  }
  return value;
};

const generateRelation = (target: Schema, place: Place): unknown => {
  const related = place.relate(target, place.random);
  if (related !== undefined && 'lacking' in related)
    throw new UngeneratedError(place.path, `the collection ${JSON.stringify(related.lacking)} has no rows`);
  if (related !== undefined) return related;
  // No collection serves the resource, so its id and `self` are made here.
  const number = place.random.int(1, 999);
  const field = fieldOf(target, 'id') ?? target;
  const id =
    [number, String(number)].find((one) => fits(field, one)) ?? generateValue(field, below(place, 'id'));
  return { ...generateFields(target, place, { id }), id, self: `urn:${place.path}:${String(id)}` };
};

const generateList = (schema: Schema, element: Schema, place: Place): unknown => {
  const { least, most } = lengthsOf(schema);
  const isDeep = place.depth > deepest && isNested(element);
  const from = isDeep ? least : Math.max(least, Math.min(1, most));
  const length = place.random.int(from, isDeep ? least : Math.max(from, Math.min(most, least + 3)));
  return Array.from({ length }, (_, index) => generateValue(element, inside(place, String(index))) ?? null);
};

const generateRecord = (keys: Schema, values: Schema, place: Place): unknown => {
  const named = valuesOf(keys).map(String);
  const made = (name: string): string => String(generateValue(keys, inside(place, `key ${name}`)));
  const names = named.length > 0 ? named : ['1', '2'].map(made);
  return Object.fromEntries(names.map((name) => [name, generateValue(values, below(place, name))]));
};

const generateUnion = (schema: Schema, options: readonly Schema[], place: Place): unknown => {
  const first = place.random.int(0, options.length - 1);
  const turned = [...options.slice(first), ...options.slice(0, first)];
  const flatFirst = (a: Schema, b: Schema): number => Number(isNested(a)) - Number(isNested(b));
  for (const option of place.depth > deepest ? turned.toSorted(flatFirst) : turned) {
    try {
      const value = generateValue(option, place);
      if (value !== undefined) return value;
    } catch (error) {
      if (!(error instanceof UngeneratedError)) throw error;
    }
  }
  return refuse(schema, place);
};

/** Absent or null by chance, and where nothing else is possible: a relation without rows, a schema without end. */
const generateWithout = (inner: Schema, place: Place, without: null | undefined): unknown => {
  if (place.random.chance(0.2) || (place.depth > deepest && isNested(inner))) return without;
  const target = targetOf(inner);
  const related = target && place.relate(target, place.random);
  return related !== undefined && 'lacking' in related ? without : generateValue(inner, place);
};

const generateMerged = (left: Schema, right: Schema, place: Place): unknown => {
  const values = [generateValue(left, place), generateValue(right, place)];
  return values.every(isObject) ? Object.assign({}, ...values) : values[0];
};

const usualSpan = 1000;

/** Makes numbers in the range of a schema, which is no larger than people expect: from 0, or from the given bound. */
const numbersOf = (schema: Schema): ((random: Random) => number) => {
  const checks = checksOf(schema);
  const isInteger = checks.some(({ check, format }) => check === 'number_format' && /int/.test(format ?? ''));
  const step = isInteger ? 1 : 0.01;
  const bounds = (name: string, side: number): readonly number[] =>
    checks
      .filter(({ check }) => check === name)
      .map(({ value = 0, inclusive = true }) => (inclusive ? value : value + side * step));
  const least = Math.max(...bounds('greater_than', 1), Number.NEGATIVE_INFINITY);
  const most = Math.min(...bounds('less_than', -1), Number.POSITIVE_INFINITY);
  const from = most <= 0 ? Math.max(least, most - usualSpan) : Math.max(least, 0);
  const to = most <= 0 ? most : Math.min(most, from + usualSpan);
  // The largest of several, which is often a multiple of the others.
  const multiple = Math.max(
    0,
    ...checks.filter(({ check }) => check === 'multiple_of').map(({ value = 0 }) => Math.abs(value)),
  );
  return (random) => {
    if (multiple > 0) {
      const times = random.int(Math.ceil(from / multiple), Math.floor(to / multiple));
      // 3 * 0.1 is not 0.3, until it is rounded to the digits of the step.
      return Number((times * multiple).toFixed(Math.min(String(multiple).split('.')[1]?.length ?? 0, 20)));
    }
    if (isInteger) return random.int(Math.ceil(from), Math.floor(to));
    const between = from + random.next() * (to - from);
    const short = Math.round(between * 100) / 100;
    return short > from && short < to ? short : between;
  };
};

/** A codec's input. The schema of each side is tried in several forms. */
const generatePipe = (schema: Schema, place: Place): unknown => {
  const { in: input = schema, out = schema } = definitionOf(schema);
  // `preprocess` takes anything; the schema after it says more.
  const wire = kindOf(input) === 'transform' ? out : input;
  return firstThatFits(schema, place, (attempt) =>
    generateValue(wire, { ...place, attempt, random: place.random.fork(`attempt ${attempt}`) }),
  );
};

const generateTemplate = (parts: readonly unknown[], place: Place): string =>
  parts.map((part) => (isSchema(part) ? String(generateValue(part, place) ?? '') : String(part))).join('');

/**
 * A value that fits a schema, as it goes over the wire. Undefined for an optional field that is left out.
 *
 * @throws {@link UngeneratedError} for a schema that no value can be generated for
 */
export const generateValue = (schema: Schema, place: Place): unknown => {
  if (place.depth > endless)
    throw new UngeneratedError(place.path, 'its schema contains itself without an end');
  const definition = definitionOf(schema);
  const { type, innerType, element, keyType, valueType, options, left, right } = definition;
  const { random } = place;
  const unnamed: Place = { ...place, assignsIds: false };
  const values = valuesOf(schema).filter((value) => value !== undefined);
  switch (type) {
    case 'string': {
      const make = stringsOf(schema, place.name, place.fromPattern);
      return firstThatFits(schema, place, (attempt) => make(random, attempt));
    }
    case 'number': {
      const make = numbersOf(schema);
      return firstThatFits(schema, place, () => make(random));
    }
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case 'enum':
    case 'literal':
      return firstThatFits(schema, place, () => values[random.int(0, values.length - 1)]);
    case 'any':
    case 'unknown':
      return stringsOf(schema, place.name, place.fromPattern)(random, 0);
    case 'optional':
      return generateWithout(innerType ?? schema, place, undefined);
    case 'nullable':
      return generateWithout(innerType ?? schema, place, null);
    case 'object': {
      const target = targetOf(schema);
      return target === undefined ? generateFields(schema, place) : generateRelation(target, place);
    }
    case 'array':
      return generateList(schema, element ?? schema, place);
    case 'tuple':
      return (definition.items ?? []).map((item, index) =>
        generateValue(item, below(unnamed, String(index))),
      );
    case 'record':
      return generateRecord(keyType ?? schema, valueType ?? schema, unnamed);
    case 'union':
      return generateUnion(schema, options ?? [], unnamed);
    case 'intersection':
      return generateMerged(left ?? schema, right ?? schema, unnamed);
    case 'pipe':
      return generatePipe(schema, place);
    case 'lazy':
      return generateValue(definition.getter?.() ?? schema, place);
    case 'date':
      return firstThatFits(schema, place, () => generateTime(random));
    case 'template_literal':
      return firstThatFits(schema, place, () => generateTemplate(definition.parts ?? [], place));
    default:
      return innerType === undefined ? refuse(schema, place) : generateValue(innerType, place);
  }
};
