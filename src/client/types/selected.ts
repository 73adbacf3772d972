import type { output } from 'zod/v4/core';
import type { Collection } from '../../schema/collection.ts';
import type { ExpandPathOf, OperationOf } from '../../schema/types/declared.ts';
import type {
  AllFields,
  HasSelf,
  MaybeExpanded,
  ObjectResult,
  SomeFields,
} from '../../schema/types/result.ts';
import type { IsKnown, ObjectSchema } from '../../schema/types/shape.ts';
import type { NotModified } from '../outcome.ts';

type NameOf<N> = N extends readonly (infer Name extends string)[] ? Name : never;

/** What a query has under a key; undefined when it has no such key. */
export type ValueOf<Q, K extends PropertyKey> = K extends keyof Q ? Q[K] : undefined;

// `0 extends 1 & T` is true for `any`, such as the result of `JSON.parse`: nothing is known of such a query.

/** `fields` as the result types take it. An empty list does not limit the result. */
type Limit<F> = 0 extends 1 & F
  ? SomeFields
  : [F] extends [readonly [] | undefined]
    ? AllFields
    : IsKnown<F> extends true
      ? NameOf<F>
      : SomeFields;

/** `expand` as the result types take it. */
type Expansion<E, Every extends string> = 0 extends 1 & E
  ? MaybeExpanded<Every>
  : [E] extends [readonly [] | undefined]
    ? never
    : IsKnown<E> extends true
      ? NameOf<E>
      : MaybeExpanded<string extends NameOf<E> ? Every : NameOf<E>>;

/** A collection with `get` has resources that can be fetched on their own, which have a `self` (§2.1). */
type SelfOf<C extends Collection> = 'get' extends OperationOf<C> ? HasSelf : unknown;

/** The query among arguments. `ReturnType` of a function passes any of them, and sees the result of a call without a query. */
type QueryIn<A extends readonly unknown[]> = unknown[] extends A ? undefined : A[0];

/**
 * The result for a collection's resource with the query among the arguments `A`; a union of queries gives a union of results.
 * {@link Item} names it by `fields` and `expand`.
 */
export type Fetched<C extends Collection, A extends readonly unknown[]> =
  QueryIn<A> extends infer Q
    ? Q extends unknown
      ? Selected<C, ValueOf<Q, 'fields'>, ValueOf<Q, 'expand'>>
      : never
    : never;

/** The result for a collection's resource, by `fields` and `expand`. */
export type Selected<C extends Collection, F, E> =
  // In one condition, so that a declaration file names this type where one of them is a type parameter.
  [C['resource'], F, E] extends [ObjectSchema<infer Sh>, unknown, unknown]
    ? ObjectResult<Sh, output<C['resource']> & SelfOf<C>, Limit<F>, Expansion<E, ExpandPathOf<C>>>
    : never;

/** The names of header fields that make a request conditional, in lower case. */
type ConditionName = 'if-none-match' | 'modified-since' | 'if-modified-since';

/** The conditions among header fields; any string when their names are known only at run time. */
type ConditionIn<Headers> = Headers extends object
  ? string extends keyof Headers
    ? string
    : Extract<Lowercase<keyof Headers & string>, ConditionName>
  : never;

type UnchangedBy<Q> = 0 extends 1 & Q
  ? NotModified
  : Q extends unknown
    ? [ValueOf<Q, 'ifNoneMatch' | 'modifiedSince'> | ConditionIn<ValueOf<Q, 'headers'>>] extends [undefined]
      ? never
      : NotModified
    : never;

/** What a conditional call may return instead of the resource; see {@link isNotModified}. */
export type Unchanged<A extends readonly unknown[]> = UnchangedBy<QueryIn<A>>;
