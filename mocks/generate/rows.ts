import { isObject } from '../../src/options.ts';
import { coreOf, fieldOf } from '../../src/schema/zod.ts';
import { type Collections, type Endpoint, parametersOf, unboundIn } from '../collections/link.ts';
import type { GeneratedRows, MockOptions } from '../options.ts';
import { bodySchemaOf, fits, type Json, normalise, parse, toField } from '../rows/schema.ts';
import { type Id, putRows, type Table } from '../rows/store.ts';
import { createFromPattern, createRandom, type FromPattern, type Random } from './random.ts';
import { generateFields, generateValue, type Place, UngeneratedError } from './value.ts';

const attempts = 12;

/** What the rows of one call have in common. */
interface Batch {
  readonly collections: Collections;
  /** The ids of each table: of its rows, and of those that are about to be generated. */
  readonly ids: Map<Table, Id[]>;
  readonly fromPattern: FromPattern;
}

const fail = ({ key }: Endpoint, path: string, reason: string): never => {
  throw new Error(
    `generate.${key}: the field ${JSON.stringify(path)} of the collection ${JSON.stringify(key)}: ${reason}; ` +
      `give its rows in data.${key}, or the field in generate.${key}.row`,
  );
};

const idsOf = (table: Table, { ids }: Batch): Id[] => {
  const known = ids.get(table) ?? [...table.rows.values()].map(({ id }) => id);
  ids.set(table, known);
  return known;
};

/** The place of a whole row, from which its fields derive theirs. */
const placeOf = (endpoint: Endpoint, random: Random, batch: Batch): Place => ({
  name: '',
  path: '',
  random,
  depth: 0,
  assignsIds: true,
  attempt: 0,
  fromPattern: batch.fromPattern,
  relate: (target, draw) => {
    const [holder] = batch.collections.holdersOf(endpoint, target);
    if (holder === undefined) return undefined;
    const [first, ...more] = idsOf(holder.table, batch);
    return first === undefined ? { lacking: holder.key } : { id: draw.pick([first, ...more]) };
  },
});

/** Reserves the ids of all rows before any row is made, because a row may refer to a later one. */
const reserveIds = (endpoint: Endpoint, count: number, random: Random, batch: Batch): readonly Id[] => {
  const known = idsOf(endpoint.table, batch);
  const taken = new Set(known.map(String));
  const schema = coreOf(fieldOf(endpoint.resource, 'id') ?? endpoint.resource);
  let last = endpoint.table.lastIds.get(endpoint.resource) ?? 0;
  const candidates = function* (index: number): Generator<unknown> {
    last += 1;
    yield* [last, String(last)];
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const place = placeOf(endpoint, random.fork(`id ${index} ${attempt}`), batch);
      yield generateValue(schema, { ...place, name: 'id', path: 'id' });
    }
  };
  const isFree = (id: unknown): id is Id =>
    (typeof id === 'string' || typeof id === 'number') && fits(schema, id) && !taken.has(String(id));
  return Array.from({ length: count }, (_, index) => {
    for (const id of candidates(index)) {
      if (!isFree(id)) continue;
      taken.add(String(id));
      known.push(id);
      return id;
    }
    throw new UngeneratedError('id', `no ${count} different ids can be generated`);
  });
};

/** @throws Error when no generated row fits, with collection and path */
const generateRow = (endpoint: Endpoint, given: Json, random: Random, batch: Batch): Json => {
  const { resource } = endpoint;
  let [field, problem] = ['', 'it is missing'];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const made = generateFields(resource, placeOf(endpoint, random.fork(String(attempt)), batch), given);
    // As it goes over the wire, without undefined and -0.
    const sent: unknown = JSON.parse(JSON.stringify({ ...made, ...given }));
    const value = normalise(sent, resource, { keepsUnknown: true, takesIds: true });
    const [error] = parse(bodySchemaOf(resource), value).errors;
    if (error === undefined && isObject(value)) return value;
    [field, problem] = [error?.field ?? '', error?.message ?? 'it is missing'];
  }
  return fail(endpoint, field, `no generated value fits: ${problem}`);
};

const withPlace = <Value>(endpoint: Endpoint, work: () => Value): Value => {
  try {
    return work();
  } catch (error) {
    if (error instanceof UngeneratedError) return fail(endpoint, error.path, error.message);
    throw error;
  }
};

