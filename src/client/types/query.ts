// What `list` and `get` of a collection take by its declaration. `arguments.ts` compares a call with it.
import type { Collection, ExpandPath } from '../../schema/collection.ts';
import type { Resource } from '../../schema/resource.ts';
import type { NameKey, ParamsOf, PathOf } from '../../schema/types/declared.ts';
import type { PagingKey } from '../../schema/types/family.ts';
import type { ListOptions } from '../item-list.ts';
import type { ConditionalOptions } from '../options.ts';

/** The parts of a query that a collection may declare, apart from `params`, by the names that each takes. */
type Parts<Sort, Field, Expand> = {
  /** Sorts by these fields in this order; a leading `-` is descending (§4.4). */
  readonly sort?: readonly Sort[] | undefined;
  /** Returns only these fields, and `id` and `self` (§4.4). */
  readonly fields?: readonly Field[] | undefined;
  /** Returns these nested resources in full (§4.4). With `fields`, name them there too. */
  readonly expand?: readonly Expand[] | undefined;
  /** Starts at this page, from 1 (§4.5.3). */
  readonly page?: number | undefined;
  /** Asks for this many records per page (§4.5.3). */
  readonly perPage?: number | undefined;
};

/** The parts of a query with any strings as names. */
export type AnyParts = Parts<string, string, string>;

/** The names that `sort`, `fields` or `expand` takes: `'name' | '-name'` for `sort: ['name']`. */
export type NameOf<C extends Collection, K extends NameKey> = K extends 'sort'
  ? PathOf<C, K> | `-${PathOf<C, K>}`
  : PathOf<C, K>;

/**
 * The names that a compiler's message shows: as {@link NameOf}, or a sentence where there are none.
 * `& string` makes the compiler show the names instead of an alias.
 */
export type ShownName<C extends Collection, K extends NameKey> = [NameOf<C, K>] extends [never]
  ? `"${C['path']}" declares no names for ${K}`
  : NameOf<C, K> & string;

/** The parts of a query as a compiler's message about a wrong one shows them. */
export type ShownParts<C extends Collection> = Parts<
  ShownName<C, 'sort'>,
  ShownName<C, 'fields'>,
  ShownName<C, 'expand'>
>;

/** The keys of the parts that a collection declares, apart from `params`: `'sort' | 'page' | 'perPage'`. */
export type PartKey<C extends Collection> =
  | Extract<keyof C['options'], NameKey>
  | (C['options'] extends { readonly paging: unknown } ? PagingKeyOf<C> : never);

/** The parts of paging that a collection takes: those that its family has a name for. */
type PagingKeyOf<C extends Collection> = C extends { readonly pagedBy: readonly (infer P)[] } ? P : PagingKey;

/** `params` of a list: absent where the collection declares none, optional where none of them is required. */
export type ParamsPart<C extends Collection> = [ParamsOf<C>] extends [never]
  ? unknown
  : IsQueryOptional<C> extends true
    ? { readonly params?: ParamsOf<C> | undefined }
    : { readonly params: ParamsOf<C> };

/** Whether `list()` can be called without a query: none of the endpoint's own parameters is required. */
export type IsQueryOptional<C extends Collection> = [ParamsOf<C>] extends [never]
  ? true
  : Record<never, never> extends ParamsOf<C>
    ? true
    : false;

/**
 * The query of an operation, apart from the options of the call. With {@link AnyParts} it takes any strings
 * as names.
 */
export type QueryParts<
  C extends Collection,
  O extends 'list' | 'get',
  P extends AnyParts = Parts<NameOf<C, 'sort'>, NameOf<C, 'fields'>, NameOf<C, 'expand'>>,
> = O extends 'list' ? Pick<P, PartKey<C>> & ParamsPart<C> : Pick<P, PartKey<C> & ('fields' | 'expand')>;

/**
 * What `list` takes: the declared parameters of §4.4, the endpoint's own parameters, and the options of a
 * list.
 */
export type ListQuery<C extends Collection> = QueryParts<C, 'list'> & ListOptions;

/** What `get` takes: `fields` and `expand` as the collection declares them, and the options of the call. */
export type GetQuery<C extends Collection> = QueryParts<C, 'get'> & ConditionalOptions;

/** A resource as a collection, for {@link Client.follow}. */
export type ResourceAsCollection<R extends Resource> = Collection<
  'the resource',
  R,
  { readonly fields: true; readonly expand: readonly ExpandPath<R>[] }
>;
