import { toPascalCase } from '../../openapi/names.ts';
import { isObject } from '../../options.ts';
import { follow, type Json, listAt, objectAt, stringAt, stringsAt, targetOf } from './json.ts';
import { type Direction, isNull, isNullable, resolve, type Schema, withoutNull } from './schema.ts';

/** A schema of the document that has a name. */
export interface Component {
  /** The name of its constant, if that is free. */
  readonly name: string;
  readonly direction: Direction;
  readonly schema: Schema;
}

/** True for a schema that says nothing about a value. */
const isUnknown = (schema: Schema): boolean => Object.keys(schema).length === 0;

const nullSchema: Schema = { type: 'null' };

/** A schema or `null`, as two options. */
const nullable = (schema: Schema): Schema =>
  isNullable(schema) || isNull(schema) || isUnknown(schema) ? schema : { anyOf: [schema, nullSchema] };

/** Schemas of which one applies. */
const union = (all: readonly Schema[]): Schema => {
  const options = all.flatMap((one) => (isNullable(one) ? (one.anyOf ?? []) : [one]));
  const others = options.filter((one) => !isNull(one));
  const [first = nullSchema] = others;
  if (options.length === 0 || others.some(isUnknown)) return {};
  const one: Schema = others.length > 1 ? { anyOf: others } : first;
  return others.length < options.length ? nullable(one) : one;
};

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

/** A type with its keywords, without those whose values have the wrong type. */
const withKeywords = (type: unknown, schema: Json): Schema => {
  // The safe integers are all that z.int() takes, and no number is precise beyond them.
  const isBound = (value: unknown): boolean =>
    typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  const bounds = (boundsOf.get(type) ?? []).filter((name) => isBound(schema[name]));
  const [format, pattern] = [stringAt(schema, 'format'), stringAt(schema, 'pattern')];
  return {
    type: type as NonNullable<Schema['type']>,
    ...(bounds.length > 0 && {
      bounds: Object.fromEntries(bounds.map((name) => [name, Number(schema[name])])),
    }),
    ...(type === 'string' && format !== undefined && { format }),
    ...(type === 'string' && pattern !== undefined && { pattern }),
  };
};

const isValue = (value: unknown): value is NonNullable<Schema['const']> =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/** One of some values; unknown when one of them is a list or an object. */
const readValues = (all: readonly unknown[]): Schema => {
  const values = [...new Set(all)].filter((value) => value !== null);
  if (!values.every(isValue)) return {};
  const of: Schema = values.length > 0 ? { enum: values } : nullSchema;
  return all.includes(null) ? nullable(of) : of;
};

/** The fields of an object, and which of them are required. */
const withRequired = (properties: Readonly<Record<string, Schema>>, names: readonly string[]): Schema => {
  const required = Object.keys(properties).filter((name) => names.includes(name));
  return { properties, ...(required.length > 0 && { required }) };
};

/** Whether what a reference leads to differs between bodies and responses, at any depth. */
const differs = (document: Json, pointer: string): boolean => {
  const reached = new Set([pointer]);
  const visit = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return false;
    const { readOnly, writeOnly, self, $ref } = value as Json;
    if (typeof $ref === 'string') reached.add($ref);
    return readOnly === true || writeOnly === true || isObject(self) || Object.values(value).some(visit);
  };
  // The set grows while it is read.
  for (const one of reached) if (visit(targetOf(document, { $ref: one }))) return true;
  return false;
};

