import type { $ZodType } from 'zod/v4/core';

/** A zod schema, of `zod` or of `zod/mini`, as {@link resource} takes it for each field. */
export type Schema = $ZodType;

/**
 * A schema of {@link resource}, as the constraint of a type parameter. Comparing every schema with
 * `Schema` would take most of a compiler's time for a large declaration.
 */
export interface AnySchema {
  /** The internals of zod. */
  // biome-ignore lint/suspicious/noExplicitAny: the one type that is compared with nothing, and fits `Schema`
  readonly _zod: any;
  /** The interface of Standard Schema. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly '~standard': any;
}

/** The fields that {@link resource} takes, each with its schema. */
export type Shape = Readonly<Record<string, Schema>>;

/**
 * The type of a name that does not exist: the compiler's message shows the names that do. No value has it.
 */
export interface UnknownName<Name, Known> {
  /** The names that exist. */
  readonly known: [Name, Known];
}

/**
 * What an object with the unknown names `Unknown` is compared with. The compiler says of a literal which of
 * its names is not among the `Known`, and which one may be meant; any other object lacks `unknown`, which no
 * query has.
 */
export type KnownNames<Known extends string, Unknown> = { readonly [K in Known]?: unknown } & {
  readonly unknown: Unknown;
};

/** The names of `T`, which the compiler shows one by one. */
export type NamesOf<T> = { readonly [K in keyof T]-?: K }[keyof T];

/** The names of `T` that `Known` does not have, so that a misspelt option does not compile. */
export type Exact<T, Known> = {
  readonly [K in Exclude<keyof T, keyof Known>]: UnknownName<K, NamesOf<Known> & string>;
};

/**
 * What {@link expandable} marks: a nested resource that the server returns as `{ id, self }` until it is
 * expanded (§2.1).
 */
export interface ExpansionTarget<R = Schema> {
  /** The resource that `expand` gives. */
  readonly target: R;
}

/** What stands for a nested resource that a server leaves out until it is expanded. */
export interface AbsentTarget {
  /** Marks it for the results. */
  readonly isAbsent: true;
}

/** A schema of an object with the fields `Sh`. */
export interface ObjectSchema<Sh> {
  readonly _zod: { readonly def: { readonly type: 'object'; readonly shape: Sh } };
}

/** The same fields in one object type, which the compiler shows instead of the types that it combines. */
export type Flat<T> = { [K in keyof T]: T[K] } & {};

/** The types of zod that wrap one schema and have its fields. */
export type Wrapper = 'optional' | 'nullable' | 'nonoptional' | 'readonly' | 'default' | 'prefault' | 'catch';

/** A schema of the type `T` that wraps the schema `I`. */
export interface WrapperSchema<T, I> {
  readonly _zod: { readonly def: { readonly type: T; readonly innerType: I } };
}

/** A schema of an array of `I`. */
export interface ArraySchema<I> {
  readonly _zod: { readonly def: { readonly type: 'array'; readonly element: I } };
}

/** The schema that a wrapper or an array holds; `never` for all others. */
export type InnerOf<S> =
  S extends WrapperSchema<Wrapper, infer I> ? I : S extends ArraySchema<infer I> ? I : never;

/** The fields below a schema, inside of its wrappers and arrays; `never` when it has none. */
export type ShapeOf<S> =
  S extends ExpansionTarget<infer R>
    ? ShapeOf<R>
    : S extends ObjectSchema<infer Sh>
      ? Sh
      : ShapeOf<InnerOf<S>>;

/**
 * The names of an object's identity: `id` and `self`, as far as it has them, of a resource; of another object
 * if it has both, as a reference has (§2.1).
 */
export type IdentityKey<R, Sh> = R extends { readonly isResource: true }
  ? keyof Sh & ('id' | 'self')
  : Sh extends { readonly id: unknown; readonly self: unknown }
    ? 'id' | 'self'
    : never;

/**
 * Whether a schema, inside of its wrappers and arrays, is a nested resource that can be expanded. One without
 * a type may be: the getter of a resource that contains itself has only that of any schema.
 */
export type IsExpandable<S> = [S] extends [never]
  ? false
  : (Schema extends S ? ExpansionTarget : S) extends ExpansionTarget<unknown>
    ? true
    : IsExpandable<InnerOf<S>>;

/** Whether a type is a union, or `never`, of which nothing is known either. */
type IsUnion<T, Each = T> = [T] extends [never]
  ? true
  : Each extends unknown
    ? [T] extends [Each]
      ? false
      : true
    : never;

type IsOpen<T> = string extends T ? true : number extends T ? true : IsUnion<T>;

/**
 * Whether the compiler knows each name of a list, for example of `fields` in {@link Operations.list}, or that
 * there is none. A list of any length, a union of lists, and a list with a name that is a union are known
 * only at run time.
 */
export type IsKnown<N> =
  true extends IsUnion<N>
    ? false
    : N extends readonly unknown[]
      ? true extends IsOpen<N['length']> | { [I in keyof N]: IsOpen<N[I]> }[number]
        ? false
        : true
      : N extends undefined
        ? true
        : false;
