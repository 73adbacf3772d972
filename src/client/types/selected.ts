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
import type { NotModified } from '../results.ts';

/** The names in a list: `'a' | 'b'` for `readonly ['a', 'b']`; `never` for anything but a list of names. */
export type ListedName<N> = N extends readonly (infer Name extends string)[] ? Name : never;

/** What a query has under a key: 5 for `{ page: 5 }` and `'page'`; undefined when it has no such key. */
export type ValueOf<Q, K extends PropertyKey> = Q extends unknown
  ? K extends keyof Q
    ? Q[K]
    : undefined
  : never;

/** `fields` as {@link ObjectResult} takes it. An empty list does not limit the result. */
type Limit<F> =
  IsKnown<F> extends true ? ([ListedName<F>] extends [never] ? AllFields : ListedName<F>) : SomeFields;

/** `expand` as {@link ObjectResult} takes it; `Every` are the names for a list that may have any of them. */
type Expansion<E, Every extends string> =
  IsKnown<E> extends true
    ? ListedName<E>
    : MaybeExpanded<string extends ListedName<E> ? Every : ListedName<E>>;

/**
 * The query among the arguments of a call. `ReturnType<typeof orders.get>` passes `unknown[]`: it is the
 * result of a call without a query.
 */
type QueryIn<A extends readonly unknown[]> = unknown[] extends A ? undefined : A[0];

/**
 * The resource that a call of `list`, `get` or `find` returns, by its arguments `A` after the id. For orders:
 *
 * | `A`                         | result                                              |
 * |-----------------------------|-----------------------------------------------------|
 * | `[]`                        | `{ id, self, status, company: { id, self } }`       |
 * | `[{ fields: ['status'] }]`  | `{ id, self, status }`                              |
 * | `[{ expand: ['company'] }]` | `{ id, self, status, company: { id, self, name } }` |
 * | a union of queries          | the union of their results                          |
 *
 * {@link Item} names it by `fields` and `expand`.
 */
export type ReadResult<C extends Collection, A extends readonly unknown[]> =
  QueryIn<A> extends infer Q
    ? Q extends unknown
      ? Selected<C, ValueOf<Q, 'fields'>, ValueOf<Q, 'expand'>>
      : never
    : never;

/**
 * The resource of a collection by the lists of names `F` and `E` of a query: for `readonly ['status']` and
 * undefined, `{ id, self, status }`. Where the collection has `get`, the `self` that `resource` adds is
 * there (§2.1).
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

/**
 * What a call may return in place of the resource: {@link NotModified} for arguments such as
 * `[{ ifNoneMatch: etag }]`, which have a condition, and `never` for others. See {@link isNotModified}.
 */
export type MaybeNotModified<A extends readonly unknown[]> = [
  Exclude<ValueOf<QueryIn<A>, 'ifNoneMatch' | 'modifiedSince'>, undefined>,
] extends [never]
  ? never
  : NotModified;
