import { toPascalCase } from '../../../openapi/names.ts';
import { isObject } from '../../../options.ts';
import { follow, type Json, listAt, missingTarget, requiredIn, stringAt } from '../json.ts';
import { combine, omitFields } from './combine.ts';
import { differs, hiddenIn } from './directions.ts';
import { readOptions } from './read-options.ts';
import { readArray, readObject } from './read-parts.ts';
import { describeUnchecked, hasKeywordsOf, isValue, readEnum, readKeywords } from './read-values.ts';
import type { Component, Reader } from './reader.ts';
import { type Direction, isNullable, isUnknown, resolve, type Schema, withoutNull } from './schema.ts';
import { nullable, union } from './union.ts';

/** What refines a schema that a reference leads to. */
const refinements = [
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'properties',
  'required',
  'enum',
  'const',
  'allOf',
  'anyOf',
  'oneOf',
];

const isRefined = (reference: Json): boolean => refinements.some((name) => Object.hasOwn(reference, name));

const readType = (reader: Reader, type: unknown, schema: Json, direction: Direction): Schema => {
  if (type === 'object') return readObject(reader, schema, direction);
  if (type === 'array') return readArray(reader, schema, direction);
  return readKeywords(type, schema);
};

/** The schema of the keywords besides `allOf`, `anyOf` and `oneOf`. */
const readOwn = (reader: Reader, schema: Json, direction: Direction): Schema => {
  if (isValue(schema.const)) return { const: schema.const };
  if (schema.const === null) return { type: 'null' };
  const values = readEnum(schema);
  if (values !== undefined) return values;
  const { type, properties, additionalProperties, patternProperties, items, prefixItems } = schema;
  if (type !== undefined) return union([type].flat().map((one) => readType(reader, one, schema, direction)));
  if ([properties, additionalProperties, patternProperties].some(isObject))
    return readObject(reader, schema, direction);
  return items === undefined && prefixItems === undefined ? {} : readArray(reader, schema, direction);
};

/** A part of `allOf`. A base that has the schema itself among its options stands for its own fields there. */
const readPart = (reader: Reader, part: Json, direction: Direction, type: unknown): Schema => {
  const { target } = follow(reader.document, part);
  const options = [...listAt(target, 'oneOf'), ...listAt(target, 'anyOf')];
  return options.some(reader.isInside)
    ? readOwn(reader, target, direction)
    : reader.read(part, direction, type);
};

/** The type of a schema, also where only a part of its `allOf` names it. A part may contain itself. */
const typeOf = (document: Json, schema: Json, maxDepth = 5): unknown => {
  const target = schema.$ref === undefined ? schema : follow(document, schema).target;
  if (target.type !== undefined || maxDepth === 0) return target.type;
  const parts = listAt(target, 'allOf').filter(isObject);
  return parts.map((part) => typeOf(document, part, maxDepth - 1)).find((type) => type !== undefined);
};

/** A schema without a reference: its own keywords, with those of its `allOf`, `anyOf` and `oneOf`. */
const readWhole = (reader: Reader, schema: Json, direction: Direction, given: unknown): Schema => {
  const { document, find } = reader;
  const type = schema.type ?? given ?? typeOf(document, schema);
  const own = readOwn(reader, hasKeywordsOf(type, schema) ? { ...schema, type } : schema, direction);
  const all = listAt(schema, 'allOf').filter(isObject);
  const parts = [
    ...all.map((part) => readPart(reader, part, direction, type)),
    readOptions(reader, schema, 'anyOf', direction, type),
    readOptions(reader, schema, 'oneOf', direction, type),
    own,
  ];
  // OpenAPI ignores `nullable` without a type, beside `oneOf` and in a part of `allOf`. It is meant all the
  // same.
  const isSaid = [schema, ...all].some((one) => one.nullable === true);
  const hasNull = isSaid || (isUnknown(own) ? parts : [own]).some(isNullable);
  const hidden = all.length === 0 ? [] : hiddenIn(document, schema, direction);
  const shown = parts.map((part) => omitFields(withoutNull(part), hidden, find));
  const combined = combine(shown, requiredIn(document, schema), find);
  const lost = combined.lost ?? describeUnchecked(schema, type);
  const one = lost === undefined ? combined : { ...combined, lost };
  return hasNull ? nullable(one) : one;
};

const readSchema = (reader: Reader, schema: unknown, direction: Direction, given?: unknown): Schema => {
  if (schema === false) return { lost: '`false`, which no value fits, is not checked' };
  if (!isObject(schema)) return {};
  if (schema.$ref === undefined) return readWhole(reader, schema, direction, given);
  const { $ref, ...beside } = schema;
  if (!isRefined(beside)) return { $ref: reader.readComponent(schema, direction) };
  return readWhole(reader, { allOf: [{ $ref }, beside] }, direction, undefined);
};

/**
 * Makes the reader of a document.
 *
 * @param areEnumsClosed - whether a response has no other values than those of an `enum`
 */
export const createReader = (document: Json, areEnumsClosed: boolean): Reader => {
  const components = new Map<string, Component>();
  /** Whether a component differs between bodies and responses. */
  const differing = new Map<string, boolean>();
  /** Where the components are that are being read. */
  const reading = new Set<string>();
  const find = (key: string): Schema | undefined => components.get(key)?.schema;

  /** The direction in which a component is read; that of responses where it makes no difference. */
  const directionOf = (pointer: string, wanted: Direction): Direction => {
    const isDifferent = differing.get(pointer) ?? differs(document, pointer, areEnumsClosed);
    differing.set(pointer, isDifferent);
    return isDifferent ? wanted : 'response';
  };

  const readComponent = (reference: Json, wanted: Direction): string => {
    const { pointer, target, isMissing } = follow(document, reference);
    const direction = directionOf(pointer, wanted);
    const key = direction === 'body' ? `${pointer} body` : pointer;
    if (components.has(key)) return key;
    const name = toPascalCase(pointer.split('/').at(-1) ?? '') + (direction === 'body' ? 'Body' : '');
    components.set(key, { name, direction, schema: {} });
    reading.add(pointer);
    const schema = isMissing ? { lost: missingTarget(pointer) } : reader.read(target, direction);
    reading.delete(pointer);
    // One that consists of itself stays unknown.
    components.set(key, { name, direction, schema: resolve(schema, find) === find(key) ? {} : schema });
    return key;
  };

  const isInside = (schema: unknown): boolean =>
    isObject(schema) && reading.has(stringAt(schema, '$ref') ?? '');

  const reader: Reader = {
    document,
    components,
    find,
    read: (schema, direction, given) => readSchema(reader, schema, direction, given),
    readComponent,
    isInside,
  };
  return reader;
};
