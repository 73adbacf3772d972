import { type ErrorItem, pathSeparator } from '../../src/conventions.ts';
import { isObject } from '../../src/options.ts';
import { isIdentityField } from '../../src/schema/resource.ts';
import type { Collections, Endpoint } from '../collections/link.ts';
import type { MockOptions } from '../options.ts';
import type { MockRow } from '../row.ts';
import { bodySchemaOf, type Json, normalise, parse, type Relation, relationsOf } from './schema.ts';
import { clearTable, keepTables, putRows, repeatedIds, type Table } from './store.ts';

/** A row of `data` or of `setRows`, and its position. */
interface DataRow {
  readonly endpoint: Endpoint;
  readonly index: number;
  readonly value: Json;
}

const failAt = (key: string, index: number, problem: string): never => {
  throw new Error(`data.${key}[${index}] does not fit the collection ${JSON.stringify(key)}: ${problem}`);
};

/** A deep copy in the form that goes over the wire: a Date as its ISO 8601 string. */
const copyRow = ({ key }: Endpoint, row: MockRow, index: number): unknown => {
  try {
    return JSON.parse(JSON.stringify(row));
  } catch (error) {
    return failAt(key, index, `it cannot be written as JSON (${(error as Error).message})`);
  }
};

const describeItem = (item: ErrorItem, path?: string): string => {
  const field = [path, item.field].filter(Boolean).join(pathSeparator);
  return `${field || 'the row'}: ${item.message ?? 'a required field is missing'}`;
};

const readRow = (endpoint: Endpoint, row: MockRow, index: number): Json => {
  const copy = isObject(row) ? copyRow(endpoint, row, index) : undefined;
  const value = normalise(copy, endpoint.resource, { keepsUnknown: true, takesIds: true });
  if (!isObject(value)) return failAt(endpoint.key, index, 'a row must be an object');
  const [first] = parse(bodySchemaOf(endpoint.resource), value).errors;
  return first === undefined ? value : failAt(endpoint.key, index, describeItem(first));
};

/** @throws Error for a row that does not fit, with collection, index and path */
const readRows = (endpoint: Endpoint, rows: readonly MockRow[]): readonly DataRow[] => {
  if (!Array.isArray(rows)) throw new TypeError(`data.${endpoint.key} must be an array of rows`);
  return rows.map((row, index) => ({ endpoint, index, value: readRow(endpoint, row, index) }));
};

const isInFull = (relation: Json): boolean => !Object.keys(relation).every(isIdentityField);

/** The error in a relation: a bare id without a row, or a whole resource that does not fit. */
const relationProblem = (
  { path, target, value }: Relation,
  endpoint: Endpoint,
  collections: Collections,
): string | undefined => {
  if (isInFull(value)) {
    const [first] = parse(bodySchemaOf(target), value).errors;
    return first && describeItem(first, path);
  }
  const holders = collections.holdersOf(endpoint, target);
  // Without a row in the other collection there is nothing to compare with.
  const isEmpty = holders.every(({ table }) => table.rows.size === 0);
  if (isEmpty || collections.find(endpoint, target, value.id) !== undefined) return undefined;
  const names = holders.map(({ key }) => JSON.stringify(key)).join(' or ');
  return `${path}: there is no row with the id ${JSON.stringify(value.id)} in ${names}`;
};

/** @throws Error for a relation to an unknown row, with collection, index and path */
const checkRelations = (rows: readonly DataRow[], collections: Collections): void => {
  for (const { endpoint, index, value } of rows) {
    for (const relation of relationsOf(value, endpoint.resource)) {
      const problem = relationProblem(relation, endpoint, collections);
      if (problem !== undefined) failAt(endpoint.key, index, problem);
    }
  }
};

/** @throws Error for an id that two rows have */
const fill = (table: Table, rows: readonly DataRow[], now: number): void => {
  const values = rows.map(({ value }) => value);
  const [repeated = -1] = repeatedIds(values);
  const row = rows[repeated];
  if (row !== undefined) failAt(row.endpoint.key, row.index, `id: ${String(row.value.id)} is a duplicate`);
  clearTable(table);
  putRows(table, values, now);
};

/**
 * Replaces the rows of collections by copies of these.
 *
 * @throws Error for a row that does not fit, or relates to an unknown row, with collection, index and path; the
 * tables are then left as they were
 */
export const setTables = (
  endpoints: readonly Endpoint[],
  rows: readonly MockRow[],
  collections: Collections,
  now: number,
): void => {
  const read = endpoints.map((endpoint) => ({ table: endpoint.table, rows: readRows(endpoint, rows) }));
  const restore = keepTables(endpoints.map(({ table }) => table));
  try {
    for (const one of read) fill(one.table, one.rows, now);
    // After all rows are stored, because a row may refer to another one that has just got its id.
    checkRelations(
      read.flatMap((one) => one.rows),
      collections,
    );
  } catch (error) {
    restore();
    throw error;
  }
};

/** @throws Error for a name in an option that is not the key of a collection */
export const checkKeys = ({ all }: Collections, option: string, given: unknown): void => {
  for (const key of isObject(given) ? Object.keys(given) : []) {
    if (!all.some((endpoint) => endpoint.key === key)) {
      throw new Error(`${option}.${key}: there is no collection ${JSON.stringify(key)}`);
    }
  }
};

/**
 * Fills the tables with copies of the rows in `data`.
 *
 * @param between - adds rows that those of `data` may relate to
 * @throws Error for a row that does not fit or relates to an unknown row, with collection, index and path
 */
export const seedTables = (
  collections: Collections,
  data: MockOptions['data'],
  now: number,
  between: () => void,
): void => {
  const rows = collections.all.flatMap((endpoint) => readRows(endpoint, data?.[endpoint.key] ?? []));
  // A nested collection may have the table of the one that it shows.
  for (const table of new Set(rows.map(({ endpoint }) => endpoint.table))) {
    const own = rows.filter(({ endpoint }) => endpoint.table === table);
    fill(table, own, now);
  }
  between();
  checkRelations(rows, collections);
};
