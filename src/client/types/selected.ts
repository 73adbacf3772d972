import type { output } from 'zod/v4/core';
import type { Collection } from '../../schema/collection.ts';
import type { OperationOf, PathOf } from '../../schema/types/declared.ts';
import type {
  AllFields,
  FetchableSelf,
  MaybeExpanded,
  ObjectResult,
  SomeFields,
} from '../../schema/types/result.ts';
import type { IsKnown, ObjectSchema } from '../../schema/types/shape.ts';
import type { NotModified } from '../outcome.ts';

/** The union of the names in a list; `never` for what is no list of names. */
export type ElementOf<N> = N extends readonly (infer Name extends string)[] ? Name : never;

/** What a query has under a key; undefined when it has no such key. */
export type ValueOf<Q, K extends PropertyKey> = Q extends unknown
  ? K extends keyof Q
    ? Q[K]
    : undefined
  : never;

/** `fields` as the result types take it. An empty list does not limit the result. */
type Limit<F> =
  IsKnown<F> extends true ? ([ElementOf<F>] extends [never] ? AllFields : ElementOf<F>) : SomeFields;

/** `expand` as the result types take it. */
type Expansion<E, Every extends string> =
  IsKnown<E> extends true ? ElementOf<E> : MaybeExpanded<string extends ElementOf<E> ? Every : ElementOf<E>>;

/**
 * The query among arguments. `ReturnType` of a function passes any of them, and sees the result of a call
 * without a query.
 */
type QueryIn<A extends readonly unknown[]> = unknown[] extends A ? undefined : A[0];

/**
 * The result for a collection's resource with the query among the arguments `A`; a union of queries gives a
 * union of results. {@link Item} names it by `fields` and `expand`.
 */
export type ReadResult<C extends Collection, A extends readonly unknown[]> =
  QueryIn<A> extends infer Q
    ? Q extends unknown
      ? Selected<C, ValueOf<Q, 'fields'>, ValueOf<Q, 'expand'>>
      : never
    : never;

/**
 * The result for a collection's resource, by `fields` and `expand`. With `get`, the `self` that `resource`
 * adds is there (§2.1).
 */
export type Selected<C extends Collection, F, E> =
  // In one condition, so that a declaration file names this type where one of them is a type parameter.
  [C['resource'], F, E] extends [ObjectSchema<infer Sh>, unknown, unknown]
    ? ObjectResult<
        Sh,
        output<C['resource']> & ('get' extends OperationOf<C> ? FetchableSelf<Sh> : unknown),
        Limit<F>,
        Expansion<E, PathOf<C, 'expand'>>,
        keyof Sh & ('id' | 'self')
      >
    : never;

/** What a conditional call may return instead of the resource; see {@link isNotModified}. */
export type MaybeNotModified<A extends readonly unknown[]> = [
  Exclude<ValueOf<QueryIn<A>, 'ifNoneMatch' | 'modifiedSince'>, undefined>,
] extends [never]
  ? never
  : NotModified;
