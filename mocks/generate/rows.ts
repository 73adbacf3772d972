import { isObject } from '../../src/options.ts';
import { coreOf, fieldOf } from '../../src/schema/zod.ts';
import { boundFields, type Collections, type Endpoint, parameterOf } from '../collections/link.ts';
import type { PathParameters } from '../collections/routes.ts';
import type { GeneratedRows, MockOptions } from '../options.ts';
import { bodySchemaOf, fits, type Json, normalise, parse } from '../rows/schema.ts';
import { type Id, putRows, type Table } from '../rows/store.ts';
import { createRandom, type Random } from './random.ts';
import { generateFields, generateValue, type Place, UngeneratedError } from './value.ts';

const attempts = 12;

/** What the rows of one call have in common. */
interface Batch {
  readonly collections: Collections;
  /** The ids of each table: of its rows, and of those that are about to be generated. */
  readonly ids: Map<Table, Id[]>;
}

/** @throws Error for an {@link UngeneratedError}, with its collection */
const withCollection = <Value>({ key }: Endpoint, work: () => Value): Value => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UngeneratedError)) throw error;
    throw new Error(
      `generate.${key}: the field ${JSON.stringify(error.path)} of the collection ${JSON.stringify(key)}: ${error.message}; ` +
        `give its rows in data.${key}, or the field in generate.${key}.row`,
    );
  }
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
  const last = endpoint.table.lastIds.get(endpoint.resource) ?? 0;
  const isFree = (id: unknown): id is Id =>
    (typeof id === 'string' || typeof id === 'number') && fits(schema, id) && !taken.has(String(id));
  return Array.from({ length: count }, (_, index) => {
    const number = last + index + 1;
    let id: unknown = [number, String(number)].find(isFree);
    for (let attempt = 0; id === undefined && attempt < attempts; attempt += 1) {
      const place = placeOf(endpoint, random.fork(`id ${index} ${attempt}`), batch);
      const made = generateValue(schema, { ...place, name: 'id', path: 'id' });
      if (isFree(made)) id = made;
    }
    if (!isFree(id)) throw new UngeneratedError('id', `no ${count} different ids can be generated`);
    taken.add(String(id));
    known.push(id);
    return id;
  });
};

/** @throws {@link UngeneratedError} when no generated row fits */
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
  throw new UngeneratedError(field, `no generated value fits: ${problem}`);
};

/** Adds generated values for the fields that a body lacks. They depend only on the path and the number of rows. */
export const completeRow = (endpoint: Endpoint, value: Json, collections: Collections): Json => {
  const random = createRandom(`${endpoint.path}/${endpoint.table.rows.size}`);
  const place = placeOf(endpoint, random, { collections, ids: new Map() });
  const made = withCollection(endpoint, () => generateFields(endpoint.resource, place, { id: 0, ...value }));
  return { ...made, ...value };
};

/**
 * The path parameters of the rows of a nested collection: of each row of its parent in turn.
 *
 * @throws Error for a parent without rows
 */
const placesOf = (endpoint: Endpoint, { all }: Collections): readonly PathParameters[] => {
  const { key, segments, parameters, api } = endpoint;
  const name = parameters.at(-1);
  const path = segments.slice(0, segments.lastIndexOf(`:${name}`)).join('/');
  const parent = all.find((one) => one.api === api && one.path === path);
  if (name === undefined || parent === undefined) return [new Map()];
  const rows = [...parent.table.rows.values()];
  if (rows.length === 0)
    throw new Error(
      `generate.${key}: its rows are below those of the collection ${JSON.stringify(parent.key)}, which has none; ` +
        `give them in data.${parent.key} or generate.${parent.key}`,
    );
  return rows.map((row) => {
    const above = parent.parameters.map((one) => [one, parameterOf(row, parent, one) ?? ''] as const);
    return new Map([...above, [name, String(row.id)]]);
  });
};

/** A single number is for every collection with rows of its own, and without rows in `data`. */
const askedFor = (
  { data, generate }: MockOptions,
  { key, table, shows }: Endpoint,
  { all }: Collections,
): GeneratedRows => {
  const isGiven = () => all.some((one) => one.table === table && data?.[one.key] !== undefined);
  const asked =
    typeof generate === 'object' ? generate[key] : shows !== undefined || isGiven() ? 0 : generate;
  return typeof asked === 'object' ? asked : { count: asked ?? 0 };
};

/**
 * Adds rows that are generated from the schemas.
 *
 * @throws Error for a schema that no row can be generated from, and for a collection that lacks the rows that others need
 */
export const generateRows = (collections: Collections, options: MockOptions, now: number): void => {
  const { seed = 1 } = options;
  const batch: Batch = { collections, ids: new Map() };
  const planned = collections.all
    .map((endpoint) => ({ endpoint, ...askedFor(options, endpoint, collections) }))
    .filter(({ count }) => count > 0)
    // Parents first, because the rows of nested collections belong to theirs.
    .toSorted((a, b) => a.endpoint.parameters.length - b.endpoint.parameters.length)
    .map((plan) => {
      const random = createRandom(`${seed}/${plan.endpoint.path}`);
      const ids = withCollection(plan.endpoint, () => reserveIds(plan.endpoint, plan.count, random, batch));
      return { ...plan, random, ids };
    });
  for (const { endpoint, ids, random, row } of planned) {
    const places = placesOf(endpoint, collections);
    for (const [index, id] of ids.entries()) {
      const place = places[index % places.length] ?? new Map();
      const given = { ...boundFields(endpoint, place, collections), ...row?.(index), id };
      const value = withCollection(endpoint, () =>
        generateRow(endpoint, given, random.fork(String(index)), batch),
      );
      putRows(endpoint.table, [value], now, place);
    }
  }
};
