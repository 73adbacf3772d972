import { toPascalCase } from '../../openapi/names.ts';
import { isObject } from '../../options.ts';
import { combine, omitFields, withRequired } from './combine.ts';
import { differs, hiddenIn, isHidden, markReadOnly } from './directions.ts';
import {
  follow,
  type Json,
  leadsNowhere,
  listAt,
  objectAt,
  requiredIn,
  stringAt,
  stringsAt,
} from './json.ts';
import {
  describeUnchecked,
  hasKeywordsOf,
  isValue,
  readEnum,
  readKeywords,
  toRegExp,
} from './read-values.ts';
import { type Direction, isNullable, isUnknown, resolve, type Schema, withoutNull } from './schema.ts';
import { findDiscriminator, nullable, union } from './union.ts';

/** A schema of the document that has a name. */
export interface Component {
  /** The name of its constant, if that is free. */
  readonly name: string;
  readonly direction: Direction;
  readonly schema: Schema;
}

const lostPatterns = '`patternProperties`: each field takes what fits one of the patterns, or the rest';

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

/** Reads the schemas of a document. */
export const createReader = (document: Json) => {
  const components = new Map<string, Component>();
  const differing = new Map<string, boolean>();
  /** Where the components are that are being read. */
  const reading = new Set<string>();
  const find = (key: string): Schema | undefined => components.get(key)?.schema;

  /** Reads a component once, or once in each direction where that makes a difference. Returns its key. */
  const readComponent = (reference: Json, wanted: Direction): string => {
    const { pointer, target, isMissing } = follow(document, reference);
    if (!differing.has(pointer)) differing.set(pointer, differs(document, pointer));
    const direction = differing.get(pointer) === true ? wanted : 'response';
    const key = direction === 'body' ? `${pointer} body` : pointer;
    if (components.has(key)) return key;
    const name = toPascalCase(pointer.split('/').at(-1) ?? '') + (direction === 'body' ? 'Body' : '');
    components.set(key, { name, direction, schema: {} });
    reading.add(pointer);
    const schema = isMissing ? { lost: leadsNowhere(pointer) } : read(target, direction);
    reading.delete(pointer);
    // One that consists of itself stays unknown.
    components.set(key, { name, direction, schema: resolve(schema, find) === find(key) ? {} : schema });
    return key;
  };

  /** The fields that an object does not name. */
  const readRest = (schema: Json, direction: Direction): Schema => {
    const { additionalProperties } = schema;
    const rest = read(additionalProperties, direction);
    const patterns = Object.entries(objectAt(schema, 'patternProperties'));
    const [[pattern] = [], ...others] = patterns;
    if (pattern === undefined) return isUnknown(rest) ? {} : { additionalProperties: rest };
    const ofPatterns = patterns.map(([, field]) => read(field, direction));
    const isClosed = additionalProperties === false;
    const fields = isClosed ? union(ofPatterns) : union([...ofPatterns, rest]);
    const isRecord = isClosed && others.length === 0 && schema.properties === undefined;
    if (isRecord && toRegExp(pattern) !== undefined)
      return { additionalProperties: fields, propertyNames: { type: 'string', pattern } };
    return { additionalProperties: fields, lost: lostPatterns };
  };

  const readObject = (schema: Json, direction: Direction): Schema => {
    const all = Object.entries(objectAt(schema, 'properties'));
    const shown = all.filter(([, field]) => !isHidden(document, field, direction));
    const object: Schema = { type: 'object', ...readRest(schema, direction) };
    const required = stringsAt(schema, 'required');
    // An empty list of fields names none, and takes any.
    const isEmpty = isObject(schema.properties) && object.additionalProperties === undefined;
    if (all.length > 0 || isEmpty) {
      const properties = Object.fromEntries(
        shown.map(([name, field]) => [name, markReadOnly(read(field, direction), field)]),
      );
      return { ...object, ...withRequired(properties, required) };
    }
    const { propertyNames: names } = schema;
    return names === undefined ? object : { ...object, propertyNames: read(names, direction), required };
  };

  const readArray = (schema: Json, direction: Direction): Schema => {
    const first = listAt(schema, 'prefixItems').map((item) => read(item, direction));
    const items = read(schema.items, direction);
    if (first.length === 0) return { ...readKeywords('array', schema), items };
    return { type: 'array', prefixItems: first, ...(isObject(schema.items) && { items }) };
  };

  const readType = (type: unknown, schema: Json, direction: Direction): Schema => {
    if (type === 'object') return readObject(schema, direction);
    if (type === 'array') return readArray(schema, direction);
    return readKeywords(type, schema);
  };

  /** The schema of the keywords besides `allOf`, `anyOf` and `oneOf`. */
  const readOwn = (schema: Json, direction: Direction): Schema => {
    if (isValue(schema.const)) return { const: schema.const };
    if (schema.const === null) return { type: 'null' };
    const values = readEnum(schema);
    if (values !== undefined) return values;
    const { type, properties, additionalProperties, patternProperties, items, prefixItems } = schema;
    if (type !== undefined) return union([type].flat().map((one) => readType(one, schema, direction)));
    if ([properties, additionalProperties, patternProperties].some(isObject))
      return readObject(schema, direction);
    return items === undefined && prefixItems === undefined ? {} : readArray(schema, direction);
  };

  /**
   * An option with the values of the field that tells it apart; undefined when the document does not have
   * them.
   */
  const readOption = (option: unknown, field: string, mapping: Json, direction: Direction) => {
    const schema = read(option, direction);
    const { properties, required = [], ...object } = resolve(schema, find);
    if (properties === undefined) return undefined;
    const pointer = isObject(option) ? stringAt(option, '$ref') : undefined;
    const names = pointer === undefined ? [] : [pointer.split('/').at(-1) ?? ''];
    const mapped = Object.keys(mapping).filter((value) =>
      [pointer, ...names].includes(stringAt(mapping, value)),
    );
    const { const: only, enum: stated = only === undefined ? [] : [only] } = resolve(
      properties[field] ?? {},
      find,
    );
    const values = [mapped, stated, names].find(({ length }) => length > 0) ?? [];
    const [value, ...others] = values;
    if (value === undefined) return undefined;
    if (required.includes(field) && values.length === stated.length) return schema;
    const fields = { ...properties, [field]: others.length > 0 ? { enum: values } : { const: value } };
    return { ...object, ...withRequired(fields, [...required, field]) };
  };

  const readOptions = (schema: Json, keyword: string, direction: Direction, type: unknown): Schema => {
    const all = listAt(schema, keyword);
    const discriminator = objectAt(schema, 'discriminator');
    const field = stringAt(discriminator, 'propertyName');
    if (field !== undefined && all.length > 1) {
      const mapping = objectAt(discriminator, 'mapping');
      const options = all.flatMap((one) => readOption(one, field, mapping, direction) ?? []);
      if (options.length === all.length) return { anyOf: options, discriminator: field };
    }
    const options = all.map((one) => read(one, direction, type));
    const told = keyword === 'oneOf' ? findDiscriminator(options, find) : undefined;
    return told === undefined ? union(options) : { anyOf: options, discriminator: told };
  };

  const refersToReading = (schema: unknown): boolean =>
    isObject(schema) && reading.has(stringAt(schema, '$ref') ?? '');

  /**
   * A part of `allOf`. A base that has the schema itself among its options stands for its own fields there.
   */
  const readPart = (part: Json, direction: Direction, type: unknown): Schema => {
    const { target } = follow(document, part);
    const options = [...listAt(target, 'oneOf'), ...listAt(target, 'anyOf')];
    return options.some(refersToReading) ? readOwn(target, direction) : read(part, direction, type);
  };

  /** The type of a schema, also where only a part of its `allOf` names it. A part may contain itself. */
  const typeOf = (schema: Json, maxDepth = 5): unknown => {
    const target = schema.$ref === undefined ? schema : follow(document, schema).target;
    if (target.type !== undefined || maxDepth === 0) return target.type;
    const parts = listAt(target, 'allOf').filter(isObject);
    return parts.map((part) => typeOf(part, maxDepth - 1)).find((type) => type !== undefined);
  };

  /**
   * Reads a schema where it is used.
   *
   * @param given - the type of what it is a part of, which its keywords have where it has no type itself
   */
  const read = (schema: unknown, direction: Direction, given?: unknown): Schema => {
    if (schema === false) return { lost: '`false`, which no value fits, is not checked' };
    if (!isObject(schema)) return {};
    if (schema.$ref !== undefined) {
      const { $ref, ...beside } = schema;
      const isAlone = !isRefined(beside);
      return isAlone
        ? { $ref: readComponent(schema, direction) }
        : read({ allOf: [{ $ref }, beside] }, direction);
    }
    const type = schema.type ?? given ?? typeOf(schema);
    const own = readOwn(hasKeywordsOf(type, schema) ? { ...schema, type } : schema, direction);
    const all = listAt(schema, 'allOf').filter(isObject);
    const parts = [
      ...all.map((part) => readPart(part, direction, type)),
      readOptions(schema, 'anyOf', direction, type),
      readOptions(schema, 'oneOf', direction, type),
      own,
    ];
    // OpenAPI ignores `nullable` without a type, beside `oneOf` and in a part of `allOf`. It is meant all the
    // same.
    const isSaid = [schema, ...all].some((one) => one.nullable === true);
    const hasNull = isSaid || (isUnknown(own) ? parts : [own]).some(isNullable);
    const required = requiredIn(document, schema);
    const hidden = all.length === 0 ? [] : hiddenIn(document, schema, direction);
    const shown = parts.map((part) => omitFields(withoutNull(part), hidden, find));
    const combined = combine(shown, required, find);
    const lost = combined.lost ?? describeUnchecked(schema, type);
    const one = lost === undefined ? combined : { ...combined, lost };
    return hasNull ? nullable(one) : one;
  };

  return { components, read };
};
