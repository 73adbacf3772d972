// What a value is for a schema, also where a function of the schema throws.
import { $ZodAsyncError, type $ZodIssue, safeParse } from 'zod/v4/core';
import { type ErrorItem, errorItemCode, pathSeparator } from '../../src/conventions.ts';
import { throwingKeys } from '../../src/schema/codec.ts';
import type { Schema } from '../../src/schema/types/shape.ts';

/** A value as its schema parses it, and one item for each field in error (§7.2.3). */
interface Parsed {
  readonly parsed: unknown;
  readonly errors: readonly ErrorItem[];
}

const toItems = (issue: $ZodIssue, value: unknown): readonly ErrorItem[] => {
  const paths =
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
  return paths.map((path) => {
    const field = path.map(String).join(pathSeparator);
    const given = path.reduce<unknown>((at, name) => Object(at)[name], value);
    return given === undefined
      ? { field, code: errorItemCode.missingField }
      : { field, code: errorItemCode.invalid, message: issue.message };
  });
};

/** What a function of a schema did. The message of its error may quote the value. */
const describe = (error: unknown): string => {
  if (error instanceof $ZodAsyncError) return 'a function of the schema is asynchronous; make it synchronous';
  return `a function of the schema threw ${error instanceof Error ? error.name : typeof error}`;
};

/** Parses a value. A function of the schema that throws is an error of the field. */
export const parse = (schema: Schema, value: unknown): Parsed => {
  try {
    const { data, error } = safeParse(schema, value);
    const items = (error?.issues ?? []).flatMap((issue) => toItems(issue, value));
    return { parsed: data, errors: [...new Map(items.map((item) => [item.field, item])).values()] };
  } catch (error) {
    const field = throwingKeys(schema, value).join(pathSeparator);
    return { parsed: undefined, errors: [{ field, code: errorItemCode.invalid, message: describe(error) }] };
  }
};

/** True when a value fits a schema. */
export const fits = (schema: Schema, value: unknown): boolean => {
  try {
    return safeParse(schema, value).success;
  } catch {
    return false;
  }
};
