import type {
  Collection,
  ExpandPathOf,
  FieldsPathOf,
  ParamsOf,
  SortPathOf,
} from '../../schema/collection.ts';
import type { ItemList, ListOptions } from '../item-list.ts';
import type { CheckedNames, IsReady, SortName } from './query.ts';
import type { Fetched } from './selected.ts';

/**
 * Names in the program, which an editor offers, or strings that are known at run time only. `string & {}` keeps the names
 * from vanishing in `string`.
 */
type Names<Path extends string> = readonly (Path | (string & {}))[];

/** A query under construction. Each step returns another one; a query can be kept and used again. */
export type QueryBuilder<
  C extends Collection,
  F = undefined,
  E = undefined,
  Ready extends boolean = IsReady<C>,
> = Pick<QuerySteps<C, F, E, Ready>, StepOf<C>>;

/** The steps that a collection declares. */
type StepOf<C extends Collection> =
  | 'value'
  | 'toString'
  | 'list'
  | ([SortPathOf<C>] extends [never] ? never : 'sort')
  | ([FieldsPathOf<C>] extends [never] ? never : 'fields')
  | ([ExpandPathOf<C>] extends [never] ? never : 'expand')
  | (C['options'] extends { readonly paging: unknown } ? 'page' | 'perPage' : never)
  | ([ParamsOf<C>] extends [never] ? never : 'params');

/** The query of a builder as the object form has it. */
export type BuiltQuery<C extends Collection, F, E> = (F extends undefined
  ? unknown
  : { readonly fields: F }) &
  (E extends undefined ? unknown : { readonly expand: E }) &
  Pick<QueryParts<C>, Extract<StepOf<C>, keyof QueryParts<C>>>;

interface QueryParts<C extends Collection> {
  readonly sort?: readonly SortName<C>[] | undefined;
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
  readonly params?: ParamsOf<C> | undefined;
}

/** The steps of a query, of which a collection has those that it declares. */
export interface QuerySteps<C extends Collection, F, E, Ready extends boolean> {
  /** The query as the object form has it. */
  readonly value: BuiltQuery<C, F, E>;
  /** The query as it stands in the URL. */
  toString(): string;
  /** The records; as `list` of the collection with this query. */
  list(
    this: Ready extends true ? unknown : `${C['path']} needs params() first`,
    options?: ListOptions,
  ): ItemList<Fetched<C, { readonly fields: F; readonly expand: E }>>;
  /** Sorts by these fields in this order; a leading `-` is descending. */
  sort<const S extends Names<SortName<C>>>(
    ...fields: CheckedNames<S, SortName<C>, `${C['path']} cannot be sorted by`>
  ): QueryBuilder<C, F, E, Ready>;
  /** Returns only these fields, and `id` and `self`. */
  fields<const F extends Names<FieldsPathOf<C>>>(
    ...fields: CheckedNames<F, FieldsPathOf<C>, `${C['path']} has no field`>
  ): QueryBuilder<C, F, E, Ready>;
  /** Returns these nested resources in full. */
  expand<const E extends Names<ExpandPathOf<C>>>(
    ...names: CheckedNames<E, ExpandPathOf<C>, `${C['path']} cannot expand`>
  ): QueryBuilder<C, F, E, Ready>;
  /** Starts at this page, from 1. */
  page(number: number): QueryBuilder<C, F, E, Ready>;
  /** Asks for this many records per page. */
  perPage(size: number): QueryBuilder<C, F, E, Ready>;
  /** Sets the endpoint's own parameters. */
  params(values: ParamsOf<C>): QueryBuilder<C, F, E, true>;
}
