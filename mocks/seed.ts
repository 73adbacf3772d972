import type { Endpoint } from './endpoints.ts';
import { isObject, type Json } from './fields.ts';
import { generateRows } from './generate-rows.ts';
import type { MockRow } from './options.ts';
import { noteIds, putRow, type Row } from './store.ts';
import { bodySchemaOf, findErrorsNow, normalise } from './validate.ts';

/** Rows by collection key, as given. */
export type Data = Readonly<Record<string, readonly MockRow[] | undefined>>;

/** What the tables of a mock start with. */
export interface Start {
  readonly data: Data;
  /** Numbers of rows to generate, by collection key. */
  readonly generate: Readonly<Record<string, number | undefined>>;
  readonly seed: number;
}

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

const checkIds = (key: string, values: readonly Json[]): void => {
  const ids = new Set<string>();
  for (const [index, { id }] of values.entries()) {
    if (id === undefined) continue;
    if (ids.has(String(id))) failAt(key, index, `id: ${String(id)} is there twice`);
    ids.add(String(id));
  }
};

/**
 * Replaces the rows of a table by copies of the given ones.
 *
 * @throws Error for a row that does not fit, with collection, index and path; the table is as it was then
 */
export const fillTable = (endpoint: Endpoint, rows: readonly MockRow[], now: number): void => {
  const values = rows.map((row, index) => readRow(endpoint, row, index));
  checkIds(endpoint.key, values);
  const { table, resource } = endpoint;
  table.rows.clear();
  table.lastIds.clear();
  // All of them before the first id is assigned: an assigned id must not meet a given one.
  for (const value of values) noteIds(table, value, resource);
  for (const value of values) putRow(table, value, now);
};

const checkKeys = (endpoints: readonly Endpoint[], option: string, named: object): void => {
  for (const key of Object.keys(named)) {
    if (!endpoints.some((endpoint) => endpoint.key === key)) {
      throw new Error(`${option}.${key}: there is no collection ${JSON.stringify(key)}`);
    }
  }
};

/**
 * Fills the tables with copies of the given rows, and with generated ones.
 *
 * @throws Error for a key that is no collection, for a row that does not fit, and for a schema that no row can be
 * generated from; with collection and path
 */
export const seed = (endpoints: readonly Endpoint[], start: Start, now: number): void => {
  checkKeys(endpoints, 'data', start.data);
  checkKeys(endpoints, 'generate', start.generate);
  for (const endpoint of endpoints) {
    const rows = start.data[endpoint.key];
    if (rows !== undefined) fillTable(endpoint, rows, now);
  }
  generateRows(endpoints, start.generate, start.seed, now);
};

/** Keeps what the tables hold now, and gives a function that brings it back. */
export const keepStart = (endpoints: readonly Endpoint[]): ((now: number) => void) => {
  const kept = [...new Set(endpoints.map(({ table }) => table))].map((table) => ({
    table,
    // A row is never changed, only replaced.
    rows: [...table.rows],
    lastIds: [...table.lastIds],
  }));
  return (now) => {
    for (const { table, rows, lastIds } of kept) {
      table.rows.clear();
      table.lastIds.clear();
      for (const [id, row] of rows) table.rows.set(id, { ...row, changedAt: now } satisfies Row);
      for (const [resource, id] of lastIds) table.lastIds.set(resource, id);
    }
  };
};
