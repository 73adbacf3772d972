import type { input, output } from 'zod/v4/core';
import type { Rest } from './result.ts';
import type { ExpansionTarget } from './shape.ts';

type Flat<T> = { [K in keyof T]: T[K] } & {};

type OptionalIn<Sh> = {
  [K in keyof Sh]: Sh[K] extends { _zod: { optin: 'optional' | 'defaulted' } } ? K : never;
}[keyof Sh];

type IdOf<Sh> = Sh extends { readonly id: infer Id } ? Written<Id> : number;

/**
 * The value that a body takes for a schema: a codec's decoded one, which is encoded on the way out. What can only be
 * decoded is given as it stands on the wire.
 */
type Written<S> = S extends { _zod: { def: { reverseTransform: unknown } } }
  ? output<S>
  : S extends { _zod: { def: { type: 'pipe'; in: infer A; out: infer B } } }
    ? A extends OneWay
      ? Written<B>
      : B extends OneWay
        ? Written<A>
        : B extends { _zod: { def: { type: 'pipe' } } }
          ? Written<B>
          : // A pipe that only narrows takes what comes out of it.
            output<S> extends Written<A>
            ? output<S>
            : Written<A>
    : S extends OneWay
      ? input<S>
      : output<S>;

interface OneWay {
  readonly _zod: { readonly def: { readonly type: 'transform' } };
}

/** The fields of a body. `id` and `self` are the server's (§2.1). */
type Fields<Sh> = Flat<
  {
    readonly [K in Exclude<keyof Sh, OptionalIn<Sh> | 'self' | IdKey<Sh>>]: FieldBody<Sh[K]>;
  } & {
    readonly [K in Exclude<OptionalIn<Sh>, 'self'>]?: FieldBody<Sh[K]>;
  }
>;

/** `id` is the server's only on a resource; a plain object may have an `id` of its own. */
type IdKey<Sh> = Sh extends { readonly id: unknown; readonly self: unknown } ? 'id' : never;

/** A nested resource may name the one it replaces. */
type WithId<Sh, T> = Sh extends { readonly id: unknown; readonly self: unknown }
  ? Flat<T & { readonly id?: IdOf<Sh> }>
  : T;

/** The value of a field in a body: a nested resource that can be expanded goes by its id. */
type FieldBody<S> = S extends { _zod: { def: { type: infer T; innerType: infer I } } }
  ? T extends 'optional'
    ? FieldBody<I> | undefined
    : T extends 'nullable'
      ? FieldBody<I> | null
      : T extends 'default' | 'prefault'
        ? FieldBody<I> | undefined
        : T extends 'nonoptional'
          ? Exclude<FieldBody<I>, undefined>
          : FieldBody<I>
  : S extends { _zod: { def: { type: 'array'; element: infer I } } }
    ? readonly FieldBody<I>[]
    : S extends ExpansionTarget<unknown>
      ? { readonly id: IdOfTarget<S> }
      : S extends { _zod: { def: { type: 'object'; shape: infer Sh } } }
        ? WithId<Sh, Fields<Sh>> & Rest<S>
        : Written<S>;

type IdOfTarget<S> =
  S extends ExpansionTarget<infer R>
    ? R extends { _zod: { def: { shape: infer Sh } } }
      ? IdOf<Sh>
      : number
    : number;

/** Every field optional, at every depth; a list, and a value that a codec makes, is replaced as a whole. */
type PartialFields<Sh> = {
  readonly [K in Exclude<keyof Sh, 'self' | IdKey<Sh>>]?: FieldPart<Sh[K]>;
};

type FieldPart<S> = S extends { _zod: { def: { type: infer T; innerType: infer I } } }
  ? T extends 'optional' | 'default' | 'prefault'
    ? FieldPart<I> | undefined
    : T extends 'nullable'
      ? FieldPart<I> | null
      : FieldPart<I>
  : S extends ExpansionTarget<unknown>
    ? FieldBody<S>
    : S extends { _zod: { def: { type: 'object'; shape: infer Sh } } }
      ? WithId<Sh, PartialFields<Sh>> & Rest<S>
      : FieldBody<S>;

/** The body of POST and PUT: the whole resource, without what the server gives it (§4.2). */
export type ResourceBody<R> = R extends { _zod: { def: { type: 'object'; shape: infer Sh } } }
  ? Fields<Sh>
  : never;

/** The body of PATCH: the part that changes (§4.2). */
export type PartialBody<R> = R extends { _zod: { def: { type: 'object'; shape: infer Sh } } }
  ? PartialFields<Sh>
  : never;

/** The body that a declaration's own schema takes. */
export type OwnBody<S> = FieldBody<S>;
