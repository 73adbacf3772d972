import { toPascalCase } from '../../openapi/names.ts';
import { isCount, isObject } from '../../options.ts';
import { follow, type Json, type Located, listAt, objectAt, stringAt, stringsAt } from './json.ts';
import {
  type Direction,
  isNullable,
  isUnknown,
  nullable,
  nullSchema,
  resolve,
  type Schema,
  union,
  type Value,
  withoutNull,
} from './schema.ts';

/** A schema of the document that has a name. */
export interface Component {
  /** The name of its constant, if that is free. */
  readonly name: string;
  readonly direction: Direction;
  readonly schema: Schema;
}

const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

/** The keywords of each type that are declared as they are. */
const keywords = new Map<unknown, readonly string[]>([
  ['array', ['minItems', 'maxItems']],
  ['string', ['format', 'pattern', 'minLength', 'maxLength']],
  ['integer', bounds],
  ['number', bounds],
  ['boolean', []],
  ['null', []],
]);

/** A type with its keywords, without those of another kind than they must have. */
const withKeywords = (type: unknown, schema: Json): Schema => {
  const found = (keywords.get(type) ?? []).map((name) => [name, schema[name]] as const);
  const kept = found.filter(([name, value]) =>
    name === 'format' || name === 'pattern'
      ? typeof value === 'string'
      : // The safe integers are all that z.int() takes, and no number is precise beyond them.
        typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER,
  );
  return { type: type as NonNullable<Schema['type']>, ...Object.fromEntries(kept) };
};

const isValue = (value: unknown): value is Value =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/** One of some values; unknown when one of them is a list or an object. */
const readValues = (all: readonly unknown[]): Schema => {
  const values = [...new Set(all)].filter((value) => value !== null);
  if (!values.every(isValue)) return {};
  const of: Schema = values.length > 0 ? { enum: values } : nullSchema;
  return all.includes(null) ? nullable(of) : of;
};

/** The name of a schema that a reference leads to: the last part of it that can be a name. */
const nameOf = (pointer: string): string => {
  const names = pointer.split('/').map(toPascalCase);
  const isName = (name: string): boolean =>
    /^[A-Z]/.test(name) && !['Schema', 'Items', 'Properties', 'Schemas', 'Components'].includes(name);
  return names.findLast(isName) ?? 'Schema';
};

/** The fields of an object, with those that are required of them. */
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
  for (const one of reached) if (visit(follow(document, { $ref: one })?.value)) return true;
  return false;
};

export type Reader = ReturnType<typeof createReader>;

