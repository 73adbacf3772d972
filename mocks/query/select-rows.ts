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

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? firstOf(value[0]) : value);

/** Reads the value that a row is sorted by. A path may lead through a relation, and a list counts by its first item. */
const keyReader = (
  [name, ...rest]: readonly string[],
  schema: Schema,
  source: Source,
): ((value: unknown) => unknown) => {
  const field = name === undefined ? undefined : fieldOf(schema, name);
  if (name === undefined || field === undefined) return firstOf;
  const target = targetOf(schema);
  // The self links of one resource sort like its ids.
  const key = name === 'self' && fieldOf(schema, 'id') ? 'id' : name;
  const read = keyReader(rest, field, source);
  return (given) => {
    const value = firstOf(given);
    if (!isObject(value)) return value;
    const related = target && source.collections.find(source.endpoint.api, target, value.id)?.row.value;
    return read((related ?? value)[key]);
  };
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

/** The rows in the order of several fields (§4.4); those that are equal stay in their order. */
export const sortRows = (
  rows: readonly Row[],
  sort: readonly SortField[],
  source: Source,
): readonly Row[] => {
  const readers = sort.map(({ path }) => keyReader(path, source.endpoint.resource, source));
  const keyed = rows.map((row) => ({ row, keys: readers.map((read) => read(row.value)) }));
  const sorted = keyed.toSorted((a, b) => {
    for (const [index, { descending }] of sort.entries()) {
      const order = compare(a.keys[index], b.keys[index]);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
  return sorted.map(({ row }) => row);
};
