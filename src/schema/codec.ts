import { $ZodAsyncError, type $ZodIssue, type $ZodType, encode, safeParse } from 'zod/v4/core';
import { pathSeparator } from '../conventions.ts';
import type { Issue } from '../errors/response-error.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { isObject } from '../options.ts';
import type { Schema } from './types/shape.ts';
import { definitionOf, hasAsyncFunction, innerOf, kindOf, oncePer, someSchema } from './zod.ts';

/** A value that fits its schema, or where it does not. */
export type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Appends the name of a field, or the index of an item, to a dotted path. */
export const below = (path: string, name: string | number): string =>
  path === '' ? String(name) : `${path}${pathSeparator}${name}`;

/** The most issues that an error or an event shows. */
export const maxIssues = 20;

const toIssue = ({ path, message }: $ZodIssue): Issue => ({
  path: path.map(String).join(pathSeparator),
  message,
});

const refuseAsync = (): never => {
  throw new InvalidRequestError(
    'The schema has an asynchronous refinement, transform or codec; declare it with synchronous functions, and await the rest after the call',
  );
};

/**
 * Refuses a schema with a function that is declared `async` before it is used: zod calls the function, and drops a promise
 * whose rejection nobody handles.
 *
 * @throws {@link InvalidRequestError}
 */
export const requireSynchronous: (schema: Schema) => unknown = oncePer(
  (schema) => !hasAsyncFunction(schema) || refuseAsync(),
);

/** Checks a value, and decodes it where the schema says so. @throws {@link InvalidRequestError} for an asynchronous schema */
export const parse = (schema: Schema, value: unknown, jitless = false): Parsed => {
  try {
    const result = safeParse(schema, value, jitless ? { jitless } : undefined);
    if (result.success) return { ok: true, value: result.data };
    return { ok: false, issues: result.error.issues.slice(0, maxIssues).map(toIssue) };
  } catch (error) {
    if (error instanceof $ZodAsyncError) return refuseAsync();
    // The compiled code of an object throws a TypeError of its own for a promise.
    if (error instanceof TypeError && !jitless) return parse(schema, value, true);
    // The stack overflow of V8 and JavaScriptCore.
    if (error instanceof RangeError)
      return { ok: false, issues: [{ path: '', message: 'is nested too deeply' }] };
    throw error;
  }
};

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

/** True for a promise, a call and any other thenable. */
export const isThenable = (value: unknown): boolean =>
  isObject(value) && typeof (value as { readonly then?: unknown }).then === 'function';

const encodeFields =
  (fields: ReadonlyMap<string, Encode>): Encode =>
  (value, path) => {
    // A promise is not copied: its copy would be an empty object, and not be refused as a body.
    if (!isObject(value) || isThenable(value)) return value;
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
