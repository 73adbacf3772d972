import type { Collection } from '../../schema/collection.ts';
import type { ApiDeclaration } from '../../schema/define-api.ts';
import type { BodiesOf, IdOf, OperationOf, PathParameters } from '../../schema/types/declared.ts';
import type { Call } from '../call.ts';
import type { ItemList, ListOptions } from '../item-list.ts';
import type { CallOptions, ConditionalOptions } from '../options.ts';
import type { Accepted, Done } from '../results.ts';
import type { OptionalQueryArguments, RequiredQueryArguments } from './arguments.ts';
import type { QueryBuilder } from './builder.ts';
import type { Actions, Endpoints } from './endpoint.ts';
import type { IsQueryOptional } from './query.ts';
import type { MaybeNotModified, ReadResult, Selected } from './selected.ts';

/** {@link Accepted} where the declaration says `accepts: ['create']`; `never` where it does not. */
type MaybeAccepted<C extends Collection> = C['options'] extends { readonly accepts: readonly (infer Name)[] }
  ? Name extends 'create'
    ? Accepted
    : never
  : never;

/**
 * What `replace` and `update` resolve with: `Done | Accepted`, as `{ outcome: 'done' }`, or the resource
 * where the family of the collection says `written: 'resource'`.
 */
export type WriteResult<C extends Collection> = C extends { readonly written: infer W }
  ? W extends 'resource'
    ? Selected<C, undefined, undefined>
    : Done | Accepted
  : Done | Accepted;

/** The operations of a collection (§4.2): its client has those that the declaration allows. */
export interface Operations<C extends Collection> {
  /**
   * The records of the collection: `for await` iterates all, `await` gives the first page. Nothing is sent
   * before that. The query and the options of the call form one object.
   *
   * @throws {@link InvalidRequestError} for a query that the declaration does not allow
   * @example
   * ```ts
   * const newestFirst = orders.list({ sort: ['-createdAt'], fields: ['status'] });
   * for await (const { status } of newestFirst) console.log(status);
   * const page = await orders.list({ perPage: 50, expand: ['company'] });
   * console.log(page.totalCount, page.items[0]?.company.name);
   * ```
   */
  list<const A extends readonly unknown[] = []>(
    ...query: OptionalQueryArguments<C, 'list', A, ListOptions>
  ): ItemList<ReadResult<C, A>>;

  /**
   * One resource. The query and the options of the call form one object. With `ifNoneMatch` or
   * `modifiedSince`, the result may be {@link NotModified} (§7.1, 304); see {@link isNotModified}.
   *
   * @throws {@link NotFoundError}
   * @example
   * ```ts
   * const order = await orders.get(7, { fields: ['status', 'company'], expand: ['company'] });
   * console.log(order.status, order.company.name);
   * ```
   */
  get<const A extends readonly unknown[] = []>(
    id: IdOf<C>,
    ...query: OptionalQueryArguments<C, 'get', A, ConditionalOptions>
  ): Call<ReadResult<C, A> | MaybeNotModified<A>>;

  /** One resource, or undefined when it does not exist (404). It takes the same arguments as `get`. */
  find<const A extends readonly unknown[] = []>(
    id: IdOf<C>,
    ...query: OptionalQueryArguments<C, 'get', A, ConditionalOptions>
  ): Call<ReadResult<C, A> | MaybeNotModified<A> | undefined>;

  /**
   * Creates a resource (POST) and returns it as the server created it. Without an `Idempotency-Key` in
   * `headers`, it is not resent after a lost connection; see {@link AmbiguousOutcomeError}. Its `Location` is
   * in `withResponse()`.
   *
   * @throws {@link ValidationError}, {@link UnexpectedResponseError} for a 202 that the declaration does not
   * allow
   * @example
   * ```ts
   * const { companies } = client.api(ordering);
   * const { id } = await companies.create({ name: 'Acme', city: 'Oslo' });
   * ```
   */
  create(
    body: BodiesOf<C>['create'],
    options?: CallOptions,
  ): Call<Selected<C, undefined, undefined> | MaybeAccepted<C>>;

  /**
   * Replaces an entire resource (PUT). Resolves with the resource where its family says
   * `written: 'resource'`.
   *
   * @throws {@link NotFoundError}, {@link ValidationError}
   */
  replace(id: IdOf<C>, body: BodiesOf<C>['replace'], options?: CallOptions): Call<WriteResult<C>>;

