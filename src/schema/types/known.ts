/** Whether a type is `any`: what `JSON.parse` gives, of which nothing is known. */
export type IsAny<T> = 0 extends 1 & T ? true : false;

/** Whether a type is one of several. */
export type IsUnion<T, Each = T> = [T] extends [never]
  ? false
  : Each extends unknown
    ? [T] extends [Each]
      ? false
      : true
    : never;

/** The names of a list that are certainly in it: those that are not one of several. */
export type CertainNames<N extends readonly unknown[]> = number extends N['length']
  ? never
  : { [I in keyof N]: IsUnion<N[I]> extends true ? never : N[I] }[number];

/**
 * Whether each name of a list stands in the program. A list of any length, one of several lists, or a list with a name that
 * is one of several, is known at run time only.
 */
export type IsKnown<N> =
  true extends IsUnion<N>
    ? false
    : N extends readonly string[]
      ? number extends N['length']
        ? false
        : true extends
              | IsUnion<N['length']>
              | { [I in keyof N]: string extends N[I] ? true : IsUnion<N[I]> }[number]
          ? false
          : true
      : false;
