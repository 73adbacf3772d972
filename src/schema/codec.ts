import { $ZodAsyncError, type $ZodIssue, type $ZodType, encode, safeParse } from 'zod/v4/core';
import { pathSeparator } from '../conventions.ts';
import type { Issue } from '../errors/response-error.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { isObject } from '../options.ts';
import type { Schema, Shape } from './types/shape.ts';
import { definitionOf, elementOf, fieldsOf, hasAsyncFunction, innerOf, oncePer, someSchema } from './zod.ts';

/** A value that fits its schema, or where it does not. */
export type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly ParsedIssue[] };

/** An issue as zod reports it. */
export interface ParsedIssue extends Issue {
  /** The keys that its path consists of. */
  readonly keys: readonly PropertyKey[];
  /** The type that the schema requires, as zod names it; only where the value has another one. */
  readonly expected?: string | undefined;
  /** The format that the schema requires of a string, as zod names it. */
  readonly format?: string | undefined;
}

/** Appends the name of a field, or the index of an item, to a dotted path. */
export const below = (path: string, name: string | number): string =>
  path === '' || name === '' ? `${path}${name}` : `${path}${pathSeparator}${name}`;

/** The most issues that an error or an event shows. */
export const maxIssues = 20;

const toIssue = (issue: $ZodIssue): ParsedIssue => ({
  path: issue.path.map(String).join(pathSeparator),
  message: issue.message,
  keys: issue.path,
  // Of an invalid date, and of NaN, zod says what was received: the type is the right one.
  expected: issue.code === 'invalid_type' && !('received' in issue) ? issue.expected : undefined,
  format: issue.code === 'invalid_format' ? issue.format : undefined,
});

const refuseAsync = (): never => {
  throw new InvalidRequestError('The schema has an asynchronous function; make it synchronous');
};

/**
 * Refuses a schema with a function that is declared `async` before it is used: zod calls the function, and
 * drops a promise whose rejection nobody handles.
 *
 * @throws {@link InvalidRequestError}
 */
export const requireSynchronous: (schema: Schema) => unknown = oncePer(
  (schema) => !hasAsyncFunction(schema) || refuseAsync(),
);

/** Its message may quote the value. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

const throwsFor = (schema: Schema, value: unknown): boolean => {
  try {
    safeParse(schema, value);
    return false;
  } catch {
    return true;
  }
};

/** The keys of the field for which a function of a schema throws; none where it is one of the whole value. */
export const throwingKeys = (schema: Schema, value: unknown): readonly string[] => {
  if (isObject(value)) {
    const fields = Object.entries(fieldsOf(schema) ?? {}).filter(([name]) => Object.hasOwn(value, name));
    const found = fields.find(([name, field]) => throwsFor(field, value[name]));
    if (found === undefined) return [];
    const [name, field] = found;
    return [name, ...throwingKeys(field, value[name])];
  }
  const item = elementOf(schema);
  if (item === undefined || !Array.isArray(value)) return [];
  const index = value.findIndex((one) => throwsFor(item, one));
  return index < 0 ? [] : [String(index), ...throwingKeys(item, value[index])];
};

/**
 * Checks a value, and decodes it where the schema says so.
 *
 * @throws {@link InvalidRequestError} for an asynchronous schema
 */
export const parse = (schema: Schema, value: unknown, jitless = false): Parsed => {
  try {
    const result = safeParse(schema, value, jitless ? { jitless } : undefined);
    if (result.success) return { ok: true, value: result.data };
    return { ok: false, issues: result.error.issues.slice(0, maxIssues).map(toIssue) };
  } catch (error) {
    if (error instanceof $ZodAsyncError) return refuseAsync();
    // The compiled code of an object throws a TypeError of its own for a promise.
    if (error instanceof TypeError && !jitless) return parse(schema, value, true);
    // A stack overflow: of V8 and JavaScriptCore a RangeError, of Firefox an error of its own.
    const isDeep = /call stack|too much recursion/.test(String(error));
    // Otherwise it is the error of a codec or a refinement.
    const message = isDeep ? 'is nested too deeply' : `a function of the schema threw ${nameOf(error)}`;
    const keys = isDeep ? [] : throwingKeys(schema, value);
    return { ok: false, issues: [{ path: keys.join(pathSeparator), message, keys }] };
  }
};

/**
 * Encodes a body for the wire.
 *
 * @param path - what an error puts before the field that it names, such as `orders.create: body`
 */
export type EncodeBody = (body: unknown, path?: string) => unknown;

const isCodec = (schema: Schema): boolean => definitionOf(schema).reverseTransform !== undefined;

/** True when a body of this schema has something to encode. */
const isEncoded = oncePer((schema: Schema) => someSchema(schema, isCodec));

/** True for a promise, a call and any other thenable. */
export const isThenable = (value: unknown): boolean =>
  isObject(value) && typeof (value as { readonly then?: unknown }).then === 'function';

/** An issue of a value that a codec does not encode. */
interface Unencodable {
  readonly code: string;
  readonly expected?: unknown;
}

const encodeWhole = (schema: $ZodType, value: unknown, path: string): unknown => {
  try {
    return encode(schema, value);
  } catch (error) {
    // The message of a codec may quote the value. The name of the type is that of the schema.
    const issue: Unencodable | undefined = Object(error).issues?.[0];
    if (issue === undefined)
      throw new InvalidRequestError(`${path} cannot be encoded: its codec threw ${nameOf(error)}`);
    if (typeof issue.expected !== 'string')
      throw new InvalidRequestError(`${path} cannot be encoded: its schema refuses it (${issue.code})`);
    // Of an invalid date zod says what it received: the type is the right one.
    const valid = 'received' in issue ? 'a valid ' : '';
    const type = `${valid}${issue.expected}`;
    throw new InvalidRequestError(`${path} cannot be encoded; pass what its codec decodes to: ${type}`);
  }
};

const encodeFields = (shape: Shape, value: unknown, path: string): unknown => {
  // A promise is not copied: its copy would be an empty object, and not be refused as a body.
  if (!isObject(value) || isThenable(value)) return value;
  const written = { ...value };
  for (const [name, field] of Object.entries(shape)) {
    if (Object.hasOwn(value, name)) written[name] = encodeWith(field, value[name], below(path, name));
  }
  return written;
};

const encodeWith = (schema: Schema, value: unknown, path: string): unknown => {
  if (value === undefined || !isEncoded(schema)) return value;
  const { type } = definitionOf(schema);
  const inner = innerOf(schema);
  // An expandable resource may be expanded, with all fields of its target.
  if (type === 'object') return encodeFields(fieldsOf(schema) ?? {}, value, path);
  if (inner === undefined) return encodeWhole(schema, value, path);
  if (type !== 'array') return type === 'nullable' && value === null ? null : encodeWith(inner, value, path);
  if (!Array.isArray(value)) return value;
  return value.map((item, index) => encodeWith(inner, item, below(path, index)));
};

/** Encodes bodies of a schema with the codecs that decode its responses. Everything else stays as it is. */
export const encoderOf =
  (schema: Schema): EncodeBody =>
  (body, path = 'body') =>
    encodeWith(schema, body, path);
