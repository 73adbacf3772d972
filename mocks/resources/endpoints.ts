import { type Operation, versionPrefix } from '../../src/conventions.ts';
import { type Collection, operationsOf } from '../../src/schema/collection.ts';
import type { ApiDeclaration } from '../../src/schema/define-api.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { fieldOf, oncePer, targetOf } from '../../src/schema/zod.ts';
import { createTable, type Row, type Table } from './table.ts';

/** The field of a row that a path parameter selects by: `companies/:companyId/orders` selects by `company.id`. */
export interface Binding {
  readonly parameter: string;
  /** The field of the row. */
  readonly field: string;
  /** The resource that the field relates to; undefined when the field holds the value itself. */
  readonly target: Schema | undefined;
}

/** A declared collection with its rows. */
export interface Endpoint {
  readonly api: ApiDeclaration;
  /** Its key in the declaration. */
  readonly key: string;
  readonly collection: Collection;
  /** The path with its version (§9), for example `v1/orders`. */
  readonly path: string;
  readonly segments: readonly string[];
  readonly resource: Schema;
  readonly operations: ReadonlySet<Operation>;
  readonly table: Table;
  readonly bindings: readonly Binding[];
  /**
   * The endpoint where its rows can be fetched one by one, which `self` names (§2.1); undefined when there is none. If a view
   * is its own home, `self` holds the path parameters of the request.
   */
  readonly home: Endpoint | undefined;
  /** The collections that have rows of a resource, in the order of preference. */
  holdersOf(resource: Schema): readonly Endpoint[];
}

/** A row and its collection. */
export interface Held {
  readonly holder: Endpoint;
  readonly row: Row;
}

/** The row with an id of a resource; undefined when there is none. */
export const findHeld = (from: Endpoint, resource: Schema, id: unknown): Held | undefined => {
  for (const holder of from.holdersOf(resource)) {
    const row = holder.table.rows.get(String(id));
    if (row !== undefined) return { holder, row };
  }
  return undefined;
};

const isParameter = (segment: string): boolean => segment.startsWith(':');

/** Whether a collection has path parameters; then it may show the rows of another one. */
export const isView = ({ segments }: Pick<Endpoint, 'segments'>): boolean => segments.some(isParameter);

const findBindings = (segments: readonly string[], resource: Schema): readonly Binding[] =>
  segments.filter(isParameter).flatMap((segment): readonly Binding[] => {
    const parameter = segment.slice(1);
    const name = parameter.replace(/Id$/, '');
    const related = fieldOf(resource, name);
    if (related !== undefined && fieldOf(related, 'id') !== undefined) {
      return [{ parameter, field: name, target: targetOf(related) }];
    }
    return fieldOf(resource, parameter) === undefined
      ? []
      : [{ parameter, field: parameter, target: undefined }];
  });

/** The collections whose rows can be fetched, which `self` needs; if there are none, those that can only be listed. */
const pickHolders = (endpoints: readonly Endpoint[], resource: Schema): readonly Endpoint[] => {
  const holders = endpoints.filter(
    (endpoint) => endpoint.collection.resource === resource && !isView(endpoint),
  );
  const fetchable = holders.filter((endpoint) => endpoint.operations.has('get'));
  return fetchable.length > 0 ? fetchable : holders;
};

const createEndpoint = (
  api: ApiDeclaration,
  key: string,
  collection: Collection,
  all: readonly Endpoint[],
  hasData: (key: string) => boolean,
): Endpoint => {
  const path = `${versionPrefix}${api.version}/${collection.path}`;
  const segments = path.split('/');
  const { resource } = collection;
  const own = createTable(resource);
  const bindings = findBindings(segments, resource);
  const holdersHere = oncePer((wanted: Schema) =>
    pickHolders(
      all.filter((endpoint) => endpoint.api === api),
      wanted,
    ),
  );
  const holdersOf = oncePer((wanted: Schema) => {
    const here = holdersHere(wanted);
    return here.length > 0 ? here : pickHolders(all, wanted);
  });
  // Rows whose fields have the path parameters belong to the collection that the view shows; others are its own.
  const isBound = bindings.length === segments.filter(isParameter).length;
  // A view shows the rows of another collection, which may be declared after it.
  const findShown = (): Endpoint | undefined => {
    if (!isView({ segments })) return undefined;
    if (!hasData(key)) return holdersOf(resource)[0];
    return isBound ? holdersHere(resource)[0] : undefined;
  };
  return {
    api,
    key,
    collection,
    path,
    segments,
    resource,
    operations: new Set(operationsOf(collection)),
    get table() {
      return findShown()?.table ?? own;
    },
    bindings,
    get home() {
      return [findShown(), this].find((endpoint) => endpoint?.operations.has('get') === true);
    },
    holdersOf,
  };
};

/** @throws Error for two collections at one path: only one of them could be reached */
const checkPaths = (endpoints: readonly Endpoint[]): void => {
  const taken = new Map<string, Endpoint>();
  const describeOwner = ({ api, key }: Endpoint): string =>
    `${JSON.stringify(key)} of ${JSON.stringify(api.name)} ${versionPrefix}${api.version}`;
  for (const endpoint of endpoints) {
    const shape = endpoint.segments.map((segment) => (isParameter(segment) ? ':' : segment)).join('/');
    const other = taken.get(shape);
    if (other !== undefined) {
      throw new Error(
        `The collections ${describeOwner(other)} and ${describeOwner(endpoint)} are both at /${endpoint.path}`,
      );
    }
    taken.set(shape, endpoint);
  }
};

/**
 * The collections of the APIs, each with its table.
 *
 * @throws Error for two of them at one path
 */
export const createEndpoints = (
  apis: readonly ApiDeclaration[],
  hasData: (key: string) => boolean,
): readonly Endpoint[] => {
  const all: Endpoint[] = [];
  for (const api of apis) {
    for (const [key, collection] of Object.entries(api.collections)) {
      all.push(createEndpoint(api, key, collection, all, hasData));
    }
  }
  checkPaths(all);
  return all;
};
