import type { ErrorItem } from '../../src/conventions.ts';
import { below } from '../../src/schema/codec.ts';
import type { Endpoint } from '../collections/link.ts';
import type { Call } from '../exchange.ts';
import { invalidItem, Refusal } from '../message.ts';
import { type Json, maxItems } from '../rows/schema.ts';
import { refuseItems } from './validate.ts';

/**
 * The items of a bulk body; undefined for one resource, and where the declaration has no bulk requests.
 *
 * @throws {@link Refusal} 413 above the limits that the collection declares (§8)
 */
export const refuseTooMany = async (
  body: unknown,
  { route: { endpoint }, content }: Call,
): Promise<readonly unknown[] | undefined> => {
  const { bulk } = endpoint.collection.options;
  if (bulk === undefined || !Array.isArray(body)) return undefined;
  const bytes = new TextEncoder().encode((await content()).text).length;
  if (body.length > (bulk.maxItems ?? body.length) || bytes > (bulk.maxBytes ?? bytes)) {
    throw new Refusal(413, 'The bulk request is too large');
  }
  return body;
};

/** The errors of one item of many; an item that is not an object is one error. */
const itemsOf = (error: unknown, index: number): readonly ErrorItem[] => {
  if (!(error instanceof Refusal) || error.status !== 400) throw error;
  const { items, message } = error;
  return (
    items?.map((inner) => ({ ...inner, field: below(String(index), inner.field) })) ?? [
      invalidItem(String(index), message),
    ]
  );
};

/**
 * The items of a bulk body after their checks.
 *
 * @throws {@link Refusal} 400 for all of them if one is not valid
 */
export const checkEach = (
  items: readonly unknown[],
  endpoint: Endpoint,
  check: (item: unknown) => Json,
): readonly Json[] => {
  const values: Json[] = [];
  const errors: ErrorItem[] = [];
  for (const [index, item] of items.entries()) {
    if (errors.length >= maxItems) break;
    try {
      values.push(check(item));
    } catch (error) {
      errors.push(...itemsOf(error, index));
    }
  }
  refuseItems(errors, endpoint);
  return values;
};