/** Reads the schemas of a document. */
export const createReader = (document: Json) => {
  const components = new Map<string, Component>();
  const differing = new Map<string, boolean>();
  const find = (key: string): Schema | undefined => components.get(key)?.schema;

  /** Reads a component once, or once in each direction where that makes a difference. Returns its key. */
  const readComponent = ({ value, pointer }: Located, wanted: Direction): string => {
    if (!differing.has(pointer)) differing.set(pointer, differs(document, pointer));
    const direction = differing.get(pointer) === true ? wanted : 'response';
    const key = direction === 'body' ? `${pointer} body` : pointer;
    if (components.has(key)) return key;
    const name = nameOf(pointer);
    const isNamed = direction === 'response' || /(?:Body|Create|Input|Patch|Request|Update)$/.test(name);
    const component = { name: isNamed ? name : `${name}Body`, direction };
    components.set(key, { ...component, schema: {} });
    const schema = read(value, direction);
    // One that consists of itself stays unknown.
    components.set(key, { ...component, schema: resolve(schema, find) === find(key) ? {} : schema });
    return key;
  };

  const readObject = (schema: Json, direction: Direction): Schema => {
    const hidden = direction === 'body' ? 'readOnly' : 'writeOnly';
    const isShown = (field: unknown): boolean => follow(document, field)?.value[hidden] !== true;
    const fields = Object.entries(objectAt(schema, 'properties')).filter(([, field]) => isShown(field));
    const rest = read(schema.additionalProperties, direction);
    const others = { type: 'object', ...(!isUnknown(rest) && { additionalProperties: rest }) } as const;
    const required = stringsAt(schema, 'required');
    if (Object.keys(objectAt(schema, 'properties')).length === 0) {
      const { propertyNames } = schema;
      return {
        ...others,
        ...(propertyNames !== undefined && { propertyNames: read(propertyNames, direction), required }),
      };
    }
    const properties = Object.fromEntries(fields.map(([name, field]) => [name, read(field, direction)]));
    return { ...others, ...withRequired(properties, required) };
  };

  const readArray = (schema: Json, direction: Direction): Schema => {
    const first = listAt(schema, 'prefixItems');
    if (first.length === 0) return { ...withKeywords('array', schema), items: read(schema.items, direction) };
    // The first items of a list that may end before them are not checked.
    const least = schema.minItems;
    if (least !== undefined && !(isCount(least) && least >= first.length))
      return withKeywords('array', schema);
    const items = isObject(schema.items) ? { items: read(schema.items, direction) } : {};
    return { type: 'array', prefixItems: first.map((item) => read(item, direction)), ...items };
  };

  const readType = (type: unknown, schema: Json, direction: Direction): Schema => {
    if (type === 'object') return readObject(schema, direction);
    if (type === 'array') return readArray(schema, direction);
    return keywords.has(type) ? withKeywords(type, schema) : {};
  };

  /** The schema of the keywords besides `allOf`, `anyOf` and `oneOf`. */
  const readOwn = (schema: Json, direction: Direction): Schema => {
    if (isValue(schema.const)) return { const: schema.const };
    if (schema.const === null) return nullSchema;
    const values = listAt(schema, 'enum');
    if (values.length > 0) return readValues(values);
    const { type, properties, additionalProperties, items, prefixItems } = schema;
    if (type !== undefined) return union([type].flat().map((one) => readType(one, schema, direction)));
    if (isObject(properties) || isObject(additionalProperties)) return readObject(schema, direction);
    return items === undefined && prefixItems === undefined ? {} : readArray(schema, direction);
  };

  /** An option with the values of the field that tells it apart; undefined when the document does not have them. */
  const readOption = (
    option: unknown,
    field: string,
    mapping: Json,
    direction: Direction,
  ): Schema | undefined => {
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
    if (required.includes(field) && values.length === stated.length) return schema;
    const [value, ...others] = values;
    if (value === undefined) return undefined;
    const fields = { ...properties, [field]: others.length > 0 ? { enum: values } : { const: value } };
    return { ...object, ...withRequired(fields, [...required, field]) };
  };

  const readOptions = (schema: Json, keyword: string, direction: Direction): Schema => {
    const all = listAt(schema, keyword);
    const { mapping, propertyName: field } = objectAt(schema, 'discriminator');
    if (typeof field === 'string' && all.length > 1) {
      const options = all.flatMap(
        (one) => readOption(one, field, isObject(mapping) ? mapping : {}, direction) ?? [],
      );
      if (options.length === all.length) return { anyOf: options, discriminator: field };
    }
    return union(all.map((one) => read(one, direction)));
  };

  /** One schema of several that all apply: the fields of objects together, where the last of a name counts. */
  const combine = (all: readonly Schema[], required: readonly string[]): Schema => {
    const parts = all.filter((one) => !isUnknown(one));
    // `type: object` alone adds nothing to other parts.
    const [first = all[0] ?? {}, ...others] = parts.filter(
      (one) => parts.length === 1 || one.type !== 'object' || Object.keys(one).length > 1,
    );
    const objects = [first, ...others].map((one) => resolve(one, find));
    if (objects.some(({ properties }) => properties === undefined))
      return others.length === 0 ? first : { allOf: [first, ...others] };
    const stated = objects.flatMap((one) => one.required ?? []);
    if (others.length === 0 && required.every((name) => stated.includes(name))) return first;
    const properties = Object.assign({}, ...objects.map((one) => one.properties));
    const rest = objects.find((one) => one.additionalProperties !== undefined)?.additionalProperties;
    return {
      type: 'object',
      ...(rest && { additionalProperties: rest }),
      ...withRequired(properties, [...required, ...stated]),
    };
  };

  /** Reads a schema where it is used. */
  const read = (schema: unknown, direction: Direction): Schema => {
    if (!isObject(schema)) return {};
    const text = stringAt(schema, 'description');
    const description = text !== undefined && { description: text };
    if (typeof schema.$ref === 'string') {
      const located = follow(document, schema);
      return { ...(located && { $ref: readComponent(located, direction) }), ...description };
    }
    const own = readOwn(schema, direction);
    const all = listAt(schema, 'allOf').filter(isObject);
    const parts = [
      ...all.map((part) => read(part, direction)),
      readOptions(schema, 'anyOf', direction),
      readOptions(schema, 'oneOf', direction),
      own,
    ];
    // Ignored by OpenAPI beside `oneOf`, and meant all the same.
    const hasNull = schema.nullable === true || (isUnknown(own) ? parts.some(isNullable) : isNullable(own));
    const required = [schema, ...all].flatMap((part) => stringsAt(part, 'required'));
    const one = combine(hasNull ? parts.map(withoutNull) : parts, required);
    const found = one.$ref === undefined ? { ...one, ...description } : one;
    return hasNull ? nullable(found) : found;
  };

  return { components, find, read };
};
