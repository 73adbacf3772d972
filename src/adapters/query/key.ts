/** The API that a key of {@link queries} belongs to. */
export interface ApiKey {
  /** Base URL of the client. It never holds credentials. */
  readonly baseUrl: string;
  /** Name of the API in its declaration. */
  readonly api: string;
  /** Major version of the API (§9). */
  readonly version: number;
}

/** What a key of {@link queries} begins with: the collection that its data comes from. */
export interface CollectionKey extends ApiKey {
  /** Name of the collection in the declaration. */
  readonly collection: string;
  /** The parameters of its path as in the URL. A key without them covers all of their values. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** What a key of an endpoint of {@link queries} begins with. */
export interface EndpointKey extends ApiKey {
  /** Name of the endpoint in the declaration. */
  readonly endpoint: string;
}

/**
 * A key of TanStack Query, as {@link queries} makes it: the collection, the operation or the action, the id
 * or the kind of list, and the query; or the endpoint and what it is called with.
 */
export type QueryKey = readonly [of: CollectionKey | EndpointKey, ...rest: readonly unknown[]];

/** A collection whose data a change makes out of date. */
export interface RelatedCollection {
  readonly key: CollectionKey;
  /** The names of its GET actions. */
  readonly reads: readonly string[];
  /** Whether the same field addresses one resource in the collection that is changed. */
  readonly hasSameKey: boolean;
}

/** The options of a collection's query that change its URL. */
const listNames: readonly string[] = ['sort', 'fields', 'expand', 'page', 'perPage', 'params'];

/**
 * A query as a key holds it.
 *
 * @param names - the options that change its URL
 * @throws TypeError for an option of a call, because two calls that differ in it would have one key
 */
export const toKeyed = (
  query: object = {},
  names: readonly string[] = listNames,
): Readonly<Record<string, unknown>> => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const other = given.find(([name]) => !names.includes(name));
  if (other === undefined) return Object.fromEntries(given);
  throw new TypeError(
    `A query for TanStack Query has no option ${JSON.stringify(other[0])}; it has ${names.join(', ') || 'none'}, and createClient takes the options of all calls`,
  );
};

/** Parameters as a key holds them: 3 and '3' make one URL. */
export const toParameters = (parameters: object): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)]));

/** The keys of a collection's queries. Each begins with the keys that invalidate it. */
export const createKeys = (collection: CollectionKey) => {
  const kind = (name?: string, id?: unknown): QueryKey => [
    collection,
    ...(name === undefined ? [] : [name]),
    ...(id === undefined ? [] : [String(id)]),
  ];
  return {
    kind,
    get: (id: unknown, query?: object): QueryKey => [...kind('get', id), toKeyed(query)],
    list: (query?: object): QueryKey => [...kind('list'), 'page', toKeyed(query)],
    pages: (query?: object): QueryKey => [...kind('list'), 'pages', toKeyed(query)],
  };
};

/**
 * The keys that a change makes out of date: the lists, and unless it is new, the resource and its GET
 * actions. A collection with another `key` has it at an address that is not known: there, it may be any.
 */
export const keysChangedBy = (related: readonly RelatedCollection[], id: unknown): readonly QueryKey[] =>
  related.flatMap(({ key, reads, hasSameKey }) => {
    const { kind } = createKeys(key);
    const ofResource = id === undefined ? [] : ['get', ...reads];
    const address = hasSameKey ? id : undefined;
    return [kind('list'), ...ofResource.map((name) => kind(name, address))];
  });
