import { type ErrorItem, errorItemCode, header } from '../../src/conventions.ts';
import type { BulkOptions } from '../../src/schema/collection.ts';
import { ensureCurrent } from '../context.ts';
import { refuseQuery } from '../query/read-query.ts';
import { formatRow, placeOf, rowSelf, wholeResource } from '../resources/represent.ts';
import { type Described, isObject, type Json, maxItems } from '../resources/schema.ts';
import { putRow, type Row, removeRow, repeatedIds } from '../resources/table.ts';
import { readJson } from './body.ts';
import { checkBody, checkResource, refuseId, refuseItems, toNewResource, toResource } from './check-body.ts';
import { jsonResponse, Refusal } from './message.ts';
import { type Call, findRow } from './read.ts';

/**
 * Stores a resource, new or instead of the one with its id.
 *
 * @throws {@link Refusal} 500 when the mock was reset since the request came
 */
const store = (value: Json, { route, run, context }: Call, changedAt: number): Row => {
  ensureCurrent(run, context);
  context.revision.count += 1;
  return putRow(route.endpoint.table, value, changedAt);
};

/** Whether a write gets 202 (§4.2); a POST only where the declaration says that its resource may be created later. */
const isAccepted = ({ request: { method }, route, context }: Call): boolean => {
  const { accepted = false } = context.options;
  const isNamed = typeof accepted === 'boolean' ? accepted : accepted.some((name) => name === method);
  return (
    isNamed && (method !== 'POST' || route.endpoint.collection.options.accepts?.includes('create') === true)
  );
};

/** Responds with 202; the work is done when it is due by the clock of the mock, immediately by default. */
const accept = ({ run, context }: Call, finish: (at: number) => void): Response => {
  ensureCurrent(run, context);
  const now = context.clock.now();
  const { finishesAfterMs = 0 } = context.options;
  if (finishesAfterMs === 0) finish(now);
  else context.work.add(now + finishesAfterMs, finish);
  return new Response(null, { status: 202 });
};

const isTaken = ({ id }: Json, { route }: Call): boolean =>
  id !== undefined && route.endpoint.table.rows.has(String(id));

const refuseTaken = (value: Json, call: Call): void => {
  if (isTaken(value, call)) refuseId('There is a resource with this id', call.route.endpoint);
};

const checkNew = async (body: unknown, call: Call): Promise<Json> => {
  const value = await toNewResource(body, 'create', call);
  await checkResource(value, value, call.route.endpoint);
  refuseTaken(value, call);
  return value;
};

/** @throws {@link Refusal} 400 for an id in two items: the second would replace the first */
const refuseTwice = (values: readonly Json[], { route }: Call): void => {
  const message = 'Another item has this id';
  const items = repeatedIds(values).map((index): ErrorItem => {
    return { field: `${index}.id`, code: errorItemCode.invalid, message };
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

/** POST: 201 with Location and the created resource, or 202 without it (§4.2); a list where bulk is declared (§8). */
export const create = async (call: Call): Promise<Response> => {
  const { url, route, context } = call;
  refuseQuery(url.searchParams);
  const body = readJson(call.request, call.body);
  const { bulk } = route.endpoint.collection.options;
  const isBulk = bulk !== undefined && Array.isArray(body);
  const values = isBulk ? await checkMany(body, bulk, call) : [await checkNew(body, call)];
  // Another request may have taken an id while these were checked, or until they are due.
  if (isAccepted(call)) {
    return accept(call, (at) => {
      for (const value of values) if (!isTaken(value, call)) store(value, call, at);
    });
  }
  for (const value of values) refuseTaken(value, call);
  const now = context.clock.now();
  const rows = values.map((value) => store(value, call, now));
  const place = placeOf(call);
  const created = rows.map((row) => formatRow(row, wholeResource, place)).join(',');
  const here = `${url.origin}${url.pathname}`;
  const selves = rows.map((row) => rowSelf(row, place) ?? `${here}/${encodeURIComponent(String(row.id))}`);
  // RFC 9110 §15.3.2: one URI for what was created; of many resources, the collection they are in.
  const [location = here] = isBulk ? [] : selves;
  return jsonResponse(201, isBulk ? `[${created}]` : created, { [header.location]: location });
};

const respondToWrite = (call: Call, finish: (at: number) => void): Response => {
  if (isAccepted(call)) return accept(call, finish);
  ensureCurrent(call.run, call.context);
  finish(call.context.clock.now());
  return new Response(null, { status: 204 });
};

/** The row as it is now: another request may have come while this one was checked, or until its work is done. */
const currentRow = ({ route: { endpoint }, values: { id } }: Call): Row | undefined =>
  endpoint.table.rows.get(id ?? '');

const checkSameId = (value: Json, call: Call): void => {
  if (value.id !== undefined && String(value.id) !== call.values.id)
    refuseId('The id of a resource cannot change', call.route.endpoint);
};

/** PUT: replaces the entire resource (§4.2). */
export const replace = async (call: Call): Promise<Response> => {
  refuseQuery(call.url.searchParams);
  findRow(call);
  const value = await toNewResource(readJson(call.request, call.body), 'replace', call);
  await checkResource(value, value, call.route.endpoint);
  checkSameId(value, call);
  findRow(call);
  return respondToWrite(call, (at) => {
    const row = currentRow(call);
    if (row !== undefined) store({ ...value, id: row.id }, call, at);
  });
};

/** Objects are merged field by field; a list, and a relation, is replaced. */
const merge = (old: unknown, change: unknown, described: Described | undefined): unknown => {
  if (!isObject(old) || !isObject(change) || described?.target !== undefined) return change;
  const merged = Object.entries(change).map(([name, inner]) => [
    name,
    Object.hasOwn(old, name) ? merge(old[name], inner, described?.fields?.get(name)) : inner,
  ]);
  return { ...old, ...Object.fromEntries(merged) };
};

/** PATCH: updates the part of the resource that the body names (§4.2). */
export const update = async (call: Call): Promise<Response> => {
  refuseQuery(call.url.searchParams);
  findRow(call);
  const { endpoint } = call.route;
  const body = readJson(call.request, call.body);
  const own = endpoint.collection.options.bodies?.update;
  const change = toResource(body, call, own);
  if (own !== undefined) await checkBody(own, body, endpoint);
  checkSameId(change, call);
  const mergeInto = ({ id, value }: Row): Json =>
    // Two objects make an object.
    ({ ...(merge(value, change, endpoint.resource) as Json), id });
  await checkResource(mergeInto(findRow(call)), change, endpoint);
  findRow(call);
  return respondToWrite(call, (at) => {
    const row = currentRow(call);
    if (row !== undefined) store(mergeInto(row), call, at);
  });
};

/** DELETE (§4.2). */
export const remove = (call: Call): Response => {
  refuseQuery(call.url.searchParams);
  const { id } = findRow(call);
  return respondToWrite(call, (at) => {
    call.context.revision.count += 1;
    removeRow(call.route.endpoint.table, id, at);
  });
};
