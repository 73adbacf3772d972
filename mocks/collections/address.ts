// The field in the path of one resource: its `id`, or the `key` of its collection.
import type { Row } from '../rows/store.ts';
import type { Declared } from './declare.ts';
import type { MockCollection } from './link.ts';
import { isBelow } from './parents.ts';
import type { PathParameters } from './routes.ts';

/** What stands in the path of a row; undefined for a row without the field. */
export const addressOf = ({ value }: Pick<Row, 'value'>, { keyField }: Declared): string | undefined => {
  const address = value[keyField] ?? undefined;
  return address === undefined ? undefined : String(address);
};

/** The row at an address below path parameters, by default below any; undefined when there is none. */
export const rowAt = (
  collection: MockCollection,
  address: string,
  parameters: PathParameters = new Map(),
): Row | undefined => {
  const { table, keyField } = collection;
  const isHere = (row: Row | undefined): boolean => row !== undefined && isBelow(row, collection, parameters);
  if (keyField !== 'id')
    return [...table.rows.values()].find((row) => addressOf(row, collection) === address && isHere(row));
  const row = table.rows.get(address);
  return isHere(row) ? row : undefined;
};
