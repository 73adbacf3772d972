import type { output, util } from 'zod/v4/core';
import type { ExpansionTarget } from './shape.ts';

/** In place of field paths: no limiting, everything the endpoint returns. */
export type Whole = '*';

/** In place of field paths: limited to names that are known at run time only, so that any field may be missing. */
export type Unlisted = '?';

/** In front of the name of a nested resource: whether it is expanded is known at run time only. */
export type Perhaps<E extends string> = `?${E}`;

/** `F` below the field `K`: everything when `K` itself is named, else the rest of the paths through it. */
type Under<F extends string, K extends string> = [F] extends [Whole | Unlisted]
  ? F
  : K extends F
    ? Whole
    : F extends `${K}.${infer Rest}`
      ? Rest
      : never;

type ExpandUnder<E extends string, K extends string> = E extends `${K}.${infer Rest}`
  ? Rest
  : E extends Perhaps<`${K}.${infer Rest}`>
    ? Perhaps<Rest>
    : never;

type Wanted<F extends string, K extends string> = [F] extends [Whole | Unlisted]
  ? true
  : K extends F
    ? true
    : [Extract<F, `${K}.${string}`>] extends [never]
      ? false
      : true;

type Identity = 'id' | 'self';

interface IdentityShape {
  readonly id: unknown;
  readonly self: unknown;
}

/** Whether a field stays: `id` and `self` always do, when the object is a resource (§4.4). */
type IsKept<Sh, F extends string, K extends string> = K extends Identity
  ? Sh extends IdentityShape
    ? true
    : Wanted<F, K>
  : Wanted<F, K>;

type IsOptional<Sh, F extends string, K extends keyof Sh> = Sh[K] extends { _zod: { optout: 'optional' } }
  ? true
  : [F] extends [Unlisted]
    ? K extends (Sh extends IdentityShape ? Identity : never)
      ? false
      : true
    : false;

/** `K` itself when the field stays and is as optional as asked. Keys that are filtered one by one cost the compiler little. */
type KeptKey<Sh, F extends string, K extends keyof Sh, Optional extends boolean> =
  IsKept<Sh, F, K & string> extends true ? (IsOptional<Sh, F, K> extends Optional ? K : never) : never;

type Flat<T> = { [K in keyof T]: T[K] } & {};

/** The fields of an object, limited to `F` and expanded by `E`. */
export type ObjectResult<Sh, F extends string, E extends string> = Flat<
  {
    -readonly [K in keyof Sh as KeptKey<Sh, F, K, false>]: FieldResult<
      Sh[K],
      Under<F, K & string>,
      E,
      K & string
    >;
  } & {
    -readonly [K in keyof Sh as KeptKey<Sh, F, K, true>]?: FieldResult<
      Sh[K],
      Under<F, K & string>,
      E,
      K & string
    >;
  }
>;

/** Whether a field is expanded: it is named itself, or something below it is. */
type IsExpanded<E extends string, K extends string> = K extends E
  ? true
  : Perhaps<K> extends E
    ? boolean
    : [ExpandUnder<E, K>] extends [never]
      ? false
      : [ExpandUnder<E, K>] extends [Perhaps<string>]
        ? boolean
        : true;

type FieldResult<S, F extends string, E extends string, K extends string> = ValueResult<
  S,
  F,
  IsExpanded<E, K>,
  ExpandUnder<E, K>
>;

/** The value of a field's schema; `Expanded` says whether the field itself is named in `expand`. */
type ValueResult<S, F extends string, Expanded extends boolean, E extends string> = S extends {
  _zod: { def: { type: infer T; innerType: infer I } };
}
  ? T extends 'optional'
    ? ValueResult<I, F, Expanded, E> | undefined
    : T extends 'nullable'
      ? ValueResult<I, F, Expanded, E> | null
      : T extends 'nonoptional' | 'default' | 'prefault' | 'catch'
        ? Exclude<ValueResult<I, F, Expanded, E>, undefined>
        : T extends 'readonly'
          ? util.MakeReadonly<ValueResult<I, F, Expanded, E>>
          : ValueResult<I, F, Expanded, E>
  : S extends { _zod: { def: { type: 'array'; element: infer I } } }
    ? ValueResult<I, F, Expanded, E>[]
    : S extends ExpansionTarget<infer R>
      ? Expanded extends true
        ? Fetchable<ResourceResult<R, F, E>>
        : output<S>
      : S extends { _zod: { def: { type: 'object'; shape: infer Sh } } }
        ? WithRest<S, F, ObjectResult<Sh, F, E>>
        : output<S>;

/** The keys that a `looseObject` or a `catchall` has besides its fields; limited to some fields, it has none. */
type WithRest<S, F extends string, T> = [F] extends [Whole] ? T & Rest<S> : T;

/** What the keys are that an object may have besides its fields; no constraint where it has none. */
export type Rest<S> = S extends { _zod: { config: { out: infer X } } }
  ? string extends keyof X
    ? X
    : unknown
  : unknown;

type ResourceResult<R, F extends string, E extends string> = R extends {
  _zod: { def: { type: 'object'; shape: infer Sh } };
}
  ? ObjectResult<Sh, F, E>
  : never;

/** A resource that can be fetched on its own has a `self` (§2.1). */
type Fetchable<T> = Flat<Omit<T, 'self'> & { self: string }>;

/**
 * What a call returns for a resource, limited to the paths `F` and with the nested resources `E` expanded. `Self` says
 * whether the resource can be fetched on its own (§2.1).
 */
export type Result<R, F extends string = Whole, E extends string = never, Self extends boolean = true> = [
  F,
  E,
] extends [string, string]
  ? Self extends true
    ? Fetchable<ResourceResult<R, F, E>>
    : ResourceResult<R, F, E>
  : never;

/** What a call returns when the paths are only known at run time: any field may be missing, `id` and `self` never. */
export type UnknownResult<R, E extends string = never, Self extends boolean = true> = Result<
  R,
  Unlisted,
  E,
  Self
>;
