import type { Collection, ExpandPath } from '../../schema/collection.ts';
import type { Resource } from '../../schema/resource.ts';
import type { NameKey, ParamsOf, PathOf } from '../../schema/types/declared.ts';
import type { HasPath } from '../../schema/types/field-path.ts';
import type { Flat, KnownNames, NamesOf } from '../../schema/types/shape.ts';
import type { ListOptions } from '../item-list.ts';
import type { ConditionalOptions } from '../options.ts';
import type { NameIn } from './selected.ts';

/** The parts of a query that a collection may declare, apart from `params`. */
type Parts<Sort, Field, Expand> = {
  /** Sorts by these fields in this order; a leading `-` is descending (§4.4). */
  readonly sort?: readonly Sort[] | undefined;
  /** Returns only these fields, and `id` and `self` (§4.4). */
  readonly fields?: readonly Field[] | undefined;
  /** Returns these nested resources in full (§4.4). */
  readonly expand?: readonly Expand[] | undefined;
  /** Starts at this page, from 1 (§4.5.3). */
  readonly page?: number | undefined;
  /** Asks for this many records per page (§4.5.3). */
  readonly perPage?: number | undefined;
};

type AnyParts = Parts<string, string, string>;

/** The names that a part of a query takes. */
export type NameOf<C extends Collection, K extends NameKey> = K extends 'sort'
  ? PathOf<C, K> | `-${PathOf<C, K>}`
  : PathOf<C, K>;

/** The parts of a query that a collection declares, apart from `params`. */
export type PartOf<C extends Collection> =
  | Extract<keyof C['options'], NameKey>
  | (C['options'] extends { readonly paging: unknown } ? 'page' | 'perPage' : never);

type ParamsPart<C extends Collection> = [ParamsOf<C>] extends [never]
  ? unknown
  : IsReady<C> extends true
    ? { readonly params?: ParamsOf<C> | undefined }
    : { readonly params: ParamsOf<C> };

/** Whether a list can be called without a query: none of the endpoint's own parameters is required. */
export type IsReady<C extends Collection> = [ParamsOf<C>] extends [never]
  ? true
  : Record<never, never> extends ParamsOf<C>
    ? true
    : false;

type Operation = 'list' | 'get';

/** The query of an operation, apart from the options of the call. */
export type PartsOf<
  C extends Collection,
  O extends Operation,
  P extends AnyParts = Parts<NameOf<C, 'sort'>, NameOf<C, 'fields'>, NameOf<C, 'expand'>>,
> = O extends 'list' ? Pick<P, PartOf<C>> & ParamsPart<C> : Pick<P, PartOf<C> & ('fields' | 'expand')>;

/**
 * What `list` takes: the declared parameters of §4.4, the endpoint's own parameters, and the options of a
 * list.
 */
export type ListQuery<C extends Collection> = PartsOf<C, 'list'> & ListOptions;

/** What `get` takes: `fields` and `expand` as the collection declares them, and the options of the call. */
export type GetQuery<C extends Collection> = PartsOf<C, 'get'> & ConditionalOptions;

/**
 * The arguments of an operation after the id: a query with the options `More`. `A` is inferred from
 * `A & undefined`, which has no value, and as a whole: a query that may be undefined stays so in the result.
 * A `search` is a list with a required parameter.
 */
export type Arguments<
  C extends Collection,
  O extends Operation | 'search',
  A extends readonly unknown[],
  More = object,
> =
  | (A & undefined)
  | (O extends Operation
      ? [query?: Checked<C, O, More, A[0]>['query']]
      : [query: Checked<C, 'list', More & ParamsPart<C>, A[0]>['query']]);

/**
 * What an operation takes when it is given `Q`: a query with any strings as names if `Q` is valid, otherwise
 * what the compiler's message quotes. It is read from a property, so that a function with a type parameter
 * can pass its query on: for an unresolved `Q` the compiler compares with what both branches give for
 * `query`, and not at all with a bare conditional type.
 *
 * `Q` stands for each member of a union, `All` for the whole of it:
 * `list(flag ? { fields: ['nope'] } : { perPage: 1 })` has one member that is right. Taken alone it would
 * give a type that both members fit, so each is judged by `All`.
 */
type Checked<C extends Collection, O extends Operation, More, Q, All = Q> = Q extends unknown
  ? // Options of the call alone; unknown while the compiler infers. What would be wrong is not computed for every call.
    keyof Q extends keyof More
    ? { readonly query: unknown extends Q ? PartsOf<C, O, AnyParts> & More : More }
    : false extends Fits<C, PartsOf<C, O, AnyParts> & More, All>
      ? { readonly query: Explained<C, PartsOf<C, O> & More, Q> }
      : { readonly query: PartsOf<C, O, AnyParts> & More }
  : never;

/**
 * Whether a query fits `Any`, where any string is a name, and has names that the collection takes; `boolean`
 * for a part of them.
 */
type Fits<C extends Collection, Any, Q> = Q extends Any | undefined
  ? keyof Q extends keyof Any
    ? { [K in NameKey & keyof Q]: TakesNames<C, K, Q[K]> }[NameKey & keyof Q]
    : false
  : false;

/**
 * Whether a collection takes the names of a list; `boolean` where it takes only some of them. Each name is
 * looked up: a comparison with all names of a large resource costs a hundred times as much, and is made only
 * when one is wrong.
 */
export type TakesNames<C extends Collection, K extends NameKey, N> = N extends readonly (infer Name)[]
  ? C['options'] extends { readonly [P in K]: infer Declared }
    ? Takes<C['resource']['_zod']['def']['shape'], Declared, K extends 'sort' ? Ascending<Name> : Name>
    : false
  : N extends undefined
    ? true
    : false;

type Ascending<Name> = Name extends `-${infer Path}` ? Path : Name;

// A name that is known only at run time is checked then.
type Takes<Sh, Declared, Name> = Name extends string
  ? string extends Name
    ? true
    : Declared extends true
      ? HasPath<Sh, Name>
      : Name extends NameIn<Declared>
        ? true
        : false
  : false;

/**
 * What the compiler compares a wrong query with. Of a name that is unknown it then says so itself, and which
 * one may be meant. Other parts that a newcomer gets wrong have a sentence.
 */
type Explained<C extends Collection, Query, Q> = Q extends readonly unknown[]
  ? Query
  : Q extends object
    ? [UnknownKey<C, Query, keyof Q>] extends [never]
      ? Flat<{ readonly [K in keyof Q]: Sentence<C, Query, K, Q[K]> } & Query>
      : KnownNames<NamesOf<Query> & string, UnknownKey<C, Query, keyof Q>>
    : Query;

/** The names of `K` that are no part of the query, and of which no sentence says more. */
type UnknownKey<C extends Collection, Query, K> = Exclude<
  K,
  keyof Query | UndeclaredPart<C> | NamesOf<ParamsOf<C>>
>;

/** The parts of a query that a collection could declare. */
type UndeclaredPart<C extends Collection> = Exclude<NameKey | 'params', keyof C['options']>;

type Sentence<C extends Collection, Query, K, Value> = K extends keyof Query
  ? [K, Value] extends [NameKey, string]
    ? `write a list: ["${Value & string}"]`
    : unknown
  : K extends NameKey | 'params'
    ? `"${C['path']}" does not declare ${K}; add it to the options of collection()`
    : `write it in params: { params: { ${K & string} } }`;

/** A resource as a collection, for {@link Client.follow}. */
export type Linked<R extends Resource> = Collection<
  'the resource',
  R,
  { readonly fields: true; readonly expand: readonly ExpandPath<R>[] }
>;
