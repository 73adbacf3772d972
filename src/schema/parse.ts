import { $ZodArray, $ZodAsyncError, type $ZodIssue, safeParse, safeParseAsync } from 'zod/v4/core';
import { pathSeparator } from '../conventions/parameters.ts';
import type { Issue } from '../errors/response-error.ts';
import type { Schema } from '../query/shape.ts';

/** A value that fits its schema, or where it does not. */
export type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

const maxIssues = 20;

const toIssue = ({ path, message }: $ZodIssue): Issue => ({
  path: path.map(String).join(pathSeparator),
  message,
});

const toParsed = (result: ReturnType<typeof safeParse>): Parsed =>
  result.success
    ? { ok: true, value: result.data }
    : { ok: false, issues: result.error.issues.slice(0, maxIssues).map(toIssue) };

/** Checks a value, and decodes it where the schema says so. The schema has no asynchronous checks. */
export const parse = (schema: Schema, value: unknown): Parsed => toParsed(safeParse(schema, value));

/** Checks a value by any schema; only one with asynchronous checks takes the slower way. */
export const parseAsync = async (schema: Schema, value: unknown): Promise<Parsed> => {
  try {
    return parse(schema, value);
  } catch (error) {
    if (error instanceof $ZodAsyncError) return toParsed(await safeParseAsync(schema, value));
    throw error;
  }
};

/** The schema of a page: a list of items. */
export const listOf = (item: Schema): Schema => new $ZodArray({ type: 'array', element: item });
