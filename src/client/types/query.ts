import type { Collection, ExpandPath, FieldPath } from '../../schema/collection.ts';
import type { Resource } from '../../schema/resource.ts';
import type { ExpandPathOf, FieldsPathOf, ParamsOf } from '../../schema/types/declared.ts';
import type { Flat } from '../../schema/types/shape.ts';
import type { ConditionalOptions } from '../call-options.ts';
import type { ListOptions } from '../item-list.ts';
import type {
  CheckedNames,
  CommonName,
  NameKey,
  NotInferred,
  SortName,
  Supports,
  TakesNames,
} from './names.ts';

type Part<Has extends boolean, T> = Has extends true ? T : unknown;

type SortPart<C extends Collection> = Part<
  Supports<C, 'sort'>,
  {
    /** Sorts by these fields in this order; a leading `-` is descending (§4.4). */
    readonly sort?: readonly SortName<C>[] | undefined;
  }
>;

type SelectPart<C extends Collection> = Part<
  Supports<C, 'fields'>,
  {
    /** Returns only these fields, and `id` and `self` (§4.4). */
    readonly fields?: readonly FieldsPathOf<C>[] | undefined;
  }
> &
  Part<
    Supports<C, 'expand'>,
    {
      /** Returns these nested resources in full (§4.4). */
      readonly expand?: readonly ExpandPathOf<C>[] | undefined;
    }
  >;

type PagingPart<C extends Collection> = C['options'] extends { readonly paging: unknown }
  ? {
      /** Starts at this page, from 1 (§4.5.3). */
      readonly page?: number | undefined;
      /** Asks for this many records per page (§4.5.3). */
      readonly perPage?: number | undefined;
    }
  : unknown;

type ParamsPart<C extends Collection> = [ParamsOf<C>] extends [never]
  ? unknown
  : Record<never, never> extends ParamsOf<C>
    ? { readonly params?: ParamsOf<C> | undefined }
    : { readonly params: ParamsOf<C> };

/** Whether {@link Operations.list} can be called without a query: none of the endpoint's own parameters is required. */
export type IsReady<C extends Collection> = [ParamsOf<C>] extends [never]
  ? true
  : Record<never, never> extends ParamsOf<C>
    ? true
    : false;

/**
 * What {@link Operations.list} takes: the declared parameters of §4.4, the endpoint's own parameters, and the options of a
 * list.
 */
export type ListQuery<C extends Collection> = SortPart<C> &
  SelectPart<C> &
  PagingPart<C> &
  ParamsPart<C> &
  ListOptions;

/**
 * What {@link Operations.get} takes: `fields` and `expand` as the collection declares them, and the options of the call.
 */
export type GetQuery<C extends Collection> = SelectPart<C> & ConditionalOptions;

/** Options of {@link Client.follow}: what to fetch of the resource, and how. */
export interface FollowOptions<R extends Resource = Resource, S extends string = string>
  extends ConditionalOptions {
  /** Returns only these fields, and `id` and `self` (§4.4). */
  readonly fields?: readonly FieldPath<R>[] | undefined;
  /** Returns these nested resources in full (§4.4). */
  readonly expand?: readonly ExpandPath<R>[] | undefined;
  /** The scheme to use, when the client has several; the first one by default. */
  readonly auth?: S | undefined;
}

/** The names that a query takes under a key. */
type NameIn<Query, K extends keyof Query> =
  Exclude<Query[K], undefined> extends readonly (infer Name)[] ? Name & string : never;

type CheckedList<
  N,
  K extends NameKey,
  Name extends string,
  Owner extends string,
> = N extends readonly unknown[]
  ? CheckedNames<N, K, Name, Owner>
  : N extends string
    ? `write a list: ["${N}"]`
    : N extends undefined
      ? N
      : readonly Name[];

/** How to make an option available that a collection does not declare. */
interface Declares<Owner extends string> {
  readonly sort: `"${Owner}" does not support sort; add \`sort: true\` to its collection()`;
  readonly fields: `"${Owner}" does not support fields; add \`fields: true\` to its collection()`;
  readonly expand: `"${Owner}" does not support expand; add \`expand: [...]\` to its collection()`;
  readonly page: `"${Owner}" does not page; add \`paging: true\` to its collection()`;
  readonly perPage: `"${Owner}" does not page; add \`paging: true\` to its collection()`;
  readonly params: `"${Owner}" has no parameters of its own; add \`params: z.object({ ... })\` to its collection()`;
}

