import type { input, output } from 'zod/v4/core';
import type { ExpansionTarget } from './shape.ts';

type Flat<T> = { [K in keyof T]: T[K] } & {};

/** `id` is the server's only on a resource; a plain object may have an `id` of its own. */
type IdKey<Sh> = Sh extends { readonly id: unknown; readonly self: unknown } ? 'id' : never;

interface OptionalInput {
  readonly _zod: { readonly optin: 'optional' | 'defaulted' };
}

/** The fields of a body. `id` and `self` are the server's (§2.1). */
type Fields<Sh, Id = IdKey<Sh>> = Flat<
  {
    readonly [K in keyof Sh as Sh[K] extends OptionalInput ? never : Exclude<K, 'self' | Id>]: FieldBody<
      Sh[K]
    >;
  } & {
    readonly [K in keyof Sh as Sh[K] extends OptionalInput ? Exclude<K, 'self'> : never]?: FieldBody<Sh[K]>;
  }
>;

/** Every field optional, at every depth; a list, and a value that a codec makes, is replaced as a whole. */
type PartialFields<Sh, Id = IdKey<Sh>> = Flat<{
  readonly [K in keyof Sh as Exclude<K, 'self' | Id>]?: FieldPart<Sh[K]>;
}>;

/** The keys that an object may have besides its fields; no constraint where it has none. */
type OtherKeys<S> = S extends { _zod: { config: { out: infer X } } }
  ? string extends keyof X
    ? X
    : unknown
  : unknown;

type IdOf<Sh> = Sh extends { readonly id: infer Id } ? FieldBody<Id> : number;

/** A nested resource may name the one it replaces. */
type WithId<Sh, T> = Sh extends { readonly id: unknown; readonly self: unknown }
  ? Flat<T & { readonly id?: IdOf<Sh> }>
  : T;

/**
 * The schemas that hold others, or make one value of another. Any other one is written as its value: the most of a
 * resource's fields are asked nothing else.
 */
interface Composite {
  readonly _zod: {
    readonly def: { readonly type: Wrapper | 'array' | 'object' | 'pipe' | 'transform' };
  };
}

type Wrapper =
  | 'optional'
  | 'nullable'
  | 'default'
  | 'prefault'
  | 'nonoptional'
  | 'readonly'
  | 'catch'
  | 'promise'
  | 'success';

/** The value of a field in a body: a nested resource that can be expanded goes by its id. */
type FieldBody<S> = S extends Composite ? CompositeBody<S> : output<S>;

type CompositeBody<S> = S extends { _zod: { def: { type: infer T; innerType: infer I } } }
  ? T extends 'optional' | 'default' | 'prefault'
    ? FieldBody<I> | undefined
    : T extends 'nullable'
      ? FieldBody<I> | null
      : T extends 'nonoptional'
        ? Exclude<FieldBody<I>, undefined>
        : FieldBody<I>
  : S extends { _zod: { def: { type: 'array'; element: infer I } } }
    ? readonly FieldBody<I>[]
    : S extends ExpansionTarget<infer R>
      ? { readonly id: IdOfTarget<R> }
      : S extends { _zod: { def: { type: 'object'; shape: infer Sh } } }
        ? WithId<Sh, Fields<Sh>> & OtherKeys<S>
        : Converted<S>;

type IdOfTarget<R> = R extends { _zod: { def: { shape: infer Sh } } } ? IdOf<Sh> : number;

interface OneWay {
  readonly _zod: { readonly def: { readonly type: 'transform' } };
}

/**
 * The value that a body takes for a pipe: a codec's decoded one, which is encoded on the way out. What can only be
 * decoded is given as it stands on the wire.
 */
type Converted<S> = S extends { _zod: { def: { reverseTransform: unknown } } }
  ? output<S>
  : S extends { _zod: { def: { type: 'pipe'; in: infer A; out: infer B } } }
    ? A extends OneWay
      ? FieldBody<B>
      : B extends OneWay
        ? FieldBody<A>
        : B extends { _zod: { def: { type: 'pipe' } } }
          ? FieldBody<B>
          : // A pipe that only narrows takes what comes out of it.
            output<S> extends FieldBody<A>
            ? output<S>
            : FieldBody<A>
    : input<S>;

type FieldPart<S> = S extends Composite ? CompositePart<S> : output<S>;

type CompositePart<S> = S extends { _zod: { def: { type: infer T; innerType: infer I } } }
  ? T extends 'optional' | 'default' | 'prefault'
    ? FieldPart<I> | undefined
    : T extends 'nullable'
      ? FieldPart<I> | null
      : FieldPart<I>
  : S extends ExpansionTarget<unknown>
    ? FieldBody<S>
    : S extends { _zod: { def: { type: 'object'; shape: infer Sh } } }
      ? WithId<Sh, PartialFields<Sh>> & OtherKeys<S>
      : FieldBody<S>;

/** The body of POST and PUT: the whole resource, without what the server gives it (§4.2). */
export type ResourceBody<R> = R extends { _zod: { def: { type: 'object'; shape: infer Sh } } }
  ? Fields<Sh>
  : never;

/** The body of PATCH: the part that changes (§4.2). */
export type PartialBody<R> = R extends { _zod: { def: { type: 'object'; shape: infer Sh } } }
  ? PartialFields<Sh>
  : never;

/** The value that a declaration's own schema takes, of a body or of parameters. */
export type OwnBody<S> = FieldBody<S>;
