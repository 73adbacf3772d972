import { type Operation, operations, type QueryParameter } from '../conventions.ts';
import type { Wire } from '../families/wire.ts';
import type { AnyEndpoint } from './endpoint.ts';
import type { AnyResource, Resource } from './resource.ts';
import type { CheckedBodies, CheckedKey, CheckedNames, CheckedRepeated, ShapeIn } from './types/checked.ts';
import type { ExpandPathsOf, HasPath, PathsOf } from './types/field-path.ts';
import type { Exact, NamesOf, ObjectSchema, Schema, UnknownName } from './types/shape.ts';

/** A dotted field path of a resource, as {@link collection} takes it in `sort` and `fields`. */
export type FieldPath<R extends Resource> = PathsOf<ShapeIn<R>>;

/** A dotted path to a nested resource that can be expanded, as {@link collection} takes it in `expand`. */
export type ExpandPath<R extends Resource> = ExpandPathsOf<ShapeIn<R>>;

/** How an endpoint pages (§4.5.3); the `paging` of {@link collection}. */
export interface PagingOptions {
  /** Largest `perPage`; above it the server responds with 400. No limit by default. */
  readonly maxPerPage?: number;
  /** Records per page without `perPage`; the client ignores it, the mock uses 25 by default. */
  readonly defaultPerPage?: number;
  /**
   * Whether the server supplies totals (§4.5.1), true by default. The mock follows it; the client then
   * demands none of those that the family of the API has.
   */
  readonly totals?: boolean;
}

/**
 * The `bulk` of {@link collection}: the limits of a bulk request (§8). Above them the server responds with
 * 413.
 */
export interface BulkOptions {
  /** Items in one request; no limit by default. */
  readonly maxItems?: number;
  /** Bytes of the body of one request; no limit by default. */
  readonly maxBytes?: number;
}

/**
 * Schemas of request bodies (§4.2), in place of those that follow from the resource.
 *
 * @example
 * ```ts
 * const closing = z.object({ name: z.string(), reason: z.string() });
 * const companies = collection('companies', Company, { bodies: { update: closing } });
 * ```
 */
export interface BodySchemas {
  /** Body of POST, and each item of a bulk request. */
  readonly create?: Schema;
  /** Body of PUT. */
  readonly replace?: Schema;
  /** Body of PATCH; declare every field that may be left out as optional. */
  readonly update?: Schema;
}

/**
 * What an endpoint supports (§4.4). The client has only what is named here.
 *
 * @example
 * ```ts
 * const orders = collection('orders', Order, {
 *   operations: ['list', 'get', 'create'],
 *   sort: ['createdAt'],
 *   fields: true,
 *   expand: ['company'],
 *   paging: { maxPerPage: 200 },
 *   params: z.object({ status: z.optional(z.string()) }),
 * });
 * ```
 */
export interface CollectionOptions {
  /** `true` for every field, or the paths that can be sorted by. */
  readonly sort?: true | readonly string[];
  /** `true` for every field, or the paths that `fields` may name. */
  readonly fields?: true | readonly string[];
  /** The nested resources that can be expanded. */
  readonly expand?: readonly string[];
  /** `true`, or how the endpoint pages. */
  readonly paging?: true | PagingOptions;
  /**
   * The field in the path of one resource, a string or a number: `issues/5` has the `number` of an issue. By
   * default its `id`.
   */
  readonly key?: string;
  /** All six by default. */
  readonly operations?: readonly Operation[];
  /**
   * The operations that the server may accept and do later (202) instead of returning their result; none by
   * default.
   */
  readonly accepts?: readonly 'create'[];
  /** The list's own query parameters, an object schema. */
  readonly params?: Schema & ObjectSchema<unknown>;
  /**
   * The lists in `params` that are sent as one parameter for each item: `status=open&status=shipped`. The
   * other lists are sent with commas: `status=open,shipped`.
   */
  readonly repeated?: readonly string[];
  /**
   * Whether the path of the collection ends with a slash, as `items/` beside `items/7` in FastAPI; by default
   * as its family says.
   */
  readonly trailingSlash?: boolean;
  /** Schemas of request bodies that are not the resource's own fields. */
  readonly bodies?: BodySchemas;
  /** The collection takes a list of items in one POST, up to these limits (§8): `createMany` sends it. */
  readonly bulk?: BulkOptions;
  /**
   * What can be done with one of its resources besides the operations (`POST orders/7/cancel`), each by the
   * name that it has in the client: an {@link endpoint} whose path is below that of the resource.
   */
  readonly actions?: Readonly<Record<string, AnyEndpoint>>;
  /**
   * By field path, the `reference` of the field's errors (§2.3): a URI that describes its requirements. For
   * the mock.
   */
  readonly references?: Readonly<Record<string, string | undefined>>;
}

/** A collection of an API, as {@link collection} declares it. */
export interface Collection<
  Path extends string = string,
  R extends Resource = Resource,
  O extends CollectionOptions = CollectionOptions,
