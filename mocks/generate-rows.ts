import type { Resource } from '../src/schema/resource.ts';
import type { Endpoint } from './endpoints.ts';
import { isObject, type Json } from './fields.ts';
import { generateFields, generateValue } from './generate-value.ts';
import { type Place, type Related, UngeneratedError } from './generation.ts';
import { createRandom, type Random } from './random.ts';
import { type Id, noteIds, putRow, type Table } from './store.ts';
import { bodySchemaOf, findErrorsNow, fits } from './validate.ts';

/** The ids of each table, of the rows that are there and of those that are to come. */
type Ids = Map<Table, Id[]>;

const attempts = 12;

const fail = ({ key }: Endpoint, path: string, reason: string): never => {
  throw new Error(
    `generate.${key}: the field ${JSON.stringify(path)} of the collection ${JSON.stringify(key)}: ${reason}; ` +
      `give its rows in data.${key}`,
  );
};

const withPlace = <Value>(endpoint: Endpoint, work: () => Value): Value => {
  try {
    return work();
  } catch (error) {
    if (error instanceof UngeneratedError) return fail(endpoint, error.path, error.message);
    throw error;
  }
};

const idsOf = (table: Table, ids: Ids): Id[] => {
  const known = ids.get(table) ?? [...table.rows.values()].map(({ id }) => id);
  ids.set(table, known);
  return known;
};

const relateTo =
  (endpoint: Endpoint, ids: Ids) =>
  (target: Resource, random: Random): Related => {
    const holder = endpoint.related(target);
    if (holder === undefined) return 'unheld';
    const [first, ...more] = idsOf(holder.table, ids);
    return first === undefined ? 'empty' : { id: random.pick([first, ...more]) };
  };

/** Ids first: a row may lead to one that comes after it. */
const reserveIds = (endpoint: Endpoint, count: number, random: Random, ids: Ids): readonly Id[] => {
  const known = idsOf(endpoint.table, ids);
  const taken = new Set(known.map(String));
  const schema = endpoint.resource.fields?.get('id')?.core;
  let last = endpoint.table.lastIds.get(endpoint.resource.core) ?? 0;
  const next = (index: number): Id => {
    last += 1;
    for (const id of [last, String(last)])
      if (schema === undefined || (fits(schema, id) && !taken.has(String(id)))) return id;
    for (let attempt = 0; attempt < attempts && schema !== undefined; attempt += 1) {
      const place: Place = {
        path: 'id',
        random: random.fork(`id ${index} ${attempt}`),
        depth: 0,
        attempt: 0,
        relate: () => 'unheld',
      };
      const id = generateValue(schema, place);
      if ((typeof id === 'string' || typeof id === 'number') && !taken.has(String(id))) return id;
    }
    throw new UngeneratedError('id', `no ${count} different ids can be generated`);
  };
  return Array.from({ length: count }, (_, index) => {
    const id = next(index);
    taken.add(String(id));
    known.push(id);
    return id;
  });
};

const generateRow = (endpoint: Endpoint, id: Id, random: Random, ids: Ids): Json => {
  const { resource } = endpoint.collection;
  const schema = bodySchemaOf(resource);
  let problem: ReturnType<typeof findErrorsNow>[number] | undefined;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const place: Place = {
      path: '',
      random: random.fork(String(attempt)),
      depth: 0,
      attempt: 0,
      relate: relateTo(endpoint, ids),
    };
    // What goes over the wire, as it would come back: no undefined, no -0.
    const value: unknown = JSON.parse(JSON.stringify({ ...generateFields(resource, place), id }));
    [problem] = findErrorsNow(schema, value);
    if (problem === undefined && isObject(value)) return value;
  }
  return fail(
    endpoint,
    problem?.field ?? '',
    `no generated value fits: ${problem?.message ?? 'it is missing'}`,
  );
};

/** A value with generated ones for what it lacks of a resource; always the same for the same place in a table. */
export const completeRow = (endpoint: Endpoint, value: Json): Json => {
  const random = createRandom(`${endpoint.path}/${endpoint.table.rows.size}`);
  const { id: _unused, ...made } = withPlace(endpoint, () => generateRow(endpoint, 0, random, new Map()));
  return { ...made, ...value };
};

/**
 * Adds rows that are generated from the schemas.
 *
 * @throws Error for a schema that no row can be generated from, with collection and path
 */
export const generateRows = (
  endpoints: readonly Endpoint[],
  counts: Readonly<Record<string, number | undefined>>,
  seed: number,
  now: number,
): void => {
  const ids: Ids = new Map();
  const planned = endpoints.flatMap((endpoint) => {
    const count = counts[endpoint.key] ?? 0;
    if (!Number.isSafeInteger(count) || count < 0) {
      throw new RangeError(`generate.${endpoint.key}: a number of rows is a whole number from 0`);
    }
    if (count === 0) return [];
    const random = createRandom(`${seed}/${endpoint.path}`);
    return [
      { endpoint, random, reserved: withPlace(endpoint, () => reserveIds(endpoint, count, random, ids)) },
    ];
  });
  for (const { endpoint, random, reserved } of planned) {
    const rows = reserved.map((id, index) =>
      withPlace(endpoint, () => generateRow(endpoint, id, random.fork(String(index)), ids)),
    );
    for (const row of rows) noteIds(endpoint.table, row, endpoint.resource);
    for (const row of rows) putRow(endpoint.table, row, now);
  }
};
