import { errorItemCode, header } from '../../src/conventions.ts';
import { isObject } from '../../src/options.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { fieldOf, targetOf } from '../../src/schema/zod.ts';
import { unboundIn } from '../collections/link.ts';
import { type Call, readJson } from '../exchange.ts';
import { invalidItem, jsonResponse, Refusal } from '../message.ts';
import { refuseQuery } from '../query/read-query.ts';
import { represent, selfOf, wholeResource } from '../represent.ts';
import type { Json } from '../rows/schema.ts';
import { putRows, type Row, repeatedIds } from '../rows/store.ts';
import { checkEach, refuseTooMany } from './bulk.ts';
import { findRow, lookUp, placeOf } from './read.ts';
import { checkResource, refuseItems, toNewResource, toResource } from './validate.ts';

/**
 * Does checked work.
 *
 * @returns what the work returned, or `accepted` where the client is told that it is done later (§4.2)
 * @throws {@link Refusal} 500 when the mock was reset after the request arrived
 */
const commit = <Done>(call: Call, work: (at: number) => Done): Done | 'accepted' => {
  const { request, route, run, context } = call;
  run.throwIfAborted();
  const { accepted = false } = context.options;
  const isNamed =
    typeof accepted === 'boolean' ? accepted : accepted.some((method) => method === request.method);
  // A POST only where the declaration says that its resource may be created later.
  const mayCreate = route.endpoint.collection.options.accepts?.includes('create') === true;
  const done = work(context.clock.now());
  return isNamed && (request.method !== 'POST' || mayCreate) ? 'accepted' : done;
};

/** The response to a write that returns nothing (§4.2). */
const emptyResponse = (done: unknown): Response =>
  new Response(null, { status: done === 'accepted' ? 202 : 204 });

/** RFC 9110 §15.3.2: Location is the URI of the created resource, or of the collection for a bulk request. */
const createdResponse = (call: Call, rows: readonly Row[], isBulk: boolean): Response => {
  const place = placeOf(call);
  const [row] = rows;
  const shown = rows.map((each) => represent(each, wholeResource, place));
  const here = `${call.url.origin}${call.url.pathname}`;
  const location =
    isBulk || row === undefined
      ? here
      : (selfOf(row, place) ?? `${here}/${encodeURIComponent(String(row.id))}`);
  return jsonResponse(201, JSON.stringify(isBulk ? shown : shown[0]), { [header.location]: location });
};

const isTaken = ({ id }: Json, { route }: Call): boolean =>
  id !== undefined && route.endpoint.table.rows.has(String(id));

const checkNew = (body: unknown, call: Call): Json => {
  const value = toNewResource(body, 'create', call);
  checkResource(value, value, call);
  if (isTaken(value, call))
    refuseItems([invalidItem('id', 'There is a resource with this id')], call.route.endpoint);
  return value;
};

/** @throws {@link Refusal} 400 for an id in two items, because the second would replace the first */
const refuseTwice = (values: readonly Json[], { route }: Call): void =>
  refuseItems(
    repeatedIds(values).map((index) => invalidItem(`${index}.id`, 'Another item has this id')),
    route.endpoint,
  );

/** POST: 201 with Location and the created resource, or 202 without it (§4.2); a list where bulk is declared (§8). */
export const create = async (call: Call): Promise<Response> => {
  refuseQuery(call.url.searchParams);
  const body = await readJson(call);
  const items = await refuseTooMany(body, call);
  const values =
    items === undefined
      ? [checkNew(body, call)]
      : checkEach(items, call.route.endpoint, (item) => checkNew(item, call));
  refuseTwice(values, call);
  const done = commit(call, (at) => {
    // Another request may have taken an id before the work is due.
    const free = values.filter((value) => !isTaken(value, call));
    const { endpoint } = call.route;
    return putRows(endpoint.table, free, at, unboundIn(endpoint, call.parameters));
  });
  return done === 'accepted' ? emptyResponse(done) : createdResponse(call, done, items !== undefined);
};

/** Changes a row as it is at that time: another request may change it before the work is due. */
const changeRow = (
  { route: { endpoint } }: Call,
  id: unknown,
  at: number,
  toValue: (row: Row) => Json,
): void => {
  const row = endpoint.table.rows.get(String(id));
  if (row !== undefined) putRows(endpoint.table, [toValue(row)], at, row.below);
};

const checkSameId = ({ id }: Json, call: Call): void => {
  if (id !== undefined && String(id) !== call.id)
    refuseItems([invalidItem('id', 'The id of a resource cannot change')], call.route.endpoint);
};

/** PUT: replaces the entire resource (§4.2). */
export const replace = async (call: Call): Promise<Response> => {
  refuseQuery(call.url.searchParams);
  findRow(call);
  const body = await readJson(call);
  const { id } = findRow(call);
  const value = toNewResource(body, 'replace', call);
  checkResource(value, value, call);
  checkSameId(value, call);
  return emptyResponse(commit(call, (at) => changeRow(call, id, at, () => ({ ...value, id }))));
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

/** A row with the part of it that a body names. The merge of two objects is an object. */
const withPart = ({ id, value }: Row, part: Json, resource: Schema): Json => ({
  ...(merge(value, part, resource) as Json),
  id,
});

const checkPart = (body: unknown, row: Row, call: Call): Json => {
  const { endpoint } = call.route;
  const part = toResource(body, call, endpoint.collection.options.bodies?.update);
  checkResource(withPart(row, part, endpoint.resource), part, call);
  return part;
};

/** PATCH: updates the part of the resource that the body names (§4.2). */
export const update = async (call: Call): Promise<Response> => {
  refuseQuery(call.url.searchParams);
  findRow(call);
  const body = await readJson(call);
  const row = findRow(call);
  const part = checkPart(body, row, call);
  checkSameId(part, call);
  const { resource } = call.route.endpoint;
  return emptyResponse(
    commit(call, (at) => changeRow(call, row.id, at, (now) => withPart(now, part, resource))),
  );
};

const checkMember = (body: unknown, call: Call): Json => {
  const id = isObject(body) ? body.id : undefined;
  if (id === undefined) refuseItems([{ field: 'id', code: errorItemCode.missingField }], call.route.endpoint);
  const row = lookUp(call, id);
  if (row !== undefined) return { ...checkPart(body, row, call), id: row.id };
  refuseItems([invalidItem('id', 'There is no resource with this id')], call.route.endpoint);
  return {};
};

/** PATCH of a collection: updates the part of each resource that an item of the list names, by its id (§7.1, §8). */
export const updateMany = async (call: Call): Promise<Response> => {
  refuseQuery(call.url.searchParams);
  const { endpoint } = call.route;
  const body = await readJson(call);
  const items = await refuseTooMany(body, call);
  if (items === undefined) throw new Refusal(400, 'The request body must be a JSON array');
  const parts = checkEach(items, endpoint, (item) => checkMember(item, call));
  refuseTwice(parts, call);
  const done = commit(call, (at) => {
    for (const part of parts) changeRow(call, part.id, at, (row) => withPart(row, part, endpoint.resource));
  });
  return emptyResponse(done);
};

/** DELETE (§4.2). */
export const remove = async (call: Call): Promise<Response> => {
  refuseQuery(call.url.searchParams);
  const { id } = findRow(call);
  const { rows } = call.route.endpoint.table;
  return emptyResponse(commit(call, () => rows.delete(String(id))));
};
