import type { output } from 'zod/v4/core';
import type {
  BodiesOf,
  Collection,
  ExpandPathOf,
  FieldsPathOf,
  OperationOf,
  PathParameterName,
  PathParameters,
} from '../schema/collection.ts';
import type { ApiDeclaration } from '../schema/define-api.ts';
import type { Resource } from '../schema/resource.ts';
import type { Call } from './call.ts';
import type { CallOptions, ConditionalOptions, Unconditional } from './call-options.ts';
import type { BulkResult } from './create-many.ts';
import type { ItemList } from './item-list.ts';
import type { Accepted, Done, NotModified } from './outcome.ts';
import type {
  GetRequest,
  Given,
  IsReady,
  ListRequest,
  MayBe,
  Names,
  QueryBuilder,
  Selected,
  SortName,
} from './query-types.ts';

type IdOf<R extends Resource> = output<R> extends { id: infer Id extends string | number } ? Id : number;

/** A query that may be left out only when nothing in it is required. */
type QueryArgument<C extends Collection, Q> = IsReady<C> extends true ? [request?: Q] : [request: Q & {}];

/** What `create` gives: the resource, or also {@link Accepted} where the declaration says `accepts: ['create']`. */
export type Creation<C extends Collection> = C['options'] extends { readonly accepts: readonly 'create'[] }
  ? Selected<C> | Accepted
  : Selected<C>;

/** What can be done with a collection (§4.2); `operations` of its declaration says which of it there is. */
export interface Operations<C extends Collection> {
  /**
   * The records of the collection: `for await` iterates all, `await` gives the first page. Nothing is sent before.
   * The query and the options of the call stand in one object.
   *
   * @throws {@link InvalidRequestError} for a query that the declaration does not allow
   */
  list<
    const F extends Names<FieldsPathOf<C>> = undefined,
    const E extends Names<ExpandPathOf<C>> = undefined,
    const S extends Names<SortName<C>> = undefined,
    Q = unknown,
  >(
    ...request: QueryArgument<C, Given<ListRequest<C, F, E, S>, Q>>
  ): ItemList<Selected<C, MayBe<F, Q, 'fields'>, MayBe<E, Q, 'expand'>>>;

  /**
   * One resource. The query and the options of the call stand in one object.
   *
   * @throws {@link NotFoundError}
   */
  get<
    const F extends Names<FieldsPathOf<C>> = undefined,
    const E extends Names<ExpandPathOf<C>> = undefined,
    Q = unknown,
  >(
    id: IdOf<C['resource']>,
    request?: Given<GetRequest<C, F, E, CallOptions & Unconditional>, Q>,
  ): Call<Selected<C, MayBe<F, Q, 'fields'>, MayBe<E, Q, 'expand'>>>;
  /** One resource, unless it is unchanged (§7.1, 304): {@link isNotModified} tells. */
  get<
    const F extends Names<FieldsPathOf<C>> = undefined,
    const E extends Names<ExpandPathOf<C>> = undefined,
    Q = unknown,
  >(
    id: IdOf<C['resource']>,
    request: Given<GetRequest<C, F, E, ConditionalOptions>, Q> | undefined,
  ): Call<Selected<C, MayBe<F, Q, 'fields'>, MayBe<E, Q, 'expand'>> | NotModified>;
  /** One resource, whole: the last form is the one that `ReturnType` and a function over collections see. */
  get(id: IdOf<C['resource']>): Call<Selected<C>>;

  /** One resource, or undefined when it does not exist (404). It takes what `get` takes. */
  find<
    const F extends Names<FieldsPathOf<C>> = undefined,
    const E extends Names<ExpandPathOf<C>> = undefined,
    Q = unknown,
  >(
    id: IdOf<C['resource']>,
    request?: Given<GetRequest<C, F, E, CallOptions & Unconditional>, Q>,
  ): Call<Selected<C, MayBe<F, Q, 'fields'>, MayBe<E, Q, 'expand'>> | undefined>;
  /** One resource, unless it does not exist or is unchanged (§7.1, 304): {@link isNotModified} tells. */
  find<
    const F extends Names<FieldsPathOf<C>> = undefined,
    const E extends Names<ExpandPathOf<C>> = undefined,
    Q = unknown,
  >(
    id: IdOf<C['resource']>,
    request: Given<GetRequest<C, F, E, ConditionalOptions>, Q> | undefined,
  ): Call<Selected<C, MayBe<F, Q, 'fields'>, MayBe<E, Q, 'expand'>> | NotModified | undefined>;
  /** One resource, whole, or undefined. */
  find(id: IdOf<C['resource']>): Call<Selected<C> | undefined>;

