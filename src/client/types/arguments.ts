// How the compiler checks the query of a call, in three steps:
//
// | type         | step                                                                             |
// |--------------|----------------------------------------------------------------------------------|
// | `Expected`   | chooses what the argument is compared with, by the other two                     |
// | `IsValid`    | whether the query has only keys, and only names, that the collection takes       |
// | `Correction` | for an invalid query: a type that makes the compiler say what is wrong           |
//
// A check is `true`, `false`, or `boolean` where only some members of a union pass. `false extends boolean`
// holds, so that `false extends IsValid<...>` asks whether anything is wrong.
//
// docs/decisions.md says why this is not `list<const Q extends ListQuery<C>>(query?: Q & NoExtra<Q>)`.

import type { Collection } from '../../schema/collection.ts';
import type { NameKey, ParamsOf } from '../../schema/types/declared.ts';
import type { PagingKey } from '../../schema/types/family.ts';
import type { HasPath } from '../../schema/types/field-path.ts';
import type { Flat, KnownNames, NamesOf } from '../../schema/types/shape.ts';
import type { AnyParts, ParamsPart, QueryParts, ShownParts } from './query.ts';
import type { ListedName } from './selected.ts';

/**
 * The rest parameters of an operation: one object with the query and the options `More`, which may be left
 * out. `A` are the arguments that a call has for them: `[{ page: 2 }]` in `orders.list({ page: 2 })`.
 */
export type OptionalQueryArguments<
  C extends Collection,
  O extends 'list' | 'get',
  A extends readonly unknown[],
  More = object,
> = InferredFrom<A> | [query?: Expected<C, O, More, A[0]>['query']];

/**
 * As {@link OptionalQueryArguments}, for a list or an endpoint with a required parameter: the object is
 * required.
 */
export type RequiredQueryArguments<C extends Collection, A extends readonly unknown[], More = object> =
  | InferredFrom<A>
  | [query: Expected<C, 'list', More & ParamsPart<C>, A[0]>['query']];

/**
 * Where the compiler infers `A` from: the whole list of arguments, so that a query that may be undefined
 * stays so in the result. No list of arguments is undefined, so that a call is compared with the other member
 * of the union alone.
 */
type InferredFrom<A> = A & undefined;

/** What a query may have at all: the declared parts, with any strings as names, and the options `More`. */
type Loose<C extends Collection, O extends 'list' | 'get', More> = QueryParts<C, O, AnyParts> & More;

/**
 * What the argument `Q` is compared with, as `query`. For a collection with `sort: true` and the field
 * `status`, in the order of the branches:
 *
 * | `Q`                  | `query`                                                           |
 * |----------------------|-------------------------------------------------------------------|
 * | unknown              | {@link Loose}: the compiler has not inferred the argument yet     |
 * | { timeoutMs: 5 }     | the options `More` alone, so that nothing else has to be computed |
 * | { sort: ['staus'] }  | the {@link Correction}                                            |
 * | { sort: ['status'] } | {@link Loose}                                                     |
 *
 * Each member of a union is judged by the union, `Whole`. Of `flag ? { fields: ['nope'] } : { perPage: 1 }`,
 * the second member alone would give a type that both fit.
 *
 * The result is read from a property, so that a function with a type parameter can pass its query on: for an
 * unresolved `Q` the compiler compares with `query` of each branch, and not at all with a bare conditional
 * type.
 */
type Expected<C extends Collection, O extends 'list' | 'get', More, Q, Whole = Q> = Q extends unknown
  ? keyof Q extends keyof More
    ? { readonly query: unknown extends Q ? Loose<C, O, More> : More }
    : false extends IsValid<C, Loose<C, O, More>, Whole>
      ? { readonly query: Correction<C, O, QueryParts<C, O, ShownParts<C>> & More, Q> }
      : { readonly query: Loose<C, O, More> }
  : never;

/** Whether a query has only keys of `Known`, a {@link Loose}, and only names that the collection takes. */
type IsValid<C extends Collection, Known, Q> = Q extends Known | undefined
  ? keyof Q extends keyof Known
    ? { [K in NameKey & keyof Q]: TakesNames<C, K, Q[K]> }[NameKey & keyof Q]
    : false
  : false;