/** Adds generated values for the fields that a body lacks. They depend only on the path and the number of rows. */
export const completeRow = (endpoint: Endpoint, value: Json, collections: Collections): Json => {
  const random = createRandom(`${endpoint.path}/${endpoint.table.rows.size}`);
  const batch: Batch = { collections, ids: new Map(), fromPattern: createFromPattern() };
  const given = { id: 0, ...value };
  const { id: _unused, ...made } = withPlace(endpoint, () => {
    const place = placeOf(endpoint, random, batch);
    return { ...generateFields(endpoint.resource, place, given), ...given };
  });
  return { ...made, ...value };
};

/** The collection whose rows a nested collection is below; undefined when there is none. */
const parentOf = ({ segments, parameters, api }: Endpoint, { all }: Collections): Endpoint | undefined => {
  const at = segments.lastIndexOf(`:${parameters.at(-1)}`);
  const path = segments.slice(0, at).join('/');
  return all.find((one) => one.api === api && one.path === path);
};

/** The path parameters of the rows of a nested collection: of each row of its parent in turn. */
const placesOf = (endpoint: Endpoint, { collections }: Batch): readonly ReadonlyMap<string, string>[] => {
  const name = endpoint.parameters.at(-1);
  const parent = parentOf(endpoint, collections);
  if (name === undefined || parent === undefined) return [new Map()];
  return [...parent.table.rows.values()].map(
    (row) => new Map([...parametersOf(row, parent), [name, String(row.id)]]),
  );
};

/** The fields of a row that are bound to path parameters, with the value that the place has for them. */
const boundTo = (endpoint: Endpoint, place: ReadonlyMap<string, string>): Json =>
  Object.fromEntries(
    endpoint.bindings.flatMap(({ parameter, field, target }) => {
      const value = place.get(parameter);
      if (value === undefined) return [];
      const bound = target ? { id: toField(value, target, 'id') } : toField(value, endpoint.resource, field);
      return [[field, bound]];
    }),
  );

const rowsAsked = (asked: number | GeneratedRows | undefined): GeneratedRows =>
  typeof asked === 'object' ? asked : { count: asked ?? 0 };

/** A single number is for every collection with rows of its own, and without rows in `data`. */
const askedFor = (
  { data, generate }: MockOptions,
  endpoint: Endpoint,
  { all }: Collections,
): GeneratedRows => {
  if (typeof generate === 'object') return rowsAsked(generate[endpoint.key]);
  const isGiven = all.some(({ key, table }) => table === endpoint.table && data?.[key] !== undefined);
  return rowsAsked(endpoint.shows === undefined && !isGiven ? generate : 0);
};

/**
 * Adds rows that are generated from the schemas.
 *
 * @throws Error for a schema that no row can be generated from, and for a collection that lacks the rows that others need
 */
export const generateRows = (collections: Collections, options: MockOptions, now: number): void => {
  const { seed = 1, generate } = options;
  if (generate === undefined) return;
  const batch: Batch = { collections, ids: new Map(), fromPattern: createFromPattern() };
  const planned = collections.all
    .map((endpoint) => ({ endpoint, ...askedFor(options, endpoint, collections) }))
    .filter(({ count }) => count > 0)
    // Parents first, because the rows of nested collections belong to theirs.
    .toSorted((a, b) => a.endpoint.parameters.length - b.endpoint.parameters.length)
    .map((plan) => {
      const random = createRandom(`${seed}/${plan.endpoint.path}`);
      const reserve = () => reserveIds(plan.endpoint, plan.count, random, batch);
      return { ...plan, random, ids: withPlace(plan.endpoint, reserve) };
    });
  for (const { endpoint, ids, random, row } of planned) {
    const places = placesOf(endpoint, batch);
    if (places.length === 0) {
      const parent = parentOf(endpoint, collections)?.key;
      throw new Error(
        `generate.${endpoint.key}: its rows are below those of the collection ${JSON.stringify(parent)}, which has none; ` +
          `give them in data.${parent} or generate.${parent}`,
      );
    }
    for (const [index, id] of ids.entries()) {
      const place = places[index % places.length] ?? new Map();
      const given = { ...boundTo(endpoint, place), ...row?.(index), id };
      const value = withPlace(endpoint, () =>
        generateRow(endpoint, given, random.fork(String(index)), batch),
      );
      putRows(endpoint.table, [value], now, unboundIn(endpoint, place));
    }
  }
};
