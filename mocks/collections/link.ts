import type { Schema } from '../../src/schema/types/shape.ts';
import { withReferences } from '../families/relations.ts';
import { createTable, type Row, type Table } from '../rows/store.ts';
import type { Declared } from './declare.ts';

/** A collection with its rows. */
export interface MockCollection extends Declared {
  /** The collection whose rows it shows; undefined when it has rows of its own. */
  readonly shows: MockCollection | undefined;
  readonly table: Table;
}

/** A row and its collection. */
export interface Held {
  readonly holder: MockCollection;
  readonly row: Row;
}

/** The collections of a mock, and which of them owns what. */
export interface Collections {
  readonly all: readonly MockCollection[];
  /** The collections that own the rows of a resource, as an API sees it; the preferred one first. */
  ownersOf(api: Declared['api'], resource: Schema): readonly MockCollection[];
  /** The row with an id of a resource; undefined when there is none. */
  find(api: Declared['api'], resource: Schema, id: unknown): Held | undefined;
}

/** The collection whose GET returns a row of another one, where `self` leads; undefined when none does. */
export const serverOf = (collection: MockCollection): MockCollection | undefined =>
  [collection.shows, collection].find((one) => one?.operations.has('get'));

const hasGet = ({ operations }: Declared): boolean => operations.has('get');

const isRoot = ({ parameters }: Declared): boolean => parameters.length === 0;

/** Those that fulfil a condition, or all of them if none does. */
const preferred = <One>(all: readonly One[], is: (one: One) => boolean): readonly One[] => {
  const chosen = all.filter(is);
  return chosen.length > 0 ? chosen : all;
};

/**
 * The collections that own the rows of each resource, as one API sees it. Only rows of its own API count, if
 * there are some.
 */
type Owners = ReadonlyMap<Schema, readonly MockCollection[]>;

const findOwners = (api: Declared['api'], all: readonly MockCollection[]): Owners => {
  const owners = new Map<Schema, readonly MockCollection[]>();
  for (const { resource } of all) {
    const having = all.filter((one) => one.resource === resource);
    const near = preferred(having, (one) => one.api === api);
    owners.set(resource, preferred(preferred(near, isRoot), hasGet));
  }
  return owners;
};

/**
 * A nested collection shows the rows of the owner at the root, if its rows have a field for each path
 * parameter.
 */
const isShown = (one: Declared, owner: Declared): boolean =>
  owner.api === one.api && isRoot(owner) && !isRoot(one) && one.bindings.length === one.parameters.length;

/** A collection with a table of its own. */
const createOwn = (declared: Declared): MockCollection => ({
  ...declared,
  shows: undefined,
  table: createTable(declared.key, declared.resource),
});

/** Gives each collection its table, and finds the owners of each resource. */
export const linkCollections = (declared: readonly Declared[]): Collections => {
  const own = declared.map(createOwn);
  const owners = new Map<Declared['api'], Owners>();
  for (const { api } of own) owners.set(api, findOwners(api, own));
  // Inside a union, a record or a tuple, a relation leads to the resource as it is declared.
  const ownersOf: Collections['ownersOf'] = (api, resource) => {
    const known = owners.get(api);
    return known?.get(resource) ?? known?.get(withReferences(resource)) ?? [];
  };
  const link = (one: MockCollection): MockCollection => {
    const [owner] = ownersOf(one.api, one.resource);
    if (owner === undefined || !isShown(one, owner)) return one;
    return { ...one, shows: owner, table: owner.table };
  };
  return {
    all: own.map(link),
    ownersOf,
    find: (api, resource, id) => {
      for (const holder of ownersOf(api, resource)) {
        const row = holder.table.rows.get(String(id));
        if (row !== undefined) return { holder, row };
      }
      return undefined;
    },
  };
};
