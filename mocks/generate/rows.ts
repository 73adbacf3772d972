import { checksOf, fieldsOf } from '../../src/schema/zod.ts';
import type { Collections, Endpoint } from '../collections/link.ts';
import { boundFields, parameterOf } from '../collections/parents.ts';
import type { PathParameters } from '../collections/routes.ts';
import type { GeneratedRows, MockOptions } from '../options.ts';
import type { MockRow } from '../row.ts';
import {
  bodySchemaOf,
  fits,
  hasLinkedRelations,
  type Json,
  linkRelations,
  normalise,
  parse,
} from '../rows/schema.ts';
import { type Id, putRows, repeatedIds, type Table } from '../rows/store.ts';
import { firstThatFits, type Place } from './place.ts';
import { createRandom, type Random } from './random.ts';
import { generateFields, generateId } from './value.ts';

/** The ids that relations may lead to. */
type IdsOf = (table: Table) => readonly Id[];

const storedIds: IdsOf = ({ rows }) => [...rows.values()].map(({ id }) => id);

/** Makes the place of a whole row, from which its fields derive theirs. */
const placeIn =
  (endpoint: Endpoint, collections: Collections, idsOf: IdsOf) =>
  (random: Random): Place => ({
    key: endpoint.key,
    name: '',
    path: '',
    random,
    depth: 0,
    assignsIds: true,
    attempt: 0,
    relate: (target, draw) => {
      const [holder] = collections.ownersOf(endpoint.api, target);
      if (holder === undefined) return undefined;
      const ids = idsOf(holder.table);
      const id = ids[draw.int(0, ids.length - 1)];
      return id === undefined ? { lacking: holder.key } : { id };
    },
  });

/**
 * Adds generated values for the required fields that a body lacks. They depend only on the path and the
 * number of rows.
 */
export const completeRow = (endpoint: Endpoint, value: Json, collections: Collections): Json => {
  const random = createRandom(`${endpoint.path}/${endpoint.table.rows.size}`);
  const place = placeIn(endpoint, collections, storedIds)(random);
  const fields = Object.entries(fieldsOf(endpoint.resource) ?? {});
  const optional = Object.fromEntries(fields.filter(([, field]) => fits(field, undefined)));
  return { ...generateFields(endpoint.resource, place, { id: 0, ...optional, ...value }), ...value };
};

/** As many new ids, each different from the others and from those that are taken. */
const newIds = (
  { resource, table }: Endpoint,
  taken: readonly unknown[],
  count: number,
  place: Place,
): readonly Id[] => {
  const ids = new Set(taken.map(String));
  const last = Math.max(table.lastIds.get(resource) ?? 0, taken.length);
  const reason = `no ${count} different ids can be generated`;
  return Array.from({ length: count }, (_, index) => {
    const id = firstThatFits(
      { ...place, random: place.random.fork(`id ${index}`) },
      (at) => generateId(last + 1 + index + at.attempt, resource, at),
      (made) => (ids.has(String(made)) ? { path: 'id', reason } : undefined),
    );
    ids.add(String(id));
    return id;
  });
};

/**
 * @param given - the fields that are not generated, beside those that are
 * @param isChecked - whether the row must be checked as a whole, because it has fields that somebody gave
 * @throws {@link UngeneratedError} when no generated row fits
 */
const generateRow = (
  { resource }: Endpoint,
  given: (made: Json) => Json,
  isChecked: boolean,
  place: Place,
): Json =>
  firstThatFits(
    place,
    (at) => {
      const made = generateFields(resource, at, given({}));
      const row = { ...made, ...given(made) };
      // A row stays an object.
      return isChecked ? (normalise(row, resource, { keepsUnknown: true, takesIds: true }) as Json) : row;
    },
    (row) => {
      const [error] = isChecked ? parse(bodySchemaOf(resource), row).errors : [];
      const problem = error?.message ?? 'it is missing';
      return error && { path: error.field, reason: `no generated value fits: ${problem}` };
    },
  );

/**
 * The path parameters of the rows of a nested collection: of each row of its parent in turn.
 *
 * @throws Error for a parent without rows
 */
