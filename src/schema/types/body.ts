import type { input, output } from 'zod/v4/core';
import type { ExpansionTarget, Flat, IdentityKey, ObjectSchema, Wrapper } from './shape.ts';

/** The fields of a resource that only the server sets (§2.1). */
type ServerKey = 'id' | 'self';

interface OptionalInput {
  readonly _zod: { readonly optin: 'optional' | 'defaulted' };
}

interface OptionalOutput {
  readonly _zod: { readonly optout: 'optional' };
}

/**
 * The schemas that are optional in a body but not in a result, such as one with a default, or the other way
 * round.
 */
type Uneven<S> = S extends OptionalInput | OptionalOutput
  ? S extends OptionalInput & OptionalOutput
    ? never
    : S
  : never;

/**
 * A value with the modifiers of the body of an object. The compiler has computed the output for the results.
 */
type Given<S, Sh> = [Uneven<Sh[keyof Sh]>] extends [never] ? output<S> : input<S>;

// Without `keyof T` in the value, the modifiers of `T` would be lost. `& {}` makes the compiler show the
// fields instead of the alias.
type Fields<Sh, T, Server, Kept extends keyof T = Exclude<keyof T, Server>> = {
  readonly [K in Kept]: FieldBody<Sh[K & keyof Sh & keyof T]>;
} & {};

/**
 * Every field is optional, at every depth. A list, or a value that a codec decodes, is replaced as a whole.
 */
type PartialFields<Sh, Server> = {
  readonly [K in Exclude<keyof Sh, Server>]?: FieldBody<Sh[K], true>;
} & {};

type IdIn<Sh> = Sh extends { readonly id: infer Id } ? output<Id> : number;

/** A nested resource may have the `id` of the one that it replaces. Any other object has its own `id`. */
type ObjectBody<S, Sh, Part> =
  'id' extends IdentityKey<S, Sh>
    ? Flat<PlainBody<S, Sh, Part, ServerKey> & { readonly id?: IdIn<Sh> }>
    : PlainBody<S, Sh, Part, 'self'>;

type PlainBody<S, Sh, Part, Server> = Part extends true
  ? PartialFields<Sh, Server>
  : Fields<Sh, Given<S, Sh>, Server>;

/**
 * The schemas that hold other schemas or convert values. For most fields of a resource this is the only
 * comparison.
 */
interface Composite {
  readonly _zod: { readonly def: { readonly type: Wrapper | 'array' | 'object' | 'pipe' | 'transform' } };
}

/** The value of a field in a body: a nested resource that can be expanded is given by its id. */
type FieldBody<S, Part = false> = S extends Composite ? CompositeBody<S, Part> : output<S>;

type CompositeBody<S, Part> =
  S extends ExpansionTarget<ObjectSchema<infer Sh>>
    ? { readonly id: IdIn<Sh> }
    : S extends ObjectSchema<infer Sh>
      ? string extends keyof output<S>
        ? Part extends true
          ? Partial<output<S>>
          : output<S>
        : 'id' extends keyof Sh
          ? ObjectBody<S, Sh, Part>
          : PlainBody<S, Sh, Part, 'self'>
      : S extends { _zod: { def: { type: 'array'; element: infer I } } }
        ? readonly FieldBody<I>[]
        : S extends { _zod: { def: { innerType: infer I } } }
          ? Exclude<FieldBody<I, Part>, null | undefined> | Extract<input<S>, null | undefined>
          : Converted<S>;

interface OneWay {
  readonly _zod: { readonly def: { readonly type: 'transform' } };
}

/**
 * The value that a body takes for a pipe: for a codec the decoded value, which is encoded before it is sent.
 * A value that can only be decoded is given as it is on the wire.
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
 * The body of POST and PUT: the whole resource, without the fields that the server sets (§4.2). {@link Body}
 * gives it for a collection.
 */
export type ResourceBody<R> = R extends ObjectSchema<infer Sh> ? Fields<Sh, Given<R, Sh>, ServerKey> : never;

/** The body of PATCH: the part that changes (§4.2). {@link Body} gives it for a collection. */
export type PartialBody<R> = R extends ObjectSchema<infer Sh> ? PartialFields<Sh, ServerKey> : never;

/** The value for a declared schema of a body or of parameters. {@link Body} gives it for a collection. */
export type OwnBody<S> = FieldBody<S>;
