/**
 * Options for TanStack Query 5, as plain data: for React, Vue, Svelte, Solid and Angular alike. Its types
 * need `@tanstack/query-core`, which each of those adapters installs.
 *
 * @module restkin/query
 */

import type { CheckedApi } from '../client/client.ts';
import type { ApiDeclaration, Client, Collection, DeclaredEndpoint } from '../index.ts';
import { type CollectionOperations, createCollectionQueries } from './query/collection.ts';
import { createEndpointQueries, isCacheable, isRead } from './query/endpoint.ts';
import { toParameters } from './query/key.ts';
import type { ApiQueries } from './query/types.ts';

export type { ApiKey, CollectionKey, EndpointKey, QueryKey } from './query/key.ts';
export type {
  Change,
  GetError,
  Handled,
  KeyedMutation,
  KeyedPages,
  KeyedQuery,
  ListError,
  WriteError,
  Written,
} from './query/options.ts';
export type {
  ActionChange,
  ActionQueries,
  ApiQueries,
  CollectionQueries,
  CommonQueries,
  EndpointQueries,
  EndpointVariables,
  KeyedGetQuery,
  KeyedListQuery,
  Queries,
  QueriesByParams,
  QueriesOf,
} from './query/types.ts';

/** The names of the schemes of a client. */
type SchemeOf<C> = C extends Client<infer S> ? S : string;

type ByParameters = (parameters: Readonly<Record<string, string | number>>) => CollectionOperations;

const actionsOf = ({ options }: Collection): Readonly<Record<string, DeclaredEndpoint>> =>
  options.actions ?? {};

/** The field in the path of one resource of a collection. */
const keyOf = ({ options: { key = 'id' } }: Collection): string => key;

/** The GET actions of a collection that queries read. */
const readsOf = (collection: Collection): readonly string[] =>
  Object.entries(actionsOf(collection)).flatMap(([name, endpoint]) =>
    isRead(endpoint) && isCacheable(endpoint) ? [name] : [],
  );

/**
 * Makes the options of TanStack Query for each collection and endpoint of an API. Nothing is sent before a
 * query runs.
 *
 * Keys hold the base URL, the API, its version, the collection or the endpoint, path parameters and the
 * query, and no credentials. A cache belongs to one login: clear the `QueryClient` when another user logs in.
 *
 * @throws `InvalidRequestError` when the client has none of the schemes that the API takes, and a TypeError
 * for anything else than a client
 * @example
 * ```ts
 * const { orders } = queries(client, ordering);
 * const page = await queryClient.fetchQuery(orders.list({ sort: ['-createdAt'], perPage: 50 }));
 * console.log(page.items.length);
 * await queryClient.invalidateQueries({ queryKey: orders.key('list') });
 * ```
 */
export const queries = <const A extends ApiDeclaration, C>(
  client: C extends Client ? C : 'queries takes a client, and then the API: queries(client, api)',
  api: CheckedApi<A, SchemeOf<C>>['api'] & A,
): ApiQueries<A> => {
  // The loop reads the declaration, so it does not need the types of the client, which say the same.
  const anyClient = client as unknown as Client;
  if (typeof anyClient?.api !== 'function')
    throw new TypeError('queries takes a client, and then what defineApi returned');
  const clients = anyClient.api(api) as Readonly<Record<string, unknown>>;
  const apiKey = { baseUrl: anyClient.baseUrl, api: api.name, version: api.version };
  const declared = Object.entries<Collection>(api.collections);
  const entries = declared.map(([name, collection]) => {
    const { path, resource } = collection;
    const actions = actionsOf(collection);
    const key = { ...apiKey, collection: name };
    const related = declared
      .filter(([, other]) => other.resource === resource)
      .map(([name, other]) => ({
        key: { ...apiKey, collection: name },
        reads: readsOf(other),
        hasSameKey: keyOf(other) === keyOf(collection),
      }));
    const connected = clients[name];
    if (!path.includes(':'))
      return [name, createCollectionQueries(key, connected as CollectionOperations, related, actions)];
    return [
      name,
      (parameters: Readonly<Record<string, string | number>>) =>
        createCollectionQueries(
          { ...key, parameters: toParameters(parameters) },
          (connected as ByParameters)(parameters),
          related,
          actions,
        ),
    ];
  });
  const ofEndpoints = createEndpointQueries(apiKey, clients, api.endpoints ?? {});
  return Object.freeze({ ...Object.fromEntries(entries), ...ofEndpoints }) as ApiQueries<A>;
};
