import { below as pathBelow } from '../../src/schema/codec.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import {
  checksOf,
  definitionOf,
  fieldOf,
  kindOf,
  knownValuesOf,
  targetOf,
  valuesOf,
} from '../../src/schema/zod.ts';
import { fits, isResource } from '../rows/schema.ts';
import { type Id, toId } from '../rows/store.ts';
import type { Random } from './random.ts';
import { generateTime, lengthsOf, stringsOf } from './strings.ts';

const usualSpan = 1000;

/** Makes numbers in the range of a schema, limited to usual values: from 0, or from the given bound. */
export const numbersOf = (schema: Schema): ((random: Random) => number) => {
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
  const unit = checks.find(({ check }) => check === 'multiple_of')?.value ?? step;
  return (random) => {
    const [first, last] = [Math.ceil(from / unit), Math.floor(to / unit)];
    if (first > last) return from + random.next() * (to - from);
    // 3 * 0.1 is not 0.3, until it is rounded to the digits of the unit.
    return Number((random.int(first, last) * unit).toFixed(String(unit).split('.')[1]?.length ?? 0));
  };
};

/** The target row of a relation; or the collection that lacks rows; undefined when no collection has its resource. */
type Related = { readonly id: Id } | { readonly lacking: string } | undefined;

/** Where in a row a value is generated, and from what. */
export interface Place {
  /** The key of the collection. */
  readonly key: string;
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
  relate(target: Schema, random: Random): Related;
}

/** Thrown for a schema that no value can be generated for. */
export class UngeneratedError extends Error {
  constructor({ key, path }: Place, reason: string, advice = `give rows in data.${key}`) {
    const field = `the field "${path}" of the collection "${key}"`;
    super(`generate.${key}: ${field}: ${reason}; ${advice}, or the field in generate.${key}.row`);
  }
}

const refuse = (schema: Schema, place: Place): never => {
  const kind = kindOf(schema);
  const hint = '; @faker-js/faker makes strings that match simple patterns, if it is installed';
  throw new UngeneratedError(place, `no value can be made for a ${kind}${kind === 'string' ? hint : ''}`);
};

const attempts = 30;

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
const optionalDepth = 4;
/** A value that is deeper has a schema that contains itself, without an optional field. */
const maxDepth = 60;

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

const isDeep = ({ depth }: Place): boolean => depth > optionalDepth;

/** Kinds of schemas that can contain themselves. */
const nesting = /^(object|lazy|record|union|array|optional|nullable)$/;

/** The fields of an object, without the ids that the store assigns, and without those that are given. */
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

/** An id that fits a resource: the number if possible. */
export const generateId = (number: number, resource: Schema, place: Place): Id => {
  const schema = fieldOf(resource, 'id') ?? resource;
  // An id is a string or a number.
  return toId(number, resource) ?? (generateValue(schema, below(place, 'id')) as Id);
};

const generateObject = (schema: Schema, place: Place): unknown => {
  const target = targetOf(schema);
  if (target === undefined) return generateFields(schema, place);
  const related = place.relate(target, place.random);
  if (related !== undefined && 'lacking' in related) {
    const { lacking } = related;
    const advice = `give it some in data.${lacking} or generate.${lacking}`;
    throw new UngeneratedError(place, `the collection "${lacking}" has no rows`, advice);
  }
  if (related !== undefined) return related;
  // No collection has the resource, so its id and `self` are generated here.
  const id = generateId(place.random.int(1, 999), target, place);
  return { ...generateFields(target, place, { id }), id, self: `urn:${place.path}:${String(id)}` };
};

const generateList = (schema: Schema, place: Place): unknown => {
  const { element = schema } = definitionOf(schema);
  const { least, most } = lengthsOf(schema);
  const usual = place.random.int(Math.max(least, Math.min(1, most)), Math.min(most, least + 3));
  const length = isDeep(place) ? least : usual;
  return Array.from({ length }, (_, index) => generateValue(element, inside(place, String(index))) ?? null);
};

