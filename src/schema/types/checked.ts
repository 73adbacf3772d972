import type { input, output } from 'zod/v4/core';
import type { Resource } from '../resource.ts';
import type { ExpandPathsOf, HasExpandPath, HasPath, PathsOf } from './field-path.ts';
import type { ObjectSchema } from './shape.ts';

/** The fields of a resource. */
export type ShapeIn<R extends Resource> = R['_zod']['def']['shape'];

/**
 * The names of an option that is a list. Each is looked up: computing all names of a resource would cost far
 * more.
 */
export type CheckedNames<N, Sh, K> = N extends readonly unknown[]
  ? string extends N[number]
    ? 'options in a variable need `as const`; elsewhere, an array of names'
    : false extends (K extends 'expand' ? HasExpandPath<Sh, N[number]> : HasPath<Sh, N[number]>)
      ? readonly ((K extends 'expand' ? ShownExpandPaths<Sh> : PathsOf<Sh>) & string)[]
      : N
  : N;

/**
 * The strings and numbers of a field that addresses a resource; a record without the field has no address. A
 * field whose schema is known only at run time may be either.
 */
export type KeyIn<Sh, K> = K extends keyof Sh
  ? unknown extends output<Sh[K]>
    ? string | number
    : Extract<output<Sh[K]>, string | number>
  : never;

/** The name of a field that addresses a resource, or the names that can: the compiler shows each. */
export type CheckedKey<K, Sh> = K extends string
  ? [KeyIn<Sh, K>] extends [never]
    ? { [N in keyof Sh & string]: [KeyIn<Sh, N>] extends [never] ? never : N }[keyof Sh & string]
    : K
  : K;

/** The names that a compiler's message shows for `expand`, or a sentence where there are none. */
type ShownExpandPaths<Sh> = [ExpandPathsOf<Sh>] extends [never]
  ? 'no field of the resource is made by expandable()'
  : ExpandPathsOf<Sh>;

/** The names of the parameters that are lists. */
type ListNameOf<Sh> = {
  [K in keyof Sh & string]: [Extract<output<Sh[K]>, readonly unknown[]>] extends [never] ? never : K;
}[keyof Sh & string];

/** The names of an option that is a list of parameters that are lists. */
export type CheckedRepeated<N, Params> = N extends readonly unknown[]
  ? Params extends ObjectSchema<infer Sh>
    ? N[number] extends ListNameOf<Sh>
      ? N
      : [ListNameOf<Sh>] extends [never]
        ? 'no parameter is a list'
        : readonly ListNameOf<Sh>[]
    : 'it names lists among the parameters, which are missing'
  : N;

/** Bodies, of which a form and a file are no JSON. */
export type CheckedBodies<Bodies> = {
  readonly [K in keyof Bodies]: unknown extends input<Bodies[K]>
    ? unknown
    : [input<Bodies[K]>] extends [FormData | URLSearchParams | Blob]
      ? 'a body is JSON; declare a form or a file in an endpoint()'
      : unknown;
};