/**
 * Whether a collection takes each name of a list. Each is looked up: a comparison with all names of a large
 * resource costs a hundred times as much, and is made only when one is wrong.
 */
export type TakesNames<C extends Collection, K extends NameKey, List> = List extends readonly (infer Name)[]
  ? C['options'] extends { readonly [P in K]: infer Declared }
    ? HasName<C['resource']['_zod']['def']['shape'], Declared, K extends 'sort' ? Ascending<Name> : Name>
    : false
  : List extends undefined
    ? true
    : false;

/** `'-name'` without its minus. */
type Ascending<Name> = Name extends `-${infer Path}` ? Path : Name;

// A name that is known only at run time is checked then.
type HasName<Sh, Declared, Name> = string extends Name
  ? true
  : Declared extends true
    ? HasPath<Sh, Name>
    : IsOneOf<ListedName<Declared>, Name>;

/** Whether a name is one of `Known`. */
type IsOneOf<Known, Name> = Name extends Known ? true : false;

/**
 * What the compiler compares an invalid query with, for the message that it then writes:
 *
 * | `Q`                   | compared with               | message                              |
 * |-----------------------|-----------------------------|--------------------------------------|
 * | { sortt: ['status'] } | {@link KnownNames}          | Did you mean to write 'sort'?        |
 * | { sort: ['staus'] }   | the declared query          | not assignable to type '"-status" …' |
 * | { sort: 'status' }    | the {@link Hint} for a part | 'write a list: ["status"]'           |
 * | 5                     | the declared query          | not assignable to type …             |
 */
type Correction<C extends Collection, O extends 'list' | 'get', Query, Q> = Q extends NotAQuery
  ? Query
  : [UnknownKey<C, O, Query, keyof Q>] extends [never]
    ? Flat<{ readonly [K in keyof Q]: Hint<C, Query, K, Q[K]> } & Query>
    : KnownNames<NamesOf<Query> & string, UnknownKey<C, O, Query, keyof Q>>;

/** A list, or a value without keys. */
type NotAQuery = readonly unknown[] | string | number | bigint | boolean | symbol | null | undefined;

/** The keys `K` that a query does not have, and for which no {@link Hint} says where they belong. */
type UnknownKey<C extends Collection, O extends 'list' | 'get', Query, K> = Exclude<
  K,
  keyof Query | UndeclaredPart<C, O> | NamesOf<ParamsOf<C>>
>;

/**
 * The parts of a query that a collection could declare for an operation, and does not: `'expand' | 'page'`.
 */
type UndeclaredPart<C extends Collection, O extends 'list' | 'get'> = O extends 'list'
  ? Exclude<NameKey | 'params', keyof C['options']> | UndeclaredPaging<C>
  : Exclude<'fields' | 'expand', keyof C['options']>;

type UndeclaredPaging<C extends Collection> = 'paging' extends keyof C['options'] ? never : PagingKey;

/**
 * A sentence in place of the type of the part `K` of a query, and `unknown` where the compiler's own message
 * is enough.
 */
type Hint<C extends Collection, Query, K, Value> = K extends keyof Query
  ? StringHint<K, Value>
  : K extends NamesOf<ParamsOf<C>>
    ? `write it in params: { params: { ${Member<K & string>} } }`
    : `"${C['path']}" does not declare ${DeclaringOption<K & string>}; add it to the options of ${Declarer<C>}()`;

/** A field of an object literal: a name that is no identifier is quoted. */
type Member<K extends string> = K extends `${string}${'[' | '-' | '.' | ':' | '$'}${string}`
  ? `"${K}": …`
  : K;

/** The function that declared a collection, or what is computed as one. */
type Declarer<C extends Collection> = C extends { readonly declarer: infer D extends string }
  ? D
  : 'collection';

/** The option of `collection()` that declares a part of a query. */
type DeclaringOption<K extends string> = K extends PagingKey ? 'paging' : K;

/** For `sort: 'name'`, a string in place of a list. */
type StringHint<K, Value> = [K, Value] extends [NameKey, string]
  ? `write a list: ["${Value & string}"]`
  : unknown;
