import type { output } from 'zod/v4/core';
import type { ExpansionTarget, Shape } from './shape.ts';

/** In place of field paths: no limiting, everything the endpoint returns. */
export type Whole = '*';

/** `F` below the field `K`: everything when `K` itself is named, else the rest of the paths through it. */
type Under<F extends string, K extends string> = [F] extends [Whole]
  ? Whole
  : K extends F
    ? Whole
    : F extends `${K}.${infer Rest}`
      ? Rest
      : never;

type ExpandUnder<E extends string, K extends string> = E extends `${K}.${infer Rest}` ? Rest : never;

type Wanted<F extends string, K extends string> = [F] extends [Whole]
  ? true
  : K extends F
    ? true
    : [Extract<F, `${K}.${string}`>] extends [never]
      ? false
      : true;

type Identity = 'id' | 'self';

/** Keys that stay: `id` and `self` always do, when the object is a resource (§4.4). */
type Kept<Sh, F extends string> = {
  [K in keyof Sh & string]: K extends Identity
    ? Sh extends IdentityShape
      ? K
      : Wanted<F, K> extends true
        ? K
        : never
    : Wanted<F, K> extends true
      ? K
      : never;
}[keyof Sh & string];

interface IdentityShape {
  readonly id: unknown;
  readonly self: unknown;
}

type OptionalKeys<Sh> = {
  [K in keyof Sh]: Sh[K] extends { _zod: { optout: 'optional' } } ? K : never;
}[keyof Sh];

type Flat<T> = { [K in keyof T]: T[K] } & {};

/** The fields of an object, limited to `F` and expanded by `E`. */
export type ObjectResult<Sh, F extends string, E extends string> = Flat<
  {
    [K in Exclude<Kept<Sh, F>, OptionalKeys<Sh>> & keyof Sh]: FieldResult<
      Sh[K],
      Under<F, K & string>,
      E,
      K & string
    >;
  } & {
    [K in Kept<Sh, F> & OptionalKeys<Sh> & keyof Sh]?: FieldResult<
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
  : [ExpandUnder<E, K>] extends [never]
    ? false
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
        : ValueResult<I, F, Expanded, E>
  : S extends { _zod: { def: { type: 'array'; element: infer I } } }
    ? ValueResult<I, F, Expanded, E>[]
    : S extends ExpansionTarget<infer R>
      ? Expanded extends true
        ? Fetchable<ResourceResult<R, F, E>>
        : output<S>
      : S extends { _zod: { def: { type: 'object'; shape: infer Sh extends Shape } } }
        ? ObjectResult<Sh, F, E>
        : output<S>;

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
export type Result<
  R,
  F extends string = Whole,
  E extends string = never,
  Self extends boolean = true,
> = Self extends true ? Fetchable<ResourceResult<R, F, E>> : ResourceResult<R, F, E>;

/** What a call returns when the paths are only known at run time: any field may be missing, `id` and `self` never. */
export type UnknownResult<R, E extends string = never, Self extends boolean = true> =
  Result<R, Whole, E, Self> extends infer T
    ? Flat<Partial<Omit<T, Identity>> & Pick<T, Identity & keyof T>>
    : never;
