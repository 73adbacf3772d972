// The options of `anyOf` and `oneOf`, and the field that tells them apart.
import { isObject } from '../../../options.ts';
import { type Json, listAt, objectAt, stringAt } from '../json.ts';
import { withRequired } from './combine.ts';
import type { Reader } from './reader.ts';
import { type Direction, resolve, type Schema, valuesOf } from './schema.ts';
import { findDiscriminator, union } from './union.ts';

/**
 * An option with the values of the field that tells it apart; undefined when the document does not have them.
 */
const readOption = (
  reader: Reader,
  option: unknown,
  field: string,
  mapping: Json,
  direction: Direction,
): Schema | undefined => {
  const schema = reader.read(option, direction);
  const { properties, required = [], ...object } = resolve(schema, reader.find);
  if (properties === undefined) return undefined;
  const pointer = isObject(option) ? stringAt(option, '$ref') : undefined;
  const names = pointer === undefined ? [] : [pointer.split('/').at(-1) ?? ''];
  const mapped = Object.keys(mapping).filter((value) =>
    [pointer, ...names].includes(stringAt(mapping, value)),
  );
  const stated = valuesOf(resolve(properties[field] ?? {}, reader.find));
  const values = [mapped, stated, names].find(({ length }) => length > 0) ?? [];
  const [value, ...others] = values;
  if (value === undefined) return undefined;
  // A response may lack it, and then no option would fit.
  if (stated.length > 0 && !required.includes(field) && direction === 'response') return undefined;
  if (required.includes(field) && values.length === stated.length) return schema;
  const fields = { ...properties, [field]: others.length > 0 ? { enum: values } : { const: value } };
  return { ...object, ...withRequired(fields, [...required, field]) };
};

/** Whether no two options may have the same value, as those that share a field of all values have. */
const areApart = ({ find }: Reader, options: readonly Schema[], field: string): boolean => {
  const fields = options.map((option) => resolve(resolve(option, find).properties?.[field] ?? {}, find));
  const values = fields.flatMap(valuesOf);
  return fields.every(({ isOpen }) => !isOpen) && new Set(values).size === values.length;
};

/**
 * The options with the field that the document has for it; undefined where one option does not have it, and
 * where it does not tell them apart.
 */
const readDiscriminated = (
  reader: Reader,
  schema: Json,
  options: readonly unknown[],
  direction: Direction,
): Schema | undefined => {
  const discriminator = objectAt(schema, 'discriminator');
  const field = stringAt(discriminator, 'propertyName');
  if (field === undefined || options.length < 2) return undefined;
  const mapping = objectAt(discriminator, 'mapping');
  const read = options.flatMap((one) => readOption(reader, one, field, mapping, direction) ?? []);
  const isWhole = read.length === options.length && areApart(reader, read, field);
  return isWhole ? { anyOf: read, discriminator: field } : undefined;
};

/** @param type - that of the schema whose options they are */
export const readOptions = (
  reader: Reader,
  schema: Json,
  keyword: 'anyOf' | 'oneOf',
  direction: Direction,
  type: unknown,
): Schema => {
  const all = listAt(schema, keyword);
  const discriminated = readDiscriminated(reader, schema, all, direction);
  if (discriminated !== undefined) return discriminated;
  const options = all.map((one) => reader.read(one, direction, type));
  const found = keyword === 'oneOf' ? findDiscriminator(options, reader.find) : undefined;
  return found === undefined ? union(options) : { anyOf: options, discriminator: found };
};
