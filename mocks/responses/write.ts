import { type ErrorItem, header } from '../../src/conventions.ts';
import { isObject } from '../../src/options.ts';
import type { BulkOptions } from '../../src/schema/collection.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { fieldOf, targetOf } from '../../src/schema/zod.ts';
import { refuseQuery } from '../query/read-query.ts';
import { formatRow, rowSelf, wholeResource } from '../resources/represent.ts';
import { type Json, maxItems } from '../resources/schema.ts';
import { putRows, type Row, removeRow, repeatedIds } from '../resources/table.ts';
import { checkBody, checkResource, refuseId, refuseItems, toNewResource, toResource } from './check-body.ts';
import { readJson } from './content.ts';
import { invalidItem, jsonResponse, Refusal } from './message.ts';
import { type Call, findRow, placeOf } from './read.ts';

/** Whether a write gets 202 (§4.2); a POST only where the declaration says that its resource may be created later. */
const isAccepted = ({ request: { method }, route, context }: Call): boolean => {
  const { accepted = false } = context.options;
  const isNamed = typeof accepted === 'boolean' ? accepted : accepted.some((name) => name === method);
  return (
    isNamed && (method !== 'POST' || route.endpoint.collection.options.accepts?.includes('create') === true)
  );
};

/**
 * Does a checked write and responds with 204, or responds with 202 and does the work when it is due by the clock of the
 * mock, immediately by default (§4.2).
 *
 * @throws {@link Refusal} 500 when the mock was reset after the request arrived
 */
const write = (call: Call, work: (at: number) => void): Response => {
  const { clock, options, revision, work: waiting } = call.context;
  call.run.throwIfAborted();
  const isLater = isAccepted(call);
  const { finishesAfterMs = 0 } = options;
  const finish = (at: number): void => {
    revision.count += 1;
    work(at);
  };
  const now = clock.now();
  if (isLater && finishesAfterMs > 0) waiting.add(now + finishesAfterMs, finish);
  else finish(now);
  return new Response(null, { status: isLater ? 202 : 204 });
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

/** @throws {@link Refusal} 400 for an id in two items, because the second would replace the first */
const refuseTwice = (values: readonly Json[], { route }: Call): void =>
  refuseItems(
    repeatedIds(values).map((index) => invalidItem(`${index}.id`, 'Another item has this id')),
    route.endpoint,
  );

/** The errors of one item of many; an item that is not an object is one error. */
const itemsOf = (error: unknown, index: number): readonly ErrorItem[] => {
  if (!(error instanceof Refusal) || error.status !== 400) throw error;
  const { items, message } = error;
  return items === undefined
    ? [invalidItem(String(index), message)]
    : items.map((inner) => ({ ...inner, field: `${index}.${inner.field}` }));
};

/** The items of a bulk body after their checks. One invalid item refuses all of them (§8). */
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
  refuseItems(errors, call.route.endpoint);
  refuseTwice(values, call);
  return values;
};

/** RFC 9110 §15.3.2: Location is the URI of the created resource, or of the collection for a bulk request. */
const createdResponse = (rows: readonly Row[], isBulk: boolean, call: Call): Response => {
  const { url } = call;
  const place = placeOf(call);
  const created = rows.map((row) => formatRow(row, wholeResource, place).json).join(',');
  const here = `${url.origin}${url.pathname}`;
  const selves = rows.map((row) => rowSelf(row, place) ?? `${here}/${encodeURIComponent(String(row.id))}`);
  const [location = here] = isBulk ? [] : selves;
  return jsonResponse(201, isBulk ? `[${created}]` : created, { [header.location]: location });
};

/** The path parameters that no field of the resource holds. */
const placeBelow = ({ route: { endpoint }, parameters }: Call): Row['below'] =>
  new Map([...parameters].filter(([name]) => !endpoint.bindings.some(({ parameter }) => parameter === name)));

/** POST: 201 with Location and the created resource, or 202 without it (§4.2); a list where bulk is declared (§8). */
export const create = async (call: Call): Promise<Response> => {
  refuseQuery(call.url.searchParams);
  const body = readJson(call.request, call.body);
  const { bulk } = call.route.endpoint.collection.options;
  const isBulk = bulk !== undefined && Array.isArray(body);
  const values = isBulk ? await checkMany(body, bulk, call) : [await checkNew(body, call)];
  // Another request may take an id while these values are checked, or before their work is due.
  for (const value of values) refuseTaken(value, call);
  let rows: readonly Row[] = [];
  const written = write(call, (at) => {
    const free = values.filter((value) => !isTaken(value, call));
    rows = putRows(call.route.endpoint.table, free, at, placeBelow(call));
  });
  return written.status === 202 ? written : createdResponse(rows, isBulk, call);
};

/** Changes the row as it is at that time: another request may change it during the checks, or before the work is due. */
const change =
  ({ route: { endpoint }, id }: Call, toValue: (row: Row) => Json) =>
  (at: number): void => {
    const row = endpoint.table.rows.get(id ?? '');
    if (row !== undefined) putRows(endpoint.table, [toValue(row)], at, row.below);
  };

const checkSameId = (value: Json, call: Call): void => {
  if (value.id !== undefined && String(value.id) !== call.id)
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
  return write(
    call,
    change(call, ({ id }) => ({ ...value, id })),
  );
};

/** Objects are merged field by field. Lists and relations are replaced. */
const merge = (old: unknown, change: unknown, schema: Schema | undefined): unknown => {
  const isRelation = schema !== undefined && targetOf(schema) !== undefined;
  if (!isObject(old) || !isObject(change) || isRelation) return change;
  const merged = Object.entries(change).map(([name, inner]) => [
    name,
    Object.hasOwn(old, name) ? merge(old[name], inner, schema && fieldOf(schema, name)) : inner,
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
  const part = toResource(body, call, own);
  if (own !== undefined) await checkBody(own, body, endpoint);
  checkSameId(part, call);
  const mergeInto = ({ id, value }: Row): Json =>
    // The merge of two objects is an object.
    ({ ...(merge(value, part, endpoint.resource) as Json), id });
  await checkResource(mergeInto(findRow(call)), part, endpoint);
  findRow(call);
  return write(call, change(call, mergeInto));
};

/** DELETE (§4.2). */
export const remove = (call: Call): Response => {
  refuseQuery(call.url.searchParams);
  const { id } = findRow(call);
  return write(call, (at) => removeRow(call.route.endpoint.table, id, at));
};
