import { isObject } from '../../src/options.ts';
import { below as pathBelow } from '../../src/schema/codec.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { definitionOf, fieldOf, isSchema, kindOf, targetOf, valuesOf } from '../../src/schema/zod.ts';
import { fits, isResource } from '../resources/schema.ts';
import type { Id } from '../resources/table.ts';
import type { Field } from './kinds.ts';
import { generateNumber, generateString, generateTime, narrow } from './primitive.ts';
import type { Random } from './random.ts';
import type { Realistic } from './realistic.ts';
import { describeSchema, isNested, lengthsOf, numberRulesOf, stringRulesOf } from './rules.ts';

/** The target row of a relation. `'empty'`: its collection has no rows. `'unheld'`: no collection has its resource. */
export type Related = { readonly id: Id } | 'empty' | 'unheld';

/** Where in a row a value is generated, and from what. */
export interface Place extends Field {
  readonly depth: number;
  /** Whether the store assigns the ids of resources here, which it does only in objects and lists. */
  readonly assignsIds: boolean;
  /** The form of a value to begin with. */
  readonly attempt: number;
  /** Suggests values by the names of fields; undefined for plain values. */
  readonly realistic: Realistic | undefined;
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

const attempts = 24;

const refuse = (schema: Schema, { path }: Place): never => {
  throw new UngeneratedError(path, `no value can be generated for ${describeSchema(schema)}`);
};

/**
 * The first value that fits its schema.
 *
 * @throws {@link UngeneratedError} after 24 attempts
 */
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

const withoutAssignedIds = (place: Place): Place => ({ ...place, assignsIds: false });

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

/** The fields of an object, without the ids that the store assigns and without `self`, which each response adds. */
export const generateFields = (schema: Schema, place: Place): Record<string, unknown> => {
  const isOwn = isResource(schema);
  const value: Record<string, unknown> = {};
  const fields = Object.entries(definitionOf(schema).shape ?? {});
  const owner = { name: place.name, fields: fields.map(([name]) => name), random: place.random };
  for (const [name, field] of fields) {
    if (isOwn && name === 'self') continue;
    const isAssigned = isOwn && name === 'id' && place.assignsIds && [1, '1'].some((id) => fits(field, id));
    const inner = isAssigned ? undefined : generateValue(field, { ...below(place, name), owner });
    if (inner !== undefined) value[name] = inner;
  }
  return value;
};

const generateRelation = (target: Schema, place: Place): unknown => {
  const related = place.relate(target, place.random);
  if (related === 'empty')
    throw new UngeneratedError(place.path, 'the collection that it refers to has no rows');
  if (related !== 'unheld') return related;
  // No collection serves the resource, so its id and `self` are made here.
  const number = place.random.int(1, 999);
  const field = fieldOf(target, 'id') ?? target;
  const id =
    [number, String(number)].find((one) => fits(field, one)) ?? generateValue(field, below(place, 'id'));
  return { ...generateFields(target, place), id, self: `urn:${place.path}:${String(id)}` };
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
  return target !== undefined && place.relate(target, place.random) === 'empty'
    ? without
    : generateValue(inner, place);
};

const generateMerged = (left: Schema, right: Schema, place: Place): unknown => {
  const values = [generateValue(left, place), generateValue(right, place)];
  return values.every(isObject) ? Object.assign({}, ...values) : values[0];
};

/** A time that fits the field's name. */
const timeOf = (place: Place): string => place.realistic?.time(place) ?? generateTime(place.random);

const generateTextual = (schema: Schema, place: Place): unknown => {
  const rules = stringRulesOf(schema);
  const usual = place.realistic?.strings(place, rules) ?? [];
  return firstThatFits(schema, place, (attempt) => {
    const make = usual[attempt];
    if (make !== undefined) return make();
    return generateString(rules, place.random, attempt - usual.length, () => timeOf(place));
  });
};

const generateNumeric = (schema: Schema, place: Place): unknown => {
  const rules = numberRulesOf(schema);
  const usual = place.realistic?.range(place);
  return firstThatFits(schema, place, (attempt) =>
    // The usual range may lack the multiple that the schema asks for.
    generateNumber(usual === undefined || attempt % 2 === 1 ? rules : narrow(rules, usual), place.random),
  );
};

/**
 * A value that fits a schema, as it goes over the wire: a codec's input. Undefined for an optional field that is left
 * out.
 *
 * @throws {@link UngeneratedError} for a schema that no value can be generated for
 */
export const generateValue = (schema: Schema, place: Place): unknown => {
  if (place.depth > endless)
    throw new UngeneratedError(place.path, 'its schema contains itself without an end');
  const definition = definitionOf(schema);
  const { type, innerType, element, keyType, valueType, options, left, right } = definition;
  const { random } = place;
  const values = valuesOf(schema).filter((value) => value !== undefined);
  switch (type) {
    case 'string':
      return generateTextual(schema, place);
    case 'number':
      return generateNumeric(schema, place);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case 'enum':
    case 'literal':
      return firstThatFits(schema, place, () => values[random.int(0, values.length - 1)]);
    case 'any':
    case 'unknown':
      return generateString(stringRulesOf(schema), random, 0, () => timeOf(place));
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
        generateValue(item, withoutAssignedIds(below(place, String(index)))),
      );
    case 'record':
      return generateRecord(keyType ?? schema, valueType ?? schema, withoutAssignedIds(place));
    case 'union':
      return generateUnion(schema, options ?? [], withoutAssignedIds(place));
    case 'intersection':
      return generateMerged(left ?? schema, right ?? schema, withoutAssignedIds(place));
    case 'pipe': {
      const { in: input = schema, out = schema } = definition;
      // `preprocess` takes anything; the schema after it says more.
      const wire = kindOf(input) === 'transform' ? out : input;
      return firstThatFits(schema, place, (attempt) =>
        generateValue(wire, { ...place, attempt, random: random.fork(`attempt ${attempt}`) }),
      );
    }
    case 'lazy':
      return generateValue(definition.getter?.() ?? schema, place);
    case 'date':
      return firstThatFits(schema, place, () => timeOf(place));
    case 'template_literal':
      return firstThatFits(schema, place, () =>
        (definition.parts ?? [])
          .map((part) => (isSchema(part) ? String(generateValue(part, place) ?? '') : String(part)))
          .join(''),
      );
    default:
      return innerType === undefined ? refuse(schema, place) : generateValue(innerType, place);
  }
};
