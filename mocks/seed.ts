import type { Endpoint } from './endpoints.ts';
import { type Generation, generateRows } from './generate/rows.ts';
import { checkIds, checkRelations, type Given, readRows } from './given-rows.ts';
import type { MockRow } from './options.ts';
import { noteIds, putRow, type Row, type Table } from './store.ts';

/** Rows by collection key, as given. */
export type Data = Readonly<Record<string, readonly MockRow[] | undefined>>;

/** What the tables of a mock start with. */
export interface Start {
  readonly data: Data;
  readonly generate: Generation;
}

const fill = (table: Table, given: readonly Given[], now: number): void => {
  checkIds(given);
  table.rows.clear();
  table.lastIds.clear();
  table.membersChangedAt = now;
  // All of them before the first id is assigned: an assigned id must not meet a given one.
  for (const { value } of given) noteIds(table, value, table.resource);
  for (const { value } of given) putRow(table, value, now);
};

/**
 * Replaces the rows of a table by copies of the given ones.
 *
 * @throws Error for a row that does not fit, or leads to none, with collection, index and path; the table is as it was
 * then
 */
export const setTable = (endpoint: Endpoint, rows: readonly MockRow[], now: number): void => {
  const { table } = endpoint;
  const given = readRows(endpoint, rows);
  const [oldRows, oldIds] = [[...table.rows], [...table.lastIds]];
  try {
    fill(table, given, now);
    // Now, because a row may lead to one beside it that has just got its id.
    checkRelations(given);
  } catch (error) {
    table.rows.clear();
    table.lastIds.clear();
    for (const [id, row] of oldRows) table.rows.set(id, row);
    for (const [resource, id] of oldIds) table.lastIds.set(resource, id);
    throw error;
  }
};

/** @throws Error for a name in an option that is no collection */
export const checkKeys = (endpoints: readonly Endpoint[], option: string, named: object): void => {
  for (const key of Object.keys(named)) {
    if (!endpoints.some((endpoint) => endpoint.key === key)) {
      throw new Error(`${option}.${key}: there is no collection ${JSON.stringify(key)}`);
    }
  }
};

/**
 * Fills the tables with copies of the given rows, and with generated ones.
 *
 * @throws Error for a key that is no collection, for a row that does not fit or leads to none, and for a schema that
 * no row can be generated from; with collection and path
 */
export const seed = (endpoints: readonly Endpoint[], start: Start, now: number): void => {
  checkKeys(endpoints, 'data', start.data);
  checkKeys(endpoints, 'generate', start.generate.counts);
  const given = endpoints.flatMap((endpoint) => readRows(endpoint, start.data[endpoint.key] ?? []));
  // A view has the table of the collection that it shows.
  for (const table of new Set(given.map(({ endpoint }) => endpoint.table))) {
    fill(
      table,
      given.filter(({ endpoint }) => endpoint.table === table),
      now,
    );
  }
  generateRows(endpoints, start.generate, now);
  checkRelations(given);
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
      table.membersChangedAt = now;
      for (const [id, row] of rows) table.rows.set(id, { ...row, changedAt: now } satisfies Row);
      for (const [resource, id] of lastIds) table.lastIds.set(resource, id);
    }
  };
};
