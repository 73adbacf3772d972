import { header } from '../../src/conventions.ts';
import { isObject } from '../../src/options.ts';
import { fieldOf } from '../../src/schema/zod.ts';
import type { Context } from '../context.ts';
import { pageOf } from '../query/paging.ts';
import { type ReadQuery, readQuery } from '../query/read-query.ts';
import { isBelow } from '../query/sort.ts';
import type { Endpoint } from '../resources/endpoints.ts';
import { formatRow, type Place } from '../resources/represent.ts';
import type { CollectionRoute } from '../resources/routes.ts';
import type { Row } from '../resources/table.ts';
import type { LazyBody } from './content.ts';
import { type HeaderFields, type Incoming, jsonResponse, Refusal } from './message.ts';

/** Two hashes of 32 bits over a string, with the last step of MurmurHash3. */
const hash = (content: string): readonly [number, number] => {
  let first = 0xdeadbeef;
  let second = 0x41c6ce57;
  for (let index = 0; index < content.length; index += 1) {
    const unit = content.charCodeAt(index);
    first = Math.imul(first ^ unit, 2654435761);
    second = Math.imul(second ^ unit, 1597334677);
  }
  first = Math.imul(first ^ (first >>> 16), 2246822507) ^ Math.imul(second ^ (second >>> 13), 3266489909);
  second = Math.imul(second ^ (second >>> 16), 2246822507) ^ Math.imul(first ^ (first >>> 13), 3266489909);
  return [first >>> 0, second >>> 0];
};

/** A strong entity tag (RFC 9110 §8.8.3). The hash guards against accidental collisions, not against an attack. */
const formatTag = (representation: string): string =>
  `"${hash(representation)
    .map((part) => part.toString(16).padStart(8, '0'))
    .join('')}"`;

/** RFC 9110 §13.1.2: the weak comparison, over a list of tags or `*`. */
const matchesTag = (field: string, tag: string): boolean =>
  field.trim() === '*' || field.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);

/** When a representation last changed, and when it is sent, in milliseconds. */
interface Age {
  readonly changedAt: number;
  readonly now: number;
}

/**
 * The date of a change in seconds (RFC 9110 §5.6.7): the end of its second, which no earlier version can have. Until that
 * second is over it is the beginning, which matches nothing, because the resource may still change within the second.
 */
const lastModifiedOf = ({ changedAt, now }: Age): number => {
  const second = Math.floor(changedAt / 1000) * 1000;
  return second + 1000 <= now ? second + 1000 : second;
};

const isUnchanged = (request: Headers, tag: string, changedAt: number | undefined): boolean => {
  const tags = request.get(header.ifNoneMatch);
  // RFC 9110 §13.1.3: If-None-Match takes precedence over the date.
  if (tags !== null) return matchesTag(tags, tag);
  // §7.1 names this field, and not If-Modified-Since.
  const since = request.get(header.modifiedSince);
  return since !== null && changedAt !== undefined && changedAt < Date.parse(since);
};

/** The response to a GET: 200, or 304 without a body when the client has this representation (§7.1). */
const conditionalResponse = (request: Headers, body: string, headers: HeaderFields, age?: Age): Response => {
  const tag = formatTag(JSON.stringify(headers) + body);
  const validators: HeaderFields = {
    ...headers,
    [header.etag]: tag,
    ...(age && { [header.lastModified]: new Date(lastModifiedOf(age)).toUTCString() }),
  };
  return isUnchanged(request, tag, age?.changedAt)
    ? new Response(null, { status: 304, headers: validators })
    : jsonResponse(200, body, validators);
};

/** A request to a collection or to one of its resources, on its way to an operation. */
export interface Call {
  readonly request: Incoming;
  readonly body: LazyBody;
  readonly url: URL;
  readonly route: CollectionRoute;
  /** The id in the path; undefined for a request to the collection. */
  readonly id: string | undefined;
  /** The path parameters, decoded. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Aborted when the mock is reset. */
  readonly run: AbortSignal;
  readonly context: Context;
}

/** What the links in the response to a call depend on. */
export const placeOf = ({ route: { endpoint, base }, parameters, context }: Call): Place => {
  const encoded = (name: string): string => encodeURIComponent(parameters.get(name) ?? '');
  const path = endpoint.path.replace(/:(\w+)/g, (_parameter, name) => encoded(name));
  return { endpoint, base, path, revision: context.revision.count };
};

/** @throws {@link Refusal} 404 for an unknown resource, or one that does not belong to these path parameters */
export const findRow = ({ route: { endpoint }, id, parameters }: Call): Row => {
  const row = endpoint.table.rows.get(id ?? '');
  if (row === undefined || !isBelow(row, endpoint, parameters)) {
    throw new Refusal(404, `There is no ${endpoint.key} resource with the id ${JSON.stringify(id)}`);
  }
  return row;
};

/** The strings that a parameter and a field are compared by: the id of a relation, and every item of a list. */
const stringsOf = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(stringsOf);
  if (value instanceof Date) return [value.toISOString()];
  if (isObject(value)) return stringsOf(value.id);
  return value === undefined || value === null ? [] : [String(value)];
};

const selects = (wanted: readonly string[], value: unknown): boolean =>
  stringsOf(value).some((item) => wanted.includes(item));

/** A parameter with the name of a field selects by that field, unless the mock has a filter for the collection. */
const selectRows = (rows: readonly Row[], endpoint: Endpoint, { own }: ReadQuery, context: Context) => {
  const filter = context.options.filter?.[endpoint.key];
  if (filter !== undefined) return rows.filter((row) => filter(row.value, own.parsed));
  const wanted = Object.entries(own.sent)
    .filter(([name]) => fieldOf(endpoint.resource, name) !== undefined)
    .map(([name, sent]) => [name, stringsOf(sent)] as const);
  if (wanted.length === 0) return rows;
  return rows.filter(({ value }) => wanted.every(([name, strings]) => selects(strings, value[name])));
};

/** GET of a collection: a JSON array, with paging headers where the endpoint pages (§4.4, §4.5). */
export const list = async (call: Call): Promise<Response> => {
  const { request, url, route, parameters, context } = call;
  const { endpoint } = route;
  const query = await readQuery(endpoint, url.searchParams, true);
  const ordered = context.orderedRows(endpoint, parameters, query.sort);
  const rows = selectRows(ordered, endpoint, query, context);
  const { items, headers } = pageOf(rows, endpoint, query, url, context.options.defaultPerPage);
  const place = placeOf(call);
  const body = `[${items.map((row) => formatRow(row, query, place).json).join(',')}]`;
  return conditionalResponse(request.headers, body, headers);
};

/** GET of one resource (§4.2). */
export const get = async (call: Call): Promise<Response> => {
  const { request, url, route, context } = call;
  const query = await readQuery(route.endpoint, url.searchParams, false);
  const { json, changedAt } = formatRow(findRow(call), query, placeOf(call));
  return conditionalResponse(request.headers, json, {}, { changedAt, now: context.clock.now() });
};
