import { ensureCurrent } from '../context.ts';
import { refuseQuery } from '../query/read-query.ts';
import { type Described, isObject, type Json } from '../resources/schema.ts';
import { putRow, type Row, removeRow } from '../resources/table.ts';
import { readJson } from './body.ts';
import { checkOwnBody, checkResource, refuseId, toNewResource, toResource } from './check-body.ts';
import { type Call, findRow } from './read.ts';

/**
 * Stores a resource, new or instead of the one with its id.
 *
 * @throws {@link Refusal} 500 when the mock was reset since the request came
 */
export const store = (value: Json, { route, run, context }: Call, changedAt: number): Row => {
  ensureCurrent(run, context);
  context.revision.count += 1;
  return putRow(route.endpoint.table, value, changedAt);
};

/** Whether a write gets 202 (§4.2); a POST only where the declaration says that its resource may be created later. */
export const isAccepted = ({ request: { method }, route, context }: Call): boolean =>
  context.acceptedMethods.has(method) &&
  (method !== 'POST' || route.endpoint.collection.options.accepts?.includes('create') === true);

/** Responds with 202; the work is done when it is due by the clock of the mock, immediately by default. */
export const accept = ({ run, context }: Call, finish: (at: number) => void): Response => {
  ensureCurrent(run, context);
  const now = context.clock.now();
  if (context.finishesAfterMs === 0) finish(now);
  else context.work.add(now + context.finishesAfterMs, finish);
  return new Response(null, { status: 202 });
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
  if (own !== undefined) await checkOwnBody(own, body, endpoint);
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
