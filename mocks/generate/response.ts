import { isObject } from '../../src/options.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { elementOf, fieldOf, fieldsOf, targetOf } from '../../src/schema/zod.ts';
import type { MockEndpoint } from '../collections/endpoints.ts';
import type { Exchange } from '../exchange.ts';
import { fits, isResource } from '../rows/schema.ts';
import { type Place, UngeneratedError } from './place.ts';
import { createRandom } from './random.ts';
import { generateValue } from './value.ts';

/** A value in which each resource and relation has the `self` that its schema declares. */
export const withSelf = (value: unknown, schema: Schema, name: string): unknown => {
  if (Array.isArray(value)) return value.map((item) => withSelf(item, elementOf(schema) ?? schema, name));
  if (!isObject(value) || fieldsOf(schema) === undefined) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    const field = fieldOf(schema, key);
    return [key, field === undefined ? inner : withSelf(inner, field, key)];
  });
  const whole = Object.fromEntries(entries);
  const hasSelf = isResource(schema) || targetOf(schema) !== undefined;
  if (!hasSelf || value.self !== undefined) return whole;
  return { ...whole, self: `urn:${encodeURIComponent(name)}:${encodeURIComponent(String(value.id))}` };
};

/**
 * A response of an endpoint that fits its schema: always the same for the same seed and URL.
 *
 * @throws Error for a schema that no value can be generated for
 */
export const generateResponse = (
  { api, name, path }: MockEndpoint,
  schema: Schema,
  { url, context }: Exchange,
): unknown => {
  const { collections, options } = context;
  const place: Place = {
    key: name,
    name: '',
    path: '',
    random: createRandom(`${options.seed ?? 1}/${url.pathname}`),
    depth: 0,
    assignsIds: false,
    attempt: 0,
    // A response that is not of a collection has its relations whole, because nothing else resolves them.
    relate: (target) => {
      const [row] = collections.ownersOf(api, target)[0]?.table.rows.values() ?? [];
      const value = row && withSelf({ ...row.value, id: row.id }, target, name);
      return fits(target, value) ? { ...Object(value), id: row?.id } : undefined;
    },
  };
  try {
    const value = withSelf(generateValue(schema, place), schema, name);
    if (fits(schema, value)) return value;
  } catch (error) {
    if (!(error instanceof UngeneratedError)) throw error;
  }
  throw new Error(`no response can be generated for the endpoint ${path}; give a handler in endpoints`);
};
