import { isObject, toInvalidOption } from '../../src/options.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { coreOf, fieldOf, targetOf } from '../../src/schema/zod.ts';
import { createRandom } from '../generate/random.ts';
import { generateId } from '../generate/value.ts';
import { createValueContext, GenerationError } from '../generate/value-context.ts';
import { type Id, numberOf } from './id.ts';
import { isResource, type Json, objectsIn } from './schema.ts';

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
  /** The key of the collection. */
  readonly key: string;
  readonly resource: Schema;
  readonly rows: Map<string, Row>;
  /** The highest number used as an id, for each resource in the rows. */
  readonly lastIds: Map<Schema, number>;
  /** Rises with every change of the rows. */
  revision: number;
}

export const createTable = (key: string, resource: Schema): Table => ({
  key,
  resource,
  rows: new Map(),
  lastIds: new Map(),
  revision: 0,
});

/** Removes every row, and forgets the ids. */
export const clearTable = (table: Table): void => {
  table.rows.clear();
  table.lastIds.clear();
  table.revision += 1;
};

/** How many numbers are tried for an id that no other row has. */
const mostNumbers = 100;

/**
 * An id that no row of the table has: of the number after the highest one if possible, or else a generated
 * one.
 */
const nextId = ({ key, lastIds, rows, resource: own }: Table, resource: Schema): Id => {
  const fail = (problem: string): never => {
    const advice = 'declare an `id` in `bodies.create`, and give each row of `data` one';
    throw toInvalidOption(
      `no id can be made for a resource of the collection "${key}": ${problem}; ${advice}`,
    );
  };
  const relate = () => ({ kind: 'noCollection' }) as const;
  try {
    for (let tried = 0; tried < mostNumbers; tried += 1) {
      const number = (lastIds.get(resource) ?? 0) + 1;
      lastIds.set(resource, number);
      const random = createRandom(`${key}/${number}`);
      const context = createValueContext({ key, random, addedLater: [], relate });
      const id = generateId(number, resource, context);
      if (resource !== own || !rows.has(String(id))) return id;
    }
  } catch (error) {
    if (error instanceof GenerationError) return fail(error.reason);
    throw error;
  }
  return fail('other rows have all that were tried');
};

export const removeRow = (table: Table, id: Id): void => {
  table.rows.delete(String(id));
  table.revision += 1;
};

/** The indexes of the values that have the same as an earlier one, which may be undefined. */
export const repeatedValues = (values: readonly unknown[]): readonly number[] => {
  const seen = new Set<string>();
  const repeated: number[] = [];
  for (const [index, value] of values.entries()) {
    if (value === undefined) continue;
    if (seen.has(String(value))) repeated.push(index);
    seen.add(String(value));
  }
  return repeated;
};

/** Counts the number of an id as used, so that a new id differs. */
const noteId = ({ lastIds }: Table, resource: Schema, id: unknown): void => {
  lastIds.set(resource, Math.max(lastIds.get(resource) ?? 0, numberOf(id)));
};

/** A deep copy in which every resource that lacks an id has one (§2.1). */
const copyWithIds = (table: Table, value: unknown, schema: Schema | undefined): unknown => {
  if (Array.isArray(value)) return value.map((item) => copyWithIds(table, item, schema));
  if (!isObject(value)) return value;
  // The content of a relation belongs to another row.
  const isOpen = schema !== undefined && targetOf(schema) === undefined;
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => {
    if (typeof inner !== 'object') return [name, inner];
    return [name, copyWithIds(table, inner, isOpen ? fieldOf(schema, name) : undefined)];
  });
  const copy: Json = Object.fromEntries(entries);
  if (!isOpen || copy.id !== undefined || !isResource(coreOf(schema))) return copy;
  return { ...copy, id: nextId(table, coreOf(schema)) };
};

/**
 * Stores copies of resources. Each is added, or replaces the one with its id. Every resource that lacks an id
 * gets one (§2.1), after all given ids are known, because it must differ from them.
 */
export const putRows = (
  table: Table,
  values: readonly Json[],
  changedAt: number,
  below: Row['below'] = new Map(),
): readonly Row[] => {
  for (const value of values)
    for (const { value: found, schema } of objectsIn(value, table.resource))
      if (isResource(schema)) noteId(table, coreOf(schema), found.id);
  table.revision += 1;
  return values.map((given) => {
    // A copy of an object is one, and has an id now.
    const value = copyWithIds(table, given, table.resource) as Json & { readonly id: Id };
    const row: Row = { id: value.id, value, changedAt, below };
    table.rows.set(String(row.id), row);
    return row;
  });
};

/**
 * Keeps the rows and ids of tables, and returns a function that restores them as if all rows had changed at a
 * given time.
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
