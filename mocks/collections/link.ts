import { type Operation, versionPrefix } from '../../src/conventions.ts';
import { isObject } from '../../src/options.ts';
import { type Collection, operationsOf, parameterNamesOf } from '../../src/schema/collection.ts';
import type { ApiDeclaration } from '../../src/schema/define-api.ts';
import { isIdentityField } from '../../src/schema/resource.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { fieldOf, targetOf } from '../../src/schema/zod.ts';
import { Refusal } from '../message.ts';
import { type Json, toField } from '../rows/schema.ts';
import { createTable, type Row, type Table } from '../rows/store.ts';

/** The field of a row that a path parameter selects by: `companies/:companyId/orders` selects by `company.id`. */
export interface Binding {
  readonly parameter: string;
  /** The field of the row. */
  readonly field: string;
  /** The resource in the field, as a relation or in full; undefined when the field holds the value itself. */
  readonly held: Schema | undefined;
}

/** A declared collection, as plain data. One with path parameters is nested. */
export interface Declared {
  readonly api: ApiDeclaration;
  /** Its key in the declaration. */
  readonly key: string;
  readonly collection: Collection;
  /** The path with its version (§9), for example `v1/orders`. */
  readonly path: string;
  readonly segments: readonly string[];
  /** The names of the path parameters. */
  readonly parameters: readonly string[];
  readonly resource: Schema;
  readonly operations: ReadonlySet<Operation>;
  readonly bindings: readonly Binding[];
}

const bindingOf = (parameter: string, resource: Schema): readonly Binding[] => {
  const name = parameter.replace(/Id$/, '');
  const related = fieldOf(resource, name);
  if (related !== undefined && fieldOf(related, 'id') !== undefined)
    return [{ parameter, field: name, held: related }];
  // In `companies/:id/orders` it is the id of the company.
  const isField = !isIdentityField(parameter) && fieldOf(resource, parameter) !== undefined;
  return isField ? [{ parameter, field: parameter, held: undefined }] : [];
};

const declareOne = (api: ApiDeclaration, key: string, collection: Collection): Declared => {
  const path = `${versionPrefix}${api.version}/${collection.path}`;
  const { resource } = collection;
  const parameters = parameterNamesOf(path);
  return {
    api,
    key,
    collection,
    path,
    segments: path.split('/'),
    parameters,
    resource,
    operations: new Set(operationsOf(collection)),
    bindings: parameters.flatMap((parameter) => bindingOf(parameter, resource)),
  };
};

/** The path with one name for all parameters. */
const shapeOf = ({ path }: Declared): string => path.replace(/:\w+/g, ':');

/**
 * The collections of the APIs.
 *
 * @throws Error for two of them at one path: only one of them could be reached
 */
export const declareCollections = (apis: readonly ApiDeclaration[]): readonly Declared[] => {
  const all = apis.flatMap((api) =>
    Object.entries(api.collections).map(([key, collection]) => declareOne(api, key, collection)),
  );
  for (const one of all) {
    const other = all.find((before) => shapeOf(before) === shapeOf(one));
    if (other === one || other === undefined) continue;
    const names = [other, one].map(({ api, key }) => `"${key}" of "${api.name}"`);
    throw new Error(`The collections ${names.join(' and ')} are both at /${one.path}`);
  }
  return all;
};

/** A collection with its rows. */
export interface Endpoint extends Declared {
  /** The collection whose rows it shows; undefined when it has rows of its own. */
  readonly shows: Endpoint | undefined;
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
}

const hasGet = ({ operations }: Declared): boolean => operations.has('get');

const isRoot = ({ parameters }: Declared): boolean => parameters.length === 0;

/** Those that fulfil a condition, or all of them if none does. */
const preferred = <One>(all: readonly One[], is: (one: One) => boolean): readonly One[] => {
  const chosen = all.filter(is);
  return chosen.length > 0 ? chosen : all;
};

/** The collection at the root with the resource of a nested one, if its rows have a field for each path parameter. */
const shownBy = (one: Declared, all: readonly Endpoint[]): Endpoint | undefined => {
  if (isRoot(one) || one.bindings.length < one.parameters.length) return undefined;
  const roots = all.filter(
    (other) => isRoot(other) && other.resource === one.resource && other.api === one.api,
  );
  return preferred(roots, hasGet)[0];
};

/** Gives each collection its table, and finds the collections of a resource. */
export const linkCollections = (declared: readonly Declared[]): Collections => {
  const own = declared.map((one) => ({ ...one, shows: undefined, table: createTable(one.resource) }));
  const all = own.map((one): Endpoint => {
    const shows = shownBy(one, own);
    return shows === undefined ? one : { ...one, shows, table: shows.table };
  });
  const owners = all.filter(({ shows }) => shows === undefined);
  const holdersOf: Collections['holdersOf'] = ({ api }, resource) => {
    const having = owners.filter((one) => one.resource === resource);
    const near = preferred(having, (one) => one.api === api);
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
  };
};

/**
 * The path parameter that a row belongs to: by its field, or else by where it was created. Empty if the field has no value,
 * undefined for a row that belongs to any.
 */
export const parameterOf = (
  { value, below }: Row,
  { bindings }: Declared,
  name: string,
): string | undefined => {
  const bound = bindings.find(({ parameter }) => parameter === name);
  if (bound === undefined) return below.get(name);
  const held = value[bound.field];
  return String((isObject(held) ? held.id : held) ?? '');
};

/** Whether a row belongs to the path parameters of a request. */
export const isBelow = (row: Row, declared: Declared, parameters: ReadonlyMap<string, string>): boolean =>
  declared.parameters.every((name) => {
    const given = parameters.get(name);
    return given === undefined || given === (parameterOf(row, declared, name) ?? given);
  });

/**
 * The fields of a row that belongs below a path: `companies/3/orders` sets the company.
 *
 * @param value - the row without them; a nested resource in full gets the id of the path
 * @throws {@link Refusal} 404 for a path that names an unknown resource
 */
export const boundFields = (
  endpoint: Endpoint,
  parameters: ReadonlyMap<string, string>,
  collections: Collections,
  value: Json,
): Json => {
  const entries = endpoint.bindings.flatMap(({ parameter, field, held }) => {
    const given = parameters.get(parameter);
    if (given === undefined) return [];
    if (held === undefined) return [[field, toField(given, endpoint.resource, field)] as const];
    const target = targetOf(held);
    const old = value[field];
    if (target === undefined)
      return isObject(old) ? [[field, { ...old, id: toField(given, held, 'id') }] as const] : [];
    const [holder] = collections.holdersOf(endpoint, target);
    const row = collections.find(endpoint, target, given)?.row;
    if (holder !== undefined && row === undefined)
      throw new Refusal(404, `There is no ${holder.key} resource with the id ${JSON.stringify(given)}`);
    return [[field, { id: row?.id ?? toField(given, target, 'id') }] as const];
  });
  return Object.fromEntries(entries);
};
