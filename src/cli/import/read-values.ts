// Schemas without parts: types with their bounds, and lists of values.
import { nullable } from './combine.ts';
import { type Json, listAt, stringAt, stringsAt } from './json.ts';
import type { Schema } from './schema.ts';

const numberBounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

/** The types of JSON Schema without parts, and their bounds. */
const boundsOf = new Map<unknown, readonly string[]>([
  ['array', ['minItems', 'maxItems']],
  ['string', ['minLength', 'maxLength']],
  ['integer', numberBounds],
  ['number', numberBounds],
  ['boolean', []],
  ['null', []],
]);

// The safe integers are all that z.int() takes, and no number is precise beyond them.
const isBound = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;

const readBounds = (type: unknown, schema: Json): Schema['bounds'] => {
  const names = (boundsOf.get(type) ?? []).filter((name) => isBound(schema[name]));
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, Number(schema[name])]));
};

/**
 * A type with its keywords, without those whose values have the wrong type; unknown for a type that does not
 * exist.
 */
export const readKeywords = (type: unknown, schema: Json): Schema => {
  if (!boundsOf.has(type)) return {};
  const bounds = readBounds(type, schema);
  const known = { type: type as NonNullable<Schema['type']>, ...(bounds !== undefined && { bounds }) };
  if (type !== 'string') return known;
  const values = stringsAt(schema, 'x-extensible-enum');
  if (values.length > 0) return { enum: values, isOpen: true };
  const format = stringAt(schema, 'format');
  const pattern = stringAt(schema, 'pattern');
  return { ...known, ...(format !== undefined && { format }), ...(pattern !== undefined && { pattern }) };
};

export const isValue = (value: unknown): value is NonNullable<Schema['const']> =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/** One of some values. */
const readValues = (all: readonly unknown[]): Schema => {
  const values = [...new Set(all)].filter((value) => value !== null);
  if (!values.every(isValue)) return { lost: 'an `enum` of lists or objects: any value is taken' };
  const of: Schema = values.length > 0 ? { enum: values } : { type: 'null' };
  return all.includes(null) ? nullable(of) : of;
};

/** The values of `enum`; undefined without any. */
export const readEnum = (schema: Json): Schema | undefined => {
  const values = listAt(schema, 'enum');
  if (values.length === 0) return undefined;
  return readValues([schema.type].flat().includes('null') ? [...values, null] : values);
};
