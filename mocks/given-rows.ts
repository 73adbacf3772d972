import type { ErrorItem } from '../src/conventions/error-body.ts';
import { pathSeparator } from '../src/conventions/parameters.ts';
import { identityFields } from '../src/conventions/resource.ts';
import { type Endpoint, findHeld } from './endpoints.ts';
import { isObject, type Json } from './fields.ts';
import type { MockRow } from './options.ts';
import { type Relation, relationsOf } from './relations.ts';
import { bodySchemaOf, findErrorsNow, normalise } from './validate.ts';

const failAt = (key: string, index: number, problem: string): never => {
  throw new Error(`data.${key}[${index}] does not fit the collection ${JSON.stringify(key)}: ${problem}`);
};

/** A deep copy in the form that goes over the wire: a Date as its ISO 8601 text. */
const copyRow = (row: MockRow): unknown => JSON.parse(JSON.stringify(row));

/** A row that was given, and where. */
export interface Given {
  readonly endpoint: Endpoint;
  readonly index: number;
  readonly value: Json;
}

const describeItem = (item: ErrorItem, path?: string): string => {
  const field = [path, item.field].filter(Boolean).join(pathSeparator);
  return `${field || 'the row'}: ${item.message ?? 'a required field is missing'}`;
};

const readRow = ({ key, resource, collection }: Endpoint, row: MockRow, index: number): Json => {
  const value = normalise(copyRow(row), resource, { keepsUnknown: true, takesIds: true });
  if (!isObject(value)) return failAt(key, index, 'a row is an object');
  const [first] = findErrorsNow(bodySchemaOf(collection.resource), value);
  return first === undefined ? value : failAt(key, index, describeItem(first));
};

/** @throws Error for a row that does not fit, with collection, index and path */
export const readRows = (endpoint: Endpoint, rows: readonly MockRow[]): readonly Given[] => {
  if (!Array.isArray(rows)) throw new TypeError(`data.${endpoint.key} is a list of rows`);
  return rows.map((row, index) => ({ endpoint, index, value: readRow(endpoint, row, index) }));
};

/** @throws Error for an id that two rows of a table have */
export const checkIds = (given: readonly Given[]): void => {
  const ids = new Set<string>();
  for (const { endpoint, index, value } of given) {
    if (value.id === undefined) continue;
    const id = String(value.id);
    if (ids.has(id)) failAt(endpoint.key, index, `id: ${id} is there twice`);
    ids.add(id);
  }
};

const isInFull = (relation: Json): boolean =>
  Object.keys(relation).some((name) => !identityFields.some((own) => own === name));

/** What is wrong with a relation: it leads to no row, and is not given in full; or in full, and does not fit. */
const relationProblem = ({ path, target, value }: Relation, endpoint: Endpoint): string | undefined => {
  if (isInFull(value)) {
    const [first] = findErrorsNow(bodySchemaOf(target), value);
    return first && describeItem(first, path);
  }
  const holders = endpoint.holdersOf(target);
  // Without a row in the other collection there is nothing to compare with.
  const isEmpty = holders.every(({ table }) => table.rows.size === 0);
  if (isEmpty || findHeld(endpoint, target, value.id) !== undefined) return undefined;
  const names = holders.map(({ key }) => JSON.stringify(key)).join(' or ');
  return `${path}: there is no row with the id ${JSON.stringify(value.id)} in ${names}`;
};

/** @throws Error for a row that leads to none, with collection, index and path */
export const checkRelations = (given: readonly Given[]): void => {
  for (const { endpoint, index, value } of given) {
    for (const relation of relationsOf(value, endpoint.resource)) {
      const problem = relationProblem(relation, endpoint);
      if (problem !== undefined) failAt(endpoint.key, index, problem);
    }
  }
};
