import type { Schema } from '../../src/schema/types/shape.ts';
import { checksOf, coreOf, fieldOf } from '../../src/schema/zod.ts';
import { fits, isResource, type Json, objectsIn } from './schema.ts';

/** An id in a representation (§2.1). */
export type Id = string | number;

/** A stored resource. It is never changed, only replaced. */
export interface Row {
  readonly id: Id;
  /** The resource with its `id`; nested resources that can be expanded are `{ id }`. */
  readonly value: Json;
  /** When it last changed, in milliseconds. */
  readonly changedAt: number;
  /** The path parameters that it was created with. Empty for a row of `data`, which fits any. */
  readonly below: ReadonlyMap<string, string>;
}

/** The rows of one collection, in the order they were made. */
export interface Table {
  readonly resource: Schema;
  readonly rows: Map<string, Row>;
  /** The highest number used as an id, for each resource in the rows. */
  readonly lastIds: Map<Schema, number>;
}

export const createTable = (resource: Schema): Table => ({ resource, rows: new Map(), lastIds: new Map() });

/** Removes every row, and forgets the ids. */
export const clearTable = (table: Table): void => {
  table.rows.clear();
  table.lastIds.clear();
};

/** A number as an id of a resource, in the first form that fits: 7, "7" or, after `startsWith('ord_')`, "ord_7". */
export const toId = (number: number, resource: Schema): Id | undefined => {
  const field = fieldOf(resource, 'id') ?? resource;
  const { prefix = '' } = checksOf(coreOf(field)).find((check) => check.prefix) ?? {};
  return [number, String(number), `${prefix}${number}`].find((id) => fits(field, id));
};

const nextId = ({ lastIds }: Table, resource: Schema): Id => {
  const number = (lastIds.get(resource) ?? 0) + 1;
  lastIds.set(resource, number);
  const id = toId(number, resource) ?? crypto.randomUUID();
  if (fits(fieldOf(resource, 'id') ?? resource, id)) return id;
  throw new Error(
    'no id can be made for this schema; declare an `id` in `bodies.create`, and give each row of `data` one',
  );
};

/** The indexes of the values whose id an earlier value has. */
export const repeatedIds = (values: readonly Json[]): readonly number[] => {
  const ids = values.map(({ id }) => String(id));
  const firsts = new Map(ids.map((id, index) => [id, index] as const).toReversed());
  return values.flatMap(({ id }, index) =>
    id === undefined || firsts.get(String(id)) === index ? [] : index,
  );
};

/**
 * Stores copies of resources. Each is added, or replaces the one with its id. Every resource that lacks an id gets one (§2.1),
 * after all given ids are known, because it must differ from them.
 */
export const putRows = (
  table: Table,
  values: readonly Json[],
  changedAt: number,
  below: Row['below'] = new Map(),
): readonly Row[] => {
  const copies = values.map((value) => structuredClone(value));
  const resources = copies
    .flatMap((copy) => [...objectsIn(copy, table.resource)])
    .flatMap(({ value, schema }) => (isResource(schema) ? [{ value, resource: coreOf(schema) }] : []));
  for (const { value, resource } of resources) {
    // The number at the end of the id: 7, "7", "ord_7".
    const number = Number(/\d*$/.exec(String(value.id))?.[0]);
    if (Number.isSafeInteger(number))
      table.lastIds.set(resource, Math.max(table.lastIds.get(resource) ?? 0, number));
  }
  for (const { value, resource } of resources)
    if (value.id === undefined) Object.assign(value, { id: nextId(table, resource) });
  return copies.map((value) => {
    // Every resource has an id now.
    const row: Row = { id: value.id as Id, value, changedAt, below };
    table.rows.set(String(row.id), row);
    return row;
  });
};

/** Keeps the rows and ids of tables, and returns a function that restores them as if all rows had changed at a given time. */
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
