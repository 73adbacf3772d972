import { isObject } from '../../src/options.ts';
import { coreOf, fieldOf } from '../../src/schema/zod.ts';
import type { MockOptions } from '../options.ts';
import { parameterNames } from '../query/read-query.ts';
import type { Endpoint } from '../resources/endpoints.ts';
import { bodySchemaOf, findErrorsNow, fits, type Json } from '../resources/schema.ts';
import { type Id, putRows, type Table } from '../resources/table.ts';
import { bindFaker, createRandom, type Random } from './random.ts';
import { createRealistic, type Realistic } from './realistic.ts';
import { generateFields, generateValue, type Place, type Related, UngeneratedError } from './value.ts';

/** The ids of each table: of its rows, and of those that are about to be generated. */
type Ids = Map<Table, Id[]>;

const attempts = 12;

/** What the rows of one call have in common. */
interface Batch {
  readonly ids: Ids;
  readonly realistic: Realistic | undefined;
}

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

/** The place of a whole row, from which its fields derive theirs. */
const placeOf = (endpoint: Endpoint, random: Random, { ids, realistic }: Batch): Place => {
  const { options } = endpoint.collection;
  const name = endpoint.segments.findLast((segment) => !segment.startsWith(':')) ?? '';
  return {
    name,
    path: '',
    owner: { name, fields: [], random },
    filters: new Set(parameterNames(options.params)),
    random,
    depth: 0,
    assignsIds: true,
    attempt: 0,
    realistic,
    relate: (target, draw): Related => {
      const holder = endpoint.holdersOf(target)[0];
      if (holder === undefined) return 'unheld';
      const [first, ...more] = idsOf(holder.table, ids);
      return first === undefined ? 'empty' : { id: draw.pick([first, ...more]) };
    },
  };
};

/** Reserves the ids of all rows before any row is made, because a row may refer to a later one. */
const reserveIds = (endpoint: Endpoint, count: number, random: Random, batch: Batch): readonly Id[] => {
  const known = idsOf(endpoint.table, batch.ids);
  const taken = new Set(known.map(String));
  const field = fieldOf(endpoint.resource, 'id');
  const schema = field && coreOf(field);
  let last = endpoint.table.lastIds.get(endpoint.resource) ?? 0;
  const next = (index: number): Id => {
    last += 1;
    for (const id of [last, String(last)])
      if (schema === undefined || (fits(schema, id) && !taken.has(String(id)))) return id;
    for (let attempt = 0; attempt < attempts && schema !== undefined; attempt += 1) {
      const place = placeOf(endpoint, random.fork(`id ${index} ${attempt}`), batch);
      const id = generateValue(schema, { ...place, name: 'id', path: 'id' });
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

const generateRow = (endpoint: Endpoint, id: Id, random: Random, batch: Batch): Json => {
  const { resource } = endpoint.collection;
  const schema = bodySchemaOf(resource);
  let problem: ReturnType<typeof findErrorsNow>[number] | undefined;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const place = placeOf(endpoint, random.fork(String(attempt)), batch);
    // As it goes over the wire, without undefined and -0.
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

/** Adds generated values for the fields that a body lacks. They depend only on the path and the number of rows. */
export const completeRow = (endpoint: Endpoint, value: Json): Json => {
  const random = createRandom(`${endpoint.path}/${endpoint.table.rows.size}`);
  const { id: _unused, ...made } = withPlace(endpoint, () =>
    generateRow(endpoint, 0, random, { ids: new Map(), realistic: undefined }),
  );
  return { ...made, ...value };
};

/**
 * Adds rows that are generated from the schemas.
 *
 * @param counts - how many, by collection key
 * @throws Error for a schema that no row can be generated from, with collection and path
 * @throws RangeError for an invalid number of rows
 */
export const generateRows = (
  endpoints: readonly Endpoint[],
  counts: ReadonlyMap<string, number | undefined>,
  { seed = 1, faker }: Pick<MockOptions, 'seed' | 'faker'>,
  now: number,
): void => {
  const isAsked = [...counts.values()].some((count) => count !== undefined && count > 0);
  const withFaker = isAsked ? bindFaker(faker) : undefined;
  const batch: Batch = { ids: new Map(), realistic: withFaker && createRealistic(withFaker, seed) };
  const planned = endpoints.flatMap((endpoint) => {
    const count = counts.get(endpoint.key) ?? 0;
    if (!Number.isSafeInteger(count) || count < 0) {
      throw new RangeError(`generate.${endpoint.key}: must be an integer from 0`);
    }
    if (count === 0) return [];
    const random = createRandom(`${seed}/${endpoint.path}`);
    return [
      { endpoint, random, reserved: withPlace(endpoint, () => reserveIds(endpoint, count, random, batch)) },
    ];
  });
  for (const { endpoint, random, reserved } of planned) {
    const rows = reserved.map((id, index) =>
      withPlace(endpoint, () => generateRow(endpoint, id, random.fork(String(index)), batch)),
    );
    putRows(endpoint.table, rows, now);
  }
};