const parametersFor = (endpoint: Endpoint, { all }: Collections): readonly PathParameters[] => {
  const { key, segments, parameters, api } = endpoint;
  const name = parameters.at(-1);
  const path = segments.slice(0, segments.lastIndexOf(`:${name}`)).join('/');
  const parent = all.find((one) => one.api === api && one.path === path);
  if (name === undefined || parent === undefined) return [new Map()];
  const rows = [...parent.table.rows.values()];
  if (rows.length === 0)
    throw new Error(
      `generate.${key}: the collection "${parent.key}" above it has no rows; generate them too`,
    );
  return rows.map((row) => {
    const above = parent.parameters.map((one) => [one, parameterOf(row, parent, one) ?? ''] as const);
    return new Map([...above, [name, String(row.id)]]);
  });
};

/** What the option `generate` asks for in a collection. */
const requestedRows = (
  { key, table, shows }: Endpoint,
  generate: MockOptions['generate'] = 0,
): GeneratedRows => {
  if (typeof generate === 'object') {
    const requested = generate[key] ?? 0;
    return typeof requested === 'object' ? requested : { count: requested };
  }
  // A single number is for every collection that has rows of its own, and none yet.
  const isOpen = shows === undefined && table.rows.size === 0;
  return { count: isOpen ? generate : 0 };
};

/** The given fields of the rows to generate for a collection, each with an id that no other row has. */
const givenFields = (
  endpoint: Endpoint,
  { generate }: MockOptions,
  stored: readonly Id[],
  place: Place,
): readonly Json[] => {
  const { key } = endpoint;
  const { count, row } = requestedRows(endpoint, generate);
  const rows = Array.from({ length: count }, (_, index): MockRow => row?.(index) ?? {});
  const named = rows.flatMap(({ id }) => id ?? []);
  const ids = [...stored, ...named];
  const [repeated] = repeatedIds(ids.map((id) => ({ id })));
  if (repeated !== undefined)
    throw new Error(`generate.${key}.row: the id ${String(ids[repeated])} is a duplicate`);
  const fresh = newIds(endpoint, ids, count - named.length, place).values();
  // As they go over the wire, with a Date as its ISO 8601 string.
  const sent: readonly Json[] = row === undefined ? rows : JSON.parse(JSON.stringify(rows));
  return sent.map((one) => ({ ...linkRelations(one, endpoint.resource), id: one.id ?? fresh.next().value }));
};

/**
 * Adds rows that are generated from the schemas.
 *
 * @throws {@link UngeneratedError} for a schema that no row can be generated from
 */
export const generateRows = (collections: Collections, options: MockOptions, now: number): void => {
  const ids = new Map(collections.all.map(({ table }) => [table, storedIds(table)]));
  // The ids of all rows come first, because a row may refer to a later one.
  const planned = collections.all.map((endpoint) => {
    const stored = ids.get(endpoint.table) ?? [];
    const random = createRandom(`${options.seed ?? 1}/${endpoint.path}`);
    const placeOf = placeIn(endpoint, collections, (table) => ids.get(table) ?? []);
    const given = givenFields(endpoint, options, stored, placeOf(random));
    // Their type is checked with the row.
    ids.set(endpoint.table, [...stored, ...given.map(({ id }) => id as Id)]);
    return { endpoint, given, random, placeOf };
  });
  // Parents first, because the rows of nested collections belong to theirs.
  planned.sort((a, b) => a.endpoint.parameters.length - b.endpoint.parameters.length);
  for (const { endpoint, given, random, placeOf } of planned) {
    const { resource, bindings } = endpoint;
    const hasRefinement = checksOf(resource).length > 1;
    const isChecked = hasRefinement || bindings.length > 0 || hasLinkedRelations(resource);
    const parents = given.length > 0 ? parametersFor(endpoint, collections) : [];
    for (const [index, fields] of given.entries()) {
      const below = parents[index % parents.length] ?? new Map();
      const fork = random.fork(String(index));
      const bound = (made: Json) => ({ ...boundFields(endpoint, below, made), ...fields });
      const row = generateRow(endpoint, bound, isChecked || Object.keys(fields).length > 1, placeOf(fork));
      putRows(endpoint.table, [row], now, below);
    }
  }
};
