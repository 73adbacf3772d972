import type { Perhaps, Result, Unlisted, Whole } from '../query/result.ts';
import type {
  Collection,
  ExpandPathOf,
  FieldsPathOf,
  OperationOf,
  ParamsOf,
  SortPathOf,
} from '../schema/collection.ts';
import type { ItemList, ListOptions } from './item-list.ts';

type Flat<T> = { [K in keyof T]: T[K] } & {};

/**
 * A list of names: the declared ones, which an editor offers, or texts that are known at run time only. `string & {}`
 * keeps the names from vanishing in `string`.
 */
export type NameList<Path extends string> = readonly (Path | (string & {}))[];
/** {@link NameList} that may be left out. */
export type Names<Path extends string> = NameList<Path> | undefined;

type Name<N> = N extends readonly (infer Given extends string)[] ? Given : never;

/** Each given name as it is, or, in place of a wrong one, what is wrong with it: the compiler's message quotes it. */
type Checked<N, Path extends string, Problem extends string> = {
  readonly [I in keyof N]: CheckedName<N[I], Path, Problem>;
};

/** The list itself when every name is right: so that one of several lists is inferred as that, and not as one of them. */
type Right<N, Path extends string> = IsRight<N, Path> extends true ? N | undefined : undefined;
// Apart, because the compiler intersects `N` with what it was found to be: with 300 names that is too many types.
type IsRight<N, Path extends string> = N extends readonly Path[] | undefined ? true : false;

type CheckedName<Given, Path extends string, Problem extends string> = Given extends Path
  ? Given
  : string extends Given
    ? Given
    : // An editor asks what may stand in place of a name that is not written yet.
      Given extends '' | '-'
      ? Path
      : `${Problem} "${Given & string}"`;

/** Names of a resource's fields, checked where no collection says more. */
export type CheckedNames<N, Path extends string> = Checked<N, Path, 'the resource has no'> | Right<N, Path>;

// `infer` makes the compiler show the names instead of this alias.
export type SortName<C extends Collection> =
  SortPathOf<C> extends infer Path extends string ? Path | `-${Path}` : never;
type CheckedSort<C extends Collection, S> = Checked<S, SortName<C>, `${C['path']} cannot be sorted by`>;
type CheckedFields<C extends Collection, F> = Checked<F, FieldsPathOf<C>, `${C['path']} has no field`>;
type CheckedExpand<C extends Collection, E> = Checked<E, ExpandPathOf<C>, `${C['path']} cannot expand`>;

type IsUnion<T, Each = T> = [T] extends [never]
  ? false
  : Each extends unknown
    ? [T] extends [Each]
      ? false
      : true
    : never;

/**
 * Names that stand in the program, each of them. A list of any length, one of several lists, or a list with a name that is
 * one of several, is known at run time only.
 */
type IsKnown<N> =
  true extends IsUnion<N>
    ? false
    : N extends readonly string[]
      ? number extends N['length']
        ? false
        : true extends { [I in keyof N]: string extends N[I] ? true : IsUnion<N[I]> }[number]
          ? false
          : true
      : true;

/** `fields` as the result types take it. No names at all limit nothing. */
type Limit<F> = [F] extends [readonly [] | undefined] ? Whole : IsKnown<F> extends true ? Name<F> : Unlisted;

/** `expand` as the result types take it. */
type Expansion<E, Every extends string> =
  IsKnown<E> extends true ? Name<E> : Perhaps<string extends Name<E> ? Every : Name<E>>;

/** A collection with `get` has resources that can be fetched on their own, which have a `self` (§2.1). */
type HasSelf<C extends Collection> = 'get' extends OperationOf<C> ? true : false;

/** What arrives for a collection's resource, by `fields` and `expand`. */
export type Selected<C extends Collection, F = undefined, E = undefined> = Result<
  C['resource'],
  Limit<F>,
  Expansion<E, ExpandPathOf<C>>,
  HasSelf<C>
>;

/** What arrives for a resource that is followed, by `fields` and `expand`. */
export type Followed<R, F, E, Every extends string> = Result<R, Limit<F>, Expansion<E, Every>>;

type Part<Paths, T> = [Paths] extends [never] ? unknown : T;

// Each parameter is a union with the plain names, so that an editor shows and offers those.
type SelectPart<C extends Collection, F, E> = Part<
  FieldsPathOf<C>,
  { readonly fields?: readonly FieldsPathOf<C>[] | CheckedFields<C, F> | Right<F, FieldsPathOf<C>> }
> &
  Part<
    ExpandPathOf<C>,
    { readonly expand?: readonly ExpandPathOf<C>[] | CheckedExpand<C, E> | Right<E, ExpandPathOf<C>> }
  >;

type SortPart<C extends Collection, S> = Part<
  SortPathOf<C>,
  { readonly sort?: readonly SortName<C>[] | CheckedSort<C, S> | undefined }
>;

type PagingPart<C extends Collection> = C['options'] extends { readonly paging: unknown }
  ? { readonly page?: number | undefined; readonly perPage?: number | undefined }
  : unknown;

