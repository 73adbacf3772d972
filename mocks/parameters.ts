import { safeParseAsync } from 'zod/v4/core';
import type { ErrorItem } from '../src/conventions/error-body.ts';
import { listSeparator } from '../src/conventions/parameters.ts';
import { definitionOf, innerOf, type Json, type Schema } from './fields.ts';
import { findErrors, fits } from './validate.ts';

/** An endpoint's own query parameters: as the schema gives them, and as they stood in the URL. */
export interface OwnParameters {
  readonly parsed: Json;
  readonly sent: Json;
}

const toNumber = (text: string): unknown =>
  text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);

const toBoolean = (text: string): unknown => (text === 'true' ? true : text === 'false' ? false : text);

const anyOf = (schemas: readonly Schema[], text: string): unknown =>
  schemas
    .map((schema) => ({ schema, value: coerce(schema, text) }))
    .find(({ schema, value }) => fits(schema, value))?.value ?? text;

/** A query parameter is text; the value that its schema wants may be a number, a boolean or a list of them. */
const coerce = (schema: Schema, text: string): unknown => {
  const { type, element, values, options, in: input } = definitionOf(schema);
  if (type === 'array' && element !== undefined) {
    return text === '' ? [] : text.split(listSeparator).map((item) => coerce(element, item));
  }
  const inner = innerOf(schema) ?? input;
  if (inner !== undefined) return coerce(inner, text);
  if (type === 'number' || type === 'int') return toNumber(text);
  if (type === 'boolean') return toBoolean(text);
  if (type === 'union') return anyOf(options ?? [], text);
  return type === 'literal' ? (values?.find((value) => String(value) === text) ?? text) : text;
};

/** Reads an endpoint's own query parameters by their schema; with what is wrong with them. */
export const readOwnParameters = async (
  schema: Schema,
  texts: ReadonlyMap<string, string>,
): Promise<OwnParameters & { readonly errors: readonly ErrorItem[] }> => {
  const { shape } = definitionOf(schema);
  const sent = Object.fromEntries(
    [...texts].map(([name, text]) => {
      const field = shape !== undefined && Object.hasOwn(shape, name) ? shape[name] : undefined;
      return [name, field === undefined ? text : coerce(field, text)];
    }),
  );
  const errors = await findErrors(schema, sent);
  const { data } = await safeParseAsync(schema, sent);
  // The schema of `params` is one of an object: what it gives is one.
  return { sent, parsed: (data ?? {}) as Json, errors };
};

/** The names that the schema of `params` has. */
export const parameterNames = (schema: Schema | undefined): readonly string[] =>
  schema === undefined ? [] : Object.keys(definitionOf(schema).shape ?? {});
