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
export const toRegExp = (pattern: string): string | undefined => {
  // Patterns of JSON Schema are Unicode, but many documents have escapes that are valid only without the flag. Without it,
  // `\p{L}` would be the letters "p{L}".
  const flagsToTry = /\\[pPu]\{/.test(pattern) ? ['u'] : /[^ -~]/.test(pattern) ? ['u', ''] : ['', 'u'];
  for (const flags of flagsToTry) {
    try {
      return escapeInvisible(String(new RegExp(pattern, flags)));
    } catch {}
  }
  return undefined;
};

/** The format with a schema of its own; undefined where the pattern is another one. */
const exactFormat = ({ format, pattern }: Schema) =>
  formats.find((one) => one.format === format && one.pattern === pattern);

/** True for a pattern that cannot be declared. */
export const hasInvalidPattern = (schema: Schema): boolean =>
  schema.pattern !== undefined && exactFormat(schema) === undefined && toRegExp(schema.pattern) === undefined;

/** `.min(1).max(3)`, of a string or a list. */
export const lengthChecks = (min: number | undefined, max: number | undefined): string => {
  if (min !== undefined && min === max) return `.length(${min})`;
  return `${min ? `.min(${min})` : ''}${max === undefined ? '' : `.max(${max})`}`;
};

const printString = (schema: Schema): string => {
  const { format, pattern, minLength, maxLength } = schema;
  const exact = exactFormat(schema);
  const source = (exact ?? formats.find((one) => one.format === format))?.source ?? 'string()';
  const own = exact === undefined && pattern !== undefined ? toRegExp(pattern) : undefined;
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

const printValues = (values: NonNullable<Schema['enum']>, isConstant = false): string => {
  const areStrings = values.every((value) => typeof value === 'string');
  if (values.length === 1 && (isConstant || !areStrings)) return `literal(${literal(values[0])})`;
  return `${areStrings ? 'enum' : 'literal'}(${literal(values)})`;
};

/** A schema without parts, as a call of a function of zod. */
export const printLeaf = (schema: Schema): string => {
  if (schema.never === true) return 'never()';
  if (schema.enum !== undefined) return printValues(schema.enum, schema.isConstant);
  switch (schema.type) {
    case 'string':
      return printString(schema);
    case 'integer':
    case 'number':
      return printNumber(schema);
    case 'boolean':
    case 'null':
      return `${schema.type}()`;
    default:
      return 'unknown()';
  }
};