  /**
   * Updates part of a resource (PATCH). Resolves with the resource where its family says
   * `written: 'resource'`.
   *
   * @throws {@link NotFoundError}, {@link ValidationError}
   * @example
   * ```ts
   * const { outcome } = await orders.update(7, { device: { model: 'M2' } });
   * console.log(outcome); // 'done', or 'accepted': the server does it later
   * ```
   */
  update(id: IdOf<C>, body: BodiesOf<C>['update'], options?: CallOptions): Call<WriteResult<C>>;

  /**
   * Deletes a resource.
   *
   * @throws {@link NotFoundError}
   */
  delete(id: IdOf<C>, options?: CallOptions): Call<Done | Accepted>;

  /**
   * Creates many resources with one request (§8), where the declaration has `bulk`: resolves with them in the
   * order of the items, or with {@link Accepted} for a 202. More items than `maxItems` are refused before
   * they are sent: split the list.
   *
   * @throws {@link ContentTooLargeError} for more bytes or items than the server takes
   */
  createMany(
    items: readonly BodiesOf<C>['create'][],
    options?: CallOptions,
  ): Call<readonly Selected<C, undefined, undefined>[] | Accepted>;

  /** The methods of a URI (OPTIONS): of the collection, or of one resource (§4.2). */
  allowedMethods(id?: IdOf<C>, options?: CallOptions): Call<readonly string[]>;

  /** A query to build step by step, where the declaration has `list`. */
  query(): QueryBuilder<C>;
}

/**
 * Holds the declaration of a collection, in a client or in `queries`, for types such as {@link Item}. A
 * function over any collection infers the declaration from it. At run time it does not exist.
 *
 * @example
 * ```ts
 * const all = <C extends Collection>(of: Pick<Operations<C>, 'list'> & DeclaredBy<C>) => of.list().toArray();
 * const [first] = await all(orders);
 * console.log(first?.status);
 * ```
 */
export interface DeclaredBy<out C extends Collection> {
  /** Never present. Its key is a string, because the declaration file of a program cannot name a symbol. */
  readonly '~declaration'?: C;
}

/** `list` of a collection that declares a required parameter: it cannot be called without a query. */
export interface ListWithRequiredParams<C extends Collection> {
  /** The records of the collection for the parameters; see {@link Operations.list}. */
  list<const A extends readonly unknown[] = []>(
    ...query: RequiredQueryArguments<C, A, ListOptions>
  ): ItemList<ReadResult<C, A>>;
}

/** The names of the {@link Operations} that a collection has as they stand there. */
type MethodOf<C extends Collection> =
  | (IsQueryOptional<C> extends true ? OperationOf<C> : Exclude<OperationOf<C>, 'list'>)
  | ('get' extends OperationOf<C> ? 'find' : never)
  | ('list' extends OperationOf<C> ? 'query' : never)
  | (C['options'] extends { readonly bulk: unknown } ? 'createMany' : never)
  | 'allowedMethods';

/** The {@link Operations} that a collection declares, and its actions. */
export type CollectionClient<C extends Collection> = Pick<Operations<C>, MethodOf<C>> &
  DeclaredBy<C> &
  Actions<C> &
  (IsQueryOptional<C> extends true
    ? unknown
    : 'list' extends OperationOf<C>
      ? ListWithRequiredParams<C>
      : unknown);

/**
 * What {@link Client.api} gives for a collection:
 *
 * | path of the collection        | what it gives                                         |
 * |-------------------------------|-------------------------------------------------------|
 * | `orders`                      | its {@link CollectionClient}                          |
 * | `companies/:companyId/orders` | a function of `{ companyId }` that returns its client |
 *
 * A union of collections gives a union.
 */
export type ClientOf<C extends Collection> = C extends unknown
  ? [keyof PathParameters<C['path']>] extends [never]
    ? CollectionClient<C>
    : (parameters: PathParameters<C['path']>) => CollectionClient<C>
  : never;

/** What {@link Client.api} returns: the collections and the endpoints of an API. */
export type ApiClient<A extends ApiDeclaration> = {
  readonly [K in keyof A['collections']]: ClientOf<A['collections'][K]>;
} & (A extends { readonly endpoints: infer Declared } ? Endpoints<Declared> : unknown);
