import type { BodyText } from './body.ts';
import { conditionalAnswer } from './conditional.ts';
import type { Endpoint } from './endpoints.ts';
import { Refusal } from './error-answer.ts';
import { isObject } from './fields.ts';
import type { Incoming } from './incoming.ts';
import { isBelow } from './order.ts';
import { pageOf } from './paging.ts';
import { type ReadQuery, readQuery } from './query.ts';
import { changedAt, formatRow, placeOf } from './represent.ts';
import type { CollectionRoute, RouteValues } from './routes.ts';
import type { Row } from './store.ts';
import type { World } from './world.ts';

/** A request to a collection or to one of its resources, on its way to an operation. */
export interface Call {
  readonly request: Incoming;
  readonly text: BodyText;
  readonly url: URL;
  readonly route: CollectionRoute;
  readonly values: RouteValues;
  /** The run of the mock that the request came in. */
  readonly run: number;
  readonly world: World;
}

/** @throws {@link Refusal} 404 when there is no such resource, or not below these path parameters */
export const findRow = ({ route: { endpoint }, values: { id, parameters } }: Call): Row => {
  const row = endpoint.table.rows.get(id ?? '');
  if (row === undefined || !isBelow(row, endpoint, parameters)) {
    throw new Refusal(404, `There is no ${endpoint.key} resource with the id ${JSON.stringify(id)}`);
  }
  return row;
};

/** What a parameter and a field are compared by: their texts, of a relation its id, of a list all that it holds. */
const textsOf = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (isObject(value)) return textsOf(value.id);
  return value === undefined || value === null ? [] : [String(value)];
};

const selects = (wanted: readonly string[], value: unknown): boolean =>
  textsOf(value).some((text) => wanted.includes(text));

/** A parameter with the name of a field selects by it, unless the mock was given a filter. */
const selectRows = (rows: readonly Row[], endpoint: Endpoint, { own }: ReadQuery, world: World) => {
  const filter = world.filters.get(endpoint.key);
  if (filter !== undefined) return rows.filter((row) => filter(row.value, own.parsed));
  const wanted = Object.entries(own.sent)
    .filter(([name]) => endpoint.resource.fields?.has(name) === true)
    .map(([name, sent]) => [name, textsOf(sent)] as const);
  if (wanted.length === 0) return rows;
  return rows.filter(({ value }) => wanted.every(([name, texts]) => selects(texts, value[name])));
};

/** GET of a collection: a JSON array, with paging headers where the endpoint pages (§4.4, §4.5). */
export const list = async (call: Call): Promise<Response> => {
  const { request, url, route, values, world } = call;
  const { endpoint } = route;
  const query = await readQuery(endpoint, url.searchParams, true);
  const ordered = world.orderedRows(endpoint, values.parameters, query.sort);
  const rows = selectRows(ordered, endpoint, query, world);
  const { items, headers } = pageOf(rows, endpoint, query, url, world.defaultPerPage);
  const place = placeOf(call);
  const body = `[${items.map((row) => formatRow(row, query, place)).join(',')}]`;
  return conditionalAnswer(request.headers, body, headers);
};

/** GET of one resource (§4.2). */
export const get = async (call: Call): Promise<Response> => {
  const { endpoint } = call.route;
  const query = await readQuery(endpoint, call.url.searchParams, false);
  const row = findRow(call);
  const body = formatRow(row, query, placeOf(call));
  const age = { changedAt: changedAt(row, endpoint, query.expand), now: call.world.clock.now() };
  return conditionalAnswer(call.request.headers, body, {}, age);
};
