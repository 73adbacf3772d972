// The types that follow from the declaration of a collection.
import type { output } from 'zod/v4/core';
import type { Operation } from '../../conventions.ts';
import type { BodySchemas, Collection, FieldPath } from '../collection.ts';
import type { OwnBody, PartialBody, ResourceBody } from './body.ts';
import type { KeyIn, ShapeIn } from './checked.ts';
import type { Schema } from './shape.ts';

/**
 * The parameters of a path: `{ companyId: string | number }` for `companies/:companyId/orders`. See
 * {@link Client.api}.
 */
export type PathParameters<Path extends string> = {
  readonly [K in PathParameterName<Path>]: string | number;
};

/** The names of the `:name` segments in the path of a {@link collection}; `never` when it has none. */
export type PathParameterName<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? PathParameterName<Head> | PathParameterName<Tail>
  : Path extends `:${infer Name}`
    ? Name
    : never;

/** The parts of a query that are lists of names. */
export type NameKey = 'sort' | 'fields' | 'expand';

/**
 * The paths that `sort`, `fields` or `expand` of a {@link collection} takes; `never` when it does not declare
 * them.
 */
export type PathOf<C extends Collection, K extends NameKey> = C['options'] extends {
  readonly [P in K]: infer Declared;
}
  ? Declared extends true
    ? FieldPath<C['resource']>
    : Declared extends readonly (infer Path extends string)[]
      ? Path
      : never
  : never;

/** The operations of a {@link collection}. */
export type OperationOf<C extends Collection> = C['options'] extends {
  readonly operations: readonly (infer Declared extends Operation)[];
}
  ? Declared
  : Operation;

/**
 * The endpoint's own query parameters, the `params` of a {@link collection}; `never` when it declares none.
 */
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

/**
 * What addresses one resource of a collection, by its schema: its `id`, or the field that `key` names.
 * {@link Id} is its short form.
 */
export type IdOf<C extends Collection> = C['options'] extends { readonly key: infer K extends string }
  ? KeyIn<ShapeIn<C['resource']>, K>
  : output<C['resource']> extends { id: infer Id extends string | number }
    ? Id
    : number;
