import { pathSeparator } from '../../src/conventions.ts';
import { isObject, toInvalidOption } from '../../src/options.ts';
import { nearestName } from '../../src/schema/nearest.ts';
import { addressOf } from '../collections/address.ts';
import type { Collections, MockCollection } from '../collections/link.ts';
import { parameterOf } from '../collections/parents.ts';
import type { MockOptions } from '../options.ts';
import type { MockRow } from '../row.ts';
import { atPath, toJson } from './json.ts';
import { parse } from './parse.ts';
import { bodySchemaOf, type Json, normalise } from './schema.ts';
import { clearTable, putRows, type Row, repeatedValues, type Table } from './store.ts';

const failAt = (owner: string, key: string, index: number, problem: string): never => {
  throw toInvalidOption(
    `${owner}${key}[${index}] does not fit the collection ${JSON.stringify(key)}: ${problem}`,
  );
};

const isDateAt = (row: MockRow, path: string): boolean =>
  path.split(pathSeparator).reduce<unknown>((at, name) => Object(at)[name], row) instanceof Date;

/** A row as it is stored: a copy in the form that goes over the wire, with a Date as its ISO 8601 string. */
const readRow = (owner: string, { key, resource }: MockCollection, row: MockRow, index: number): Json => {
  const fail = (path: string, problem: string): never => failAt(owner, key, index, atPath(path, problem));
  const value = normalise(toJson(row, fail), resource, { keepsUnknown: true, takesIds: true });
  if (!isObject(value)) return fail('', 'a row must be an object');
  const [error] = parse(bodySchemaOf(resource), value).errors;
  if (error === undefined) return value;
  const { field, message = 'a required field is missing' } = error;
  const advice = isDateAt(row, field)
    ? '; write the string that goes over the wire in place of the Date'
    : '';
  return fail(field, (field === '' ? 'the row: ' : '') + message + advice);
};

/** The path parameters of a row in a nested collection, as one string. */
const parentsOf = (collection: MockCollection, value: Json): string => {
  const row = { id: '', value, changedAt: 0, below: new Map<string, string>() };
  return JSON.stringify(collection.parameters.map((name) => parameterOf(row, collection, name)));
};

/**
 * The rows of a table: those that are known, and these.
 *
 * @param owner - stands before the key of the collection in messages
 * @throws `InvalidRequestError` for a row that does not fit, with collection, index and path, and for an
 * id or a `key` that two rows have
 */
const readRows = (
  collection: MockCollection,
  rows: readonly MockRow[],
  known: readonly Json[] = [],
  owner = 'createMock: data.',
): readonly Json[] => {
  const { key, keyField } = collection;
  if (!Array.isArray(rows)) throw toInvalidOption(`${owner}${key} must be an array of rows`);
  const values = [...known, ...rows.map((row, index) => readRow(owner, collection, row, index))];
  const failAtRepeated = (name: string, of: readonly unknown[]): void => {
    const [repeated] = repeatedValues(of);
    if (repeated === undefined) return;
    const problem = `${name}: ${String(values[repeated]?.[name])} is a duplicate`;
    failAt(owner, key, repeated - known.length, problem);
  };
  failAtRepeated(
    'id',
    values.map(({ id }) => id),
  );
  if (keyField !== 'id')
    failAtRepeated(
      keyField,
      // Rows below other parents may have the same.
      values.map((value) => {
        const address = addressOf({ value }, collection);
        return address && `${parentsOf(collection, value)} ${address}`;
      }),
    );
  return values;
};

/**
 * The rows that stay when those of a collection are replaced. A nested collection that shows the rows of
 * another one replaces only those below the same parents: `companyOrders` leaves the orders of other
 * companies.
 *
 * @throws `InvalidRequestError` for an empty list of such a collection, because it names no parent
 */
const keptRows = (collection: MockCollection, given: readonly Json[], owner: string): readonly Row[] => {
  const { shows, key, table } = collection;
  if (shows === undefined) return [];
  if (given.length === 0)
    throw toInvalidOption(
      `${owner}${key}: an empty list does not say of which parent; set the rows of ${JSON.stringify(shows.key)}`,
    );
  const parents = new Set(given.map((value) => parentsOf(collection, value)));
  return [...table.rows.values()].filter(({ value }) => !parents.has(parentsOf(collection, value)));
};

/**
 * Replaces the rows of collections by copies of these.
 *
 * @throws `InvalidRequestError` for a row that does not fit; the tables are then left as they were
 */
export const setTables = (
  collections: readonly MockCollection[],
  rows: readonly MockRow[],
  now: number,
): void => {
  const owner = 'mock.state.setRows: ';
  const changes = collections.map((collection) => {
    const given = readRows(collection, rows, [], owner);
    const kept = keptRows(collection, given, owner);
    // An id of a row that stays is a duplicate.
    readRows(
      collection,
      rows,
      kept.map(({ value }) => value),
      owner,
    );
    return { table: collection.table, given, kept };
  });
  for (const { table, given, kept } of changes) {
    clearTable(table);
    for (const { value, changedAt, below } of kept) putRows(table, [value], changedAt, below);
    putRows(table, given, now);
  }
};

/** @throws `InvalidRequestError` for a name in an option that is not the key of a collection */
export const checkKeys = ({ all }: Collections, option: string, given: unknown): void => {
  const known = all.map(({ key }) => key);
  const unknown = isObject(given) ? Object.keys(given).find((key) => !known.includes(key)) : undefined;
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, known);
  const advice = nearest === undefined ? `it has ${known.join(', ')}` : `did you mean "${nearest}"?`;
  throw toInvalidOption(`createMock: ${option}.${unknown}: there is no collection "${unknown}"; ${advice}`);
};

/**
 * Fills the tables with copies of the rows in `data`. A nested collection may have the table of the one that
 * it shows.
 *
 * @throws `InvalidRequestError` for a row that does not fit
 */
export const seedTables = ({ all }: Collections, data: MockOptions['data'], now: number): void => {
  const byTable = new Map<Table, readonly Json[]>();
  for (const collection of all)
    byTable.set(
      collection.table,
      readRows(collection, data?.[collection.key] ?? [], byTable.get(collection.table)),
    );
  // All ids of a table are known before it assigns one.
  for (const [table, values] of byTable) putRows(table, values, now);
};
