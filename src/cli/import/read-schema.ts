import { toPascalCase } from '../../openapi/names.ts';
import { isObject } from '../../options.ts';
import { follow, isCount, type Json, type Located, listAt, objectAt, stringAt, stringsAt } from './json.ts';
import {
  type Constant,
  type Direction,
  isNullable,
  isUnknown,
  nullable,
  nullSchema,
  resolve,
  type Schema,
  union,
  withoutNull,
} from './schema.ts';

const unchecked = [
  ...['not', 'if', 'contains', 'dependentRequired', 'dependentSchemas', 'patternProperties'],
  ...['minProperties', 'maxProperties', 'uniqueItems', '$dynamicRef'],
];

/** Keywords that restrict a value. All others only describe it. */
const constraining: ReadonlySet<string> = new Set([
  ...unchecked,
  ...['type', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'items', 'prefixItems'],
  ...['allOf', 'anyOf', 'oneOf', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'],
]);

const isConstrained = (schema: Json): boolean =>
  Object.entries(schema).some(([name, value]) => constraining.has(name) && value !== false);

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

const isLiteral = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

const readValues = (all: readonly unknown[], isConstant = false): Schema => {
  const values = [...new Set(all)].filter((value) => value !== null);
  if (!values.every(isLiteral)) return { notes: ['values that are lists or objects are not checked'] };
  const of: Schema = values.length > 0 ? { enum: values, ...(isConstant && { isConstant }) } : nullSchema;
  return all.includes(null) ? nullable(of) : of;
};

/** The name of a schema that a reference leads to: the last part of it that can be a name. */
const nameOf = (pointer: string): string => {
  const names = pointer.split('/').map(toPascalCase);
  const isName = (name: string): boolean =>
    /^[A-Z]/.test(name) && !['Schema', 'Items', 'Properties', 'Schemas', 'Components'].includes(name);
  return names.findLast(isName) ?? 'Schema';
};

/** Whether what a reference leads to differs between bodies and responses, at any depth. */
const differs = (document: Json, pointer: string): boolean => {
  const reached = new Set([pointer]);
  const visit = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return false;
    const { readOnly, writeOnly, properties, $ref } = value as Json;
    const names = isObject(properties) ? properties : {};
    if (readOnly === true || writeOnly === true) return true;
    if (Object.hasOwn(names, 'id') && Object.hasOwn(names, 'self')) return true;
    if (typeof $ref === 'string') reached.add($ref);
    return Object.values(value).some(visit);
  };
  // The set grows while it is read.
  for (const one of reached) if (visit(follow(document, { $ref: one })?.value)) return true;
  return false;
};