type ParamsPart<C extends Collection> = [ParamsOf<C>] extends [never]
  ? unknown
  : Record<never, never> extends ParamsOf<C>
    ? { readonly params?: ParamsOf<C> | undefined }
    : { readonly params: ParamsOf<C> };

/** Where nothing is declared, a query is an object without anything in it; `{}` would take any value. */
type Closed<T> = [keyof T] extends [never] ? Readonly<Record<string, never>> : T;

/** The query of `get`: what the collection declares of `fields` and `expand`. */
export type SelectQuery<C extends Collection, F = undefined, E = undefined> = Closed<
  Flat<SelectPart<C, F, E>>
>;

/** The query of `list`: what the collection declares of §4.4, and the endpoint's own parameters. */
export type ListQuery<C extends Collection, F = undefined, E = undefined, S = undefined> = Closed<
  Flat<SortPart<C, S> & SelectPart<C, F, E> & PagingPart<C> & ParamsPart<C>>
>;

/** What `get` and `find` take besides the id: {@link SelectQuery} and the options of the call, in one object. */
export type GetRequest<C extends Collection, F, E, O> = Flat<SelectPart<C, F, E> & O>;

/** What `list` takes: {@link ListQuery} and the options of the call, in one object. */
export type ListRequest<C extends Collection, F, E, S> = Flat<
  SortPart<C, S> & SelectPart<C, F, E> & PagingPart<C> & ParamsPart<C> & ListOptions
>;

/** A query under construction. Each step returns another one; a query can be kept and used again. */
export type QueryBuilder<
  C extends Collection,
  F = undefined,
  E = undefined,
  Ready extends boolean = IsReady<C>,
> = BuilderBase<C, F, E, Ready> &
  Part<SortPathOf<C>, SortStep<C, F, E, Ready>> &
  Part<FieldsPathOf<C>, FieldsStep<C, E, Ready>> &
  Part<ExpandPathOf<C>, ExpandStep<C, F, Ready>> &
  (C['options'] extends { readonly paging: unknown } ? PagingSteps<C, F, E, Ready> : unknown) &
  Part<ParamsOf<C>, ParamsStep<C, F, E>>;

/** Whether a query can be sent as it begins: no parameter of the endpoint's own is required. */
export type IsReady<C extends Collection> = [ParamsOf<C>] extends [never]
  ? true
  : Record<never, never> extends ParamsOf<C>
    ? true
    : false;

/** A query, and in `Q` what was given for it: no value is both an object and undefined, so that `Q` allows nothing. */
export type Given<Query, Q> = Query | (Q & undefined);

/**
 * The names that a query may hold: the compiler takes `undefined` away where it infers them, and whoever gives names on a
 * condition gets a result for both cases.
 */
export type MayBe<Names, Q, K extends PropertyKey> = unknown extends Q
  ? Names
  : Q extends unknown
    ? K extends keyof Q
      ? undefined extends Q[K]
        ? Names | undefined
        : Names
      : undefined
    : never;

/** What every query has. */
export interface BuilderBase<C extends Collection, F, E, Ready extends boolean> {
  /** The query as the object form has it. */
  readonly value: ListQuery<C, F, E>;
  /** The query as it stands in the URL. */
  toString(): string;
  /** The records; as `list` of the collection with this query. */
  list(
    this: Ready extends true ? unknown : `${C['path']} needs params() first`,
    options?: ListOptions,
  ): ItemList<Selected<C, F, E>>;
}

/** A step of a query whose collection declares `sort`. */
export interface SortStep<C extends Collection, F, E, Ready extends boolean> {
  /** Sorts by these fields in this order; a leading `-` is descending. */
  sort<const S extends NameList<SortName<C>>>(...fields: CheckedSort<C, S>): QueryBuilder<C, F, E, Ready>;
}
/** A step of a query whose collection declares `fields`. */
export interface FieldsStep<C extends Collection, E, Ready extends boolean> {
  /** Returns only these fields, and `id` and `self`. */
  fields<const F extends NameList<FieldsPathOf<C>>>(
    ...fields: CheckedFields<C, F>
  ): QueryBuilder<C, F, E, Ready>;
}
/** A step of a query whose collection declares `expand`. */
export interface ExpandStep<C extends Collection, F, Ready extends boolean> {
  /** Returns these nested resources in full. */
  expand<const E extends NameList<ExpandPathOf<C>>>(
    ...names: CheckedExpand<C, E>
  ): QueryBuilder<C, F, E, Ready>;
}
/** Steps of a query whose collection pages. */
export interface PagingSteps<C extends Collection, F, E, Ready extends boolean> {
  /** Starts at this page, from 1. */
  page(number: number): QueryBuilder<C, F, E, Ready>;
  /** Asks for this many records per page. */
  perPage(size: number): QueryBuilder<C, F, E, Ready>;
}
/** A step of a query whose collection declares `params`. */
export interface ParamsStep<C extends Collection, F, E> {
  /** Sets the endpoint's own parameters. */
  params(values: ParamsOf<C>): QueryBuilder<C, F, E, true>;
}
