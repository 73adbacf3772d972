import type { Expandable, Resource } from '../src/schema/resource.ts';
import { definitionOf, describe, isObject, type Schema } from './fields.ts';
import { generateNumber } from './generate-number.ts';
import { generateText, generateTime } from './generate-text.ts';
import { firstThatFits, type Place, refuse, UngeneratedError } from './generation.ts';
import { isNested, lengthsOf, numberRulesOf, textRulesOf } from './generation-rules.ts';
import { fits } from './validate.ts';

/** From here on what may be left out is, so that what holds itself comes to an end. */
const deepest = 4;
/** Nothing that people write is as deep: it holds itself, and may not be left out. */
const endless = 60;

const isSchema = (part: unknown): part is Schema => isObject(part) && '_zod' in part;

const below = (place: Place, name: string): Place => ({
  ...place,
  path: place.path === '' ? name : `${place.path}.${name}`,
  random: place.random.fork(name),
  depth: place.depth + 1,
});

/** The fields of an object; an id that a counter can give is left to it, and `self` to whoever answers. */
export const generateFields = (schema: Schema, place: Place): Record<string, unknown> => {
  const { isResource } = describe(schema);
  const value: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(definitionOf(schema).shape ?? {})) {
    if (isResource && name === 'self') continue;
    const isCounted = isResource && name === 'id' && [1, '1'].some((id) => fits(field, id));
    const inner = isCounted ? undefined : generateValue(field, below(place, name));
    if (inner !== undefined) value[name] = inner;
  }
  return value;
};

const generateRelation = (target: Resource, place: Place): unknown => {
  const related = place.relate(target, place.random);
  if (related === 'empty') throw new UngeneratedError(place.path, 'there is no row that it could lead to');
  if (related !== 'unheld') return related;
  // Nobody answers for it, so it has to carry its link itself.
  const id = place.random.int(1, 999);
  return { ...generateFields(target, place), id, self: `urn:${place.path}:${id}` };
};

const generateList = (schema: Schema, element: Schema, place: Place): unknown => {
  const { least, most } = lengthsOf(schema);
  const isDeep = place.depth > deepest && isNested(element);
  const from = isDeep ? least : Math.max(least, Math.min(1, most));
  const length = place.random.int(from, isDeep ? least : Math.max(from, Math.min(most, least + 3)));
  const at = (index: number): Place => ({
    ...place,
    random: place.random.fork(String(index)),
    depth: place.depth + 1,
  });
  return Array.from({ length }, (_, index) => generateValue(element, at(index)) ?? null);
};

const generateRecord = (keys: Schema, values: Schema, place: Place): unknown => {
  const named = [...(keys._zod.values ?? [])].map(String);
  const at = (name: string): Place => ({
    ...place,
    random: place.random.fork(`key ${name}`),
    depth: place.depth + 1,
  });
  const names = named.length > 0 ? named : ['1', '2'].map((name) => String(generateValue(keys, at(name))));
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

/** Absent, or null, where that is the only way: a relation without rows, and what holds itself. */
const generateWithout = (inner: Schema, place: Place, without: null | undefined, rate: number): unknown => {
  if (place.random.chance(rate) || (place.depth > deepest && isNested(inner))) return without;
  const { target } = describe(inner);
  return target !== undefined && place.relate(target, place.random) === 'empty'
    ? without
    : generateValue(inner, place);
};

const generateMerged = (left: Schema, right: Schema, place: Place): unknown => {
  const values = [generateValue(left, place), generateValue(right, place)];
  return values.every(isObject) ? Object.assign({}, ...values) : values[0];
};

/**
 * A value that fits a schema, as it goes over the wire: a codec's input. undefined for an optional field that is left
 * out.
 *
 * @throws {@link UngeneratedError} for a schema that no value can be made for
 */
export const generateValue = (schema: Schema, place: Place): unknown => {
  const { target } = schema as Partial<Expandable>;
  if (target !== undefined) return generateRelation(target, place);
  if (place.depth > endless) throw new UngeneratedError(place.path, 'it holds itself, without an end');
  const definition = definitionOf(schema);
  const { type, innerType, element, keyType, valueType, options, left, right } = definition;
  const { random } = place;
  const values = [...(schema._zod.values ?? [])].filter((value) => value !== undefined);
  switch (type) {
    case 'string':
      return firstThatFits(schema, place, (attempt) => generateText(textRulesOf(schema), random, attempt));
    case 'number':
      return firstThatFits(schema, place, () => generateNumber(numberRulesOf(schema), random));
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case 'enum':
    case 'literal':
      return values.length === 0
        ? refuse(schema, place)
        : firstThatFits(schema, place, () => values[random.int(0, values.length - 1)]);
    case 'any':
    case 'unknown':
      return generateText(textRulesOf(schema), random, 0);
    case 'optional':
      return generateWithout(innerType ?? schema, place, undefined, 0.2);
    case 'nullable':
      return generateWithout(innerType ?? schema, place, null, 0.2);
    case 'object':
      return generateFields(schema, place);
    case 'array':
      return generateList(schema, element ?? schema, place);
    case 'tuple':
      return (definition.items ?? []).map((item, index) => generateValue(item, below(place, String(index))));
    case 'record':
      return generateRecord(keyType ?? schema, valueType ?? schema, place);
    case 'union':
      return generateUnion(schema, options ?? [], place);
    case 'intersection':
      return generateMerged(left ?? schema, right ?? schema, place);
    case 'pipe': {
      const { in: input = schema, out = schema } = definition;
      // What stands before `preprocess` is anything; what comes after it says more.
      const wire = definitionOf(input).type === 'transform' ? out : input;
      return firstThatFits(schema, place, (attempt) =>
        generateValue(wire, { ...place, attempt, random: random.fork(`attempt ${attempt}`) }),
      );
    }
    case 'lazy':
      return generateValue(definition.getter?.() ?? schema, place);
    case 'date':
      return firstThatFits(schema, place, () => generateTime(random));
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
