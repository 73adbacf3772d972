import type { output } from 'zod/v4/core';
import type { PartialBody, ResourceBody } from '../query/body.ts';
import type { Result, UnknownResult, Whole } from '../query/result.ts';
import type {
  Collection,
  ExpandPathOf,
  FieldsPathOf,
  OperationOf,
  ParamsOf,
  PathParameterName,
  PathParameters,
  SortPathOf,
} from '../schema/collection.ts';
import type { ApiDeclaration } from '../schema/define-api.ts';
import type { Resource } from '../schema/resource.ts';
import type { Call } from './call.ts';
import type { CallOptions, ConditionalOptions } from './call-options.ts';
import type { BulkResult } from './create-many.ts';
import type { ItemList, ListOptions } from './item-list.ts';
import type { Accepted, Created, Done, NotModified } from './outcome.ts';

type Flat<T> = { [K in keyof T]: T[K] } & {};

/** A list of names given as `fields` or `expand`; undefined when it was not given. */
export type Names<Path extends string> = readonly Path[] | undefined;

type IsKnown<N> = N extends readonly string[] ? (number extends N['length'] ? false : true) : true;
type NameIn<N> = N extends readonly (infer Name extends string)[] ? Name : never;

/** A collection with `get` has resources that can be fetched on their own, which have a `self` (§2.1). */
type HasSelf<C extends Collection> = 'get' extends OperationOf<C> ? true : false;

/** What arrives for a collection's resource, by `fields` and `expand`. */
export type Selected<C extends Collection, F = undefined, E = undefined> =
  IsKnown<E> extends true
    ? F extends readonly (infer Name extends string)[]
      ? IsKnown<F> extends true
        ? Result<C['resource'], Name, NameIn<E>, HasSelf<C>>
        : UnknownResult<C['resource'], NameIn<E>, HasSelf<C>>
      : Result<C['resource'], Whole, NameIn<E>, HasSelf<C>>
    : // Which names were expanded is known at run time only: each nested resource is one or the other.
      Selected<C, F, undefined> | Selected<C, F, readonly [NameIn<E>]>;

type Part<Names, T> = [Names] extends [never] ? unknown : T;

type SelectPart<C extends Collection, F, E> = Part<FieldsPathOf<C>, { readonly fields?: F }> &
  Part<ExpandPathOf<C>, { readonly expand?: E }>;

type SortPart<C extends Collection> = Part<
  SortPathOf<C>,
  { readonly sort?: readonly (SortPathOf<C> | `-${SortPathOf<C>}`)[] | undefined }
>;

type PagingPart<C extends Collection> = C['options'] extends { readonly paging: unknown }
  ? { readonly page?: number | undefined; readonly perPage?: number | undefined }
  : unknown;

type ParamsPart<C extends Collection> = [ParamsOf<C>] extends [never]
  ? unknown
  : Record<never, never> extends ParamsOf<C>
    ? { readonly params?: ParamsOf<C> | undefined }
    : { readonly params: ParamsOf<C> };

/** The query of `get`: what the collection declares of `fields` and `expand`. */
export type SelectQuery<C extends Collection, F = Names<FieldsPathOf<C>>, E = Names<ExpandPathOf<C>>> = Flat<
  SelectPart<C, F, E>
>;

/** The query of `list`: what the collection declares of §4.4, and the endpoint's own parameters. */
export type ListQuery<C extends Collection, F = Names<FieldsPathOf<C>>, E = Names<ExpandPathOf<C>>> = Flat<
  SortPart<C> & SelectPart<C, F, E> & PagingPart<C> & ParamsPart<C>
>;

type IdOf<R extends Resource> = output<R> extends { id: infer Id extends string | number } ? Id : number;

/** An argument that may be left out only when nothing in it is required. */
type Optional<Q> = Record<never, never> extends Q ? [query?: Q] : [query: Q];

interface Operations<C extends Collection> {
  /**
   * The records of the collection: `for await` iterates all, `await` gives the first page. Nothing is sent before.
   *
   * @throws {@link InvalidRequestError} for a query that the declaration does not allow
   */
  list<
    const F extends Names<FieldsPathOf<C>> = undefined,
    const E extends Names<ExpandPathOf<C>> = undefined,
  >(...query: [...Optional<ListQuery<C, F, E>>, options?: ListOptions]): ItemList<Selected<C, F, E>>;

