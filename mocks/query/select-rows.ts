import { isObject } from '../../src/options.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { fieldOf, targetOf } from '../../src/schema/zod.ts';
import type { Collections, Endpoint } from '../collections/link.ts';
import type { RowFilter } from '../options.ts';
import type { Row } from '../rows/store.ts';
import type { OwnParameters, SortField } from './read-query.ts';

/** The strings that a parameter and a field are compared by: the id of a relation, and every item of a list. */
const stringsOf = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(stringsOf);
  if (value instanceof Date) return [value.toISOString()];
  if (isObject(value)) return stringsOf(value.id);
  return value === undefined || value === null ? [] : [String(value)];
};

/** A parameter with the name of a field selects by that field, unless the mock has a filter for the collection. */
export const filterRows = (
  rows: readonly Row[],
  { resource }: Endpoint,
  own: OwnParameters,
  filter: RowFilter | undefined,
): readonly Row[] => {
  if (filter !== undefined) return rows.filter((row) => filter(row.value, own.parsed));
  const wanted = Object.entries(own.sent)
    .filter(([name]) => fieldOf(resource, name) !== undefined)
    .map(([name, sent]) => [name, stringsOf(sent)] as const);
  return rows.filter(({ value }) =>
    wanted.every(([name, strings]) => stringsOf(value[name]).some((item) => strings.includes(item))),
  );
};

/** Where the rows of a collection and of its relations are. */
interface Source {
  readonly endpoint: Endpoint;
  readonly collections: Collections;
}

/** The value that a row is sorted by. A path may lead through a relation, and a list counts by its first item. */
const valueAt = (value: unknown, path: readonly string[], schema: Schema, source: Source): unknown => {
  if (Array.isArray(value)) return valueAt(value[0], path, schema, source);
  const [name, ...rest] = path;
  if (name === undefined || !isObject(value)) return value;
  const target = targetOf(schema);
  const related = target && source.collections.find(source.endpoint, target, value.id)?.row.value;
  const field = fieldOf(schema, name);
  // The self links of one resource sort like its ids.
  const inner = (related ?? value)[name === 'self' && fieldOf(schema, 'id') ? 'id' : name];
  return field === undefined ? inner : valueAt(inner, rest, field, source);
};

/** Missing values come first. Strings are compared by code unit, which sorts ISO 8601 by time. */
const compare = (a: unknown, b: unknown): number => {
  const [first, second] = [a ?? undefined, b ?? undefined];
  if (first === second) return 0;
  if (first === undefined) return -1;
  if (second === undefined) return 1;
  if (typeof first === 'number' && typeof second === 'number') return first - second;
  return String(first) < String(second) ? -1 : 1;
};

/** Sorts rows by several fields (§4.4). */
export const sortRows = (
  rows: readonly Row[],
  sort: readonly SortField[],
  source: Source,
): readonly Row[] => {
  const { resource } = source.endpoint;
  const keyed = rows.map((row) => ({
    row,
    keys: sort.map(({ path }) => valueAt(row.value, path, resource, source)),
  }));
  keyed.sort((a, b) => {
    for (const [index, { descending }] of sort.entries()) {
      const order = compare(a.keys[index], b.keys[index]);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
  return keyed.map(({ row }) => row);
};
