import type { Schema } from '../../src/schema/types/shape.ts';
import { type Described, fits, isObject, type Json } from './schema.ts';

/** An id in a representation (§2.1). */
export type Id = string | number;

/** A stored resource. */
export interface Row {
  readonly id: Id;
  /** The resource with its `id`; nested resources that can be expanded are `{ id }`. */
  readonly value: Json;
  /** When it last changed, in milliseconds. */
  readonly changedAt: number;
}

/** The rows of one collection, in the order they were made. */
export interface Table {
  readonly resource: Described;
  readonly rows: Map<string, Row>;
  /** The highest number used as an id, for each resource in the rows. */
  readonly lastIds: Map<Schema, number>;
  /** When a row was last added or removed, in milliseconds. */
  membersChangedAt: number;
}

/** Counts the writes of a mock, so that a kept order knows whether it is still valid. */
export interface Revision {
  count: number;
}

/** An empty table. */
export const createTable = (resource: Described): Table => ({
  resource,
  rows: new Map(),
  lastIds: new Map(),
  membersChangedAt: 0,
});

/** Records the ids in a value, so that no other resource gets them. */
export const noteIds = (table: Table, value: unknown, described: Described): void => {
  if (Array.isArray(value)) for (const item of value) noteIds(table, item, described);
  if (!isObject(value) || described.target !== undefined) return;
  const { core, isResource, fields } = described;
  if (isResource && typeof value.id === 'number') {
    table.lastIds.set(core, Math.max(table.lastIds.get(core) ?? 0, value.id));
  }
  for (const [name, field] of fields ?? []) noteIds(table, value[name], field);
};

const nextId = (table: Table, described: Described): Id => {
  const number = (table.lastIds.get(described.core) ?? 0) + 1;
  table.lastIds.set(described.core, number);
  const schema = described.fields?.get('id')?.core;
  const candidates: readonly Id[] = [number, String(number), crypto.randomUUID()];
  return candidates.find((id) => schema === undefined || fits(schema, id)) ?? number;
};

/** Assigns an id to every resource that lacks one (§2.1). */
export const giveIds = (table: Table, value: unknown, described: Described): unknown => {
  if (Array.isArray(value)) return value.map((item) => giveIds(table, item, described));
  if (!isObject(value) || described.target !== undefined || described.fields === undefined) return value;
  const entries = Object.entries(value).map(([name, inner]) => {
    const field = described.fields?.get(name);
    return [name, field === undefined ? inner : giveIds(table, inner, field)] as const;
  });
  const lacksId = described.isResource && value.id === undefined;
  return Object.fromEntries(lacksId ? [['id', nextId(table, described)], ...entries] : entries);
};

/** Where values have an id that an earlier one has. */
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

/** Stores a resource, new or instead of the one with its id, and assigns the ids that it lacks. */
export const putRow = (table: Table, value: Json, changedAt: number): Row => {
  noteIds(table, value, table.resource);
  // giveIds keeps an object an object, and has set its id.
  const stored = giveIds(table, value, table.resource) as Json & { readonly id: Id };
  const row: Row = { id: stored.id, value: stored, changedAt };
  if (!table.rows.has(String(row.id))) table.membersChangedAt = changedAt;
  table.rows.set(String(row.id), row);
  return row;
};

/**
 * Keeps the rows of tables and their ids, and returns a function that restores them: as they were, or as if all of them
 * had changed at a time. A row is never changed, only replaced.
 */
export const keepTables = (tables: Iterable<Table>): ((changedAt?: number) => void) => {
  const kept = [...new Set(tables)].map((table) => {
    const { rows, lastIds, membersChangedAt } = table;
    return { table, rows: [...rows], lastIds: [...lastIds], membersChangedAt };
  });
  return (changedAt) => {
    for (const { table, rows, lastIds, membersChangedAt } of kept) {
      table.rows.clear();
      table.lastIds.clear();
      for (const [id, row] of rows) table.rows.set(id, changedAt === undefined ? row : { ...row, changedAt });
      for (const [resource, id] of lastIds) table.lastIds.set(resource, id);
      table.membersChangedAt = changedAt ?? membersChangedAt;
    }
  };
};

/** Removes the row with an id. */
export const removeRow = (table: Table, id: Id, changedAt: number): void => {
  if (table.rows.delete(String(id))) table.membersChangedAt = changedAt;
};