  /**
   * Creates a resource (POST) and gives it as the server created it. It is sent once; see
   * {@link AmbiguousOutcomeError}. Its `Location` is in `withResponse()`.
   *
   * @throws {@link ValidationError}, {@link AcceptedError} for a 202 that the declaration does not name
   */
  create(body: BodiesOf<C>['create'], options?: CallOptions): Call<Creation<C>>;

  /** Replaces an entire resource (PUT). @throws {@link NotFoundError}, {@link ValidationError} */
  replace(
    id: IdOf<C['resource']>,
    body: BodiesOf<C>['replace'],
    options?: CallOptions,
  ): Call<Done | Accepted>;

  /** Updates part of a resource (PATCH). @throws {@link NotFoundError}, {@link ValidationError} */
  update(id: IdOf<C['resource']>, body: BodiesOf<C>['update'], options?: CallOptions): Call<Done | Accepted>;

  /** Deletes a resource. @throws {@link NotFoundError} */
  delete(id: IdOf<C['resource']>, options?: CallOptions): Call<Done | Accepted>;
}

/** What a collection with `bulk` has besides (§8). */
export interface BulkOperation<C extends Collection> {
  /**
   * Creates many resources with bulk requests (§8): split ahead by the declared limits, halved on a 413. It resolves
   * with what became of each part, also when some failed; nothing is sent twice.
   *
   * @throws {@link InvalidRequestError} for an item that JSON cannot hold, before anything is sent
   */
  createMany(
    items: readonly BodiesOf<C>['create'][],
    options?: CallOptions,
  ): Promise<BulkResult<Selected<C>>>;
}

/** What every collection has. */
export interface Always {
  /** The methods of a URI (OPTIONS): of the collection, or of one resource (§4.2). */
  allowedMethods(id?: string | number, options?: CallOptions): Call<readonly string[]>;
}

/** The operations that a collection declares. */
export type CollectionClient<C extends Collection> = Pick<
  Operations<C>,
  OperationOf<C> | ('get' extends OperationOf<C> ? 'find' : never)
> &
  Always &
  (C['options'] extends { readonly bulk: unknown } ? BulkOperation<C> : unknown) &
  ('list' extends OperationOf<C> ? { query(): QueryBuilder<C> } : unknown);

/** A collection whose path has parameters is a function of them. */
export type CollectionOf<C extends Collection> = [PathParameterName<C['path']>] extends [never]
  ? CollectionClient<C>
  : (parameters: PathParameters<C['path']>) => CollectionClient<C>;

/** The collections of an API. */
export type ApiClient<A extends ApiDeclaration> = {
  readonly [K in keyof A['collections']]: CollectionOf<A['collections'][K]>;
};

/** A value, or a promise of it. */
type Eventual<T> = T | PromiseLike<T>;

type FakeResult<R> =
  R extends ItemList<infer Item>
    ? AsyncIterable<Item> | Iterable<Item>
    : R extends Call<infer T>
      ? Eventual<T>
      : R;

/**
 * What a function asks for that is to be tested without a server: the operations of a collection by their results alone,
 * so that the collection itself fits, and so do plain promises and arrays.
 *
 * @example
 * ```ts
 * const shipOne = async ({ update }: Fake<Pick<typeof orders, 'update'>>) => update(7, { status: 'shipped' });
 * await shipOne({ update: async () => ({ outcome: 'done' }) });
 * ```
 */
export type Fake<T> = {
  readonly [K in keyof T]: T[K] extends (...rest: infer Rest) => infer R
    ? (...rest: Rest) => FakeResult<R>
    : T[K];
};
