// The types that follow from the declaration of a collection.
import type { Operation } from '../../conventions.ts';
import type { BodySchemas, Collection, CollectionOptions, FieldPath } from '../collection.ts';
import type { OwnBody, PartialBody, ResourceBody } from './body.ts';
import type { CertainNames, Schema } from './shape.ts';

/** The parameters of a path: `{ companyId: string | number }` for `companies/:companyId/orders`. See {@link Client.api}. */
export type PathParameters<Path extends string> = {
  readonly [K in PathParameterName<Path>]: string | number;
};

/** The names of the `:name` segments in the path of a {@link collection}; `never` when it has none. */
export type PathParameterName<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? PathParameterName<Head> | PathParameterName<Tail>
  : Path extends `:${infer Name}`
    ? Name
    : never;

type Named<Declared, Every> = Declared extends true
  ? Every
  : Declared extends readonly (infer Name)[]
    ? Name
    : never;

/** The paths that the `sort` of a {@link collection} takes; `never` when it declares none. */
export type SortPathOf<C extends Collection> = C['options'] extends { readonly sort: infer S }
  ? Named<S, FieldPath<C['resource']>> & string
  : never;

/** The paths that the `fields` of a {@link collection} takes; `never` when it declares none. */
export type FieldsPathOf<C extends Collection> = C['options'] extends { readonly fields: infer F }
  ? Named<F, FieldPath<C['resource']>> & string
  : never;

/** The names that the `expand` of a {@link collection} takes; `never` when it declares none. */
export type ExpandPathOf<C extends Collection> = C['options'] extends { readonly expand: infer E }
  ? Named<E, never> & string
  : never;

/** The operations that a declared list lacks, or may lack. Without a list, none is missing. */
type Lacking<Declared> = Declared extends readonly unknown[]
  ? Exclude<Operation, CertainNames<Declared>>
  : never;

/** The operations of a {@link collection}; where its declaration depends on a condition, those that are always declared. */
export type OperationOf<C extends Collection> = CollectionOptions extends C['options']
  ? Operation
  : C['options'] extends { readonly operations?: infer Declared }
    ? Exclude<Operation, Lacking<Declared>>
    : Operation;

/** The endpoint's own query parameters, the `params` of a {@link collection}; `never` when it declares none. */
export type ParamsOf<C extends Collection> = C['options'] extends { readonly params: infer P extends Schema }
  ? OwnBody<P>
  : never;

/**
 * The bodies that a collection's operations take: the declared ones, or those that follow from the resource.
 * {@link Body} is its short form.
 */
export interface BodiesOf<C extends Collection> {
  /** The body of POST. */
  readonly create: BodyOf<C, 'create', ResourceBody<C['resource']>>;
  /** The body of PUT. */
  readonly replace: BodyOf<C, 'replace', ResourceBody<C['resource']>>;
  /** The body of PATCH. */
  readonly update: BodyOf<C, 'update', PartialBody<C['resource']>>;
}

type BodyOf<C extends Collection, K extends keyof BodySchemas, Derived> = C['options'] extends {
  readonly bodies: { readonly [Name in K]: infer S extends Schema };
}
  ? OwnBody<S>
  : Derived;
