import { isObject } from '../../src/options.ts';
import { fieldOf } from '../../src/schema/zod.ts';
import type { MockCollection } from '../collections/link.ts';
import type { RowFilter } from '../options.ts';
import type { Row } from '../rows/store.ts';
import type { OwnParameters } from './read-query.ts';

/**
 * The strings that a parameter and a field are compared by: the id of a relation, and every item of a list.
 */
const stringsOf = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(stringsOf);
  if (value instanceof Date) return [value.toISOString()];
  if (isObject(value)) return stringsOf(value.id);
  return value === undefined || value === null ? [] : [String(value)];
};

/**
 * A parameter with the name of a field selects by that field, unless the mock has a filter for the
 * collection.
 */
export const filterRows = (
  rows: readonly Row[],
  { resource }: MockCollection,
  own: OwnParameters,
  filter: RowFilter | undefined,
): readonly Row[] => {
  if (filter !== undefined) return rows.filter((row) => filter(row.value, own.parsed));
  const wanted = Object.entries(own.sent)
    .filter(([name]) => fieldOf(resource, name) !== undefined)
    .map(([name, sent]) => [name, stringsOf(sent)] as const);
  if (wanted.length === 0) return rows;
  return rows.filter(({ value }) =>
    wanted.every(([name, strings]) => stringsOf(value[name]).some((item) => strings.includes(item))),
  );
};
