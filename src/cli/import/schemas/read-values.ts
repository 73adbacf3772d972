// Schemas without parts: types with their bounds, and lists of values.
import { isObject } from '../../../options.ts';
import { type Json, listAt, stringAt, stringsAt } from '../json.ts';
import type { Schema } from './schema.ts';
import { nullable } from './union.ts';

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

const stringKeywords = ['minLength', 'maxLength', 'pattern', 'format'];

/** The keywords of a type that a schema has: what it means beside that type, where it has none itself. */
const keywordsOf = (type: unknown, schema: Json): readonly string[] => {
  const names = type === 'string' ? stringKeywords : (boundsOf.get(type) ?? []);
  return names.filter((name) => schema[name] !== undefined);
};

/** Whether a schema without a type has keywords of a type, or of one of several. */
export const hasKeywordsOf = (types: unknown, schema: Json): boolean =>
  schema.type === undefined && [types].flat().some((type) => keywordsOf(type, schema).length > 0);

/** A regular expression as a literal; undefined for one that JavaScript does not know. */
export const toRegExp = (pattern: string): string | undefined => {
  try {
    return String(new RegExp(pattern, 'u'));
  } catch {
    return undefined;
  }
};

/** Keywords that no schema is written for, where they have another value than `false`. */
const uncheckedKeywords = [
  'not',
  'if',
  'contains',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  'dependentSchemas',
  '$dynamicRef',
];

const isOnlyRequired = (option: unknown): boolean =>
  isObject(option) &&
  Object.keys(option).length > 0 &&
  Object.keys(option).every((name) => name === 'required');

/**
 * The first keyword of a schema that its declaration does not check, in words; undefined without any.
 *
 * @param type - that of the schema, or of what it is a part of
 */
export const describeUnchecked = (schema: Json, type: unknown): string | undefined => {
  // Beside another type, `uniqueItems` says nothing.
  const mayBeList = type === undefined || [type].flat().includes('array');
  const isUsed = (name: string): boolean => name !== 'uniqueItems' || mayBeList;
  const unchecked = uncheckedKeywords.find((name) => (schema[name] ?? false) !== false && isUsed(name));
  if (unchecked !== undefined) return `\`${unchecked}\` is not checked`;
  if (typeof schema.const === 'object' && schema.const !== null)
    return '`const` of a list or an object is not checked';
  const keyword = ['anyOf', 'oneOf'].find((name) => listAt(schema, name).some(isOnlyRequired));
  if (keyword !== undefined) return `an option of \`${keyword}\` that is only \`required\` is not checked`;
  const pattern = stringAt(schema, 'pattern');
  if (pattern !== undefined && toRegExp(pattern) === undefined)
    return '`pattern` is no regular expression of JavaScript, and is not checked';
  if (type !== undefined || schema.enum !== undefined || schema.const !== undefined) return undefined;
  const [untyped] = [...boundsOf.keys()].flatMap((one) => keywordsOf(one, schema));
  return untyped && `\`${untyped}\` has no type beside it, and is not checked`;
};

// The safe integers are all that z.int() takes. The largest one is the bound that
// each exported `id` has.
const isBound = (type: unknown, name: string, value: unknown): boolean => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  if (name === 'multipleOf' && value <= 0) return false;
  const isSafe = Math.abs(value) < Number.MAX_SAFE_INTEGER;
  return isSafe || (type === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER);
};

const readBounds = (type: unknown, schema: Json): Schema['bounds'] => {
  const names = (boundsOf.get(type) ?? []).filter((name) => isBound(type, name, schema[name]));
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