const generateRecord = (schema: Schema, given: Place): unknown => {
  const place = { ...given, assignsIds: false };
  const { keyType: keys = schema, valueType: values = schema } = definitionOf(schema);
  const named = valuesOf(keys).map(String);
  const made = (name: string) => String(generateValue(keys, inside(place, `key ${name}`)));
  const names = named.length > 0 ? named : ['1', '2'].map(made);
  return Object.fromEntries(names.map((name) => [name, generateValue(values, below(place, name))]));
};

const generateUnion = (schema: Schema, given: Place): unknown => {
  const place = { ...given, assignsIds: false };
  const { options = [] } = definitionOf(schema);
  const first = place.random.int(0, options.length - 1);
  const rotated = [...options.slice(first), ...options.slice(0, first)];
  const isNesting = (option: Schema): number => Number(isDeep(place) && nesting.test(kindOf(option)));
  for (const option of rotated.toSorted((a, b) => isNesting(a) - isNesting(b))) {
    try {
      const value = generateValue(option, place);
      if (value !== undefined && fits(option, value)) return value;
    } catch (error) {
      if (!(error instanceof UngeneratedError)) throw error;
    }
  }
  return refuse(schema, place);
};

/** Missing or null at random, and where no value is possible: a relation without rows, a schema that contains itself. */
const generateWithout = (schema: Schema, place: Place, without: null | undefined): unknown => {
  const { innerType: inner = schema } = definitionOf(schema);
  if (place.random.next() < 0.2 || isDeep(place)) return without;
  const target = targetOf(inner);
  const related = target && place.relate(target, place.random);
  return related !== undefined && 'lacking' in related ? without : generateValue(inner, place);
};

/** A codec's input, in several forms. */
const generatePipe = (schema: Schema, place: Place): unknown => {
  const { in: input = schema, out = schema } = definitionOf(schema);
  // `preprocess` takes anything; the schema after it says more.
  const wire = kindOf(input) === 'transform' ? out : input;
  return firstThatFits(schema, place, (attempt) =>
    generateValue(wire, { ...place, attempt, random: place.random.fork(`attempt ${attempt}`) }),
  );
};

const pickValue = (schema: Schema, place: Place): unknown => {
  const values = valuesOf(schema).filter((value) => value !== undefined);
  return firstThatFits(schema, place, () => values[place.random.int(0, values.length - 1)]);
};

const generateAny = (schema: Schema, { name, random }: Place): unknown => stringsOf(schema, name)(random, 0);

const generators: Readonly<Record<string, (schema: Schema, place: Place) => unknown>> = {
  string: (schema, place) => {
    const known = knownValuesOf(schema);
    if (known !== undefined) return known[place.random.int(0, known.length - 1)];
    const make = stringsOf(schema, place.name);
    return firstThatFits(schema, place, (attempt) => make(place.random, attempt));
  },
  number: (schema, place) => {
    const make = numbersOf(schema);
    return firstThatFits(schema, place, () => make(place.random));
  },
  boolean: (_schema, { random }) => random.next() < 0.5,
  null: () => null,
  enum: pickValue,
  literal: pickValue,
  unknown: generateAny,
  any: generateAny,
  date: (schema, place) => firstThatFits(schema, place, () => generateTime(place.random)),
  optional: (schema, place) => generateWithout(schema, place, undefined),
  nullable: (schema, place) => generateWithout(schema, place, null),
  object: generateObject,
  array: generateList,
  record: generateRecord,
  union: generateUnion,
  pipe: generatePipe,
  lazy: (schema, place) => generateValue(definitionOf(schema).getter?.() ?? schema, place),
};

/**
 * A value that fits a schema, as it goes over the wire. Undefined for an optional field that is left out.
 *
 * @throws {@link UngeneratedError} for a schema that no value can be generated for
 */
export const generateValue = (schema: Schema, place: Place): unknown => {
  if (place.depth > maxDepth) throw new UngeneratedError(place, 'its schema contains itself without an end');
  const generator = generators[kindOf(schema)];
  if (generator !== undefined) return generator(schema, place);
  const { innerType } = definitionOf(schema);
  return innerType === undefined ? refuse(schema, place) : generateValue(innerType, place);
};
