import type { ErrorItem } from '../../src/conventions.ts';
import { below } from '../../src/schema/codec.ts';
import type { CollectionRoute } from '../collections/routes.ts';
import type { Content } from '../content.ts';
import { invalidItem, Refusal } from '../message.ts';
import { type Json, maxItems } from '../rows/schema.ts';
import { repeatedIds } from '../rows/store.ts';
import { refuseItems } from './validate.ts';

/**
 * The resources of a JSON body after their checks, of one or of many where the declaration has bulk requests (§8).
 *
 * @param check - may throw a {@link Refusal} for its item
 * @throws {@link Refusal} 413 above the limits that the collection declares, 400 for all items if one is not valid
 */
export const checkBody = (
  { json: body, text }: Content,
  { endpoint }: CollectionRoute,
  check: (item: unknown) => Json,
) => {
  const { bulk } = endpoint.collection.options;
  if (bulk === undefined || !Array.isArray(body)) return { isBulk: false, values: [check(body)] } as const;
  const bytes = new TextEncoder().encode(text).length;
  if (body.length > (bulk.maxItems ?? body.length) || bytes > (bulk.maxBytes ?? bytes))
    throw new Refusal(413, 'The bulk request is too large');
  const values: Json[] = [];
  const errors: ErrorItem[] = [];
  for (const [index, item] of body.entries()) {
    if (errors.length >= maxItems) break;
    try {
      values.push(check(item));
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 400) throw error;
      const { items = [invalidItem('', error.message)] } = error;
      errors.push(
        ...items.map((inner) => ({
          ...inner,
          field: inner.field === '' ? String(index) : below(String(index), inner.field),
        })),
      );
    }
  }
  if (errors.length > 0) refuseItems(errors, endpoint);
  // The second of two would replace the first.
  const repeated = repeatedIds(values).map((index) => invalidItem(`${index}.id`, 'Another item has this id'));
  if (repeated.length > 0) refuseItems(repeated, endpoint);
  return { isBulk: true, values } as const;
};
