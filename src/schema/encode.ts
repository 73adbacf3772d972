import { type $ZodType, encode } from 'zod/v4/core';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { below } from './parse.ts';
import { isObject } from './read-options.ts';
import type { Schema } from './types/shape.ts';
import { definitionOf, innerOf, kindOf, oncePerSchema, someSchema, targetOf } from './zod.ts';

/** Encodes a value of one schema for the wire. */
type Encode = (value: unknown, path: string) => unknown;

/** Encodes a body for the wire. `path` is in front of the field that an error names. */
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

/** True for an object that JSON writes as `{}`, whatever it holds: a promise, a `Map`, a form. */
export const isFieldless = (value: unknown): boolean =>
  isObject(value) &&
  (Symbol.iterator in value || typeof value.then === 'function') &&
  typeof value.toJSON !== 'function';

const encodeFields = (fields: ReadonlyMap<string, Encode>): Encode => {
  return (value, path) => {
    if (!isObject(value) || isFieldless(value)) return value;
    const written = { ...value };
    for (const [name, encodeField] of fields) {
      if (Object.hasOwn(value, name)) written[name] = encodeField(value[name], below(path, name));
    }
    return written;
  };
};

/** Prepared on first use: a resource may contain itself. */
const late =
  (schema: Schema): Encode =>
  (value, path) =>
    value === undefined ? undefined : prepare(schema)(value, path);

const prepare: (schema: Schema) => Encode = oncePerSchema((schema) => {
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
  if (wire !== undefined) return isEncoded(wire) ? late(wire) : (value) => value;
  return encodeWhole(schema);
});

/** True when a body of this schema has something to encode. An expandable resource is sent by its id. */
const isEncoded = (schema: Schema): boolean => targetOf(schema) === undefined && someSchema(schema, isCodec);

/** Encodes bodies of a schema with the codecs that decode its responses. Everything else stays as it is. */
export const encoderOf = (schema: Schema): EncodeBody => {
  if (!isEncoded(schema)) return (body) => body;
  const encodeBody = late(schema);
  return (body, path = '') => encodeBody(body, path);
};
