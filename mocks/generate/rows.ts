import { pathSeparator } from '../../src/conventions.ts';
import { toInvalidOption } from '../../src/options.ts';
import { checksOf, fieldOf, fieldsOf } from '../../src/schema/zod.ts';
import { addressOf, rowAt } from '../collections/address.ts';
import type { Collections, MockCollection } from '../collections/link.ts';
import { boundFields, parameterOf } from '../collections/parents.ts';
import type { PathParameters } from '../collections/routes.ts';
import type { MockOptions } from '../options.ts';
import { listedStringsOf } from '../query/listed.ts';
import type { Id } from '../rows/id.ts';
import { fits, parse } from '../rows/parse.ts';
import { bodySchemaOf, hasLinkedRelations, type Json, normalise } from '../rows/schema.ts';
import { putRows, type Table } from '../rows/store.ts';
import { generateAddresses, type TakenAddresses, takenAddresses } from './address.ts';
import { createRandom, type Random } from './random.ts';
import { requestedFields } from './requested.ts';
import { generateFields } from './value.ts';
import {
  createValueContext,
  forkContext,
  GenerationError,
  makeUntilFits,
  type ValueContext,
} from './value-context.ts';

/** The ids that relations to the rows of a table may have. */
type IdsOf = (table: Table) => readonly Id[];

const storedIds: IdsOf = ({ rows }) => [...rows.values()].map(({ id }) => id);

/** The context of the rows of a collection, whose relations are `{ id }`. */
const contextOfRows = (
  collection: MockCollection,
  collections: Collections,
  idsOf: IdsOf,
  random: Random,
): ValueContext =>
  createValueContext({
    key: collection.key,
    random,
    listed: listedStringsOf(collection, collections),
    addedLater: ['id', 'self'],
    relate: (target, draw) => {
      const [owner] = collections.ownersOf(collection.api, target);
      if (owner === undefined) return { kind: 'noCollection' };
      const ids = idsOf(owner.table);
      const id = ids[draw.int(0, ids.length - 1)];
      return id === undefined ? { kind: 'noRows', collection: owner.key } : { kind: 'row', value: { id } };
    },
  });

/**
 * Completes the body of a POST with generated values for the required fields that it lacks, as a server does
 * that sets them. They depend only on the path and the number of rows.
 */
export const addMissingFields = (collection: MockCollection, body: Json, collections: Collections): Json => {
  const { resource, path, table } = collection;
  const random = createRandom(`${path}/${table.rows.size}`);
  const context = contextOfRows(collection, collections, storedIds, random);
  const optional = Object.entries(fieldsOf(resource) ?? {}).filter(([, field]) => fits(field, undefined));
  const taken = takenAddresses(collection, collections);
  const addresses = generateAddresses(collection, taken, (name) => Object.hasOwn(body, name), context);
  const skipped = ['id', ...optional.map(([name]) => name), ...Object.keys({ ...addresses, ...body })];
  return { ...generateFields(resource, context, new Set(skipped)), ...addresses, ...body };
};

/**
 * The path parameters of the rows of a nested collection: of each row of its parent in turn.
 *
 * @throws `InvalidRequestError` for a parent without rows
 */
const parametersFor = (collection: MockCollection, { all }: Collections): readonly PathParameters[] => {
  const { key, segments, parameters, api } = collection;
  const name = parameters.at(-1);
  const path = segments.slice(0, segments.lastIndexOf(`:${name}`)).join('/');
  const parent = all.find((one) => one.api === api && one.path === path);
  if (name === undefined || parent === undefined) return [new Map()];
  const rows = [...parent.table.rows.values()];
  if (rows.length === 0)
    throw toInvalidOption(
      `createMock: generate.${key}: the collection "${parent.key}" above it has no rows; generate them too`,
    );
  return rows.map((row) => {
    const above = parent.parameters.flatMap((one) => {
      const value = parameterOf(row, parent, one);
      return value === undefined ? [] : [[one, value] as const];
    });
    return new Map([...above, [name, addressOf(row, parent) ?? '']]);
  });
};

/** True where fields that fit one by one may not fit together. */
const isCheckedAsWhole = ({ resource, bindings }: MockCollection, given: Json): boolean => {
  const hasRefinement = checksOf(resource).length > 1;
  const hasGivenFields = Object.keys(given).some((name) => name !== 'id');
  return hasRefinement || hasGivenFields || bindings.length > 0 || hasLinkedRelations(resource);
};

