// The id of records that call it otherwise.
import { isObject } from '../../options.ts';
import { otherIdNames } from '../id-names.ts';
import type { Row } from './evidence.ts';
import type { Observe, SeenResponse } from './observe.ts';
import { readRecord } from './probes.ts';

/** The name under which each record has an id of its own; undefined for none. */
const otherNameIn = (rows: readonly Row[]): string | undefined =>
  otherIdNames.find((name) => {
    const ids = rows.map((row) => row[name]);
    const areIds = ids.every((id) => typeof id === 'string' || Number.isSafeInteger(id));
    return areIds && new Set(ids).size === rows.length;
  });

/**
 * What the records of a list call their id, if not `id`. Some have both, of which one leads to a record.
 *
 * @param list - the URL of the list
 */
export const findIdField = async (
  list: URL,
  rows: readonly Row[],
  observe: Observe,
): Promise<string | undefined> => {
  const [first] = rows;
  if (first === undefined) return undefined;
  const name = otherNameIn(rows);
  if (name === undefined || first.id === undefined) return name;
  const byId = await readRecord(list, first.id, observe);
  if (byId !== undefined) return undefined;
  const byName = await readRecord(list, first[name], readingIds(observe, name));
  return byName === undefined ? undefined : name;
};

// A record may stand in `data`, and a list in `data.items`.
const deepest = 3;

/** A body whose records have `id` in place of another name. What they hold stays as it is. */
const withIds = (body: unknown, idField: string, depth = 0): unknown => {
  if (Array.isArray(body)) return body.map((row) => (isObject(row) ? withId(row, idField) : row));
  if (!isObject(body) || depth === deepest) return body;
  if (Object.hasOwn(body, idField)) return withId(body, idField);
  const entries = Object.entries(body).map(([name, value]) => [name, withIds(value, idField, depth + 1)]);
  return Object.fromEntries(entries);
};

const withId = ({ id, ...row }: Row, idField: string): Row => {
  const { [idField]: other = id, ...rest } = row;
  return { id: other, ...rest };
};

/** A response whose records have `id` in place of the name that they call it by. */
export const readIds = (response: SeenResponse, idField: string): SeenResponse => ({
  ...response,
  body: withIds(response.body, idField),
});

/** Observes a server whose records call their id otherwise: what is seen of them has `id`. */
export const readingIds =
  (observe: Observe, idField: string): Observe =>
  async (url) =>
    readIds(await observe(url), idField);
