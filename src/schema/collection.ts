import { type Operation, operations } from '../conventions.ts';
import type { AnyResource, Resource } from './resource.ts';
import type { ExpandPathsOf, HasExpandPath, HasPath, PathsOf } from './types/field-path.ts';
import type { IsUnion, Mistake, Schema } from './types/shape.ts';

type ShapeIn<R extends Resource> = R['_zod']['def']['shape'];

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
  /** Whether the server supplies totals (§4.5.1), true by default; the client ignores it, the mock follows it. */
  readonly totals?: boolean;
}

/** The `bulk` of {@link collection}: the limits of a bulk request (§8). Above them the server responds with 413. */
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
  /** All six by default. */
  readonly operations?: readonly Operation[];
  /** The operations that the server may accept and do later (202) instead of returning their result; none by default. */
  readonly accepts?: readonly 'create'[];
  /** The list's own query parameters, an object schema. */
  readonly params?: Schema;
  /** Schemas of request bodies that are not the resource's own fields. */
  readonly bodies?: BodySchemas;
  /** The collection takes a list of items in one POST, up to these limits (§8): `createMany` sends it. */
  readonly bulk?: BulkOptions;
  /** By field path, the `reference` of the field's errors (§2.3): a URI that describes its requirements. For the mock. */
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
}

/** The paths of a list; in place of one that the resource does not have, a {@link Mistake} that the compiler quotes. */
type CheckedPaths<N, R extends Resource, Path extends string> = N extends readonly unknown[]
  ? { readonly [I in keyof N]: CheckedPath<N[I], R, Path> }
  : N;

// A name that is not known yet (a completion in an editor, a `string`) must be one of the paths.
type CheckedPath<P, R extends Resource, Path extends string> = string extends P
  ? FieldPath<R>
  : HasPath<ShapeIn<R>, P> extends true
    ? P
    : Mistake<`${Path} has no field "${P & string}"`>;

type CheckedExpandPaths<N, R extends Resource, Path extends string> = {
  readonly [I in keyof N]: string extends N[I]
    ? ExpandPath<R>
    : HasExpandPath<ShapeIn<R>, N[I]> extends true
      ? N[I]
      : Mistake<`${Path} cannot expand "${N[I] & string}"`>;
};

// Distributes over `undefined`: an editor completes by the constraint of the option, which includes `undefined`.
type CheckedReferences<N, R extends Resource, Path extends string> = N extends object
  ? string extends keyof N
    ? { readonly [P in FieldPath<R>]?: string | undefined }
    : {
        readonly [P in keyof N]: HasPath<ShapeIn<R>, P> extends true
          ? N[P]
          : Mistake<`${Path} has no field "${P & string}"`>;
      }
  : N;

// Leaves `true` out: in a union with it, an editor would also offer the methods of a boolean, such as `valueOf`.
type CheckedKeys<T, K extends keyof CollectionOptions> = T extends object
  ? {
      readonly [P in keyof T]: P extends keyof Exclude<CollectionOptions[K], true | undefined>
        ? T[P]
        : Mistake<`${K} has no option "${P & string}"`>;
    }
  : unknown;

type CheckedParams<P> = P extends { readonly _zod: { readonly output: infer Params } }
  ? unknown extends Params
    ? P
    : [Params, IsUnion<Params>, Params extends readonly unknown[] ? true : false] extends [
          object,
          false,
          false,
        ]
      ? P
      : Mistake<'params must be an object schema, such as z.object({ city: z.string() })'>
  : P;

/** The options, each name looked up in the resource: computing all names of a resource would cost far more. */
type CheckedOptions<O, R extends Resource, Path extends string> = {
  readonly [K in keyof O]: K extends 'sort' | 'fields'
    ? CheckedPaths<O[K], R, Path>
    : K extends 'expand'
      ? CheckedExpandPaths<O[K], R, Path>
      : K extends 'references'
        ? CheckedReferences<O[K], R, Path>
        : K extends 'paging' | 'bulk' | 'bodies'
          ? CheckedKeys<O[K], K>
          : K extends 'params'
            ? CheckedParams<O[K]>
            : K extends keyof CollectionOptions
              ? O[K]
              : Mistake<`a collection has no option "${K & string}"`>;
};

/**
 * Declares a collection: its path below `/v<major>/`, its resource, and what its endpoint supports (§4.4). Names in
 * `sort`, `fields`, `expand` and `references` are paths of the resource.
 *
 * @param path - for example `orders` or `companies/:companyId/orders`
 * @example
 * ```ts
 * const orders = collection('orders', Order, { sort: true, paging: { maxPerPage: 200 }, bulk: { maxItems: 50 } });
 * ```
 */
export const collection = <
  const Path extends string,
  R extends AnyResource,
  const O extends CollectionOptions = CollectionOptions,
>(
  path: Path,
  resource: R,
  options?: O & CheckedOptions<O, R, Path>,
): Collection<Path, R, O> => ({ path, resource, options: { ...(options as O) } });

/** A collection in the declaration of an API. Its type is not checked again, because {@link collection} has done so. */
export type DeclaredCollection = Collection<string, AnyResource, object>;

export const operationsOf = (collection: Collection): readonly Operation[] =>
  collection.options.operations ?? operations;

/** The names of the parameters in a path: `companyId` in `companies/:companyId/orders`. */
export const parameterNamesOf = (path: string): readonly string[] =>
  Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name);
