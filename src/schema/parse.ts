import { $ZodArray, $ZodAsyncError, type $ZodIssue, safeParse, safeParseAsync } from 'zod/v4/core';
import { pathSeparator } from '../conventions.ts';
import type { Issue } from '../errors/response-error.ts';
import type { Schema } from './types/shape.ts';

/** A value that fits its schema, or where it does not. */
export type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** The dotted path of a field, or of an item, below another one; below the empty path its name alone. */
export const below = (path: string, name: string | number): string =>
  path === '' ? String(name) : `${path}${pathSeparator}${name}`;

const maxIssues = 20;

const toIssue = ({ path, message }: $ZodIssue): Issue => ({
  path: path.map(String).join(pathSeparator),
  message,
});

const toParsed = (result: ReturnType<typeof safeParse>): Parsed =>
  result.success
    ? { ok: true, value: result.data }
    : { ok: false, issues: result.error.issues.slice(0, maxIssues).map(toIssue) };

/** True for a stack overflow. V8 and JavaScriptCore throw a RangeError, Firefox an error of its own. */
const isTooDeep = (error: unknown): boolean =>
  error instanceof Error && /call stack|too much recursion/i.test(error.message);

const tooDeep: Parsed = { ok: false, issues: [{ path: '', message: 'is nested too deeply' }] };

/** The result for a value that a recursive schema follows deeper than the stack allows. */
const orTooDeep = (error: unknown): Parsed => {
  if (isTooDeep(error)) return tooDeep;
  throw error;
};

/** Checks a value, and decodes it where the schema says so. The schema has no asynchronous checks. */
export const parse = (schema: Schema, value: unknown): Parsed => {
  try {
    return toParsed(safeParse(schema, value));
  } catch (error) {
    return orTooDeep(error);
  }
};

/** {@link parse} for any schema: a promise only for one with asynchronous checks. */
export const parseAny = (schema: Schema, value: unknown): Parsed | Promise<Parsed> => {
  try {
    return parse(schema, value);
  } catch (error) {
    if (error instanceof $ZodAsyncError) return safeParseAsync(schema, value).then(toParsed, orTooDeep);
    throw error;
  }
};

/** Continues with the result of a check: without a promise where it has none. */
export const whenParsed = <R>(
  parsed: Parsed | Promise<Parsed>,
  toResult: (parsed: Parsed) => R | Promise<R>,
): R | Promise<R> => (parsed instanceof Promise ? parsed.then(toResult) : toResult(parsed));

/** The schema of a page: a list of items. */
export const listOf = (item: Schema): Schema => new $ZodArray({ type: 'array', element: item });
