import type { BodyPart, EndpointArguments, UrlInput } from '../../client/types/endpoint.ts';
import type { IsQueryOptional, QueryParts } from '../../client/types/query.ts';
import type {
  Accepted,
  ApiDeclaration,
  ClientOf,
  Collection,
  DeclaredBy,
  Done,
  EndpointResult,
  IdOf,
  Operations,
  OptionalQueryArguments,
  Page,
  ReadResult,
  RequiredQueryArguments,
  WriteResult,
} from '../../index.ts';
import type { AnyEndpoint } from '../../schema/endpoint.ts';
import type { BodiesOf, OperationOf } from '../../schema/types/declared.ts';
import type { QueryKey } from './key.ts';
import type {
  Change,
  GetError,
  KeyedMutation,
  KeyedPages,
  KeyedQuery,
  ListError,
  WriteError,
  Written,
} from './options.ts';

/**
 * What `list` and `pages` of {@link queries} take: the query. Options of a call are not part of a key;
 * `createClient` takes them for all calls.
 */
export type KeyedListQuery<C extends Collection> = QueryParts<C, 'list'>;

/** What `get` of {@link queries} takes after the id: `fields` and `expand`. */
export type KeyedGetQuery<C extends Collection> = QueryParts<C, 'get'>;

/**
 * The options of TanStack Query for a collection. It has those that `operations` of its declaration allows.
 */
export interface Queries<C extends Collection> {
  /** One resource. */
  get<const A extends readonly unknown[] = []>(
    id: IdOf<C>,
    ...query: OptionalQueryArguments<C, 'get', A>
  ): KeyedQuery<ReadResult<C, A>, GetError>;

  /** One page of the list: the first, or the one that `page` says. For a table with pages. */
  list<const A extends readonly unknown[] = []>(
    ...query: OptionalQueryArguments<C, 'list', A>
  ): KeyedQuery<Page<ReadResult<C, A>>, ListError>;

  /**
   * The pages of the list for an infinite query, from the first one or the one that `page` says. It continues
   * forwards, and with totals also backwards. A record that insertions move to a later page is shown once.
   *
   * @example
   * ```ts
   * const { orders } = queries(client, ordering);
   * // In React: useInfiniteQuery(orders.pages({ perPage: 50 }))
   * const { pages } = await queryClient.fetchInfiniteQuery(orders.pages({ perPage: 50 }));
   * console.log(pages[0]?.items.length); // 50
   * ```
   */
  pages<const A extends readonly unknown[] = []>(
    ...query: OptionalQueryArguments<C, 'list', A>
  ): KeyedPages<ReadResult<C, A>, ListError>;

  /** Creates a resource (POST); the variables are its body. */
  create(): KeyedMutation<
    Written<Awaited<ReturnType<Operations<C>['create']>>>,
    BodiesOf<C>['create'],
    WriteError
  >;

  /** Replaces an entire resource (PUT). */
  replace(): KeyedMutation<Written<WriteResult<C>>, Change<IdOf<C>, BodiesOf<C>['replace']>, WriteError>;

  /**
   * Updates part of a resource (PATCH).
   *
   * @example
   * ```ts
   * import { MutationObserver } from '@tanstack/query-core';
   *
   * const { orders } = queries(client, ordering); // in React: useMutation(orders.update())
   * const mutation = new MutationObserver(queryClient, orders.update());
   * await mutation.mutate({ id: 7, body: { status: 'shipped' } });
   * ```
   */
  update(): KeyedMutation<Written<WriteResult<C>>, Change<IdOf<C>, BodiesOf<C>['update']>, WriteError>;

  /** Deletes a resource; the variables are its id. */
  remove(): KeyedMutation<Written<Done | Accepted>, IdOf<C>, WriteError>;
}

/** `list` and `pages` of {@link queries} for a collection that declares a required parameter. */
export interface QueriesByParams<C extends Collection> {
  /** One page of the list for the parameters; see {@link Queries.list}. */
  list<const A extends readonly unknown[] = []>(
    ...query: RequiredQueryArguments<C, A>
  ): KeyedQuery<Page<ReadResult<C, A>>, ListError>;
  /** The pages of the list for the parameters; see {@link Queries.pages}. */
  pages<const A extends readonly unknown[] = []>(
    ...query: RequiredQueryArguments<C, A>
  ): KeyedPages<ReadResult<C, A>, ListError>;
}

/** A GET whose result is an unread `Response`, which a cache cannot share. */
type Unread = { readonly method: 'GET'; readonly options: { readonly as: 'response' } };

type DeclaredActions<C extends Collection> = C['options'] extends { readonly actions: infer Declared }
  ? Declared
  : Record<never, never>;

