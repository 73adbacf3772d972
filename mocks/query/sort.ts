import { pathSeparator } from '../../src/conventions.ts';
import { isObject } from '../../src/options.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { fieldOf, targetOf } from '../../src/schema/zod.ts';
import { type Endpoint, findHeld } from '../resources/endpoints.ts';
import type { Revision, Row } from '../resources/table.ts';
import type { SortField } from './read-query.ts';

const maxKeptOrders = 200;

/** The value that a row is sorted by. A path may lead through a relation, and a list counts by its first item. */
const valueAt = (value: unknown, path: readonly string[], schema: Schema, from: Endpoint): unknown => {
  if (Array.isArray(value)) return valueAt(value[0], path, schema, from);
  const [name, ...rest] = path;
  if (name === undefined || !isObject(value)) return value;
  const target = targetOf(schema);
  const related = target && findHeld(from, target, value.id)?.row.value;
  const field = fieldOf(schema, name);
  // The self links of one resource sort like its ids.
  const inner = (related ?? value)[name === 'self' && fieldOf(schema, 'id') ? 'id' : name];
  return field === undefined ? inner : valueAt(inner, rest, field, from);
};

/** Missing values come first. Strings are compared by code unit, which sorts ISO 8601 by time. */
const compare = (a: unknown, b: unknown): number => {
  const first = a ?? undefined;
  const second = b ?? undefined;
  if (first === second) return 0;
  if (first === undefined) return -1;
  if (second === undefined) return 1;
  if (typeof first === 'number' && typeof second === 'number') return first - second;
  return String(first) < String(second) ? -1 : 1;
};

const sortRows = (rows: readonly Row[], sort: readonly SortField[], endpoint: Endpoint): readonly Row[] => {
  if (sort.length === 0) return rows;
  const paths = sort.map(({ path }) => path.split(pathSeparator));
  const keyed = rows.map((row) => ({
    row,
    keys: paths.map((path) => valueAt(row.value, path, endpoint.resource, endpoint)),
  }));
  keyed.sort((a, b) => {
    for (const [index, { descending }] of sort.entries()) {
      const order = compare(a.keys[index], b.keys[index]);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
  return keyed.map(({ row }) => row);
};

/** Whether a row belongs to the path parameters: by its fields, or else by where it was created. */
export const isBelow = (
  { value, below }: Row,
  { bindings }: Endpoint,
  parameters: ReadonlyMap<string, string>,
): boolean =>
  bindings.every(({ parameter, field }) => {
    const inner = value[field];
    return String(isObject(inner) ? inner.id : inner) === parameters.get(parameter);
  }) && [...below].every(([parameter, place]) => (parameters.get(parameter) ?? place) === place);

/** Sorts the rows of an endpoint (§4.4). Orders are kept until the next write: pages are read more often than rows change. */
export const createOrderedRows = (revision: Revision) => {
  const orders = new Map<string, readonly Row[]>();
  let at = revision.count;
  return (
    endpoint: Endpoint,
    parameters: ReadonlyMap<string, string>,
    sort: readonly SortField[],
  ): readonly Row[] => {
    if (at !== revision.count || orders.size >= maxKeptOrders) orders.clear();
    at = revision.count;
    const key = JSON.stringify([endpoint.path, [...parameters.values()], sort]);
    const known = orders.get(key);
    if (known !== undefined) return known;
    const rows = [...endpoint.table.rows.values()].filter((row) => isBelow(row, endpoint, parameters));
    const ordered = sortRows(rows, sort, endpoint);
    orders.set(key, ordered);
    return ordered;
  };
};
