import { type ErrorItem, errorItemCode, header } from '../../src/conventions.ts';
import type { BulkOptions } from '../../src/schema/collection.ts';
import { refuseQuery } from '../query/read-query.ts';
import { formatRow, placeOf, rowSelf, wholeResource } from '../resources/represent.ts';
import type { Json } from '../resources/schema.ts';
import { maxItems } from '../resources/validate.ts';
import { readJson } from './body.ts';
import { checkResource, refuseId, refuseItems, toNewResource } from './check-body.ts';
import type { Call } from './read.ts';
import { jsonResponse, Refusal } from './response.ts';
import { accept, isAccepted, store } from './write.ts';

const checkNew = async (body: unknown, call: Call): Promise<Json> => {
  const { endpoint } = call.route;
  const value = await toNewResource(body, 'create', call);
  await checkResource(value, value, endpoint);
  if (isTaken(value, call)) refuseId('There is a resource with this id', endpoint);
  return value;
};

const isTaken = ({ id }: Json, { route }: Call): boolean =>
  id !== undefined && route.endpoint.table.rows.has(String(id));

/** Creates what was accepted, when it is due; another request may have taken an id by then. */
const acceptNew = (values: readonly Json[], call: Call): Response =>
  accept(call, (at) => {
    for (const value of values) if (!isTaken(value, call)) store(value, call, at);
  });

const createOne = async (body: unknown, call: Call): Promise<Response> => {
  const { route, url, context } = call;
  const value = await checkNew(body, call);
  if (isAccepted(call)) return acceptNew([value], call);
  // Another request may have taken the id while this one was checked.
  if (isTaken(value, call)) refuseId('There is a resource with this id', route.endpoint);
  const row = store(value, call, context.clock.now());
  const below = `${url.origin}${url.pathname}/${encodeURIComponent(String(row.id))}`;
  const place = placeOf(call);
  const location = rowSelf(row, place) ?? below;
  return jsonResponse(201, formatRow(row, wholeResource, place), { [header.location]: location });
};

/** @throws {@link Refusal} 400 for an id in two items: the second would replace the first */
const refuseTwice = (values: readonly Json[], { route }: Call): void => {
  const seen = new Set<string>();
  const items = values.flatMap(({ id }, index): readonly ErrorItem[] => {
    if (id === undefined || !seen.has(String(id))) {
      if (id !== undefined) seen.add(String(id));
      return [];
    }
    return [{ field: `${index}.id`, code: errorItemCode.invalid, message: 'Another item has this id' }];
  });
  if (items.length > 0) refuseItems(items, route.endpoint);
};

/** The errors of one item of many; an item that is not an object is one error. */
const itemsOf = (error: unknown, index: number): readonly ErrorItem[] => {
  if (!(error instanceof Refusal) || error.status !== 400) throw error;
  const { items, message } = error;
  return items === undefined
    ? [{ field: String(index), code: errorItemCode.invalid, message }]
    : items.map((inner) => ({ ...inner, field: `${index}.${inner.field}` }));
};

/** The items of a bulk body, each checked; all of them, or none (§8). */
const checkMany = async (
  items: readonly unknown[],
  bulk: BulkOptions,
  call: Call,
): Promise<readonly Json[]> => {
  const bytes = new TextEncoder().encode(call.body()).length;
  if (items.length > (bulk.maxItems ?? items.length) || bytes > (bulk.maxBytes ?? bytes)) {
    throw new Refusal(413, 'The bulk request is too large');
  }
  const values: Json[] = [];
  const errors: ErrorItem[] = [];
  for (const [index, item] of items.entries()) {
    if (errors.length >= maxItems) break;
    try {
      values.push(await checkNew(item, call));
    } catch (error) {
      errors.push(...itemsOf(error, index));
    }
  }
  if (errors.length > 0) refuseItems(errors, call.route.endpoint);
  refuseTwice(values, call);
  return values;
};

const createMany = async (items: readonly unknown[], bulk: BulkOptions, call: Call): Promise<Response> => {
  const values = await checkMany(items, bulk, call);
  if (isAccepted(call)) return acceptNew(values, call);
  for (const value of values) {
    if (isTaken(value, call)) refuseId('There is a resource with this id', call.route.endpoint);
  }
  const now = call.context.clock.now();
  const rows = values.map((value) => store(value, call, now));
  const place = placeOf(call);
  const created = rows.map((row) => formatRow(row, wholeResource, place));
  // RFC 9110 §15.3.2: one URI for what was created; of many resources, the collection they are in.
  const location = `${call.url.origin}${call.url.pathname}`;
  return jsonResponse(201, `[${created.join(',')}]`, { [header.location]: location });
};

/** POST: 201 with Location and the created resource, or 202 without it (§4.2); a list where bulk is declared (§8). */
export const create = async (call: Call): Promise<Response> => {
  refuseQuery(call.url.searchParams);
  const body = readJson(call.request, call.body);
  const { bulk } = call.route.endpoint.collection.options;
  return bulk !== undefined && Array.isArray(body) ? createMany(body, bulk, call) : createOne(body, call);
};
