// The `self` of a resource that cannot be fetched (§2.1).
import { isObject } from '../../src/options.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { elementOf, fieldOf, fieldsOf, targetOf } from '../../src/schema/zod.ts';
import { isResource } from './schema.ts';

/**
 * A URN in place of a URL. The declaration promises a `self`, and no client follows this one.
 *
 * @param name - of the field that has the resource, or of the endpoint
 */
export const urnOf = (name: string, id: unknown): string =>
  `urn:${encodeURIComponent(name)}:${encodeURIComponent(String(id))}`;

/**
 * A copy of a value in which each resource and relation without a `self` has a URN.
 *
 * @param url - where the value itself can be fetched
 */
export const addSelf = (value: unknown, schema: Schema, name: string, url?: string): unknown => {
  if (Array.isArray(value)) return value.map((item) => addSelf(item, elementOf(schema) ?? schema, name));
  if (!isObject(value) || fieldsOf(schema) === undefined) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    const field = fieldOf(schema, key);
    return [key, field === undefined ? inner : addSelf(inner, field, key)];
  });
  const copy = Object.fromEntries(entries);
  const isOwn = isResource(schema) && fieldOf(schema, 'self') !== undefined;
  const hasSelf = isOwn || targetOf(schema) !== undefined;
  return hasSelf && value.self === undefined ? { ...copy, self: url ?? urnOf(name, value.id) } : copy;
};