/**
 * A whole row.
 *
 * @param given - fields that are not generated
 * @param parameters - path parameters, which set further fields
 * @param taken - what other rows have in their paths
 * @throws {@link GenerationError} when no generated row fits
 */
const generateRow = (
  collection: MockCollection,
  given: Json,
  parameters: PathParameters,
  taken: TakenAddresses,
  context: ValueContext,
): Json => {
  const { resource } = collection;
  const isChecked = isCheckedAsWhole(collection, given);
  const skipped = new Set(Object.keys({ ...boundFields(collection, parameters, {}), ...given }));
  const make = (own: ValueContext): Json => {
    const addresses = generateAddresses(collection, taken, (name) => skipped.has(name), own);
    const others = generateFields(resource, own, new Set([...skipped, ...Object.keys(addresses)]));
    const made = { ...others, ...addresses };
    const row = { ...made, ...boundFields(collection, parameters, made), ...given };
    // The resource is an object schema, so that the normalised row is an object too.
    return isChecked ? (normalise(row, resource, { keepsUnknown: true, takesIds: true }) as Json) : row;
  };
  return makeUntilFits(context, make, (row) => {
    const [error] = isChecked ? parse(bodySchemaOf(resource), row).errors : [];
    if (error === undefined) return undefined;
    const { field, message = 'it is missing' } = error;
    const [name = ''] = field.split(pathSeparator);
    const isGiven = name !== 'id' && Object.hasOwn(given, name);
    const schema = fieldOf(resource, name);
    // A refinement of the whole row may name a given field that is valid on its own.
    if (isGiven && schema !== undefined && !fits(bodySchemaOf(schema), row[name]))
      throw toInvalidOption(
        `createMock: generate.${collection.key}.row gives an invalid "${field}": ${message}`,
      );
    const reason = isGiven ? 'the given value fits with no generated ones' : 'no generated value fits';
    return { path: field, reason: `${reason}: ${message}` };
  });
};

/** @throws `InvalidRequestError` for a given address that another row below the same path has */
const checkFree = (collection: MockCollection, given: Json, parameters: PathParameters): void => {
  const { key, keyField } = collection;
  const address = addressOf({ value: given }, collection);
  if (address !== undefined && rowAt(collection, address, parameters) !== undefined)
    throw toInvalidOption(`createMock: generate.${key}.row: the ${keyField} ${address} is a duplicate`);
};

/**
 * @throws {@link GenerationError} for a schema that no row can be generated from, and `InvalidRequestError` for
 * a given field that does not fit
 */
const fillTables = (collections: Collections, options: MockOptions, now: number): void => {
  const ids = new Map(collections.all.map(({ table }) => [table, storedIds(table)]));
  const idsOf: IdsOf = (table) => ids.get(table) ?? [];
  // The ids of all rows come first, because a row may refer to a later one.
  const planned = collections.all.map((collection) => {
    const random = createRandom(`${options.seed ?? 1}/${collection.path}`);
    const context = contextOfRows(collection, collections, idsOf, random);
    const stored = idsOf(collection.table);
    const given = requestedFields(collection, options, stored, context);
    // Their type is checked with the row.
    ids.set(collection.table, [...stored, ...given.map(({ id }) => id as Id)]);
    return { collection, given, context };
  });
  // Collections with fewer path parameters come first: the rows of a nested one name a row of its parent.
  const parentsFirst = planned.toSorted(
    (a, b) => a.collection.parameters.length - b.collection.parameters.length,
  );
  for (const { collection, given, context } of parentsFirst) {
    const parents = given.length > 0 ? parametersFor(collection, collections) : [];
    const taken = takenAddresses(collection, collections);
    // A generated address is none that a later row is given.
    for (const fields of given) for (const [name, of] of taken) of.add(fields[name]);
    for (const [index, fields] of given.entries()) {
      const parameters = parents[index % parents.length] ?? new Map<string, string>();
      checkFree(collection, fields, parameters);
      const row = generateRow(collection, fields, parameters, taken, forkContext(context, String(index)));
      for (const [name, of] of taken) of.add(row[name]);
      putRows(collection.table, [row], now, parameters);
    }
  }
};

/**
 * Fills the tables of a new mock with as many generated rows as its option `generate` asks for.
 *
 * @throws `InvalidRequestError` for a schema that no row can be generated from
 */
export const generateRows = (collections: Collections, options: MockOptions, now: number): void => {
  try {
    fillTables(collections, options, now);
  } catch (error) {
    throw error instanceof GenerationError ? toInvalidOption(`createMock: ${error.message}`) : error;
  }
};