/** Reads the schemas of a document. */
export const createReader = (document: Json) => {
  const components = new Map<string, Component>();
  const differing = new Map<string, boolean>();
  const find = (key: string): Schema | undefined => components.get(key)?.schema;

  /** Reads a component once, or once in each direction where that makes a difference. Returns its key. */
  const readComponent = (reference: Json, wanted: Direction): string => {
    const { pointer, target } = follow(document, reference);
    if (!differing.has(pointer)) differing.set(pointer, differs(document, pointer));
    const direction = differing.get(pointer) === true ? wanted : 'response';
    const key = direction === 'body' ? `${pointer} body` : pointer;
    if (components.has(key)) return key;
    const name = toPascalCase(pointer.split('/').at(-1) ?? '') + (direction === 'body' ? 'Body' : '');
    components.set(key, { name, direction, schema: {} });
    const schema = read(target, direction);
    // One that consists of itself stays unknown.
    components.set(key, { name, direction, schema: resolve(schema, find) === find(key) ? {} : schema });
    return key;
  };

  const readObject = (schema: Json, direction: Direction): Schema => {
    const hidden = direction === 'body' ? 'readOnly' : 'writeOnly';
    const all = Object.entries(objectAt(schema, 'properties'));
    const shown = all.filter(([, field]) => targetOf(document, field)[hidden] !== true);
    const rest = read(schema.additionalProperties, direction);
    const object = { type: 'object', ...(!isUnknown(rest) && { additionalProperties: rest }) } as const;
    const required = stringsAt(schema, 'required');
    if (all.length > 0) {
      const properties = Object.fromEntries(shown.map(([name, field]) => [name, read(field, direction)]));
      return { ...object, ...withRequired(properties, required) };
    }
    const { propertyNames: names } = schema;
    return names === undefined ? object : { ...object, propertyNames: read(names, direction), required };
  };

  const readArray = (schema: Json, direction: Direction): Schema => {
    const first = listAt(schema, 'prefixItems').map((item) => read(item, direction));
    const items = read(schema.items, direction);
    if (first.length === 0) return { ...withKeywords('array', schema), items };
    return { type: 'array', prefixItems: first, ...(isObject(schema.items) && { items }) };
  };

  const readType = (type: unknown, schema: Json, direction: Direction): Schema => {
    if (type === 'object') return readObject(schema, direction);
    if (type === 'array') return readArray(schema, direction);
    return boundsOf.has(type) ? withKeywords(type, schema) : {};
  };

  /** The schema of the keywords besides `allOf`, `anyOf` and `oneOf`. */
  const readOwn = (schema: Json, direction: Direction): Schema => {
    if (isValue(schema.const)) return { const: schema.const };
    if (schema.const === null) return nullSchema;
    const { type, properties, additionalProperties, items, prefixItems } = schema;
    const values = listAt(schema, 'enum');
    if (values.length > 0) return readValues([type].flat().includes('null') ? [...values, null] : values);
    if (type !== undefined) return union([type].flat().map((one) => readType(one, schema, direction)));
    if (isObject(properties) || isObject(additionalProperties)) return readObject(schema, direction);
    return items === undefined && prefixItems === undefined ? {} : readArray(schema, direction);
  };

  /** An option with the values of the field that tells it apart; undefined when the document does not have them. */
  const readOption = (option: unknown, field: string, mapping: Json, direction: Direction) => {
    const schema = read(option, direction);
    const { properties, required = [], ...object } = resolve(schema, find);
    if (properties === undefined) return undefined;
    const pointer = isObject(option) ? stringAt(option, '$ref') : undefined;
    const names = pointer === undefined ? [] : [pointer.split('/').at(-1) ?? ''];
    const mapped = Object.keys(mapping).filter((value) =>
      [pointer, ...names].includes(stringAt(mapping, value)),
    );
    const { const: only, enum: stated = only === undefined ? [] : [only] } = properties[field] ?? {};
    const values = [mapped, stated, names].find(({ length }) => length > 0) ?? [];
    const [value, ...others] = values;
    if (value === undefined) return undefined;
    if (required.includes(field) && values.length === stated.length) return schema;
    const fields = { ...properties, [field]: others.length > 0 ? { enum: values } : { const: value } };
    return { ...object, ...withRequired(fields, [...required, field]) };
  };

  const readOptions = (schema: Json, keyword: string, direction: Direction): Schema => {
    const all = listAt(schema, keyword);
    const discriminator = objectAt(schema, 'discriminator');
    const field = stringAt(discriminator, 'propertyName');
    if (field !== undefined && all.length > 1) {
      const mapping = objectAt(discriminator, 'mapping');
      const options = all.flatMap((one) => readOption(one, field, mapping, direction) ?? []);
      if (options.length === all.length) return { anyOf: options, discriminator: field };
    }
    return union(all.map((one) => read(one, direction)));
  };

  /** One schema of several that all apply: the fields of objects together, where the last of a name counts. */
  const combine = (all: readonly Schema[], required: readonly string[]): Schema => {
    const known = all.filter((one) => !isUnknown(one));
    // A type alone adds nothing to other parts.
    const parts = known.length > 1 ? known.filter((one) => Object.keys(one).join() !== 'type') : known;
    const [first = {}, ...others] = parts;
    const objects = [first, ...others].map((one) => resolve(one, find));
    const stated = objects.flatMap((one) => one.required ?? []);
    if (others.length === 0 && required.every((name) => stated.includes(name))) return first;
    if (objects.some(({ properties }) => properties === undefined)) return others.length === 0 ? first : {};
    return {
      ...Object.assign({}, ...objects),
      ...withRequired(Object.assign({}, ...objects.map((one) => one.properties)), [...required, ...stated]),
    };
  };

  /** Reads a schema where it is used. */
  const read = (schema: unknown, direction: Direction): Schema => {
    if (!isObject(schema)) return {};
    if (schema.$ref !== undefined) return { $ref: readComponent(schema, direction) };
    const own = readOwn(schema, direction);
    const all = listAt(schema, 'allOf').filter(isObject);
    const parts = [
      ...all.map((part) => read(part, direction)),
      readOptions(schema, 'anyOf', direction),
      readOptions(schema, 'oneOf', direction),
      own,
    ];
    // Ignored by OpenAPI beside `oneOf`, and meant all the same.
    const hasNull = schema.nullable === true || (isUnknown(own) ? parts : [own]).some(isNullable);
    const required = [schema, ...all].flatMap((part) => stringsAt(part, 'required'));
    const one = combine(parts.map(withoutNull), required);
    return hasNull ? nullable(one) : one;
  };

  return { components, read };
};
