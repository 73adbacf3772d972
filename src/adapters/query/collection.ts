import type { DeclaredEndpoint, ItemList, Operation, Page } from '../../index.ts';
import { createActionQuery, isCacheable, isRead, toAct } from './endpoint.ts';
import {
  type CollectionKey,
  createKeys,
  keysChangedBy,
  type RelatedCollection,
  toParameters,
} from './key.ts';
import type { Change, FetchContext, Written } from './options.ts';
import { loadPage, withoutRepeats } from './pages.ts';

/** The client of a collection; it has the operations that its declaration names. */
export interface CollectionOperations {
  get(id: unknown, query: object): Promise<unknown>;
  list(query: object): ItemList<unknown>;
  query(): { params(params: object): { toString(): string } };
  create(body: unknown): Promise<unknown>;
  replace(id: unknown, body: unknown): Promise<unknown>;
  update(id: unknown, body: unknown): Promise<unknown>;
  delete(id: unknown): Promise<unknown>;
}

interface PageContext extends FetchContext {
  readonly pageParam: string | null;
}

type AnyChange = Change<unknown, unknown>;

/** What the mutation of an action takes. */
type Acted = Readonly<Record<string, unknown>> & { readonly id: unknown };

/** The operation that each of the options needs. */
const operationFor = {
  get: 'get',
  list: 'list',
  pages: 'list',
  create: 'create',
  replace: 'replace',
  update: 'update',
  remove: 'delete',
} as const satisfies Readonly<Record<string, Operation>>;

/** A query of a list. */
interface ListedQuery {
  readonly params?: object;
}

/** The values of each parameter: a string, or several where it is repeated. */
const valuesOf = (parameters: URLSearchParams): object => {
  const names = [...new Set(parameters.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const [value, ...more] = parameters.getAll(name);
      return [name, more.length > 0 ? [value, ...more] : value];
    }),
  );
};

/**
 * A query of a list as its key holds it: with its own parameters as they stand in the URL. A cache writes
 * keys as JSON, which has no bigint, and `{}` for many values of codecs.
 */
const toListed = (client: CollectionOperations, query: ListedQuery = {}): object => {
  const { params } = query;
  if (params === undefined) return query;
  try {
    const written = client.query().params(params).toString();
    return { ...query, params: valuesOf(new URLSearchParams(written)) };
  } catch {
    // The client refuses them when the query runs.
    return { ...query, params: toParameters(params) };
  }
};

// The client retries; retries of both would multiply.
const retry = false;

/**
 * Makes the queries, mutations and keys of a collection.
 *
 * @param related - the collections of the API with the same resource, for whatever path parameters
 * @param actions - those that the collection declares
 */
export const createCollectionQueries = (
  key: CollectionKey,
  client: CollectionOperations,
  related: readonly RelatedCollection[],
  actions: Readonly<Record<string, DeclaredEndpoint>>,
): object => {
  const keys = createKeys(key);
  const list = (query: object): ItemList<unknown> => client.list(query);
  const written = async (call: Promise<unknown>, id?: unknown): Promise<Written<unknown>> => ({
    result: await call,
    invalidates: keysChangedBy(related, id),
  });
  const mutation =
    <V>(name: string, mutationFn: (variables: V) => Promise<Written<unknown>>) =>
    () => ({ mutationKey: keys.kind(name), mutationFn, retry });

  const all: Readonly<Record<keyof typeof operationFor, unknown>> = {
    get: (id: unknown, query?: object) => ({
      queryKey: keys.get(id, query),
      queryFn: async ({ signal }: FetchContext) => client.get(id, { ...query, signal }),
      retry,
    }),
    list: (query?: ListedQuery) => ({
      queryKey: keys.list(toListed(client, query)),
      queryFn: async ({ signal }: FetchContext) => list({ ...query, signal }),
      retry,
    }),
    pages: (query?: ListedQuery) => ({
      queryKey: keys.pages(toListed(client, query)),
      queryFn: async ({ signal, pageParam }: PageContext) => loadPage(list, { ...query, signal }, pageParam),
      initialPageParam: null,
      getNextPageParam: ({ next }: Page<unknown>) => next ?? null,
      getPreviousPageParam: ({ prev }: Page<unknown>) => prev ?? null,
      select: withoutRepeats,
      retry,
    }),
    create: mutation('create', (body: unknown) => written(client.create(body))),
    replace: mutation('replace', ({ id, body }: AnyChange) => written(client.replace(id, body), id)),
    update: mutation('update', ({ id, body }: AnyChange) => written(client.update(id, body), id)),
    remove: mutation('remove', (id: unknown) => written(client.delete(id), id)),
  };
  const action = ([name, endpoint]: readonly [string, DeclaredEndpoint]) => {
    const act = toAct(client, name, endpoint);
    if (isRead(endpoint)) return [name, createActionQuery(keys.kind, name, endpoint, act)];
    return [name, mutation(name, ({ id, ...given }: Acted) => written(act(id, given), id))];
  };
  const declared = Object.entries(operationFor).filter(([, operation]) => Object.hasOwn(client, operation));
  const named = declared.map(([name]) => [name, all[name as keyof typeof operationFor]]);
  const acting = Object.entries(actions).filter(([, endpoint]) => isCacheable(endpoint));
  // An action may have the name of one of the options, which a client does not have.
  const both = { ...Object.fromEntries(acting.map(action)), ...Object.fromEntries(named) };
  return Object.freeze({ ...both, key: keys.kind });
};
