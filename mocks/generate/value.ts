import type { Schema } from '../../src/schema/types/shape.ts';
import {
  definitionOf,
  fieldOf,
  kindOf,
  knownValuesOf,
  oncePer,
  targetOf,
  valuesOf,
} from '../../src/schema/zod.ts';
import { bodySchemaOf, fits, isResource } from '../rows/schema.ts';
import { type Id, toId } from '../rows/store.ts';
import { numbersOf } from './numbers.ts';
import { UnsupportedPatternError } from './pattern.ts';
import { below, firstThatFits, inside, isDeep, type Place, UngeneratedError } from './place.ts';
import { generateTime, lengthsOf, patternOf, type StringForm, stringsOf } from './strings.ts';

/**
 * Makes a value of one schema, as it goes over the wire; undefined for an optional field that is left out.
 */
type Maker = (place: Place) => unknown;

/** A transform may throw for a value that it does not expect. */
const isAccepted = (schema: Schema, value: unknown): boolean => {
  try {
    return fits(schema, value);
  } catch {
    return false;
  }
};

const reasonOf = (schema: Schema): string => {
  const kind = kindOf(schema);
  const pattern = kind === 'string' ? patternOf(schema) : undefined;
  if (nesting.test(kind)) return 'no generated value fits its refinement';
  return `no value can be made for a ${kind}${pattern === undefined ? '' : ` that matches ${pattern}`}`;
};

/** A value that is deeper has a schema that contains itself, without an optional field. */
const maxDepth = 60;

/** Kinds of schemas that can contain themselves. */
const nesting = /^(object|lazy|record|union|array|optional|nullable)$/;

/**
 * The fields of a schema that are generated: those of a resource without the `id` and `self` that the mock
 * assigns.
 */
const generatedFields = oncePer((schema: Schema) => {
  const isOwn = isResource(schema);
  return Object.entries(definitionOf(schema).shape ?? {})
    .filter(([name]) => !isOwn || name !== 'self')
    .map(([name, field]) => {
      const isAssigned = isOwn && name === 'id' && [1, '1'].some((id) => fits(field, id));
      return { name, field, isAssigned };
    });
});

/** The fields of an object, without the ids that the store assigns, and without those that are given. */
export const generateFields = (schema: Schema, place: Place, given: object = {}): Record<string, unknown> => {
  const value: Record<string, unknown> = {};
  for (const { name, field, isAssigned } of generatedFields(schema)) {
    if ((isAssigned && place.assignsIds) || Object.hasOwn(given, name)) continue;
    const inner = generateValue(field, below(place, name));
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
  throw new UngeneratedError(place, reasonOf(schema));
};

/**
 * Missing or null at random, and where no value is possible: a relation without rows, a schema that contains
 * itself.
 */
const generateWithout = (schema: Schema, place: Place, without: null | undefined): unknown => {
  const { innerType: inner = schema } = definitionOf(schema);
  if (place.random.next() < 0.2 || isDeep(place)) return without;
  const target = targetOf(inner);
  const related = target && place.relate(target, place.random);
  return related !== undefined && 'lacking' in related ? without : generateValue(inner, place);
};

const stringMaker = (schema: Schema): Maker => {
  const listed = knownValuesOf(schema);
  if (listed !== undefined) return ({ random }) => listed[random.int(0, listed.length - 1)];
  try {
    const make = stringsOf(schema);
    const known = new Map<string, StringForm>();
    return ({ name, random, attempt }) => {
      const form = known.get(name) ?? make(name);
      known.set(name, form);
      return form(random, attempt);
    };
  } catch (error) {
    if (!(error instanceof UnsupportedPatternError)) throw error;
    return (place) => {
      throw new UngeneratedError(place, `no value can be made for a string: ${error.message}`);
    };
  }
};

const numberMaker = (schema: Schema): Maker => {
  const make = numbersOf(schema);
  return ({ random }) => make(random);
};

const valueMaker = (schema: Schema): Maker => {
  const values = valuesOf(schema).filter((value) => value !== undefined);
  return ({ random }) => values[random.int(0, values.length - 1)];
};

/** The input of a codec. `preprocess` takes anything; the schema after it says more. */
const inputMaker = (schema: Schema): Maker => {
  const { in: input = schema, out = schema } = definitionOf(schema);
  const wire = kindOf(input) === 'transform' ? out : input;
  return (place) => generateValue(wire, place);
};

/** What makes the values of each kind of schema, read from the schema once. */
const makers: Readonly<Record<string, (schema: Schema) => Maker>> = {
  string: stringMaker,
  number: numberMaker,
  boolean:
    () =>
    ({ random }) =>
      random.next() < 0.5,
  null: () => () => null,
  enum: valueMaker,
  literal: valueMaker,
  unknown: stringMaker,
  any: stringMaker,
  date:
    () =>
    ({ random }) =>
      generateTime(random),
  optional: (schema) => (place) => generateWithout(schema, place, undefined),
  nullable: (schema) => (place) => generateWithout(schema, place, null),
  object: (schema) => (place) => generateObject(schema, place),
  array: (schema) => (place) => generateList(schema, place),
  record: (schema) => (place) => generateRecord(schema, place),
  union: (schema) => (place) => generateUnion(schema, place),
  pipe: inputMaker,
  lazy: (schema) => (place) => generateValue(definitionOf(schema).getter?.() ?? schema, place),
};

const createMaker = (schema: Schema): Maker => {
  const create = makers[kindOf(schema)];
  if (create !== undefined) return create(schema);
  const { innerType } = definitionOf(schema);
  if (innerType !== undefined) return (place) => generateValue(innerType, place);
  return (place) => {
    throw new UngeneratedError(place, reasonOf(schema));
  };
};

/** Kinds whose values always fit, if their parts do and nothing else is checked. */
const always =
  /^(boolean|null|unknown|any|optional|nullable|object|array|record|union|lazy|readonly|default)$/;

const makerOf = oncePer((schema: Schema): Maker => {
  const make = createMaker(schema);
  if (always.test(kindOf(schema)) && !definitionOf(schema).checks?.length) return make;
  // What is generated has relations by their id, as a body has.
  const checked = bodySchemaOf(schema);
  const reason = reasonOf(schema);
  return (place) =>
    firstThatFits(place, make, (value) =>
      isAccepted(checked, value) ? undefined : { path: place.path, reason },
    );
});

/**
 * A value that fits a schema, as it goes over the wire. Undefined for an optional field that is left out.
 *
 * @throws {@link UngeneratedError} for a schema that no value can be generated for
 */
export const generateValue = (schema: Schema, place: Place): unknown => {
  if (place.depth > maxDepth) throw new UngeneratedError(place, 'its schema contains itself without an end');
  return makerOf(schema)(place);
};