/** The names of the GET actions of a collection that queries read. */
type ReadActionOf<C extends Collection, Declared = DeclaredActions<C>> = keyof {
  [K in keyof Declared & string as Declared[K] extends Unread
    ? never
    : Declared[K] extends { readonly method: 'GET' }
      ? K
      : never]: never;
};

/** Nothing has to be given where nothing is required. */
// biome-ignore lint/suspicious/noConfusingVoidType: TanStack Query calls without variables for `void` alone
type Variables<Input> = Record<never, never> extends Input ? Input | void : Input;

/** What the mutation of an endpoint takes: the parameters of its path, `query` and `body`. */
export type EndpointVariables<E extends AnyEndpoint> = Variables<UrlInput<E> & BodyPart<E>>;

/**
 * What the mutation of an action takes: the `id` of the resource, and the rest as {@link EndpointVariables}.
 */
export type ActionChange<C extends Collection, E extends AnyEndpoint> = {
  /** The id of the resource. */
  readonly id: IdOf<C>;
} & UrlInput<E> &
  BodyPart<E>;

/**
 * What {@link queries} returns for the endpoints of an API: a query for a GET, and a mutation for any other.
 * A GET with `as: 'response'` has none, because a cache shares what it holds, and a body is read once.
 *
 * A mutation invalidates what is read with GET at the same path.
 */
export type EndpointQueries<Declared> = {
  readonly [K in keyof Declared as Declared[K] extends Unread
    ? never
    : K]: Declared[K] extends infer E extends AnyEndpoint
    ? E['method'] extends 'GET'
      ? <const A extends readonly unknown[] = []>(
          ...given: EndpointArguments<E, A, UrlInput<E>>
        ) => KeyedQuery<EndpointResult<E, A>, GetError>
      : () => KeyedMutation<Written<EndpointResult<E>>, EndpointVariables<E>, WriteError>
    : never;
};

/** As {@link EndpointQueries}, for the actions of a collection; a query takes the id first. */
export type ActionQueries<C extends Collection, Declared = DeclaredActions<C>> = {
  readonly [K in keyof Declared as Declared[K] extends Unread
    ? never
    : K]: Declared[K] extends infer E extends AnyEndpoint
    ? E['method'] extends 'GET'
      ? <const A extends readonly unknown[] = []>(
          id: IdOf<C>,
          ...given: EndpointArguments<E, A, UrlInput<E>>
        ) => KeyedQuery<EndpointResult<E, A>, GetError>
      : () => KeyedMutation<Written<EndpointResult<E>>, ActionChange<C, E>, WriteError>
    : never;
};

/** What {@link queries} returns for every collection. */
export interface CommonQueries<C extends Collection> {
  /**
   * The start of every key of the collection; with `'list'` of its lists, with `'get'` of its resources, and
   * with the name of a GET action of its results, whatever their query.
   */
  key(kind?: 'list' | 'get' | ReadActionOf<C>): QueryKey;
  /** The start of every key of one resource, or of a GET action of it, whatever its query. */
  key(kind: 'get' | ReadActionOf<C>, id: IdOf<C>): QueryKey;
}

/** The names of the options for each operation of a collection. */
interface NamesOf {
  readonly list: 'list' | 'pages';
  readonly get: 'get';
  readonly create: 'create';
  readonly replace: 'replace';
  readonly update: 'update';
  readonly delete: 'remove';
}

/** The queries, mutations and keys that {@link queries} returns for a collection. */
export type CollectionQueries<C extends Collection> = Pick<
  Queries<C>,
  NamesOf[IsQueryOptional<C> extends true ? OperationOf<C> : Exclude<OperationOf<C>, 'list'>]
> &
  DeclaredBy<C> &
  CommonQueries<C> &
  Omit<ActionQueries<C>, NamesOf[OperationOf<C>] | 'key'> &
  (IsQueryOptional<C> extends true ? unknown : 'list' extends OperationOf<C> ? QueriesByParams<C> : unknown);

/** The {@link queries} of a collection. Where its path has parameters, it is a function of them. */
export type QueriesOf<C extends Collection> =
  ClientOf<C> extends (parameters: infer Parameters) => unknown
    ? (parameters: Parameters) => CollectionQueries<C>
    : CollectionQueries<C>;

/**
 * What {@link queries} returns for an API: its collections and endpoints. Of a union of APIs, those that all
 * have.
 */
export type ApiQueries<A extends ApiDeclaration> = A extends unknown
  ? { readonly [K in keyof A['collections']]: QueriesOf<A['collections'][K]> } & (A extends {
      readonly endpoints: infer Declared;
    }
      ? EndpointQueries<Declared>
      : unknown)
  : never;
