import type { IsExpandable, ShapeOf, Wrapper } from './shape.ts';

// The depth to which paths are computed. A resource may refer to itself through another one.
type Depth = [0, 0, 0, 0];
type Less<D extends unknown[]> = D extends [unknown, ...infer Rest] ? Rest : [];

/** The schemas that may have fields below them. For most fields of a resource this is the only comparison. */
interface Nesting {
  readonly _zod: { readonly def: { readonly type: Wrapper | 'array' | 'object' } };
}

/** The fields that may have fields below them, computed once per shape. */
type InnerKey<Sh> = { [K in keyof Sh]: Sh[K] extends Nesting ? K : never }[keyof Sh] & string;

/** Every dotted path of a shape (§2.1), `'status' | 'device' | 'device.model' | …`. */
export type PathsOf<Sh, D extends unknown[] = Depth> =
  | (keyof Sh & string)
  | (D extends [] ? never : PathsBelow<Sh, InnerKey<Sh>, Less<D>>);

type PathsBelow<Sh, K, D extends unknown[]> = K extends keyof Sh & string
  ? Under<K, ShapeOf<Sh[K]>, D>
  : never;

type Under<K extends string, Below, D extends unknown[]> = [Below] extends [never]
  ? never
  : `${K}.${PathsOf<Below, D>}`;

/** Every dotted path to a nested resource that can be expanded (§4.4). */
export type ExpandPathsOf<Sh, D extends unknown[] = Depth> = ExpandPathsBelow<Sh, InnerKey<Sh>, D>;

type ExpandPathsBelow<Sh, K, D extends unknown[]> = K extends keyof Sh & string
  ?
      | (IsExpandable<Sh[K]> extends true ? K : never)
      | (D extends [] ? never : ExpandUnder<K, ShapeOf<Sh[K]>, Less<D>>)
  : never;

type ExpandUnder<K extends string, Below, D extends unknown[]> = [Below] extends [never]
  ? never
  : `${K}.${ExpandPathsOf<Below, D>}`;

/**
 * Whether a shape has a dotted path. To follow one path costs less than to compute them all. The shape below a field without
 * fields is `never`, which has every key.
 */
export type HasPath<Sh, P> = P extends keyof Sh
  ? [Sh] extends [never]
    ? false
    : true
  : P extends `${infer Head}.${infer Tail}`
    ? Head extends keyof Sh
      ? HasPath<ShapeOf<Sh[Head]>, Tail>
      : false
    : false;

/** Whether a shape has a nested resource at a dotted path that can be expanded. */
export type HasExpandPath<Sh, P> = P extends keyof Sh
  ? IsExpandable<Sh[P]>
  : P extends `${infer Head}.${infer Tail}`
    ? Head extends keyof Sh
      ? HasExpandPath<ShapeOf<Sh[Head]>, Tail>
      : false
    : false;
