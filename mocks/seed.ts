import type { Endpoint } from './endpoints.ts';
import { isObject, type Json } from './fields.ts';
import type { MockRow } from './options.ts';
import { noteIds, putRow, type Table } from './store.ts';
import { bodySchemaOf, findErrorsNow, normalise } from './validate.ts';

/** Rows by collection key, as given. */
export type Data = Readonly<Record<string, readonly MockRow[] | undefined>>;

const failAt = (key: string, index: number, problem: string): never => {
  throw new Error(`data.${key}[${index}] does not fit the collection ${JSON.stringify(key)}: ${problem}`);
};

/** A deep copy in the form that goes over the wire: a Date as its ISO 8601 text. */
const copyRow = (row: MockRow): unknown => JSON.parse(JSON.stringify(row));

const readRow = ({ key, resource, collection }: Endpoint, row: MockRow, index: number): Json => {
  const value = normalise(copyRow(row), resource, true);
  if (!isObject(value)) return failAt(key, index, 'a row is an object');
  const [first] = findErrorsNow(bodySchemaOf(collection.resource), value);
  if (first === undefined) return value;
  return failAt(key, index, `${first.field || 'the row'}: ${first.message ?? 'a required field is missing'}`);
};

const fill = (table: Table, endpoint: Endpoint, rows: readonly MockRow[], now: number): void => {
  const values = rows.map((row, index) => readRow(endpoint, row, index));
  // All of them before the first id is assigned: an assigned id must not meet a given one.
  for (const value of values) noteIds(table, value, endpoint.resource);
  for (const [index, value] of values.entries()) {
    const id = value.id;
    if (id !== undefined && table.rows.has(String(id))) {
      failAt(endpoint.key, index, `id: ${String(id)} is there twice`);
    }
    putRow(table, value, now);
  }
};

/**
 * Fills the tables with copies of the given rows.
 *
 * @throws Error for a key that is no collection, or a row that does not fit, with collection, index and path
 */
export const seed = (endpoints: readonly Endpoint[], data: Data, now: number): void => {
  for (const key of Object.keys(data)) {
    if (!endpoints.some((endpoint) => endpoint.key === key)) {
      throw new Error(`data.${key}: there is no collection ${JSON.stringify(key)}`);
    }
  }
  for (const endpoint of endpoints) {
    endpoint.table.rows.clear();
    endpoint.table.lastIds.clear();
  }
  for (const endpoint of endpoints) {
    const rows = data[endpoint.key];
    if (rows !== undefined) fill(endpoint.table, endpoint, rows, now);
  }
};
