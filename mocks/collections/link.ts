import { isObject } from '../../src/options.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { createTable, type Row, type Table } from '../rows/store.ts';
import type { Declared } from './declare.ts';

/** A collection with its rows. */
export interface Endpoint extends Declared {
  /** The collection whose rows it shows; undefined when it has rows of its own. */
  readonly shows: Declared | undefined;
  readonly table: Table;
}

/** A row and its collection. */
export interface Held {
  readonly holder: Endpoint;
  readonly row: Row;
}

/** The collections of a mock, and which of them serves what. */
export interface Collections {
  readonly all: readonly Endpoint[];
  /** The collections that have rows of a resource, of the same API if it has some; the preferred one first. */
  holdersOf(from: Declared, resource: Schema): readonly Endpoint[];
  /** The row with an id of a resource; undefined when there is none. */
  find(from: Declared, resource: Schema, id: unknown): Held | undefined;
  /** Where the rows of a collection can be fetched one by one, which `self` names (§2.1). */
  homeOf(endpoint: Endpoint): Endpoint | undefined;
}

const hasGet = ({ operations }: Declared): boolean => operations.has('get');

const isRoot = ({ parameters }: Declared): boolean => parameters.length === 0;

/** All of them if none fulfils the condition. */
const preferred = <One>(all: readonly One[], is: (one: One) => boolean): readonly One[] => {
  const chosen = all.filter(is);
  return chosen.length > 0 ? chosen : all;
};

/**
 * A nested collection shows the rows of the collection at the root that has its resource, unless it is given rows whose
 * fields do not hold the path parameters.
 */
const shownBy = (
  one: Declared,
  declared: readonly Declared[],
  hasData: (key: string) => boolean,
): Declared | undefined => {
  if (isRoot(one)) return undefined;
  const roots = declared.filter((other) => isRoot(other) && other.resource === one.resource);
  const here = roots.filter(({ api }) => api === one.api);
  const [first] = preferred(here, hasGet);
  if (hasData(one.key)) return one.bindings.length === one.parameters.length ? first : undefined;
  return first ?? preferred(roots, hasGet)[0];
};

/**
 * Gives each collection its table, and says which serves which resource.
 *
 * @param hasData - whether rows are given for the collections with a key
 */
export const linkCollections = (
  declared: readonly Declared[],
  hasData: (key: string) => boolean,
): Collections => {
  const tables = new Map(declared.map((one) => [one, createTable(one.resource)]));
  const all = declared.map((one): Endpoint => {
    const shows = shownBy(one, declared, hasData);
    return { ...one, shows, table: tables.get(shows ?? one) ?? createTable(one.resource) };
  });
  const holdersOf = (from: Declared, resource: Schema): readonly Endpoint[] => {
    const owners = all.filter((one) => one.shows === undefined && one.resource === resource);
    const near = preferred(owners, ({ api }) => api === from.api);
    return preferred(preferred(near, isRoot), hasGet);
  };
  return {
    all,
    holdersOf,
    find: (from, resource, id) => {
      for (const holder of holdersOf(from, resource)) {
        const row = holder.table.rows.get(String(id));
        if (row !== undefined) return { holder, row };
      }
      return undefined;
    },
    homeOf: (endpoint) => {
      const shown = all.find(({ table, shows }) => shows === undefined && table === endpoint.table);
      return [shown, endpoint].find((one) => one?.operations.has('get'));
    },
  };
};

/** The id of a relation, or the value itself. */
const idIn = (value: unknown): unknown => (isObject(value) ? value.id : value);

/** The path parameters of a row: those that it was created with, and those that its fields hold. */
export const parametersOf = ({ value, below }: Row, { bindings }: Declared): ReadonlyMap<string, string> => {
  const known = bindings.flatMap(({ parameter, field }) => {
    const id = idIn(value[field]) ?? undefined;
    return id === undefined ? [] : [[parameter, String(id)] as const];
  });
  return new Map([...below, ...known]);
};

/** Whether a row belongs to the path parameters of a request: by its fields, or else by where it was created. */
export const isBelow = (
  { value, below }: Row,
  { bindings }: Declared,
  parameters: ReadonlyMap<string, string>,
): boolean =>
  bindings.every(({ parameter, field }) => String(idIn(value[field])) === parameters.get(parameter)) &&
  [...below].every(([name, place]) => (parameters.get(name) ?? place) === place);

/** The path parameters that no field of a resource holds. */
export const unboundIn = (
  { parameters: names, bindings }: Declared,
  parameters: ReadonlyMap<string, string>,
): Row['below'] =>
  new Map(
    [...parameters].filter(
      ([name]) => names.includes(name) && !bindings.some(({ parameter }) => parameter === name),
    ),
  );