  /**
   * One resource.
   *
   * @throws {@link NotFoundError}
   */
  get<const F extends Names<FieldsPathOf<C>> = undefined, const E extends Names<ExpandPathOf<C>> = undefined>(
    id: IdOf<C['resource']>,
    query?: SelectQuery<C, F, E>,
    options?: CallOptions & { readonly ifNoneMatch?: undefined; readonly modifiedSince?: undefined },
  ): Call<Selected<C, F, E>>;
  /** One resource, unless it is unchanged (§7.1, 304): {@link isNotModified} tells. */
  get<const F extends Names<FieldsPathOf<C>> = undefined, const E extends Names<ExpandPathOf<C>> = undefined>(
    id: IdOf<C['resource']>,
    query: SelectQuery<C, F, E>,
    options: ConditionalOptions,
  ): Call<Selected<C, F, E> | NotModified>;

  /**
   * Creates a resource (POST). It is sent once; see {@link AmbiguousOutcomeError}.
   *
   * @throws {@link ValidationError}
   */
  create(body: ResourceBody<C['resource']>, options?: CallOptions): Call<Created<Selected<C>> | Accepted>;

  /** Replaces an entire resource (PUT). @throws {@link NotFoundError}, {@link ValidationError} */
  replace(
    id: IdOf<C['resource']>,
    body: ResourceBody<C['resource']>,
    options?: CallOptions,
  ): Call<Done | Accepted>;

  /** Updates part of a resource (PATCH). @throws {@link NotFoundError}, {@link ValidationError} */
  update(
    id: IdOf<C['resource']>,
    body: PartialBody<C['resource']>,
    options?: CallOptions,
  ): Call<Done | Accepted>;

  /** Deletes a resource. @throws {@link NotFoundError} */
  delete(id: IdOf<C['resource']>, options?: CallOptions): Call<Done | Accepted>;
}

/** A query under construction. Each step returns another one; a query can be kept and used again. */
export type QueryBuilder<C extends Collection, F = undefined, E = undefined> = BuilderBase<C, F, E> &
  Part<SortPathOf<C>, SortStep<C, F, E>> &
  Part<FieldsPathOf<C>, FieldsStep<C, E>> &
  Part<ExpandPathOf<C>, ExpandStep<C, F>> &
  (C['options'] extends { readonly paging: unknown } ? PagingSteps<C, F, E> : unknown) &
  Part<ParamsOf<C>, ParamsStep<C, F, E>>;

interface BuilderBase<C extends Collection, F, E> {
  /** The query as the object form has it. */
  readonly value: ListQuery<C, F, E>;
  /** The query as it stands in the URL. */
  toString(): string;
  /** The records; as `list` of the collection with this query. */
  list(options?: ListOptions): ItemList<Selected<C, F, E>>;
}
interface SortStep<C extends Collection, F, E> {
  /** Sorts by these fields in this order; a leading `-` is descending. */
  sort(...fields: readonly (SortPathOf<C> | `-${SortPathOf<C>}`)[]): QueryBuilder<C, F, E>;
}
interface FieldsStep<C extends Collection, E> {
  /** Returns only these fields, and `id` and `self`. */
  fields<const F extends readonly FieldsPathOf<C>[]>(...fields: F): QueryBuilder<C, F, E>;
}
interface ExpandStep<C extends Collection, F> {
  /** Returns these nested resources in full. */
  expand<const E extends readonly ExpandPathOf<C>[]>(...names: E): QueryBuilder<C, F, E>;
}
interface PagingSteps<C extends Collection, F, E> {
  /** Starts at this page, from 1. */
  page(number: number): QueryBuilder<C, F, E>;
  /** Asks for this many records per page. */
  perPage(size: number): QueryBuilder<C, F, E>;
}
interface ParamsStep<C extends Collection, F, E> {
  /** Sets the endpoint's own parameters. */
  params(values: ParamsOf<C>): QueryBuilder<C, F, E>;
}

interface BulkOperation<C extends Collection> {
  /**
   * Creates many resources with bulk requests (§8): split ahead by the declared limits, halved on a 413. It resolves
   * with what became of each part, also when some failed; nothing is sent twice.
   *
   * @throws {@link InvalidRequestError} for an item that JSON cannot hold, before anything is sent
   */
  createMany(
    items: readonly ResourceBody<C['resource']>[],
    options?: CallOptions,
  ): Promise<BulkResult<Selected<C>>>;
}

interface Always {
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
