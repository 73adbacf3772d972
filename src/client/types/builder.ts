import type { Collection } from '../../schema/collection.ts';
import type { ParamsOf } from '../../schema/types/declared.ts';
import type { ItemList, ListOptions } from '../item-list.ts';
import type { Arguments, IsReady, PartOf, PartsOf } from './query.ts';
import type { Selected } from './selected.ts';

/**
 * A query under construction, from the `query()` of a collection. Each step returns a new
 * builder, so a query can be kept and reused.
 */
export type QueryBuilder<
  C extends Collection,
  F = undefined,
  E = undefined,
  Ready extends boolean = IsReady<C>,
> = Pick<QuerySteps<C, F, E, Ready>, StepOf<C> | (Ready extends true ? 'list' : never)>;

/** The steps that a collection declares. */
type StepOf<C extends Collection> =
  | 'value'
  | 'toString'
  | PartOf<C>
  | ([ParamsOf<C>] extends [never] ? never : 'params');

/** The query of a builder as an object. */
export type BuiltQuery<C extends Collection, F, E> = Omit<Partial<PartsOf<C, 'list'>>, 'fields' | 'expand'> &
  (F extends undefined ? unknown : { readonly fields: F }) &
  (E extends undefined ? unknown : { readonly expand: E });

/**
 * The steps of a query. A collection has the steps that its declaration supports.
 *
 * @example
 * ```ts
 * const recent = orders.query().sort('-createdAt').fields('status').perPage(100);
 * for await (const { status } of recent.list()) console.log(status);
 * ```
 */
export interface QuerySteps<C extends Collection, F, E, Ready extends boolean> {
  /** The query as an object. */
  readonly value: BuiltQuery<C, F, E>;
  /** The query string, as in the URL. */
  toString(): string;
  /** The records of this query, as from `list` of the collection. */
  list(options?: ListOptions): ItemList<Selected<C, F, E>>;
  /** Sorts by these fields in this order; a leading `-` is descending. */
  sort<const S extends readonly string[]>(...fields: Arguments<C, 'sort', S>): QueryBuilder<C, F, E, Ready>;
  /** Returns only these fields, and `id` and `self`. */
  fields<const F extends readonly string[]>(
    ...fields: Arguments<C, 'fields', F>
  ): QueryBuilder<C, F, E, Ready>;
  /** Returns these nested resources in full. */
  expand<const E extends readonly string[]>(
    ...names: Arguments<C, 'expand', E>
  ): QueryBuilder<C, F, E, Ready>;
  /** Starts at this page, from 1. */
  page(number: number): QueryBuilder<C, F, E, Ready>;
  /** Asks for this many records per page. */
  perPage(size: number): QueryBuilder<C, F, E, Ready>;
  /** Sets the endpoint's own parameters. */
  params(values: ParamsOf<C>): QueryBuilder<C, F, E, true>;
}
