import { isObject } from '../../src/options.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { fieldOf, targetOf } from '../../src/schema/zod.ts';
import type { Collections, MockCollection } from '../collections/link.ts';
import type { Row, Table } from '../rows/store.ts';
import type { SortField } from './read-query.ts';

/** Where the rows of a collection and of its relations are. */
interface Source {
  readonly collection: MockCollection;
  readonly collections: Collections;
}

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? firstOf(value[0]) : value);

/**
 * Reads the value that a row is sorted by. A path may lead through a relation, and a list counts by its first
 * item.
 */
const keyReader = (
  [name, ...rest]: readonly string[],
  schema: Schema,
  source: Source,
): ((value: unknown) => unknown) => {
  const field = name === undefined ? undefined : fieldOf(schema, name);
  if (name === undefined || field === undefined) return firstOf;
  const target = targetOf(schema);
  // The self links of one resource sort like its ids.
  const key = name === 'self' && fieldOf(schema, 'id') ? 'id' : name;
  const read = keyReader(rest, field, source);
  return (given) => {
    const value = firstOf(given);
    if (!isObject(value)) return value;
    const related = target && source.collections.find(source.collection.api, target, value.id)?.row.value;
    return read((related ?? value)[key]);
  };
};

type SortKey = string | number | undefined;

const toKey = (value: unknown): SortKey => {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'number' ? value : String(value);
};

/** Missing values come first. Strings are compared by code unit, which sorts ISO 8601 by time. */
const compare = (a: SortKey, b: SortKey): number => {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  if (typeof a === typeof b) return a < b ? -1 : 1;
  return String(a) < String(b) ? -1 : 1;
};

/** The rows in the order of several fields (§4.4); those that are equal stay in their order. */
const sortRows = (rows: readonly Row[], sort: readonly SortField[], source: Source): readonly Row[] => {
  const columns = sort.map(({ path, descending }) => {
    const read = keyReader(path, source.collection.resource, source);
    return { keys: rows.map((row) => toKey(read(row.value))), sign: descending ? -1 : 1 };
  });
  const compareAt = (a: number, b: number): number => {
    for (const { keys, sign } of columns) {
      const order = compare(keys[a], keys[b]);
      if (order !== 0) return sign * order;
    }
    return 0;
  };
  const order = Array.from(rows.keys()).sort(compareAt);
  return order.flatMap((index) => rows[index] ?? []);
};

interface Order {
  readonly revision: number;
  readonly rows: readonly Row[];
}

/** How many orders of a table are kept: those of a few lists that are read page by page. */
const maxOrders = 4;

/** The rows of a collection in the order of a query. */
export type SortRows = (collection: MockCollection, sort: readonly SortField[]) => readonly Row[];

/**
 * Sorts the rows of a collection. An order is kept until a row changes, because a list of many pages would be
 * sorted again for each of them.
 */
export const createSort = (collections: Collections): SortRows => {
  const kept = new WeakMap<Table, Map<string, Order>>();
  // A field of a relation may be sorted by, so that a change of any table counts.
  const revisionOf = (): number => collections.all.reduce((sum, { table }) => sum + table.revision, 0);
  return (collection, sort) => {
    const { table } = collection;
    if (sort.length === 0) return [...table.rows.values()];
    const orders = kept.get(table) ?? new Map<string, Order>();
    kept.set(table, orders);
    const key = JSON.stringify(sort);
    const revision = revisionOf();
    const known = orders.get(key);
    if (known?.revision === revision) return known.rows;
    const rows = sortRows([...table.rows.values()], sort, { collection, collections });
    orders.delete(key);
    orders.set(key, { revision, rows });
    for (const oldest of orders.keys()) if (orders.size > maxOrders) orders.delete(oldest);
    return rows;
  };
};