/** Reads the schemas of a document. */
export const createReader = (document: Json) => {
  const components = new Map<string, Constant>();
  const reading = new Set<string>();
  const differing = new Map<string, boolean>();
  const find = (key: string): Schema | undefined => components.get(key)?.schema;

  /** Reads a component once in each direction where that makes a difference. Returns its key. */
  const component = ({ value, pointer = '' }: Located, wanted: Direction): string => {
    const bodyKey = `${pointer} body`;
    if (wanted === 'body' && !differing.has(pointer)) differing.set(pointer, differs(document, pointer));
    const isBody = wanted === 'body' && differing.get(pointer) === true;
    const key = isBody ? bodyKey : pointer;
    if (components.has(key) || reading.has(key)) return key;
    const name = nameOf(pointer);
    const isNamed = !isBody || /(?:Body|Create|Input|Patch|Request|Update)$/.test(name);
    reading.add(key);
    const schema = read(value, wanted);
    reading.delete(key);
    const isOwn = schema.$ref === undefined || resolve(schema, find) !== undefined;
    components.set(key, {
      name: isNamed ? name : `${name}Body`,
      direction: isBody ? 'body' : 'response',
      schema: isOwn ? schema : { notes: [`${name} consists of itself`] },
    });
    return key;
  };

  const readFields = (schema: Json, direction: Direction): Schema => {
    const hidden = direction === 'body' ? 'readOnly' : 'writeOnly';
    const fields = Object.entries(objectAt(schema, 'properties')).flatMap(([name, value]) => {
      if (!isObject(value)) return [[name, read(value, direction)] as const];
      if (value[hidden] === true || follow(document, value)?.value[hidden] === true) return [];
      const description = stringAt(value, 'description');
      return [
        [name, { ...read(value, direction), ...(description !== undefined && { description }) }] as const,
      ];
    });
    const properties: Readonly<Record<string, Schema>> = Object.fromEntries(fields);
    const required = stringsAt(schema, 'required').filter((name) => Object.hasOwn(properties, name));
    return { properties, ...(required.length > 0 && { required }) };
  };

  const readObject = (schema: Json, direction: Direction): Schema => {
    const { additionalProperties: more, properties } = schema;
    const rest = isObject(more) ? read(more, direction) : {};
    const others = isUnknown(rest) ? {} : { additionalProperties: rest };
    if (isObject(properties) && Object.keys(properties).length > 0)
      return { type: 'object', ...readFields(schema, direction), ...others };
    const propertyNames = readValues(listAt(objectAt(schema, 'propertyNames'), 'enum'));
    const required = stringsAt(schema, 'required');
    const names = { propertyNames, ...(required.length > 0 && { required }) };
    return { type: 'object', ...(propertyNames.enum && names), ...others };
  };

  const readArray = (schema: Json, direction: Direction): Schema => {
    const first = listAt(schema, 'prefixItems');
    const least = schema.minItems;
    if (first.length > 0 && (least === undefined || (isCount(least) && least >= first.length))) {
      const items = isObject(schema.items) ? { items: read(schema.items, direction) } : {};
      return { type: 'array', prefixItems: first.map((item) => read(item, direction)), ...items };
    }
    // The first items of a list that may end before them are not checked.
    const items = first.length > 0 ? {} : read(schema.items, direction);
    return { ...withKeywords('array', schema), items };
  };

  const readType = (type: unknown, schema: Json, direction: Direction): Schema => {
    if (type === 'object') return readObject(schema, direction);
    if (type === 'array') return readArray(schema, direction);
    return keywords.has(type)
      ? withKeywords(type, schema)
      : { notes: [`the type ${JSON.stringify(type)} is unknown`] };
  };

  /** The schema of the keywords besides `allOf`, `anyOf` and `oneOf`; undefined when there are none. */
  const readOwn = (schema: Json, direction: Direction): Schema | undefined => {
    if (Object.hasOwn(schema, 'const')) return readValues([schema.const], true);
    const values = listAt(schema, 'enum');
    if (values.length > 0) return readValues(values);
    const { type, properties, additionalProperties, items, prefixItems } = schema;
    if (Array.isArray(type)) return union(type.map((one) => readType(one, schema, direction)));
    if (type !== undefined) return readType(type, schema, direction);
    if (isObject(properties) || isObject(additionalProperties)) return readObject(schema, direction);
    return items === undefined && prefixItems === undefined ? undefined : readArray(schema, direction);
  };

  /** An option of a union, with the value of the field that tells it apart; undefined where it has none. */
  const readOption = (option: unknown, field: string, mapping: Json, direction: Direction) => {
    const schema = read(option, direction);
    const { properties, required = [], ...object } = resolve(schema, find) ?? {};
    if (properties === undefined) return undefined;
    const pointer = isObject(option) ? stringAt(option, '$ref') : undefined;
    const name = pointer?.split('/').at(-1);
    const mapped = Object.keys(mapping).filter((value) => [pointer, name].includes(stringAt(mapping, value)));
    const stated = properties[field]?.enum;
    const isStated = stated !== undefined && required.includes(field);
    if (isStated && (mapped.length === 0 || mapped.length === stated.length)) return schema;
    const values = mapped.length > 0 ? mapped : (stated ?? (name === undefined ? [] : [name]));
    if (values.length === 0) return undefined;
    const fields = { ...properties, [field]: readValues(values, values.length === 1) };
    return { ...object, properties: fields, required: [...new Set([...required, field])] };
  };

  const readOptions = (
    schema: Json,
    keyword: string,
    direction: Direction,
    note: (reason: string) => void,
  ): readonly Schema[] => {
    const all = listAt(schema, keyword);
    // `anyOf: [{ required: ['a'] }, { required: ['b'] }]` has no types to choose from.
    const typed = all.filter((one) => {
      if (!isObject(one)) return true;
      const { required: _, ...rest } = one;
      return isConstrained(rest) || one.$ref !== undefined;
    });
    if (typed.length < all.length) note(`a part of \`${keyword}\` is not checked`);
    if (typed.length === 0) return [];
    const discriminator = objectAt(schema, 'discriminator');
    const field = stringAt(discriminator, 'propertyName');
    if (field !== undefined && typed.length > 1) {
      const mapping = objectAt(discriminator, 'mapping');
      const options = typed.flatMap((one) => readOption(one, field, mapping, direction) ?? []);
      if (options.length === typed.length) return [{ anyOf: options, discriminator: field }];
    }
    return [union(typed.map((one) => read(one, direction)))];
  };

  /** One schema of several that all apply: the fields of objects together, an intersection of anything else. */
  const combine = (
    all: readonly Schema[],
    required: readonly string[],
    note: (reason: string) => void,
  ): Schema => {
    // `type: object` alone adds nothing to other parts.
    const parts = all.filter(
      (one) => !isUnknown(one) && (one.type !== 'object' || Object.keys(one).length > 1),
    );
    const [first = all[0] ?? {}, ...others] = parts;
    const objects = parts.map((one) => resolve(one, find) ?? {});
    if (objects.some(({ properties }) => properties === undefined))
      return others.length === 0 ? first : { allOf: parts };
    const fields = objects.flatMap(({ properties = {} }) => Object.entries(properties));
    const properties = Object.fromEntries(fields);
    const stated = objects.flatMap((one) => one.required ?? []);
    const names = [...new Set([...required, ...stated])].filter((name) => Object.hasOwn(properties, name));
    if (others.length === 0 && names.length === new Set(stated).size) return first;
    // The later part is declared, because it usually narrows the first.
    for (const [index, [name]] of fields.entries())
      if (fields.findIndex(([other]) => other === name) < index)
        note(`the other definitions of \`${name}\` in \`allOf\`; the last one is declared`);
    const { additionalProperties } = objects.find((one) => one.additionalProperties !== undefined) ?? {};
    return {
      type: 'object',
      properties,
      ...(names.length > 0 && { required: names }),
      ...(additionalProperties && { additionalProperties }),
    };
  };

  const readInline = (schema: Json, direction: Direction): Schema => {
    const noted = unchecked.filter((name) => schema[name] !== undefined && schema[name] !== false);
    const notes = noted.map((name) => `\`${name}\` is not checked`);
    const note = (reason: string): void => void notes.push(reason);
    const all = listAt(schema, 'allOf').filter(isObject);
    const own = readOwn(schema, direction);
    const parts = [
      ...all.map((part) => read(part, direction)),
      ...['anyOf', 'oneOf'].flatMap((keyword) => readOptions(schema, keyword, direction, note)),
    ];
    const hasNull = own === undefined ? parts.some(isNullable) : isNullable(own);
    if (own !== undefined) parts.push(own);
    const required = [schema, ...all].flatMap((part) => stringsAt(part, 'required'));
    const one = combine(hasNull ? parts.map(withoutNull) : parts, required, note);
    const description = one.$ref === undefined ? stringAt(schema, 'description') : undefined;
    const every = [...(one.notes ?? []), ...notes];
    const found: Schema = {
      ...one,
      ...(description !== undefined && { description }),
      ...(every.length > 0 && { notes: every }),
    };
    // Ignored by OpenAPI beside `oneOf`, and meant all the same.
    return hasNull || schema.nullable === true ? nullable(found) : found;
  };

  /** Reads a schema where it is used. */
  const read = (schema: unknown, direction: Direction): Schema => {
    if (schema === false) return { never: true };
    if (!isObject(schema)) return {};
    const { $ref: reference, ...beside } = schema;
    if (typeof reference !== 'string') return readInline(schema, direction);
    const located = follow(document, schema);
    if (located === undefined)
      return { notes: [`the reference ${JSON.stringify(reference)} does not exist`] };
    if (!isConstrained(beside)) return { $ref: component(located, direction) };
    return readInline({ ...beside, allOf: [...listAt(beside, 'allOf'), { $ref: reference }] }, direction);
  };

  return { components, find, read };
};
