import { isObject } from '../../src/options.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { coreOf, fieldOf, targetOf } from '../../src/schema/zod.ts';
import { fits, isResource, type Json, objectsIn } from './schema.ts';

/** An id in a representation (§2.1). */
export type Id = string | number;

/** A stored resource. */
export interface Row {
  readonly id: Id;
  /** The resource with its `id`; nested resources that can be expanded are `{ id }`. */
  readonly value: Json;
  /** When it last changed, in milliseconds. */
  readonly changedAt: number;
  /** The path parameters that it was created with and that no field holds. Empty for a row of `data`, which fits any. */
  readonly below: ReadonlyMap<string, string>;
}

/** The rows of one collection, in the order they were made. */
export interface Table {
  readonly resource: Schema;
  readonly rows: Map<string, Row>;
  /** The highest number used as an id, for each resource in the rows. */
  readonly lastIds: Map<Schema, number>;
}

export const createTable = (resource: Schema): Table => ({
  resource,
  rows: new Map(),
  lastIds: new Map(),
});

/** Removes every row, and forgets the ids. */
export const clearTable = (table: Table): void => {
  table.rows.clear();
  table.lastIds.clear();
};

/** Records the ids in a value, so that no other resource gets them. */
const noteIds = ({ resource, lastIds }: Table, value: Json): void => {
  for (const { value: nested, schema } of objectsIn(value, resource)) {
    if (!isResource(schema) || typeof nested.id !== 'number') continue;
    const core = coreOf(schema);
    lastIds.set(core, Math.max(lastIds.get(core) ?? 0, nested.id));
  }
};

const nextId = ({ lastIds }: Table, resource: Schema): Id => {
  const number = (lastIds.get(resource) ?? 0) + 1;
  lastIds.set(resource, number);
  const field = fieldOf(resource, 'id');
  const candidates: readonly Id[] = [number, String(number), crypto.randomUUID()];
  return candidates.find((id) => field === undefined || fits(coreOf(field), id)) ?? number;
};

/** Assigns an id to every resource that lacks one (§2.1). */
const giveIds = (table: Table, value: unknown, schema: Schema): unknown => {
  if (Array.isArray(value)) return value.map((item) => giveIds(table, item, schema));
  if (!isObject(value) || targetOf(schema) !== undefined) return value;
  const entries = Object.entries(value).map(([name, inner]) => {
    const field = fieldOf(schema, name);
    return [name, field === undefined ? inner : giveIds(table, inner, field)] as const;
  });
  const lacksId = isResource(schema) && value.id === undefined;
  return Object.fromEntries(lacksId ? [['id', nextId(table, coreOf(schema))], ...entries] : entries);
};

/** The indexes of the values whose id an earlier value has. */
export const repeatedIds = (values: readonly Json[]): readonly number[] => {
  const seen = new Set<string>();
  const repeated: number[] = [];
  for (const [index, { id }] of values.entries()) {
    if (id === undefined) continue;
    if (seen.has(String(id))) repeated.push(index);
    seen.add(String(id));
  }
  return repeated;
};

/**
 * Stores resources. Each is added, or replaces the one with its id. Missing ids are assigned after all given ids are known,
 * because an assigned id must differ from them.
 */
export const putRows = (
  table: Table,
  values: readonly Json[],
  changedAt: number,
  below: Row['below'] = new Map(),
): readonly Row[] => {
  for (const value of values) noteIds(table, value);
  return values.map((value) => {
    // giveIds keeps an object an object, and has set its id.
    const stored = giveIds(table, value, table.resource) as Json & { readonly id: Id };
    const row: Row = { id: stored.id, value: stored, changedAt, below };
    table.rows.set(String(row.id), row);
    return row;
  });
};

/**
 * Keeps the rows and ids of tables, and returns a function that restores them as if all rows had changed at a given time.
 * Rows need no copies, because a row is never changed, only replaced.
 */
export const keepTables = (tables: Iterable<Table>): ((changedAt: number) => void) => {
  const kept = [...new Set(tables)].map((table) => ({
    table,
    rows: [...table.rows],
    lastIds: [...table.lastIds],
  }));
  return (changedAt) => {
    for (const { table, rows, lastIds } of kept) {
      clearTable(table);
      for (const [id, row] of rows) table.rows.set(id, { ...row, changedAt });
      for (const [resource, id] of lastIds) table.lastIds.set(resource, id);
    }
  };
};
