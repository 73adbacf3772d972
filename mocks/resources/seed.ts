import { type ErrorItem, pathSeparator } from '../../src/conventions.ts';
import { isObject } from '../../src/options.ts';
import { isIdentityField } from '../../src/schema/resource.ts';
import { generateRows } from '../generate/rows.ts';
import type { MockOptions } from '../options.ts';
import type { MockRow } from '../row.ts';
import { type Endpoint, findHeld, isView } from './endpoints.ts';
import { bodySchemaOf, findErrorsNow, type Json, normalise, type Relation, relationsOf } from './schema.ts';
import { clearTable, keepTables, putRows, repeatedIds, type Table } from './table.ts';

const failAt = (key: string, index: number, problem: string): never => {
  throw new Error(`data.${key}[${index}] does not fit the collection ${JSON.stringify(key)}: ${problem}`);
};

/** A deep copy in the form that goes over the wire: a Date as its ISO 8601 string. */
const copyRow = ({ key }: Endpoint, row: MockRow, index: number): unknown => {
  // `undefined` is not an object, and JSON has no form for it.
  if (!isObject(row)) return failAt(key, index, 'a row must be an object');
  try {
    return JSON.parse(JSON.stringify(row));
  } catch (error) {
    return failAt(key, index, `it cannot be written as JSON (${(error as Error).message})`);
  }
};

/** A row of `data` or of `setRows`, and its position. */
interface DataRow {
  readonly endpoint: Endpoint;
  readonly index: number;
  readonly value: Json;
}

const describeItem = (item: ErrorItem, path?: string): string => {
  const field = [path, item.field].filter(Boolean).join(pathSeparator);
  return `${field || 'the row'}: ${item.message ?? 'a required field is missing'}`;
};

const readRow = (endpoint: Endpoint, row: MockRow, index: number): Json => {
  const { key, resource, collection } = endpoint;
  const copy = copyRow(endpoint, row, index);
  const value = normalise(copy, resource, { keepsUnknown: true, takesIds: true });
  // The `toJSON` of an object may return something else.
  if (!isObject(value)) return failAt(key, index, 'a row must be an object');
  const [first] = findErrorsNow(bodySchemaOf(collection.resource), value);
  return first === undefined ? value : failAt(key, index, describeItem(first));
};

/** @throws Error for a row that does not fit, with collection, index and path */
const readRows = (endpoint: Endpoint, rows: readonly MockRow[]): readonly DataRow[] => {
  if (!Array.isArray(rows)) throw new TypeError(`data.${endpoint.key} must be an array of rows`);
  return rows.map((row, index) => ({ endpoint, index, value: readRow(endpoint, row, index) }));
};

const isInFull = (relation: Json): boolean => !Object.keys(relation).every(isIdentityField);

/** The error in a relation: a bare id without a row, or a whole resource that does not fit. */
const relationProblem = ({ path, target, value }: Relation, endpoint: Endpoint): string | undefined => {
  if (isInFull(value)) {
    const [first] = findErrorsNow(bodySchemaOf(target), value);
    return first && describeItem(first, path);
  }
  const holders = endpoint.holdersOf(target);
  // Without a row in the other collection there is nothing to compare with.
  const isEmpty = holders.every(({ table }) => table.rows.size === 0);
  if (isEmpty || findHeld(endpoint, target, value.id) !== undefined) return undefined;
  const names = holders.map(({ key }) => JSON.stringify(key)).join(' or ');
  return `${path}: there is no row with the id ${JSON.stringify(value.id)} in ${names}`;
};

/** @throws Error for a relation to an unknown row, with collection, index and path */
const checkRelations = (rows: readonly DataRow[]): void => {
  for (const { endpoint, index, value } of rows) {
    for (const relation of relationsOf(value, endpoint.resource)) {
      const problem = relationProblem(relation, endpoint);
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
  clearTable(table, now);
  putRows(table, values, now);
};

/**
 * Replaces the rows of collections by copies of these.
 *
 * @throws Error for a row that does not fit, or relates to an unknown row, with collection, index and path; the
 * tables are then left as they were
 */
export const setTables = (endpoints: readonly Endpoint[], rows: readonly MockRow[], now: number): void => {
  const read = endpoints.map((endpoint) => ({ table: endpoint.table, rows: readRows(endpoint, rows) }));
  const restore = keepTables(endpoints.map(({ table }) => table));
  try {
    for (const one of read) fill(one.table, one.rows, now);
    // After all rows are stored, because a row may refer to another one that has just got its id.
    checkRelations(read.flatMap((one) => one.rows));
  } catch (error) {
    restore();
    throw error;
  }
};

/** @throws Error for a name in an option that is not the key of a collection */
export const checkKeys = (endpoints: readonly Endpoint[], option: string, keys: Iterable<string>): void => {
  for (const key of keys) {
    if (!endpoints.some((endpoint) => endpoint.key === key)) {
      throw new Error(`${option}.${key}: there is no collection ${JSON.stringify(key)}`);
    }
  }
};

/** How many rows are generated, by collection key. A single number leaves out views and collections with rows in `data`. */
const countsOf = ({ data, generate }: MockOptions, endpoints: readonly Endpoint[]) => {
  if (typeof generate !== 'number') return new Map(Object.entries(generate ?? {}));
  const withRows = endpoints.filter(({ key }) => data?.[key] !== undefined).map(({ table }) => table);
  const without = endpoints.filter((endpoint) => !isView(endpoint) && !withRows.includes(endpoint.table));
  return new Map(without.map(({ key }) => [key, generate]));
};

/**
 * Fills the tables with copies of the rows in `data`, and with generated ones.
 *
 * @throws Error for an unknown collection, for a row that does not fit or relates to an unknown row, and for a schema that
 * no row can be generated from; with collection and path
 */
export const seed = (endpoints: readonly Endpoint[], options: MockOptions, now: number): void => {
  const { data } = options;
  const counts = countsOf(options, endpoints);
  checkKeys(endpoints, 'data', Object.keys(data ?? {}));
  checkKeys(endpoints, 'generate', counts.keys());
  const rows = endpoints.flatMap((endpoint) => readRows(endpoint, data?.[endpoint.key] ?? []));
  // A view has the table of the collection that it shows.
  for (const table of new Set(rows.map(({ endpoint }) => endpoint.table))) {
    fill(
      table,
      rows.filter(({ endpoint }) => endpoint.table === table),
      now,
    );
  }
  generateRows(endpoints, counts, options, now);
  checkRelations(rows);
};
