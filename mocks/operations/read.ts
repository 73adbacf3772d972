import { header } from '../../src/conventions.ts';
import { rowAt } from '../collections/address.ts';
import { checkParents, isBelow } from '../collections/parents.ts';
import type { Call } from '../exchange.ts';
import { hash } from '../generate/random.ts';
import { callOption, type HeaderFields, invalidItem, jsonResponse, Refusal } from '../message.ts';
import { pageOf } from '../query/paging.ts';
import { invalidQuery, readQuery } from '../query/read-query.ts';
import { createSelector } from '../query/select-rows.ts';
import { represent } from '../represent.ts';
import type { Row } from '../rows/store.ts';

const isUnchanged = (request: Headers, tag: string, changedAt: number | undefined): boolean => {
  const tags = request.get(header.ifNoneMatch);
  // RFC 9110 §13.1.3: If-None-Match takes precedence over the date. RFC 9110 §13.1.2: its comparison is weak.
  if (tags !== null)
    return tags.split(',').some((one) => ['*', tag].includes(one.trim().replace(/^W\//, '')));
  // §7.1 names this field, and not If-Modified-Since.
  const since = request.get(header.modifiedSince);
  return since !== null && changedAt !== undefined && changedAt < Date.parse(since);
};

/**
 * The next whole second after a change. Before that, the current second, which matches no request: the row
 * may still change.
 */
const formatModified = (changedAt: number, now: number): string =>
  new Date(Math.min(Math.floor(changedAt / 1000) + 1, Math.floor(now / 1000)) * 1000).toUTCString();

/**
 * The response to a GET: 200, or 304 without a body when the client has this representation (§7.1).
 *
 * @param changedAt - undefined for a representation that also depends on other resources
 */
const conditionalResponse = (
  { request, context: { clock } }: Call,
  body: string,
  headers: HeaderFields,
  changedAt?: number,
): Response => {
  const shown = JSON.stringify(headers) + body;
  // A strong entity tag (RFC 9110 §8.8.3), which does not guard against deliberate collisions.
  const tag = `"${shown.length.toString(16)}-${hash(shown).toString(16)}"`;
  const date = changedAt !== undefined && { [header.lastModified]: formatModified(changedAt, clock.now()) };
  const validators = { ...headers, [header.etag]: tag, ...date };
  if (!isUnchanged(request.headers, tag, changedAt)) return jsonResponse(200, body, validators);
  return new Response(null, { status: 304, headers: validators });
};

/**
 * @throws {@link Refusal} 404 for an unknown resource, or one that does not belong to these path parameters
 */
export const findRow = (call: Call): Row => {
  const { collection, parameters, id = '' } = call.route;
  const row = rowAt(collection, id, parameters);
  if (row !== undefined) return row;
  const { key, keyField } = collection;
  throw new Refusal(404, `There is no ${key} resource with the ${keyField} ${JSON.stringify(id)}`);
};

/**
 * The number of rows before a page that has no number; undefined for one that has.
 *
 * @throws {@link Refusal} 400 for an id that no row of the list has, and for an invalid offset
 */
const rowsBefore = (rows: readonly Row[], { afterId, offset, route }: Call): number | undefined => {
  if (offset !== undefined) {
    const isPaged = route.collection.declaration.options.paging !== undefined;
    if (isPaged && /^\d{1,15}$/.test(offset.value)) return Number(offset.value);
    const problem = isPaged ? 'an offset must be an integer from 0' : 'this endpoint does not page';
    throw new Refusal(400, invalidQuery, [invalidItem(offset.parameter, problem)]);
  }
  if (afterId === undefined) return undefined;
  const place = rows.findIndex(({ id }) => String(id) === afterId);
  if (place === -1) throw new Refusal(400, `There is no row with the id ${JSON.stringify(afterId)}`);
  return place + 1;
};

/** GET of a collection: a JSON array, with paging headers where the endpoint pages (§4.4, §4.5). */
export const list = async (call: Call): Promise<Response> => {
  const { collection, parameters } = call.route;
  const { collections, options, sort } = call.context;
  const query = readQuery(collection, call.url.searchParams, true);
  checkParents(collection, parameters, collections);
  const sorted = sort(collection, query.sort);
  // Most collections have no path parameters, and may have many rows.
  const isNested = collection.parameters.length > 0;
  const below = isNested ? sorted.filter((row) => isBelow(row, collection, parameters)) : sorted;
  const select = createSelector(collection, query.own, options.filter?.[collection.key]);
  const chosen = await callOption(`filter.${collection.key}`, () => below.filter(select));
  const before = rowsBefore(chosen, call);
  const { start, end, headers } = pageOf(chosen.length, collection, query, call.url, before);
  const rows = chosen.slice(start, end);
  return conditionalResponse(call, JSON.stringify(rows.map((row) => represent(row, query, call))), headers);
};

/** GET of one resource (§4.2). */
export const get = async (call: Call): Promise<Response> => {
  const query = readQuery(call.route.collection, call.url.searchParams, false);
  const row = findRow(call);
  const body = JSON.stringify(represent(row, query, call));
  return conditionalResponse(call, body, {}, query.expand === undefined ? row.changedAt : undefined);
};
