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

/**
 * A key of TanStack Query, as {@link queries} makes it: the collection, the operation, the id or the kind of
 * list, and the query.
 */
export type QueryKey = readonly [collection: CollectionKey, ...rest: readonly unknown[]];

/** The options of a query that change its URL. */
const keyed: ReadonlySet<string> = new Set(['sort', 'fields', 'expand', 'page', 'perPage', 'params']);

/**
 * A query as a key holds it.
 *
 * @throws TypeError for an option of a call, because two calls that differ in it would have one key
 */
const toKeyed = (query: object = {}): Readonly<Record<string, unknown>> => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const other = given.find(([name]) => !keyed.has(name));
  if (other === undefined) return Object.fromEntries(given);
  throw new TypeError(
    `A query for TanStack Query has no option ${JSON.stringify(other[0])}; it has ${[...keyed].join(', ')}, and createClient takes the options of all calls`,
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

/** The keys that a change of a resource makes out of date: its lists, and the resource unless it is new. */
export const keysChangedBy = (collections: readonly CollectionKey[], id: unknown): readonly QueryKey[] =>
  collections
    .map(createKeys)
    .flatMap(({ kind }) => [kind('list'), ...(id === undefined ? [] : [kind('get', id)])]);
