import type { Collection } from '../../schema/collection.ts';
import type { NameKey, ParamsOf } from '../../schema/types/declared.ts';
import type { ItemList, ListOptions } from '../item-list.ts';
import type { TakesNames } from './arguments.ts';
import type { IsQueryOptional, PartKey, QueryParts, ShownName } from './query.ts';
import type { Selected } from './selected.ts';

/**
 * A query under construction, from the `query()` of a collection: the steps that its declaration supports.
 * Each returns a new builder, so a query can be kept and reused. `CanList` is false until `params` has given
 * the required parameters.
 */
export type QueryBuilder<
  C extends Collection,
  F = undefined,
  E = undefined,
  CanList extends boolean = IsQueryOptional<C>,
> = Pick<
  QuerySteps<C, F, E, CanList>,
  | 'value'
  | 'toString'
  | (CanList extends true ? 'list' : never)
  | PartKey<C>
  | ([ParamsOf<C>] extends [never] ? never : 'params')
>;

/**
 * The rest parameters of a step of {@link QueryBuilder} such as `sort('name')`: the names `N` of the call, or
 * those that the collection has, if `N` has others. No value has the type `N & undefined`: that member is
 * there only so that the compiler infers `N` from the call, and the other one is what it checks.
 */
export type QueryStepArguments<C extends Collection, K extends NameKey, N> =
  | (N & undefined)
  | CheckedNames<C, K, N>['names'];

// The result is read from a property for the reason that `Expected` has.
type CheckedNames<C extends Collection, K extends NameKey, N> = N extends unknown
  ? false extends TakesNames<C, K, N>
    ? { readonly names: readonly ShownName<C, K>[] }
    : { readonly names: readonly string[] }
  : never;

/** All steps of a query, with the names of `fields` and `expand` that it has so far. */
interface QuerySteps<C extends Collection, F, E, CanList extends boolean> {
  /** The query as an object. */
  readonly value: Omit<Partial<QueryParts<C, 'list'>>, 'fields' | 'expand'> &
    (F extends undefined ? unknown : { readonly fields: F }) &
    (E extends undefined ? unknown : { readonly expand: E });
  /** The query string, as in the URL. */
  toString(): string;
  /** The records of this query, as from `list` of the collection. */
  list(options?: ListOptions): ItemList<Selected<C, F, E>>;
  /** Sorts by these fields in this order; a leading `-` is descending. */
  sort<const S extends readonly string[]>(
    ...fields: QueryStepArguments<C, 'sort', S>
  ): QueryBuilder<C, F, E, CanList>;
  /** Returns only these fields, and `id` and `self`. */
  fields<const N extends readonly string[]>(
    ...fields: QueryStepArguments<C, 'fields', N>
  ): QueryBuilder<C, N, E, CanList>;
  /** Returns these nested resources in full. With `fields`, name them there too. */
  expand<const N extends readonly string[]>(
    ...names: QueryStepArguments<C, 'expand', N>
  ): QueryBuilder<C, F, N, CanList>;
  /** Starts at this page, from 1. */
  page(number: number): QueryBuilder<C, F, E, CanList>;
  /** Asks for this many records per page. */
  perPage(size: number): QueryBuilder<C, F, E, CanList>;
  /** Sets the endpoint's own parameters. */
  params(values: ParamsOf<C>): QueryBuilder<C, F, E, true>;
}