/** What is wrong with a key that a query does not have. */
type KeyProblem<Query, Owner extends string, Declarable, K> = K extends keyof Declares<Owner>
  ? K extends Declarable
    ? Declares<Owner>[K]
    : `only list takes "${K}"`
  : 'sort' | K extends Declarable | 'ifNoneMatch' | 'modifiedSince'
    ? 'a list cannot be conditional; get can'
    : Query extends { readonly params?: infer P }
      ? K extends keyof NonNullable<P>
        ? `write it in params: { params: { ${K & string} } }`
        : `"${Owner}" has no option "${K & string}"`
      : `"${Owner}" has no option "${K & string}"`;

type RequiredPart<Query> = Query extends { readonly params: infer P } ? { readonly params: P } : unknown;

/**
 * What {@link Operations.list} takes when it is given `Q`: `Query` if `Q` is valid, otherwise an explanation. The result is
 * read from a property, because the compiler then lets a function with a type parameter `Q extends Query` pass it on.
 */
export type Argument<Query, Owner extends string, Declarable, Q> = Q extends Query
  ? [keyof Q] extends [keyof Query]
    ? { readonly query: Query }
    : Explained<Query, Owner, Declarable, Q>
  : Explained<Query, Owner, Declarable, Q>;

type Explained<Query, Owner extends string, Declarable, Q> = Q extends readonly unknown[]
  ? { readonly query: 'a query is an object: { ... }' }
  : Q extends object
    ? {
        readonly query: Flat<
          {
            readonly [K in keyof Q]: K extends keyof Query
              ? K extends NameKey
                ? CheckedList<Q[K], K, NameIn<Query, K>, Owner>
                : Query[K]
              : KeyProblem<Query, Owner, Declarable, K>;
          } & RequiredPart<Query>
        >;
      }
    : {
        readonly query: unknown extends Q ? Query : Q extends undefined ? Q : 'a query is an object: { ... }';
      };

/** The parts of a query that {@link collection} can add. */
export type Declarable = keyof Declares<string>;

/** In place of any argument after the query of {@link Operations.list} or {@link Operations.get}: there must be none. */
export type Misplaced = 'write the query and the options of the call in one object';

/** The query among the arguments `A` of {@link Operations.list} or {@link Operations.get}; unknown when there is none. */
export type GivenQuery<A extends readonly unknown[]> = A extends readonly [infer Q, ...unknown[]]
  ? Q
  : unknown;

/**
 * The query that the result of {@link Operations.list} is computed from; undefined when there is none. A query that is not
 * inferred may have any names. `ReturnType` of the function passes any list of arguments, and sees the result of a call without
 * a query.
 */
export type QueryIn<A extends readonly unknown[]> = unknown[] extends A
  ? undefined
  : [A[0]] extends [never]
    ? AnyNames
    : A[0];

/** The parts of any query of {@link Operations.list}, with names that are any strings. */
export interface AnyNames {
  /** Field paths; a leading `-` is descending. */
  readonly sort?: readonly string[] | undefined;
  /** Field paths. */
  readonly fields?: readonly string[] | undefined;
  /** Names of nested resources. */
  readonly expand?: readonly string[] | undefined;
  /** Starts at this page, from 1. */
  readonly page?: number | undefined;
  /** Asks for this many records per page. */
  readonly perPage?: number | undefined;
}

/**
 * The queries of a collection with any strings as names: all names of a resource are computed only when one is wrong. They are
 * properties, because the type of a property has no alias, which an editor would show with the whole declaration.
 */
interface Plain<C extends Collection> {
  /** The lists of names that `get` takes. */
  readonly selects: { [K in 'fields' | 'expand']: Supports<C, K> extends true ? K : never }[
    | 'fields'
    | 'expand'];
  /** What else `list` takes of {@link AnyNames}. */
  readonly arranges:
    | (Supports<C, 'sort'> extends true ? 'sort' : never)
    | (C['options'] extends { readonly paging: unknown } ? 'page' | 'perPage' : never);
  /** A {@link GetQuery}. */
  readonly get: Pick<AnyNames, Plain<C>['selects']> & ConditionalOptions;
  /** A {@link ListQuery}. */
  readonly list: Pick<AnyNames, Plain<C>['selects' | 'arranges']> & ParamsPart<C> & ListOptions;
}

