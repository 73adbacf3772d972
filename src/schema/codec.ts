import {
  $ZodArray,
  $ZodAsyncError,
  type $ZodIssue,
  type $ZodType,
  encode,
  safeParse,
  safeParseAsync,
} from 'zod/v4/core';
import { pathSeparator } from '../conventions.ts';
import type { Issue } from '../errors/response-error.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { isObject } from '../options.ts';
import { withShortIssues } from './short-issues.ts';
import type { Schema } from './types/shape.ts';
import { definitionOf, hasAsyncFunction, innerOf, kindOf, oncePer, someSchema } from './zod.ts';

/** A value that fits its schema, or where it does not. */
export type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Appends the name of a field, or the index of an item, to a dotted path. */
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

/** The result for a value that is nested more deeply than the stack allows; any other error is thrown. */
const orTooDeep = (error: unknown): Parsed => {
  if (isTooDeep(error)) return tooDeep;
  throw error;
};

/** Checks a value, and decodes it where the schema says so. The schema must have no asynchronous functions. */
export const parse = (schema: Schema, value: unknown): Parsed => {
  try {
    return toParsed(safeParse(withShortIssues(schema), value));
  } catch (error) {
    return orTooDeep(error);
  }
};

/**
 * True when a check failed because the schema is asynchronous. zod's compiled code for objects throws a TypeError of its own
 * for an asynchronous field, so the check is repeated without compiled code.
 */
const needsPromise = (schema: Schema, value: unknown, error: unknown): boolean => {
  if (!(error instanceof TypeError)) return error instanceof $ZodAsyncError;
  try {
    safeParse(withShortIssues(schema), value, { jitless: true });
    return false;
  } catch (uncompiled) {
    return uncompiled instanceof $ZodAsyncError;
  }
};

/** The schemas checked so far, and whether each is asynchronous. */
const isAsync = new WeakMap<Schema, boolean>();

/** {@link hasAsyncFunction}; false for an endless schema, whose `z.lazy` returns a new one each time. */
const looksAsync = (schema: Schema): boolean => {
  try {
    return hasAsyncFunction(schema);
  } catch (error) {
    if (isTooDeep(error)) return false;
    throw error;
  }
};

/**
 * {@link parse} for any schema. It returns a promise only for a schema with asynchronous functions. A function declared `async`
 * is never called synchronously: zod would drop its promise, and an unhandled rejection ends the process.
 */
export const parseAny = (schema: Schema, value: unknown): Parsed | Promise<Parsed> => {
  const known = isAsync.get(schema);
  const needsAsync = known ?? looksAsync(schema);
  if (known === undefined) isAsync.set(schema, needsAsync);
  if (!needsAsync) {
    try {
      return parse(schema, value);
    } catch (error) {
      if (!needsPromise(schema, value, error)) throw error;
      isAsync.set(schema, true);
    }
  }
  return safeParseAsync(withShortIssues(schema), value).then(toParsed, orTooDeep);
};

/** Continues with the result of a check; synchronously, unless the result is a promise. */
export const whenParsed = <R>(
  parsed: Parsed | Promise<Parsed>,
  toResult: (parsed: Parsed) => R | Promise<R>,
): R | Promise<R> => (parsed instanceof Promise ? parsed.then(toResult) : toResult(parsed));

/** The schema of a page: a list of items. */
export const listOf = (item: Schema): Schema => new $ZodArray({ type: 'array', element: item });

/** Encodes a value of one schema for the wire. */
type Encode = (value: unknown, path: string) => unknown;

/** Encodes a body for the wire. `path` is put before the field that an error names. */
export type EncodeBody = (body: unknown, path?: string) => unknown;

const isCodec = (schema: Schema): boolean => definitionOf(schema).reverseTransform !== undefined;

const isOneWay = (schema: Schema | undefined): boolean =>
  schema !== undefined && kindOf(schema) === 'transform';

const encodeWhole =
  (schema: $ZodType): Encode =>
  (value, path) => {
    try {
      return encode(schema, value);
    } catch {
      // The error of a codec may quote the value.
      throw new InvalidRequestError(`${path || 'The body'} cannot be encoded as its declaration says`);
    }
  };

/** True for an object that JSON writes as `{}`, whatever it holds, such as a promise, a `Map`, a form or a file. */
const isWrittenEmpty = (value: object): boolean => {
  if ('then' in value && typeof value.then === 'function') return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  // `Object.prototype`, of any realm, has no prototype.
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return !isPlain && !Array.isArray(value) && Object.keys(value).length === 0;
};

const writesItself = (value: object): boolean => 'toJSON' in value && typeof value.toJSON === 'function';

/** True for an object that is not made of fields, such as a promise or a `Map`. */
export const isFieldless = (value: unknown): boolean =>
  isObject(value) && !writesItself(value) && (Symbol.iterator in value || isWrittenEmpty(value));

/** The path of the first field whose content JSON would lose; undefined when there is none. */
export const findFieldless = (value: unknown, path = ''): string | undefined => {
  if (typeof value !== 'object' || value === null || writesItself(value)) return undefined;
  if (isWrittenEmpty(value)) return path;
  for (const [name, field] of Object.entries(value)) {
    const found = findFieldless(field, below(path, name));
    if (found !== undefined) return found;
  }
  return undefined;
};

const encodeFields =
  (fields: ReadonlyMap<string, Encode>): Encode =>
  (value, path) => {
    // A promise or a `Map` is not copied: the copy would be an empty object, and not be refused as a body.
    if (!isObject(value) || isFieldless(value)) return value;
    const written = { ...value };
    for (const [name, encodeField] of fields) {
      if (Object.hasOwn(value, name)) written[name] = encodeField(value[name], below(path, name));
    }
    return written;
  };

/** Prepares the encoder on first use, because a resource may contain itself. */
const late =
  (schema: Schema): EncodeBody =>
  (value, path = '') =>
    value === undefined ? undefined : prepare(schema)(value, path);

const prepare: (schema: Schema) => Encode = oncePer((schema) => {
  const inner = innerOf(schema);
  const { type, element, shape, in: from, out: to } = definitionOf(schema);
  if (inner !== undefined) {
    const encodeInner = late(inner);
    if (element !== undefined) {
      return (value, path) =>
        Array.isArray(value) ? value.map((item, index) => encodeInner(item, below(path, index))) : value;
    }
    return (value, path) => (value === null && type === 'nullable' ? null : encodeInner(value, path));
  }
  if (type === 'object') {
    const fields = Object.entries(shape ?? {}).filter(([, field]) => isEncoded(field));
    return encodeFields(new Map(fields.map(([name, field]) => [name, late(field)])));
  }
  const wire = isOneWay(to) ? from : isOneWay(from) ? to : undefined;
  return wire === undefined ? encodeWhole(schema) : encoderOf(wire);
});

/** True when a body of this schema has something to encode. */
const isEncoded = (schema: Schema): boolean => someSchema(schema, isCodec);

/** Encodes bodies of a schema with the codecs that decode its responses. Everything else stays as it is. */
export const encoderOf = (schema: Schema): EncodeBody => (isEncoded(schema) ? late(schema) : (body) => body);
