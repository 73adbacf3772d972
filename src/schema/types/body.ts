import type { input, output } from 'zod/v4/core';
import type { ExpansionTarget, Flat, GivenValue, ObjectSchema, Wrapper } from './shape.ts';

/** The fields that only the server sets: `self`, and the `id` of a resource. A plain object may have its own `id`. */
type ServerKey<Sh> = Sh extends { readonly id: unknown; readonly self: unknown } ? 'id' | 'self' : 'self';

interface OptionalInput {
  readonly _zod: { readonly optin: 'optional' | 'defaulted' };
}

interface OptionalOutput {
  readonly _zod: { readonly optout: 'optional' };
}

/** The schemas that are optional in a body but not in a result, such as one with a default, or the other way round. */
type Uneven<S> = S extends OptionalInput | OptionalOutput
  ? S extends OptionalInput & OptionalOutput
    ? never
    : S
  : never;

/**
 * The fields of a body, without those that the server sets (§2.1). `T` is the whole value, which the compiler has computed for
 * the results: it has the order, the modifiers, and the keys that an object may have besides its fields.
 */
type Fields<Sh, T> = [Uneven<Sh[keyof Sh]>] extends [never]
  ? Written<Sh, T, ServerKey<Sh>>
  : Flat<
      Written<Sh, { readonly [K in keyof T as K extends keyof Sh ? never : K]: T[K] }, ServerKey<Sh>> &
        Written<Sh, RequiredIn<Sh>, ServerKey<Sh>> &
        Partial<Written<Sh, OptionalIn<Sh>, ServerKey<Sh>>>
    >;

type RequiredIn<Sh> = { [K in keyof Sh as Sh[K] extends OptionalInput ? never : K]: Sh[K] };
type OptionalIn<Sh> = { [K in keyof Sh as Sh[K] extends OptionalInput ? K : never]: Sh[K] };

// `& {}` makes the compiler show the fields instead of the alias.

/** The keys of `T`, each with its value in a body. */
type Written<Sh, T, Server> = string extends keyof T
  ? OpenFields<Sh, T, Server>
  : OwnFields<Sh, T, Exclude<keyof T, Server>>;

// Without `keyof T` in the value, the modifiers of `T` would be lost.
type OwnFields<Sh, T, Kept extends keyof T> = {
  readonly [K in Kept]: FieldBody<Sh[K & keyof Sh & keyof T]>;
} & {};

/** Those of an object that may have other keys. */
type OpenFields<Sh, T, Server> = {
  readonly [K in keyof T as K extends Server ? never : K]: K extends keyof Sh ? FieldBody<Sh[K]> : T[K];
} & {};

/** Every field is optional, at every depth. A list, or a value that a codec decodes, is replaced as a whole. */
type PartialFields<Sh, T, Server = ServerKey<Sh>> = {
  readonly [K in keyof T as K extends Server ? never : K]?: K extends keyof Sh
    ? FieldBody<Sh[K], true>
    : T[K];
} & {};

type IdOf<Sh> = Sh extends { readonly id: infer Id } ? FieldBody<Id> : number;

/** A nested resource may have the `id` of the one that it replaces. */
type WithId<Sh, T> = Sh extends { readonly id: unknown; readonly self: unknown }
  ? Flat<T & { readonly id?: IdOf<Sh> }>
  : T;

/**
 * The schemas that hold other schemas or convert values. A field with any other schema is written as its value. For most fields
 * of a resource this is the only comparison.
 */
interface Composite {
  readonly _zod: {
    readonly def: {
      readonly type: Wrapper | 'promise' | 'success' | 'array' | 'object' | 'pipe' | 'transform';
    };
  };
}

/**
 * The value of a field in a body: a nested resource that can be expanded is given by its id.
 *
 * @typeParam Part - whether the fields of an object may be left out, as in the body of PATCH
 */
type FieldBody<S, Part = false> = S extends Composite ? CompositeBody<S, Part> : GivenValue<S, output<S>>;

type CompositeBody<S, Part> =
  S extends ExpansionTarget<infer R>
    ? { readonly id: IdOfTarget<R> }
    : S extends ObjectSchema<infer Sh>
      ? WithId<Sh, Part extends true ? PartialFields<Sh, output<S>> : Fields<Sh, output<S>>>
      : S extends { _zod: { def: { type: 'array'; element: infer I } } }
        ? readonly FieldBody<I>[]
        : S extends { _zod: { def: { type: infer T; innerType: infer I } } }
          ? T extends 'optional' | 'default' | 'prefault'
            ? FieldBody<I, Part> | undefined
            : T extends 'nullable'
              ? FieldBody<I, Part> | null
              : T extends 'nonoptional'
                ? Exclude<FieldBody<I, Part>, undefined>
                : FieldBody<I, Part>
          : Converted<S>;

type IdOfTarget<R> = R extends { _zod: { def: { shape: infer Sh } } } ? IdOf<Sh> : number;

interface OneWay {
  readonly _zod: { readonly def: { readonly type: 'transform' } };
}

/**
 * The value that a body takes for a pipe: for a codec the decoded value, which is encoded before it is sent. A value that can
 * only be decoded is given as it is on the wire.
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
          : // A pipe that only narrows takes its output.
            output<S> extends FieldBody<A>
            ? output<S>
            : FieldBody<A>
    : input<S>;

/**
 * The body of POST and PUT: the whole resource, without the fields that the server sets (§4.2). {@link Body} gives it for a
 * collection.
 */
export type ResourceBody<R> = R extends ObjectSchema<infer Sh> ? Fields<Sh, output<R>> : never;

/** The body of PATCH: the part that changes (§4.2). {@link Body} gives it for a collection. */
export type PartialBody<R> = R extends ObjectSchema<infer Sh> ? PartialFields<Sh, output<R>> : never;

/** The value for a declared schema of a body or of parameters. {@link Body} gives it for a collection. */
export type OwnBody<S> = FieldBody<S>;
