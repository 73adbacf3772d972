import type { input, output } from 'zod/v4/core';
import type { Method } from '../src/conventions.ts';
import type { ApiDeclaration } from '../src/schema/define-api.ts';
import type { ExpansionTarget, Schema } from '../src/schema/types/shape.ts';

/** The APIs of {@link createMock}: one, or several that share tokens and users. */
export type Apis = ApiDeclaration | readonly ApiDeclaration[];

type KeysOf<One> = One extends { readonly collections: infer C } ? keyof C & string : never;

/** The collection keys of an API, or of several, as {@link MockState} takes them. */
export type CollectionKey<A extends Apis> = A extends readonly (infer One)[] ? KeysOf<One> : KeysOf<A>;

/** A method, for {@link MockFaults}; also one that the conventions disallow (§4.2). */
export type RequestMethod = Method | 'HEAD';

/** A row of {@link MockState}, or the query parameters of a request, as plain data. */
export type MockRow = Readonly<Record<string, unknown>>;

/**
 * A row of a collection in the `data` of {@link createMock}, as it goes over the wire. A `Date` is written as
 * its ISO 8601 string.
 */
export type MockRowOf<A extends Apis, K, Form extends RowForm = 'given'> = K extends unknown
  ? ResourceRow<CollectionAt<A, K> extends { readonly resource: infer R } ? R : never, Form>
  : never;

/** The own query parameters of the list of a collection, as the schema in `params` parses them. */
export type MockParamsOf<A extends Apis, K> =
  CollectionAt<A, K> extends { readonly options: { readonly params: infer S extends Schema } }
    ? output<S>
    : MockRow;

/**
 * A row as a test gives it, or as the mock returns it: without `Date`s, and each relation as an object. The
 * mock checks what it stores, but not what a relation has besides its id.
 */
type RowForm = 'given' | 'stored' | 'unchecked';

/** The collection with the key `K`; those of several APIs make a union. */
type CollectionAt<A extends Apis, K> = (A extends readonly (infer One)[] ? One : A) extends infer One
  ? One extends { readonly collections: infer C }
    ? K extends keyof C
      ? C[K]
      : never
    : never
  : never;

interface AnyObject<Sh> {
  readonly _zod: { readonly def: { readonly shape: Sh } };
}

/** A row of a resource; any row where its fields are known only at run time. */
export type ResourceRow<R, Form extends RowForm = 'given'> =
  R extends AnyObject<infer Sh> ? (unknown extends Sh ? MockRow : Row<Sh, Form>) : MockRow;

/**
 * The fields of an object. Those of a given one are all optional: the mock assigns some of them, and checks at
 * once that the others are present.
 */
type Row<Sh, Form extends RowForm> = Form extends 'stored' ? StoredRow<Sh> : PartialRow<Sh, Form>;

type PartialRow<Sh, Form extends RowForm> = { readonly [K in keyof Sh]?: FieldRow<Sh[K], Form> | undefined };

/** The fields that the schema requires, and the others. A stored row has no `self`. */
type StoredRow<Sh> = {
  readonly [K in keyof Sh as K extends OptionalIn<Sh> ? never : K]: FieldRow<Sh[K], 'stored'>;
} & PartialRow<Pick<Sh, OptionalIn<Sh>>, 'stored'>;

type OptionalIn<Sh> = {
  [K in keyof Sh]: K extends 'self'
    ? K
    : Sh[K] extends { _zod: { optin: 'optional' | 'defaulted' } }
      ? K
      : never;
}[keyof Sh];

/**
 * The value of a field on the wire, by its schema:
 *
 * | schema                     | as a test gives it           | stored               |
 * |----------------------------|------------------------------|----------------------|
 * | z.string().nullable()      | string, null                 | string, null         |
 * | z.array(z.int())           | numbers                      | numbers              |
 * | expandable(Company)        | 3, { id: 3 }, a company      | { id: 3 }, a company |
 * | z.object({ model })        | { model }                    | { model }            |
 * | z.iso.datetime()           | string, Date                 | string               |
 */
type FieldRow<S, Form extends RowForm> = S extends { _zod: { def: { type: infer T; innerType: infer I } } }
  ? FieldRow<I, Form> | (T extends 'nullable' ? null : never)
  : S extends { _zod: { def: { type: 'array'; element: infer I } } }
    ? readonly FieldRow<I, Form>[]
    : S extends ExpansionTarget<infer Target>
      ? RelationRow<Target, Form>
      : ValueRow<S, Form>;

/** A relation, or a list of relations that is left out until it is expanded. */
type RelationRow<Target, Form extends RowForm> =
  Target extends AnyObject<infer Sh>
    ? Form extends 'given'
      ? PartialRow<Sh, Form> | IdIn<Sh>
      : PartialRow<Sh, 'unchecked'> & { readonly id: IdIn<Sh> }
    : FieldRow<Target, Form>;

type IdIn<Sh> = Sh extends { readonly id: infer Id } ? input<Id> : never;

/** An object, of which a loose one takes other fields, or a value without fields. */
type ValueRow<S, Form extends RowForm> = S extends {
  _zod: { def: { type: 'object'; shape: infer Sh }; config: { out: infer Others } };
}
  ? Row<Sh, Form> & (string extends keyof Others ? MockRow : unknown)
  : input<S> | (Form extends 'given' ? DateOf<S> : never);

/** A `Date` for a date and time, and for a codec of one. */
type DateOf<S> = S extends DateString | { readonly _zod: { readonly def: { readonly in: DateString } } }
  ? Date
  : never;

interface DateString {
  readonly _zod: { readonly def: { readonly format: 'datetime' } };
}

/**
 * The rows of a mock, without HTTP. A row has its `id`, a relation as `{ id }`, and no `self`, which depends
 * on the URL of a request. Where several APIs have a collection of the same key, the mock reads the first and
 * sets all of them.
 *
 * @example
 * ```ts
 * mock.state.setRows('companies', [{ id: 1, name: 'Acme', city: 'Utrecht' }]);
 * console.log(mock.state.row('companies', 1)?.city, mock.state.rows('companies').length);
 * ```
 */
export interface MockState<A extends Apis = Apis> {
  /**
   * Copies of all rows, in the order they were made.
   *
   * @throws `InvalidRequestError` for an unknown collection
   */
  rows<K extends CollectionKey<A>>(collection: K): readonly MockRowOf<A, K, 'stored'>[];
  /**
   * A copy of the row with an id, or with the `key` of its collection; undefined when there is none.
   *
   * @throws `InvalidRequestError` for an unknown collection
   */
  row<K extends CollectionKey<A>>(collection: K, id: string | number): MockRowOf<A, K, 'stored'> | undefined;
  /**
   * Replaces the rows of a collection, until {@link Mock.reset}. A nested collection that shows the rows of
   * another one, such as `companies/:companyId/orders`, replaces those of the parents that its rows name.
   *
   * @throws `InvalidRequestError` for an unknown collection, for an empty list of such a nested one, and for a
   * row that does not fit, with collection, index and path; the rows then stay as they were
   */
  setRows<K extends CollectionKey<A>>(collection: K, rows: readonly MockRowOf<A, K>[]): void;
}