/** Whether a collection takes a query that fits `Any`, where any string is a name; `boolean` where it may not. */
type TakesQuery<C extends Collection, Q, Any> = [keyof Q] extends [keyof Any]
  ? { [K in NameKey & keyof Q]: TakesNames<C, K, Q[K]> }[NameKey & keyof Q]
  : false;

/** What `list` takes when it is given `Q`, whose names are looked up one by one. */
type ListArgument<C extends Collection, Q, Any> = Q extends Any
  ? false extends TakesQuery<C, Q, Any>
    ? Argument<ListQuery<C>, C['path'], Declarable, Q>
    : { readonly query: Any }
  : Argument<ListQuery<C>, C['path'], Declarable, Q>;

type GetArgument<C extends Collection, Q, Any> = Q extends Any
  ? false extends TakesQuery<C, Q, Any>
    ? Argument<GetQuery<C>, C['path'], 'fields' | 'expand', Q>
    : { readonly query: Any }
  : Argument<GetQuery<C>, C['path'], 'fields' | 'expand', Q>;

/**
 * A query in a call on a union of collections, where the arguments are not inferred: the compiler intersects the queries of all
 * collections. A name must exist in each of them, and an option that one of them does not declare is an error.
 */
type Common<Query, Owner extends string, Declarable extends keyof Declares<string>> = {
  readonly [K in keyof Query]: K extends NameKey
    ? readonly (NameIn<Query, K> | CommonName)[] | undefined
    : K extends 'ifNoneMatch' | 'modifiedSince'
      ? 'a conditional call must be of one of these collections alone' | undefined
      : Query[K];
} & { readonly [K in Exclude<Declarable, keyof Query>]?: Declares<Owner>[K] };

// For `readonly unknown[]`, which the compiler uses until it knows the arguments, these cost nothing.

type ListCheck<C extends Collection, A extends readonly unknown[]> = A extends readonly [
  infer Q,
  ...unknown[],
]
  ? ListArgument<C, Q, Plain<C>['list']>
  : A extends NotInferred
    ? { readonly query: Common<ListQuery<C>, C['path'], Declarable> }
    : { readonly query: Plain<C>['list'] };

type GetCheck<C extends Collection, A extends readonly unknown[]> = A extends readonly [infer Q, ...unknown[]]
  ? GetArgument<C, Q, Plain<C>['get']>
  : A extends NotInferred
    ? { readonly query: Common<GetQuery<C>, C['path'], 'fields' | 'expand'> }
    : { readonly query: Plain<C>['get'] };

// `A & undefined` has no value. `A` is inferred from it, as a whole even if the query is a union.

/** The arguments of {@link Operations.list}. */
export type ListArguments<C extends Collection, A extends readonly unknown[]> =
  | (A & undefined)
  | [query?: NoInfer<ListCheck<C, A>['query']>, ...misplaced: Misplaced[]];

/** The arguments of {@link Operations.list} when the query is required. */
export type RequiredListArguments<C extends Collection, A extends readonly unknown[]> =
  | (A & undefined)
  | [
      query: NoInfer<Argument<ListQuery<C>, C['path'], Declarable, GivenQuery<A>>['query'] & {}>,
      ...misplaced: Misplaced[],
    ];

/** The arguments of {@link Operations.get} after the id. */
export type GetArguments<C extends Collection, A extends readonly unknown[]> =
  | (A & undefined)
  | [query?: NoInfer<GetCheck<C, A>['query']>, ...misplaced: Misplaced[]];

/** The arguments of {@link Client.follow} after the link. */
export type FollowArguments<R extends Resource, S extends string, A extends readonly unknown[]> =
  | (A & undefined)
  | [
      options?: NoInfer<Argument<FollowOptions<R, S>, 'the resource', never, GivenQuery<A>>['query']>,
      ...misplaced: Misplaced[],
    ];
