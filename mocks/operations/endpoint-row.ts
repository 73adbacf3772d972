// The row that a declared endpoint shows, as one of a collection.
import { isObject } from '../../src/options.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import type { MockEndpoint } from '../collections/endpoints.ts';
import type { CollectionRoute, EndpointRoute } from '../collections/routes.ts';
import type { Call, Exchange } from '../exchange.ts';
import { normalise } from '../rows/schema.ts';
import type { Row } from '../rows/store.ts';

/** A request to a declared endpoint. */
export type EndpointCall = Exchange<EndpointRoute>;

/** A request to an action, as one to the resource that the action is below. */
export const toResourceCall = (call: EndpointCall, { idName }: MockEndpoint): Call | undefined => {
  const { route } = call;
  if (idName === undefined || route.collection === undefined) return undefined;
  const { collection, base, parameters } = route;
  const above: CollectionRoute = {
    kind: 'collection',
    collection,
    base,
    parameters: new Map([...parameters].filter(([name]) => collection.parameters.includes(name))),
    id: parameters.get(idName),
    endpointMethods: new Set(),
  };
  return { ...call, route: above };
};

/** A row that a response shows, as one of a collection. */
export interface ShownRow {
  readonly row: Row;
  readonly call: Call;
}

/** The collections of the resource that a response shows, as calls to them: that of an action first. */
export const collectionCallsOf = (
  call: EndpointCall,
  { api, declared }: MockEndpoint,
  above: Call | undefined,
): readonly Call[] => {
  const { response } = declared.options;
  const { base } = call.route;
  const others = call.context.collections.all
    .filter((collection) => collection.api === api)
    .map((collection): Call => {
      const atRoot = {
        parameters: new Map<string, string>(),
        id: undefined,
        endpointMethods: new Set<string>(),
      };
      return { ...call, route: { kind: 'collection', collection, base, ...atRoot } };
    });
  const all = above === undefined ? others : [above, ...others];
  return all.filter(({ route }) => route.collection.declaration.resource === response);
};

/** The stored row that a response shows: that of an action, or else the first one of its resource. */
export const storedRow = (
  calls: readonly Call[],
  above: Call | undefined,
  own: Row | undefined,
): ShownRow | undefined => {
  for (const call of calls) {
    const [first] = call.route.collection.table.rows.values();
    const row = call === above ? own : first;
    if (row !== undefined) return { row, call };
  }
  return undefined;
};

/** What a handler returned, as a row of a collection; undefined where no collection has its resource. */
export const returnedRow = (
  [call]: readonly Call[],
  value: unknown,
  schema: Schema,
): ShownRow | undefined => {
  if (call === undefined || !isObject(value)) return undefined;
  const row = normalise(value, schema, { keepsUnknown: true, takesIds: true });
  if (!isObject(row)) return undefined;
  return { row: { id: row.id as Row['id'], value: row, changedAt: 0, below: new Map() }, call };
};
