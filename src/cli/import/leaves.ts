import * as z from 'zod/mini';
import { toJSONSchema } from 'zod/v4/core';
import { brackets, call, escapeInvisible, quote } from './code.ts';
import { type Json, stringAt } from './json.ts';
import type { Node } from './node.ts';

/** The strings that zod has a schema for. The first one of a format is the meaning of the format alone. */
const formats = Object.entries({
  'z.string()': z.string(),
  'z.iso.datetime({ offset: true })': z.iso.datetime({ offset: true }),
  'z.iso.datetime()': z.iso.datetime(),
  'z.iso.datetime({ local: true })': z.iso.datetime({ local: true }),
  'z.iso.date()': z.iso.date(),
  'z.iso.time()': z.iso.time(),
  'z.iso.duration()': z.iso.duration(),
  'z.email()': z.email(),
  'z.guid()': z.guid(),
  'z.uuid()': z.uuid(),
  'z.uuidv4()': z.uuidv4(),
  'z.url()': z.url(),
  'z.ipv4()': z.ipv4(),
  'z.ipv6()': z.ipv6(),
  'z.base64()': z.base64(),
  'z.base64url()': z.base64url(),
}).map(([source, schema]) => ({ source, ...toJSONSchema(schema) }));

/** A regular expression as a literal; undefined for one that is invalid in JavaScript. */
const toRegExp = (pattern: string): string | undefined => {
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

const count = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;

/** `.min(1).max(3)`, of a string or a list. */
export const lengthChecks = (least: unknown, most: unknown): string => {
  const [min, max] = [count(least), count(most)];
  if (min !== undefined && min === max) return `.length(${min})`;
  return `${min ? `.min(${min})` : ''}${max === undefined ? '' : `.max(${max})`}`;
};

const stringLeaf = (schema: Json, note: (reason: string) => void): string => {
  const pattern = stringAt(schema, 'pattern');
  const named = formats.filter(({ format }) => format === schema.format);
  const exact = named.find((one) => one.pattern === pattern);
  const source = (exact ?? named[0])?.source ?? 'z.string()';
  const length = lengthChecks(schema.minLength, schema.maxLength);
  if (exact !== undefined || pattern === undefined) return source + length;
  const own = toRegExp(pattern);
  if (own === undefined) note(`the pattern ${quote(pattern)} is not a regular expression in JavaScript`);
  return `${source}${length}${own === undefined ? '' : `.regex(${own})`}`;
};

const isBound = (value: unknown): value is number =>
  // The safe integers are all that z.int() takes, and no number is precise beyond them.
  typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;

const numberLeaf = (schema: Json): string => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  // OpenAPI 3.0 has booleans that make the other bounds exclusive.
  const [least, above] = exclusiveMinimum === true ? [undefined, minimum] : [minimum, exclusiveMinimum];
  const [most, below] = exclusiveMaximum === true ? [undefined, maximum] : [maximum, exclusiveMaximum];
  return [
    schema.type === 'integer' ? 'z.int()' : 'z.number()',
    isBound(least) ? (least === 0 ? '.nonnegative()' : `.min(${least})`) : '',
    isBound(above) ? (above === 0 ? '.positive()' : `.gt(${above})`) : '',
    isBound(most) ? `.max(${most})` : '',
    isBound(below) ? `.lt(${below})` : '',
    isBound(multipleOf) && multipleOf > 0 ? `.multipleOf(${multipleOf})` : '',
  ].join('');
};

type Literal = string | number | boolean;

const isLiteral = (value: unknown): value is Literal =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

const toLiteral = (value: Literal): string => (typeof value === 'string' ? quote(value) : String(value));

const leaf = (source: string): Node => ({ kind: 'leaf', source });

/** A list of values, which is written on several lines when it is long. */
const listed = (open: string, values: readonly Literal[]): Node => {
  const literals = values.map(toLiteral);
  return {
    kind: 'leaf',
    source: `${open}([${literals.join(', ')}])`,
    code: call(open, brackets(literals)),
  };
};

/** The values of `enum` and `const`; undefined when one of them is a list or an object. */
export const valuesNode = (values: readonly unknown[], isConstant: boolean): Node | undefined => {
  const all = new Set(values);
  const others = [...all].filter((value) => value !== null);
  if (!others.every(isLiteral)) return undefined;
  const [first] = others;
  if (first === undefined) return leaf('z.null()');
  const areStrings = others.every((value) => typeof value === 'string');
  const node =
    others.length === 1 && (isConstant || !areStrings)
      ? leaf(`z.literal(${toLiteral(first)})`)
      : listed(areStrings ? 'z.enum' : 'z.literal', others);
  return others.length < all.size ? { kind: 'nullable', parts: [node] } : node;
};

export const leafNode = (type: unknown, schema: Json, note: (reason: string) => void): Node | undefined => {
  switch (type) {
    case 'string':
      return leaf(stringLeaf(schema, note));
    case 'integer':
    case 'number':
      return leaf(numberLeaf({ ...schema, type }));
    case 'boolean':
      return leaf('z.boolean()');
    case 'null':
      return leaf('z.null()');
    default:
      return undefined;
  }
};
