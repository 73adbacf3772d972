import * as z from 'zod/mini';
import { toJSONSchema } from 'zod/v4/core';
import { escapeInvisible, literal } from './code.ts';
import type { Schema } from './schema.ts';

/** The strings that zod has a schema for. The first one of a format is the meaning of the format alone. */
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

/** A regular expression as a literal; undefined for one that is invalid in JavaScript. */
const toRegExp = (pattern: string): string | undefined => {
  // Patterns of JSON Schema are Unicode, but many documents have escapes that are valid only without the flag. Without it,
  // `\p{L}` would be the letters "p{L}".
  for (const flags of /\\[pP]\{/.test(pattern) ? ['u'] : ['u', '']) {
    try {
      return escapeInvisible(String(new RegExp(pattern, flags)));
    } catch {}
  }
  return undefined;
};

/** `.min(1).max(3)`, of a string or a list. */
export const lengthChecks = (min: number | undefined, max: number | undefined): string => {
  if (min !== undefined && min === max) return `.length(${min})`;
  return `${min ? `.min(${min})` : ''}${max === undefined ? '' : `.max(${max})`}`;
};

const printString = ({ format, pattern, minLength, maxLength }: Schema): string => {
  const ofFormat = formats.filter((one) => one.format === format);
  const exact = ofFormat.find((one) => one.pattern === pattern);
  const own = exact === undefined && pattern !== undefined ? toRegExp(pattern) : undefined;
  const source = (exact ?? ofFormat[0])?.source ?? 'string()';
  return `${source}${lengthChecks(minLength, maxLength)}${own === undefined ? '' : `.regex(${own})`}`;
};

const printNumber = (schema: Schema): string => {
  const { type, minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema;
  const checks = { min: minimum, gt: exclusiveMinimum, max: maximum, lt: exclusiveMaximum, multipleOf };
  const written = Object.entries(checks).map(([name, value]) =>
    value === undefined || (name === 'multipleOf' && value <= 0) ? '' : `.${name}(${value})`,
  );
  return `${type === 'integer' ? 'int' : 'number'}()${written.join('')}`;
};

/** A schema without parts, as a call of a function of zod. */
export const printLeaf = (schema: Schema): string => {
  if (schema.const !== undefined) return `literal(${literal(schema.const)})`;
  if (schema.enum !== undefined) {
    const areStrings = schema.enum.every((value) => typeof value === 'string');
    return `${areStrings ? 'enum' : 'literal'}(${literal(schema.enum)})`;
  }
  if (schema.type === 'string') return printString(schema);
  if (schema.type === 'integer' || schema.type === 'number') return printNumber(schema);
  return `${schema.type ?? 'unknown'}()`;
};
