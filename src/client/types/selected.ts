import type { Collection, ExpandPath } from '../../schema/collection.ts';
import type { Resource } from '../../schema/resource.ts';
import type { ExpandPathOf, FieldsPathOf, OperationOf } from '../../schema/types/declared.ts';
import type { AllFields, MaybeExpanded, Result, SomeFields } from '../../schema/types/result.ts';
import type { IsAny, IsKnown } from '../../schema/types/shape.ts';
import type { NotModified } from '../outcome.ts';

type NameOf<N> = N extends readonly (infer Name extends string)[] ? Name : never;

/** What a query has below a key; undefined where it has no such key. */
type ValueOf<Q, K extends PropertyKey> = K extends keyof Q ? Q[K] : undefined;

/** `fields` as the result types take it. No names at all limit nothing. */
type Limit<F> =
  IsAny<F> extends true
    ? SomeFields
    : [F] extends [readonly [] | undefined]
      ? AllFields
      : IsKnown<F> extends true
        ? NameOf<F>
        : SomeFields;

/** `expand` as the result types take it. */
type Expansion<E, Every extends string> =
  IsAny<E> extends true
    ? MaybeExpanded<Every>
    : [E] extends [readonly [] | undefined]
      ? never
      : IsKnown<E> extends true
        ? NameOf<E>
        : MaybeExpanded<string extends NameOf<E> ? Every : NameOf<E>>;

/** A collection with `get` has resources that can be fetched on their own, which have a `self` (§2.1). */
type HasSelf<C extends Collection> = 'get' extends OperationOf<C> ? true : false;

/**
 * What arrives for a collection's resource by the query `Q`: for one of several queries, one of several results.
 * {@link Item} names it by `fields` and `expand`.
 */
export type Fetched<C extends Collection, Q> = Q extends unknown
  ? Result<
      C['resource'],
      Limit<ValueOf<Q, 'fields'>>,
      Expansion<ValueOf<Q, 'expand'>, ExpandPathOf<C>>,
      HasSelf<C>
    >
  : never;

/** What arrives for a resource from {@link Client.follow} with the query `Q`. */
export type Followed<R extends Resource, Q> = Q extends unknown
  ? Result<R, Limit<ValueOf<Q, 'fields'>>, Expansion<ValueOf<Q, 'expand'>, ExpandPath<R>>>
  : never;

/** The names of header fields that make a request conditional, in lower case. */
type ConditionName = 'if-none-match' | 'modified-since' | 'if-modified-since';

/** The conditions among header fields, which are any where their names are known at run time only. */
type ConditionIn<Headers> = Headers extends object
  ? string extends keyof Headers
    ? string
    : Extract<Lowercase<keyof Headers & string>, ConditionName>
  : never;

/** What a conditional call may get instead of the resource; see {@link isNotModified}. */
export type Unchanged<Q> =
  IsAny<Q> extends true
    ? NotModified
    : Q extends unknown
      ? [ValueOf<Q, 'ifNoneMatch' | 'modifiedSince'> | ConditionIn<ValueOf<Q, 'headers'>>] extends [undefined]
        ? never
        : NotModified
      : never;

/** What arrives for a collection's resource, by the names of `fields` and `expand`; {@link Item} is its short form. */
export type Selected<
  C extends Collection,
  F extends readonly FieldsPathOf<C>[] | undefined = undefined,
  E extends readonly ExpandPathOf<C>[] | undefined = undefined,
> = Fetched<C, { readonly fields: F; readonly expand: E }>;
