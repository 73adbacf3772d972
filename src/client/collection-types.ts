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
import type { CallOptions, ConditionalOptions } from './call-options.ts';
import type { BulkResult } from './create-many.ts';
import type { ItemList, ListOptions } from './item-list.ts';
import type { Accepted, Created, Done, NotModified } from './outcome.ts';
import type {
  Given,
  IsReady,
  ListQuery,
  MayBe,
  Names,
  QueryBuilder,
  Selected,
  SelectQuery,
  SortName,
} from './query-types.ts';

type IdOf<R extends Resource> = output<R> extends { id: infer Id extends string | number } ? Id : number;

/** A query that may be left out only when nothing in it is required. */
type QueryArgument<C extends Collection, Q> = IsReady<C> extends true ? [query?: Q] : [query: Q & {}];

/** What can be done with a collection (§4.2); `operations` of its declaration says which of it there is. */
export interface Operations<C extends Collection> {
  /**
   * The records of the collection: `for await` iterates all, `await` gives the first page. Nothing is sent before.
   *
   * @throws {@link InvalidRequestError} for a query that the declaration does not allow
   */
  list<
    const F extends Names<FieldsPathOf<C>> = undefined,
    const E extends Names<ExpandPathOf<C>> = undefined,
    const S extends Names<SortName<C>> = undefined,
    Q = unknown,
  >(
    ...query: [...QueryArgument<C, Given<ListQuery<C, F, E, S>, Q>>, options?: ListOptions]
  ): ItemList<Selected<C, MayBe<F, Q, 'fields'>, MayBe<E, Q, 'expand'>>>;

  /**
   * One resource.
   *
   * @throws {@link NotFoundError}
   */
  get<
    const F extends Names<FieldsPathOf<C>> = undefined,
    const E extends Names<ExpandPathOf<C>> = undefined,
    Q = unknown,
  >(
    id: IdOf<C['resource']>,
    query?: Given<SelectQuery<C, F, E>, Q>,
    options?: CallOptions & { readonly ifNoneMatch?: undefined; readonly modifiedSince?: undefined },
  ): Call<Selected<C, MayBe<F, Q, 'fields'>, MayBe<E, Q, 'expand'>>>;
  /** One resource, unless it is unchanged (§7.1, 304): {@link isNotModified} tells. */
  get<
    const F extends Names<FieldsPathOf<C>> = undefined,
    const E extends Names<ExpandPathOf<C>> = undefined,
    Q = unknown,
  >(
    id: IdOf<C['resource']>,
    query: Given<SelectQuery<C, F, E>, Q> | undefined,
    options: ConditionalOptions | undefined,
  ): Call<Selected<C, MayBe<F, Q, 'fields'>, MayBe<E, Q, 'expand'>> | NotModified>;
  /** One resource, whole: the last form is the one that `ReturnType` and a function over collections see. */
  get(id: IdOf<C['resource']>): Call<Selected<C>>;

  /**
   * Creates a resource (POST). It is sent once; see {@link AmbiguousOutcomeError}.
   *
   * @throws {@link ValidationError}
   */
  create(body: BodiesOf<C>['create'], options?: CallOptions): Call<Created<Selected<C>> | Accepted>;

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
export type CollectionClient<C extends Collection> = Pick<Operations<C>, OperationOf<C>> &
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
