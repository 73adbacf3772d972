import type { input, output } from 'zod/v4/core';
import type {
  ArraySchema,
  ExpansionTarget,
  Flat,
  IdentityKey,
  ObjectSchema,
  Wrapper,
  WrapperSchema,
} from './shape.ts';

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

/** The body of an object; `string extends` a key of one that takes any key. */
type ObjectBody<S, Sh, Part> = string extends keyof output<S>
  ? RecordBody<output<S>, Part>
  : 'id' extends keyof Sh
    ? IdentifiedBody<S, Sh, Part>
    : PlainBody<S, Sh, Part, 'self'>;

type RecordBody<T, Part> = Part extends true ? Partial<T> : T;

/** A nested resource may have the `id` of the one that it replaces. Any other object has its own `id`. */
type IdentifiedBody<S, Sh, Part> =
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
      ? ObjectBody<S, Sh, Part>
      : S extends ArraySchema<infer I>
        ? readonly FieldBody<I>[]
        : S extends WrapperSchema<unknown, infer I>
          ? Exclude<FieldBody<I, Part>, null | undefined> | Extract<input<S>, null | undefined>
          : ConvertedBody<S>;

/**
 * The value that a body takes for a conversion: for a codec the decoded value, which is encoded before it is
 * sent. A value that can only be decoded is given as it is on the wire.
 */
type ConvertedBody<S> = S extends Codec
  ? output<S>
  : S extends Pipe<infer A, infer B>
    ? PipeBody<S, A, B>
    : input<S>;

interface Codec {
  readonly _zod: { readonly def: { readonly reverseTransform: unknown } };
}

interface Pipe<A, B> {
  readonly _zod: { readonly def: { readonly type: 'pipe'; readonly in: A; readonly out: B } };
}

interface OneWay {
  readonly _zod: { readonly def: { readonly type: 'transform' } };
}

/** Of the two schemas of a pipe, the one that is not a conversion. */
type PipeBody<S, A, B> = A extends OneWay
  ? FieldBody<B>
  : B extends OneWay
    ? FieldBody<A>
    : B extends Pipe<unknown, unknown>
      ? FieldBody<B>
      : NarrowedBody<output<S>, FieldBody<A>>;

/** A pipe that only narrows takes its output. */
type NarrowedBody<Output, Input> = Output extends Input ? Output : Input;

/**
 * The body of POST and PUT: the whole resource, without the fields that the server sets (§4.2). {@link Body}
 * gives it for a collection.
 */
export type ResourceBody<R> = R extends ObjectSchema<infer Sh> ? Fields<Sh, Given<R, Sh>, ServerKey> : never;

/** The body of PATCH: the part that changes (§4.2). {@link Body} gives it for a collection. */
export type PartialBody<R> = R extends ObjectSchema<infer Sh> ? PartialFields<Sh, ServerKey> : never;

/** The value for a declared schema of a body or of parameters. {@link Body} gives it for a collection. */
export type OwnBody<S> = FieldBody<S>;
