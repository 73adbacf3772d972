import type { BodyText } from './body.ts';
import { conditionalAnswer } from './conditional.ts';
import type { Endpoint } from './endpoints.ts';
import { Refusal } from './error-answer.ts';
import type { Incoming } from './incoming.ts';
import { isBelow } from './order.ts';
import { pageOf } from './paging.ts';
import { type ReadQuery, readQuery } from './query.ts';
import { changedAt, formatRow } from './represent.ts';
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

/** A parameter with the name of a field selects by it, unless the mock was given a filter. */
const selectRows = (rows: readonly Row[], endpoint: Endpoint, { own }: ReadQuery, world: World) => {
  const filter = world.filters.get(endpoint.key);
  if (filter !== undefined) return rows.filter((row) => filter(row.value, own.parsed));
  const wanted = Object.entries(own.sent).filter(([name]) => endpoint.resource.fields?.has(name) === true);
  if (wanted.length === 0) return rows;
  return rows.filter(({ value }) => wanted.every(([name, sent]) => value[name] === sent));
};

/** GET of a collection: a JSON array, with paging headers where the endpoint pages (§4.4, §4.5). */
export const list = async ({ request, url, route, values, world }: Call): Promise<Response> => {
  const { endpoint, base } = route;
  const query = await readQuery(endpoint, url.searchParams, true);
  const ordered = world.orderedRows(endpoint, values.parameters, query.sort);
  const rows = selectRows(ordered, endpoint, query, world);
  const { items, headers } = pageOf(rows, endpoint, query, url, world.defaultPerPage);
  const body = `[${items.map((row) => formatRow(row, endpoint, query, base)).join(',')}]`;
  return conditionalAnswer(request.headers, body, headers);
};

/** GET of one resource (§4.2). */
export const get = async (call: Call): Promise<Response> => {
  const { endpoint, base } = call.route;
  const query = await readQuery(endpoint, call.url.searchParams, false);
  const row = findRow(call);
  const body = formatRow(row, endpoint, query, base);
  return conditionalAnswer(call.request.headers, body, {}, changedAt(row, endpoint, query.expand));
};
