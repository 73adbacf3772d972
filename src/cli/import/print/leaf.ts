import * as z from 'zod/mini';
import { toJSONSchema } from 'zod/v4/core';
import { toRegExp } from '../schemas/read-values.ts';
import type { Schema } from '../schemas/schema.ts';
import { literal } from './code.ts';

/**
 * The strings that zod has a schema for. The first one of a format is the meaning of the format alone, unless
 * zod refuses values that the format allows.
 */
const formats = Object.entries({
  'string()': z.string(),
  'iso.datetime({ offset: true })': z.iso.datetime({ offset: true }),
  'iso.datetime()': z.iso.datetime(),
  'iso.datetime({ local: true })': z.iso.datetime({ local: true }),
  'iso.date()': z.iso.date(),
  'iso.time()': z.iso.time(),
  'iso.duration()': z.iso.duration(),
  'email()': z.email(),
  'guid()': z.guid(),
  'uuid()': z.uuid(),
  'uuidv4()': z.uuidv4(),
  'url()': z.url(),
  'ipv4()': z.ipv4(),
  'ipv6()': z.ipv6(),
  'base64()': z.base64(),
  'base64url()': z.base64url(),
}).map(([source, schema]) => ({ source, ...toJSONSchema(schema) }));

/**
 * Formats of which zod takes a part: `admin@localhost` is an e-mail address, and a time of RFC 3339 has an
 * offset.
 */
const narrowed = ['email', 'time'];

/** What zod calls the bounds of JSON Schema. */
const checkOf: Readonly<Record<string, string>> = {
  minItems: 'min',
  minLength: 'min',
  minimum: 'min',
  exclusiveMinimum: 'gt',
  maxItems: 'max',
  maxLength: 'max',
  maximum: 'max',
  exclusiveMaximum: 'lt',
};

/** `.min(1).max(3)`, of a string, a number or a list. */
export const printBounds = ({ bounds = {} }: Schema): string =>
  Object.entries(bounds)
    .map(([name, value]) => `.${checkOf[name] ?? name}(${value})`)
    .join('');

const printString = (schema: Schema): string => {
  const { format, pattern } = schema;
  const ofFormat = formats.filter((one) => one.format === format);
  const exact = ofFormat.find((one) => one.pattern === pattern);
  const own = exact === undefined && pattern !== undefined ? toRegExp(pattern) : undefined;
  const usual = format !== undefined && narrowed.includes(format) ? undefined : ofFormat[0];
  const { source = 'string()' } = exact ?? usual ?? {};
  return `${source}${printBounds(schema)}${own === undefined ? '' : `.regex(${own})`}`;
};

/** A schema without parts, as a call of a function of zod. */
export const printLeaf = (schema: Schema): string => {
  const { type = 'unknown', const: value, enum: values } = schema;
  if (value !== undefined) return `literal(${literal(value)})`;
  if (values?.every((one) => typeof one === 'string')) return `enum(${literal(values)})`;
  if (values !== undefined) return `literal(${literal(values.length === 1 ? values[0] : values)})`;
  if (type === 'string') return printString(schema);
  return `${type === 'integer' ? 'int' : type}()${printBounds(schema)}`;
};
