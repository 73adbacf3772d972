import type { output, util } from 'zod/v4/core';
import type {
  AbsentTarget,
  ArraySchema,
  ExpansionTarget,
  Flat,
  IdentityKey,
  ObjectSchema,
  WrapperSchema,
} from './shape.ts';

// The names of a query as the types below take them: a union of strings, with three markers. For a resource
// with `status` and `company`, which can be expanded:
//
// | query                        | fields   | expand     | result                                          |
// |------------------------------|----------|------------|-------------------------------------------------|
// | none                         | '*'      | never      | { id, self, status, company: { id, self } }     |
// | fields: ['status']           | 'status' | never      | { id, self, status }                            |
// | fields: names (string[])     | '?'      | never      | { id, self, status?, company?: { id, self } }   |
// | expand: names ('company'[])  | '*'      | '?company' | as without, but `company` may also be in full   |

/** In place of field paths: not limited, every field that the endpoint returns. */
export type AllFields = '*';

/**
 * In place of field paths: limited to names that are known only at run time, so that any field may be
 * missing.
 */
export type SomeFields = '?';

/** Marks the name of a nested resource that may be expanded: whether it is, is known only at run time. */
export type MaybeExpanded<E extends string> = `?${E}`;

/** The first name of each path. */
type HeadOf<Path extends string> =
  Path extends MaybeExpanded<infer Name>
    ? HeadOf<Name>
    : Path extends `${infer Head}.${string}`
      ? Head
      : Path;

/** The first name of each path that leads further. */
type InnerHeadOf<Path extends string> = Path extends `${infer Head}.${string}` ? Head : never;

/** `F` below the field `K`: everything when `K` itself is named, else the rest of the paths through it. */
type FieldsUnder<F extends string, K extends string> = [F] extends [AllFields | SomeFields]
  ? F
  : K extends F
    ? AllFields
    : F extends `${K}.${infer Rest}`
      ? Rest
      : never;

type ExpandUnder<E extends string, K extends string> = E extends `${K}.${infer Rest}`
  ? Rest
  : E extends MaybeExpanded<`${K}.${infer Rest}`>
    ? MaybeExpanded<Rest>
    : never;

/**
 * The fields of an object, limited to `F` and expanded by `E`. `T` is the whole value: it has the modifiers,
 * the order, and every field that a query does not change. `Identity` are the fields that stay whatever
 * `fields` says (§4.4).
 */
export type ObjectResult<Sh, T, F extends string, E extends string, Identity> = [F] extends [SomeFields]
  ? SomeOf<Sh, T, E, Identity>
  : [F] extends [AllFields]
    ? [E] extends [never]
      ? Whole<Sh, T>
      : Expanded<Sh, Present<Sh, T, HeadOf<E>>, E, HeadOf<E>>
    : [E] extends [never]
      ? Limited<Sh, T, F, E, Identity, InnerHeadOf<F>>
      : Limited<Sh, Present<Sh, T, HeadOf<E>>, F, E, Identity, HeadOf<E> | InnerHeadOf<F>>;

/** `T` in one object type, where a required `self` was added to it. */
type Whole<Sh, T> = Sh extends { readonly self: unknown } ? Flat<T> : T;

/**
 * The whole value, where fields that are left out until they are expanded are no longer optional: an
 * intersection requires them.
 */
type Present<Sh, T, Head> = [AbsentKey<Sh, Head>] extends [never]
  ? T
  : T & Record<AbsentKey<Sh, Head> & string, unknown>;

/** Those of the names whose resource a server leaves out until it is expanded. */
type AbsentKey<Sh, Name> = Name extends keyof Sh ? (Sh[Name] extends AbsentTarget ? Name : never) : never;

// `& {}` makes the compiler show the fields instead of the alias. It does so only where `ObjectResult` names
// the alias itself: of an alias of the alias, a hover shows that one with all of its arguments.

/** Every field, of which `Changed` are expanded. */
type Expanded<Sh, T, E extends string, Changed> = {
  [K in keyof T]: K extends Changed ? FieldResult<Sh[K & keyof Sh], AllFields, E, K & string> : T[K];
} & {};

/** The fields that `F` names, and those of `Identity`, of which `Changed` are limited further or expanded. */
type Limited<
  Sh,
  T,
  F extends string,
  E extends string,
  Identity,
  Changed,
  Kept extends keyof T = (HeadOf<F> | Identity) & keyof T,
> = {
  [K in Kept]: K extends Changed
    ? FieldResult<Sh[K & keyof Sh], FieldsUnder<F, K & string>, E, K & string>
    : T[K];
} & {};

/** Any field may be missing, except those of `Kept`. */
type SomeOf<Sh, T, E extends string, Kept> = Flat<
  { [K in keyof T as K extends Kept ? K : never]: T[K] } & {
    -readonly [K in keyof Sh as K extends Kept ? never : K]?: FieldResult<Sh[K], SomeFields, E, K & string>;
  }
>;

/** Whether a field is expanded: it is named itself, or something below it is. */
type IsExpanded<E extends string, K extends string> = K extends E
  ? true
  : MaybeExpanded<K> extends E
    ? boolean
    : [ExpandUnder<E, K>] extends [never]
      ? false
      : [ExpandUnder<E, K>] extends [MaybeExpanded<string>]
        ? boolean
        : true;

type FieldResult<S, F extends string, E extends string, K extends string> = [E] extends [never]
  ? ValueResult<S, F, false, never>
  : ValueResult<S, F, IsExpanded<E, K>, ExpandUnder<E, K>>;

/** The value of a field's schema; `Expanded` says whether the field itself is named in `expand`. */
type ValueResult<S, F extends string, Expanded extends boolean, E extends string> =
  S extends WrapperSchema<infer T, infer I>
    ? Wrapped<T, ValueResult<I, F, Expanded, E>>
    : S extends ArraySchema<infer I>
      ? ValueResult<I, F, Expanded, E>[]
      : S extends ExpansionTarget<infer R>
        ? Expanded extends true
          ? ResourceResult<R, F, E>
          : output<S>
        : S extends ObjectSchema<infer Sh>
          ? ObjectResult<Sh, output<S>, F, E, IdentityKey<S, Sh>>
          : output<S>;

/** A nested resource in full. */
type ResourceResult<R, F extends string, E extends string> =
  R extends ObjectSchema<infer Sh>
    ? ObjectResult<Sh, output<R> & FetchableSelf<Sh>, F, E, IdentityKey<R, Sh>>
    : ValueResult<R, F, true, E>;

/** A value inside of a wrapper of the type `T`. */
type Wrapped<T, Value> = T extends 'optional'
  ? Value | undefined
  : T extends 'nullable'
    ? Value | null
    : T extends 'nonoptional' | 'default' | 'prefault' | 'catch'
      ? Exclude<Value, undefined>
      : T extends 'readonly'
        ? util.MakeReadonly<Value>
        : Value;

/**
 * A resource that can be fetched on its own has a `self` (§2.1), unless it declares one of its own or has
 * none.
 */
export type FetchableSelf<Sh> = Sh extends { readonly self: { readonly isImplied: true } }
  ? { self: string }
  : unknown;
