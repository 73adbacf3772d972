// What the option `generate` asks for: how many rows of each collection, and the fields that it gives them.
import { isObject, toInvalidOption } from '../../src/options.ts';
import type { MockCollection } from '../collections/link.ts';
import type { GeneratedRows, MockOptions } from '../options.ts';
import { type Id, numberOf } from '../rows/id.ts';
import { atPath, toJson } from '../rows/json.ts';
import { type Json, linkRelations } from '../rows/schema.ts';
import { repeatedValues } from '../rows/store.ts';
import { generateId } from './value.ts';
import { forkContext, makeUntilFits, type ValueContext } from './value-context.ts';

/** As many new ids, above the highest one that is taken if their schema allows it, each of them unique. */
const generateIds = (
  { resource, table }: MockCollection,
  taken: readonly unknown[],
  count: number,
  context: ValueContext,
): readonly Id[] => {
  const ids = new Set(taken.map(String));
  const highest = taken.map(numberOf).reduce((a, b) => Math.max(a, b), table.lastIds.get(resource) ?? 0);
  const reason = `no ${count} different ids can be generated`;
  return Array.from({ length: count }, (_, index) => {
    const id = makeUntilFits(
      forkContext(context, `id ${index}`),
      (own) => generateId(highest + 1 + index + own.attempt, resource, own),
      (made) => (ids.has(String(made)) ? { path: 'id', reason } : undefined),
    );
    ids.add(String(id));
    return id;
  });
};

/** What the option `generate` asks for in a collection. */
const requestedRows = (
  { key, table, shows }: MockCollection,
  generate: MockOptions['generate'] = 0,
): GeneratedRows => {
  if (typeof generate === 'object') {
    const requested = generate[key] ?? 0;
    return typeof requested === 'object' ? requested : { count: requested };
  }
  // A single number generates rows for each collection that has no rows yet and is not a view of another one.
  const isOpen = shows === undefined && table.rows.size === 0;
  return { count: isOpen ? generate : 0 };
};

/** The fields that the option gives a row, as they go over the wire, with a Date as its ISO 8601 string. */
const readGiven = ({ key, resource }: MockCollection, row: GeneratedRows['row'], index: number): Json => {
  const fail = (path: string, problem: string): never => {
    throw toInvalidOption(`createMock: generate.${key}.row(${index}): ${atPath(path, problem)}`);
  };
  const given = toJson(row?.(index) ?? {}, fail);
  return isObject(given) ? linkRelations(given, resource) : fail('', 'a row must be an object');
};

/** The given fields of each row to generate for a collection, with an id that no other row has. */
export const requestedFields = (
  collection: MockCollection,
  { generate }: MockOptions,
  stored: readonly Id[],
  context: ValueContext,
): readonly Json[] => {
  const { key } = collection;
  const { count, row } = requestedRows(collection, generate);
  const rows = Array.from({ length: count }, (_, index) => readGiven(collection, row, index));
  const named = rows.map(({ id }) => id ?? undefined).filter((id) => id !== undefined);
  const ids = [...stored, ...named];
  const [repeated] = repeatedValues(ids);
  if (repeated !== undefined)
    throw toInvalidOption(`createMock: generate.${key}.row: the id ${String(ids[repeated])} is a duplicate`);
  const fresh = generateIds(collection, ids, count - named.length, context).values();
  return rows.map((one) => ({ ...one, id: one.id ?? fresh.next().value }));
};
