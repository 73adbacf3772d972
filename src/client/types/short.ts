import type { Operation } from '../../conventions.ts';
import type { Collection } from '../../schema/collection.ts';
import type { BodiesOf, IdOf } from '../../schema/types/declared.ts';
import type { Call } from '../call.ts';
import type { ItemList } from '../item-list.ts';
import type { DeclaredBy } from './collection.ts';
import type { GetQuery, ListQuery, ShownName } from './query.ts';
import type { Selected } from './selected.ts';

type AnyClient = DeclaredBy<Collection>;

/**
 * What the short names below take: a collection of a client or of `queries`, a function of its path's
 * parameters, or its declaration.
 */
export type CollectionLike = AnyClient | ((parameters: never) => AnyClient) | Collection;

/** The declaration of a collection, from which {@link Item} is computed. */
export type DeclarationOf<O extends CollectionLike> = O extends Collection
  ? O
  : O extends DeclaredBy<infer C> | ((parameters: never) => DeclaredBy<infer C>)
    ? C
    : never;

/**
 * The resource by the names of `fields` and `expand`, such as `Item<typeof orders, ['status'], ['company']>`.
 */
export type Item<
  O extends CollectionLike,
  F extends readonly ShownName<DeclarationOf<O>, 'fields'>[] | undefined = undefined,
  E extends readonly ShownName<DeclarationOf<O>, 'expand'>[] | undefined = undefined,
> = Selected<DeclarationOf<O>, F, E>;

/**
 * The query that `list` or `get` of a collection takes, as the type of a variable.
 *
 * @example
 * ```ts
 * const query: Query<typeof orders> = { sort: ['-createdAt'], perPage: 50 };
 * ```
 */
export type Query<O extends CollectionLike, Name extends 'list' | 'get' = 'list'> = Name extends 'list'
  ? ListQuery<DeclarationOf<O>>
  : GetQuery<DeclarationOf<O>>;

/** The body that an operation of a collection takes: `create`, unless the second argument is another one. */
export type Body<
  O extends CollectionLike,
  Name extends 'create' | 'replace' | 'update' = 'create',
> = BodiesOf<DeclarationOf<O>>[Name];

/**
 * What addresses one resource of a collection, by its schema: its id, or the field that `key` names.
 * `Id<typeof orders>`.
 */
export type Id<O extends CollectionLike> = IdOf<DeclarationOf<O>>;

/** A value, or a promise of it. */
type Eventual<T> = T | PromiseLike<T>;

type FakeResult<R> =
  R extends ItemList<infer T> ? AsyncIterable<T> | Iterable<T> : R extends Call<infer T> ? Eventual<T> : R;

/** An argument of a read, without what a fake ignores: it returns whole resources, unconditionally. */
type FakeArgument<K, Argument> = Argument extends object
  ? Omit<
      Argument,
      'fields' | 'expand' | (K extends 'list' ? never : 'ifNoneMatch' | 'modifiedSince' | 'headers')
    >
  : Argument;

/** Where an endpoint, an action, or an action with a body has its query and its options. */
type OptionsIndex<Rest extends readonly unknown[]> = 3 extends Rest['length']
  ? '2'
  : 2 extends Rest['length']
    ? '1'
    : '0';

/** The operations whose arguments a fake takes as they are. */
type Write = Exclude<Operation | 'createMany', 'list' | 'get'>;

type FakeParameters<K, Rest extends readonly unknown[]> = {
  [I in keyof Rest]: K extends 'list' | 'get' | 'find'
    ? FakeArgument<K, Rest[I]>
    : K extends Write
      ? Rest[I]
      : I extends OptionsIndex<Rest>
        ? FakeArgument<K, Rest[I]>
        : Rest[I];
};

/** A call, or a collection, which may be below the parameters of its path. */
type FakeOf<K, Part> = Part extends (...rest: infer Rest) => unknown
  ? ReturnType<Part> extends PromiseLike<unknown>
    ? (...rest: FakeParameters<K, Rest>) => FakeResult<ReturnType<Part>>
    : (...rest: Rest) => Fake<ReturnType<Part>>
  : Fake<Part>;

/** What a client has that a fake has not: what is no plain call. */
type NotFaked = '~declaration' | 'query' | 'allowedMethods';

/**
 * The parameter type of a function that is tested without a server: a collection, or all of
 * {@link Client.api}, by the results of its operations, actions and endpoints alone. The client itself fits
 * it, and so do functions that return plain promises or arrays.
 *
 * @example
 * ```ts
 * const countOpen = async ({ list }: Fake<Pick<typeof orders, 'list'>>): Promise<number> => {
 *   let open = 0;
 *   for await (const { status } of list()) if (status === 'open') open++;
 *   return open;
 * };
 * await countOpen({ list: () => [] });
 * ```
 */
export type Fake<O> = {
  readonly [K in keyof O as O extends AnyClient ? Exclude<K, NotFaked> : K]: FakeOf<K, O[K]>;
};