> {
  /** Below `/v<major>/`, with `:name` for a parameter. */
  readonly path: Path;
  /** What its items are. */
  readonly resource: R;
  /** What its endpoint supports. */
  readonly options: O;
  /** That of its family; undefined for the conventions. */
  readonly wire?: Wire;
}

type CheckedReferences<N, Sh> = {
  readonly [P in keyof N]: HasPath<Sh, P> extends true ? N[P] : UnknownName<P, PathsOf<Sh>>;
};

// `{}` in place of `unknown` would let the compiler take `true` or a number for an object without options.
type Misspelt<Part, Known> = keyof Part extends keyof Known ? unknown : Exact<Part, Known>;
type CheckedPart<Part, Known> = Part extends object ? Part & Misspelt<Part, Known> : Part;

/** What an option is compared with, by its name. An option that is not here is compared with its own type. */
interface CheckedOption<Value, O, R extends Resource> {
  readonly sort: CheckedNames<Value, ShapeIn<R>, 'sort'>;
  readonly fields: CheckedNames<Value, ShapeIn<R>, 'fields'>;
  readonly expand: CheckedNames<Value, ShapeIn<R>, 'expand'>;
  readonly key: CheckedKey<Value, ShapeIn<R>>;
  readonly references: CheckedReferences<Value, ShapeIn<R>>;
  readonly repeated: CheckedRepeated<Value, O['params' & keyof O]>;
  readonly paging: CheckedPart<Value, PagingOptions>;
  readonly bulk: CheckedPart<Value, BulkOptions>;
  readonly bodies: CheckedPart<Value, BodySchemas> & CheckedBodies<Value>;
}

/**
 * The options of a collection, or what is wrong with them; `Missing` are those that its family does not have.
 */
export type CheckedOptions<O, R extends Resource, Missing = never> = {
  readonly [K in keyof O]: K extends Missing
    ? `the family has no ${K & string}; leave it out, or name it in the query of family()`
    : K extends keyof CheckedOption<unknown, unknown, Resource>
      ? CheckedOption<O[K], O, R>[K]
      : K extends keyof CollectionOptions
        ? O[K]
        : UnknownName<K, Extract<NamesOf<CollectionOptions>, string>>;
  // `& {}` makes the compiler show the options instead of the alias.
} & {};

/**
 * Declares a collection: its path below `/v<major>/`, its resource, and what its endpoint supports (§4.4).
 * Names in `sort`, `fields`, `expand` and `references` are paths of the resource.
 *
 * @param path - for example `orders` or `companies/:companyId/orders`
 * @example
 * ```ts
 * const orders = collection('orders', Order, {
 *   sort: true,
 *   paging: { maxPerPage: 200 },
 *   bulk: { maxItems: 50 },
 * });
 * ```
 */
export const collection = <
  const Path extends string,
  R extends AnyResource,
  const O extends CollectionOptions = Record<never, never>,
>(
  path: Path,
  resource: R,
  options?: (O & undefined) | CheckedOptions<O, R>,
): Collection<Path, R, O> => ({ path, resource, options: { ...(options as O) } });

/**
 * A collection in the declaration of an API. Its type is not checked again, because {@link collection} has
 * done so.
 */
export type DeclaredCollection = Collection<string, AnyResource, object>;

/** The largest `perPage` that an endpoint declares; undefined without one. */
export const maxPerPageOf = ({ paging }: Pick<CollectionOptions, 'paging'>): number | undefined =>
  typeof paging === 'object' ? paging.maxPerPage : undefined;

/** Whether the server supplies totals of a list (§4.5.1). */
export const suppliesTotals = (paging: CollectionOptions['paging']): boolean =>
  typeof paging !== 'object' || paging.totals !== false;

export const operationsOf = (collection: Collection): readonly Operation[] =>
  collection.options.operations ?? operations;

/** The field in the path of one resource of a collection. */
export const keyOf = ({ options: { key = 'id' } }: Collection): string => key;

/** The option that declares each parameter of §4.4. */
const optionOf = {
  sort: 'sort',
  fields: 'fields',
  expand: 'expand',
  page: 'paging',
  perPage: 'paging',
} as const satisfies Readonly<Record<QueryParameter, keyof CollectionOptions>>;

/**
 * True for a parameter of §4.4 that a collection supports. Any other name may be that of a parameter of its
 * own.
 */
export const supportsParameter = (options: CollectionOptions, name: string): name is QueryParameter =>
  Object.hasOwn(optionOf, name) && options[optionOf[name as QueryParameter]] !== undefined;

/** The names of the parameters in a path: `companyId` in `companies/:companyId/orders`. */
export const parameterNamesOf = (path: string): readonly string[] =>
  Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name);

/** A declared path as a template: `companies/{companyId}/orders`. */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

/**
 * The name of the parameter for one resource, where its path has none of that name: that of the field which
 * it has, if a path can have it.
 */
export const idNameOf = (path: string, key: string): string => {
  const names = parameterNamesOf(path);
  const free = [key, 'id', 'itemId', 'resourceId'].filter((name) => !names.includes(name));
  return free.find((name) => /^[A-Za-z_]\w*$/.test(name)) ?? 'id';
};
