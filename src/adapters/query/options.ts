import type { DataTag, InfiniteData } from '@tanstack/query-core';
import type {
  AmbiguousOutcomeError,
  AnyApiError,
  ConnectionError,
  InvalidRequestError,
  Page,
  PagingError,
  TimeoutError,
  TokenRequestError,
  UnexpectedResponseError,
} from '../../index.ts';
import type { QueryKey } from './key.ts';

/** What any call can fail with. */
type CallError = AnyApiError | UnexpectedResponseError | TokenRequestError | InvalidRequestError;

/** What getting one resource through {@link queries} can fail with. */
export type GetError = CallError | TimeoutError | (ConnectionError & { readonly code: 'connection_failed' });

/** What reading a list through {@link queries} can fail with. */
export type ListError = GetError | PagingError;

/** What `create`, `update`, `replace` and `remove` of {@link queries} can fail with. */
export type WriteError = GetError | AmbiguousOutcomeError;

/** What the options of all queries and mutations of {@link queries} have in common. */
export interface Handled<E> {
  /** `false`: the client retries, and retries of both would multiply. */
  readonly retry: false;
  /** Not set. The adapters read the type of `error` from it. */
  readonly throwOnError?: (error: E) => boolean;
}

/** What TanStack Query gives a function that fetches. */
export interface FetchContext {
  readonly signal: AbortSignal;
}

/**
 * Options of a query, for `useQuery`, `useSuspenseQuery`, `fetchQuery`, `prefetchQuery` and
 * `ensureQueryData`; see {@link queries}.
 */
export interface KeyedQuery<T, E> extends Handled<E> {
  /** Tagged with the type of its data, so that `getQueryData` knows it. */
  readonly queryKey: DataTag<QueryKey, T, E>;
  /** Sends the request; the signal of TanStack Query ends it. */
  readonly queryFn: (context: FetchContext) => Promise<T>;
}

/** The data of an infinite query: its pages in their order, and the link to each; null for the first one. */
type Pages<T> = InfiniteData<Page<T>, string | null>;

/**
 * Options of an infinite query, for `useInfiniteQuery`, `useSuspenseInfiniteQuery` and `fetchInfiniteQuery`;
 * see {@link Queries.pages}.
 */
export interface KeyedPages<T, E> extends Handled<E> {
  /** Tagged with the type of its data, so that `getQueryData` knows it. */
  readonly queryKey: DataTag<QueryKey, Pages<T>, E>;
  /** Loads the page that a link leads to; the signal of TanStack Query ends it. */
  readonly queryFn: (context: FetchContext & { readonly pageParam: string | null }) => Promise<Page<T>>;
  /** Null: the first page of the query. */
  readonly initialPageParam: string | null;
  /** The link to the next page; null at the end. */
  readonly getNextPageParam: (last: Page<T>) => string | null;
  /** The link to the previous page; null on the first page, and without totals (§4.5.2). */
  readonly getPreviousPageParam: (first: Page<T>) => string | null;
  /** Leaves out records that an earlier page shows. */
  readonly select: (data: Pages<T>) => Pages<T>;
}

/** What a mutation of {@link Queries.update} takes: the id and the body. */
export interface Change<Id, Body> {
  /** The id of the resource. */
  readonly id: Id;
  /** The body of the request. */
  readonly body: Body;
}

/**
 * What a mutation of {@link queries} returns: the result of the call, and the keys that it makes out of date.
 */
export interface Written<T> {
  /** What the operation of the client returns. */
  readonly result: T;
  /**
   * The keys to invalidate: in each collection of the API with this resource the lists, and the resource that
   * changed. Where another `key` addresses it, its address is not known, and each resource is invalidated.
   */
  readonly invalidates: readonly QueryKey[];
}

/** Options of a mutation, for `useMutation`; see {@link Queries.update}. */
export interface KeyedMutation<T, V, E> extends Handled<E> {
  /** The collection and the operation. */
  readonly mutationKey: QueryKey;
  /** Sends the request once, or as often as the client's policy allows. */
  readonly mutationFn: (variables: V) => Promise<T>;
}
