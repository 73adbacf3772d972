import { type Operation, operations, versionPrefix } from '../../src/conventions.ts';
import type { Collection } from '../../src/schema/collection.ts';
import type { ApiDeclaration } from '../../src/schema/define-api.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { type Described, describe } from './schema.ts';
import { createTable, type Row, type Table } from './table.ts';

/** The field of a row that a path parameter selects by: `companies/:companyId/orders` selects by `company.id`. */
export interface Binding {
  readonly parameter: string;
  /** The field of the row. */
  readonly field: string;
  /** The resource that the field relates to; undefined when the field holds the value itself. */
  readonly target: Described | undefined;
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
  readonly resource: Described;
  readonly operations: ReadonlySet<Operation>;
  readonly table: Table;
  readonly bindings: readonly Binding[];
  /**
   * Where its rows can be fetched on their own, which makes their `self` (§2.1); undefined when they cannot. A view that is
   * its own home has it below the parameters of the request.
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
export const isView = ({ segments }: Endpoint): boolean => segments.some(isParameter);

const findBindings = (segments: readonly string[], resource: Described): readonly Binding[] =>
  segments.filter(isParameter).flatMap((segment): readonly Binding[] => {
    const parameter = segment.slice(1);
    const name = parameter.replace(/Id$/, '');
    const related = resource.fields?.get(name);
    if (related?.fields?.has('id') === true) {
      return [{ parameter, field: name, target: related.target && describe(related.target) }];
    }
    return resource.fields?.has(parameter) === true
      ? [{ parameter, field: parameter, target: undefined }]
      : [];
  });

/** Those whose rows can be fetched, which a `self` needs; otherwise those whose rows can only be listed. */
const pickHolders = (endpoints: readonly Endpoint[], resource: Schema): readonly Endpoint[] => {
  const holders = endpoints.filter(
    (endpoint) => endpoint.collection.resource === resource && !isView(endpoint),
  );
  const fetchable = holders.filter((endpoint) => endpoint.operations.has('get'));
  return fetchable.length > 0 ? fetchable : holders;
};

interface Building {
  readonly all: Endpoint[];
  readonly hasData: (key: string) => boolean;
}

const createEndpoint = (
  api: ApiDeclaration,
  key: string,
  collection: Collection,
  { all, hasData }: Building,
): Endpoint => {
  const path = `${versionPrefix}${api.version}/${collection.path}`;
  const segments = path.split('/');
  const resource = describe(collection.resource);
  const hasParameters = segments.some(isParameter);
  const own = createTable(resource);
  const bindings = findBindings(segments, resource);
  const known = new Map<Schema, readonly Endpoint[]>();
  const holdersHere = (wanted: Schema): readonly Endpoint[] =>
    pickHolders(
      all.filter((endpoint) => endpoint.api === api),
      wanted,
    );
  const holdersOf = (wanted: Schema): readonly Endpoint[] => {
    const here = known.get(wanted) ?? holdersHere(wanted);
    const holders = here.length > 0 ? here : pickHolders(all, wanted);
    known.set(wanted, holders);
    return holders;
  };
  // Rows whose fields have the path parameters belong to the collection that the view shows; others are its own.
  const isBound = bindings.length === segments.filter(isParameter).length;
  const findShown = (): Endpoint | undefined => {
    if (!hasParameters) return undefined;
    if (!hasData(key)) return holdersOf(collection.resource)[0];
    return isBound ? holdersHere(collection.resource)[0] : undefined;
  };
  let table: Table | undefined;
  return {
    api,
    key,
    collection,
    path,
    segments,
    resource,
    operations: new Set(collection.options.operations ?? operations),
    // A view has the rows of another collection, which may be declared after it.
    get table() {
      table ??= findShown()?.table ?? own;
      return table;
    },
    bindings,
    get home() {
      const shown = this.table === own ? undefined : findShown();
      return [shown, this].find((endpoint) => endpoint?.operations.has('get') === true);
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
  const building: Building = { all: [], hasData };
  for (const api of apis) {
    for (const [key, collection] of Object.entries(api.collections)) {
      building.all.push(createEndpoint(api, key, collection, building));
    }
  }
  checkPaths(building.all);
  return building.all;
};
