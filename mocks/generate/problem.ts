// Why a value cannot be generated, for messages.
import type { Schema } from '../../src/schema/types/shape.ts';
import { kindOf } from '../../src/schema/zod.ts';
import { atPath } from '../rows/json.ts';
import { parse } from '../rows/parse.ts';
import { patternForMessage } from './strings.ts';

/** Says what is wrong with a value, and with which field of it; undefined if it fits its schema. */
export const problemWith = (schema: Schema, value: unknown): string | undefined => {
  const [error] = parse(schema, value).errors;
  if (error === undefined) return undefined;
  const { field, message = 'a required value is missing' } = error;
  return atPath(field, message);
};

/** Kinds whose values JSON does not have. */
const notJson = /^(bigint|date|file|function|map|nan|promise|set|symbol|undefined|void)$/;

/** Says for which kind of schema no value can be made, and what is wrong with the last one that was tried. */
export const noValueMessage = (schema: Schema, problem: string): string => {
  const kind = kindOf(schema);
  const article = /^[aeiou]/.test(kind) ? 'an' : 'a';
  const pattern = patternForMessage(schema);
  const matching = pattern === undefined ? '' : ` that matches ${pattern}`;
  const advice = notJson.test(kind) ? '; JSON has none, so declare a z.codec()' : '';
  return `no value can be made for ${article} ${kind}${matching}: ${problem}${advice}`;
};
