import { toPascalCase } from '../../openapi/names.ts';
import { combine } from './combine.ts';
import { createDiffers } from './differs.ts';
import {
  follow,
  isCount,
  isObject,
  type Json,
  type Located,
  listAt,
  objectAt,
  stringAt,
  stringsAt,
} from './json.ts';
import {
  type Component,
  type Direction,
  isNullable,
  isUnknown,
  nullable,
  resolve,
  type Schema,
  union,
  withoutNull,
} from './schema.ts';
import { bounds, numbersAt, valuesSchema } from './values.ts';

/** Reads the schemas of a document. */
export type Reader = ReturnType<typeof createReader>;

const unchecked = [
  'not',
  'if',
  'contains',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
].concat(['minProperties', 'maxProperties', 'uniqueItems', '$dynamicRef']);

/** Keywords that restrict a value. All others only describe it. */
const constraining: ReadonlySet<string> = new Set([
  ...unchecked,
  ...['type', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'items', 'prefixItems'],
  ...['allOf', 'anyOf', 'oneOf', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'],
]);

const isConstrained = (schema: Json): boolean =>
  Object.entries(schema).some(([name, value]) => constraining.has(name) && value !== false);

/** The name of a schema that a reference leads to: the last part of it that can be a name. */
const nameOf = (pointer: string): string => {
  const names = pointer.split('/').map(toPascalCase);
  const isName = (name: string): boolean =>
    /^[A-Z]/.test(name) && !['Schema', 'Items', 'Properties', 'Schemas', 'Components'].includes(name);
  return names.findLast(isName) ?? 'Schema';
};

export const createReader = (document: Json) => {
  const differs = createDiffers(document);
  const components = new Map<string, Component>();
  const reading = new Set<string>();

  const find = (key: string): Schema | undefined => components.get(key)?.schema;

  /** Reads a component once in each direction where that makes a difference. Returns its key. */
  const component = ({ value, pointer = '' }: Located, wanted: Direction): string => {
    const direction = wanted === 'body' && differs(pointer) ? 'body' : 'response';
    const key = direction === 'body' ? `${pointer} body` : pointer;
    if (components.has(key) || reading.has(key)) return key;
    const name = nameOf(pointer);
    const isNamed = direction === 'response' || /(?:Body|Create|Input|Patch|Request|Update)$/.test(name);
    reading.add(key);
    const schema = read(value, wanted);
    reading.delete(key);
    const isOwn = schema.$ref === undefined || resolve(schema, find) !== undefined;
    components.set(key, {
      name: isNamed ? name : `${name}Body`,
      direction,
      schema: isOwn ? schema : { notes: [`${name} consists of itself`] },
    });
    return key;
  };

  const readFields = (schema: Json, direction: Direction) => {
    const hidden = direction === 'body' ? 'readOnly' : 'writeOnly';
    const kept = Object.entries(objectAt(schema, 'properties')).filter(
      ([, value]) =>
        !isObject(value) || (value[hidden] !== true && follow(document, value)?.value[hidden] !== true),
    );
    const properties = Object.fromEntries(
      kept.map(([name, value]): [string, Schema] => {
        const description = isObject(value) ? stringAt(value, 'description') : undefined;
        return [name, { ...read(value, direction), ...(description !== undefined && { description }) }];
      }),
    );
    const required = stringsAt(schema, 'required').filter((name) => Object.hasOwn(properties, name));
    return { properties, ...(required.length > 0 && { required }) };
  };

  const readObject = (schema: Json, direction: Direction): Schema => {
    const { additionalProperties: more, properties } = schema;
    const rest = isObject(more) ? read(more, direction) : {};
    const others = isUnknown(rest) ? {} : { additionalProperties: rest };
    if (isObject(properties) && Object.keys(properties).length > 0)
      return { type: 'object', ...readFields(schema, direction), ...others };
    const names = listAt(objectAt(schema, 'propertyNames'), 'enum');
    const keys = names.length > 0 ? valuesSchema(names) : undefined;
    const required = stringsAt(schema, 'required');
    return {
      type: 'object',
      ...(keys?.enum && { propertyNames: keys }),
      ...(keys?.enum && required.length > 0 && { required }),
      ...others,
    };
  };

  const readArray = (schema: Json, direction: Direction): Schema => {
    const first = listAt(schema, 'prefixItems');
    const least = schema.minItems;
    if (first.length > 0 && (least === undefined || (isCount(least) && least >= first.length))) {
      const items = isObject(schema.items) ? { items: read(schema.items, direction) } : {};
      return { type: 'array', prefixItems: first.map((item) => read(item, direction)), ...items };
    }
    const limits = numbersAt(schema, ['minItems', 'maxItems']);
    // The first items of a list that may end before them are not checked.
    return { type: 'array', items: first.length > 0 ? {} : read(schema.items, direction), ...limits };
  };

  const readType = (type: unknown, schema: Json, direction: Direction): Schema => {
    switch (type) {
      case 'object':
        return readObject(schema, direction);
      case 'array':
        return readArray(schema, direction);
      case 'string': {
        const [format, pattern] = [stringAt(schema, 'format'), stringAt(schema, 'pattern')];
        const text = { ...(format !== undefined && { format }), ...(pattern !== undefined && { pattern }) };
        return { type, ...text, ...numbersAt(schema, ['minLength', 'maxLength']) };
      }
      case 'integer':
      case 'number':
        return { type, ...numbersAt(schema, bounds) };
      case 'boolean':
      case 'null':
        return { type };
      default:
        return { notes: [`the type ${JSON.stringify(type)} is unknown`] };
    }
  };

  /** The schema of the keywords besides `allOf`, `anyOf` and `oneOf`; undefined when there are none. */
  const readOwn = (schema: Json, direction: Direction): Schema | undefined => {
    const values = Object.hasOwn(schema, 'const') ? [schema.const] : schema.enum;
    if (Array.isArray(values) && values.length > 0)
      return (
        valuesSchema(values, Object.hasOwn(schema, 'const')) ?? {
          notes: ['values that are lists or objects are not checked'],
        }
      );
    const { type } = schema;
    if (Array.isArray(type)) return union(type.map((one) => readType(one, schema, direction)));
    if (type !== undefined) return readType(type, schema, direction);
    if (isObject(schema.properties) || isObject(schema.additionalProperties))
      return readObject(schema, direction);
    return schema.items === undefined && schema.prefixItems === undefined
      ? undefined
      : readArray(schema, direction);
  };

  /** An option of a discriminated union, with the value of the field that tells it apart; undefined where it has none. */
  const readOption = (
    option: unknown,
    field: string,
    mapping: Json,
    direction: Direction,
  ): Schema | undefined => {
    const schema = read(option, direction);
    const object = resolve(schema, find);
    if (object?.properties === undefined) return undefined;
    const pointer = isObject(option) ? stringAt(option, '$ref') : undefined;
    const mapped = Object.entries(mapping).flatMap(([value, to]) =>
      to === pointer || to === pointer?.split('/').at(-1) ? [value] : [],
    );
    const stated = object.properties[field]?.enum;
    const isRequired = object.required?.includes(field) === true;
    if (stated !== undefined && isRequired && (mapped.length === 0 || mapped.length === stated.length))
      return schema;
    const values = mapped.length > 0 ? mapped : (stated ?? (pointer && [pointer.split('/').at(-1) ?? '']));
    if (!values) return undefined;
    return {
      ...object,
      properties: {
        ...object.properties,
        [field]: { enum: values, ...(values.length === 1 && { isConstant: true }) },
      },
      required: [...new Set([...(object.required ?? []), field])],
    };
  };

  const readAlternatives = (
    schema: Json,
    direction: Direction,
    note: (reason: string) => void,
  ): readonly Schema[] =>
    ['anyOf', 'oneOf'].flatMap((keyword) => {
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
      const mapping = objectAt(discriminator, 'mapping');
      const options =
        field === undefined ? [] : typed.map((one) => readOption(one, field, mapping, direction));
      const found = options.filter((one) => one !== undefined);
      if (field !== undefined && found.length > 1 && found.length === typed.length)
        return [{ anyOf: found, discriminator: field }];
      return [union(typed.map((one) => read(one, direction)))];
    });

  const readInline = (schema: Json, direction: Direction): Schema => {
    const notes = unchecked
      .filter((keyword) => schema[keyword] !== undefined && schema[keyword] !== false)
      .map((keyword) => `\`${keyword}\` is not checked`);
    const note = (reason: string): void => void notes.push(reason);
    const all = listAt(schema, 'allOf').filter(isObject);
    const required = new Set([schema, ...all].flatMap((part) => stringsAt(part, 'required')));
    const own = readOwn(schema, direction);
    const others = [
      ...all.map((part) => read(part, direction)),
      ...readAlternatives(schema, direction, note),
    ];
    const hasNull = own === undefined ? others.some(isNullable) : isNullable(own);
    const parts = (own === undefined ? others : [...others, own]).map((one) =>
      hasNull ? withoutNull(one) : one,
    );
    const { notes: inner = [], ...one } = combine(parts, required, find, note);
    const description = stringAt(schema, 'description');
    const every = [...inner, ...notes];
    const found: Schema = {
      ...one,
      ...(description !== undefined && one.$ref === undefined && { description }),
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

  return { document, components, find, read };
};
