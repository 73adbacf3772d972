import type { IsExpandable, ShapeOf } from './shape.ts';

// The depth to which paths are computed. A resource may refer to itself through another one.
type Depth = [0, 0, 0, 0];

/** Every dotted path of a shape (§2.1), `'status' | 'device' | 'device.model' | …`. */
export type PathsOf<Sh, D extends unknown[] = Depth> =
  | (keyof Sh & string)
  | (D extends [unknown, ...infer Less]
      ? { [K in keyof Sh & string]: PathsBelow<K, ShapeOf<Sh[K]>, Less> }[keyof Sh & string]
      : never);

type PathsBelow<K extends string, Sh, D extends unknown[]> = [Sh] extends [never]
  ? never
  : `${K}.${PathsOf<Sh, D>}`;

/** Every dotted path to a nested resource that can be expanded (§4.4). */
export type ExpandPathsOf<Sh> = {
  [P in PathsOf<Sh>]: HasExpandPath<Sh, P> extends true ? P : never;
}[PathsOf<Sh>];

/**
 * The schema at a dotted path; `never` when there is none. To follow one path costs less than to compute them
 * all.
 */
type SchemaAt<Sh, P> = P extends keyof Sh
  ? Sh[P]
  : P extends `${infer Head}.${infer Tail}`
    ? Head extends keyof Sh
      ? SchemaAt<ShapeOf<Sh[Head]>, Tail>
      : never
    : never;

/** Whether a shape has a dotted path; `boolean` where it has only some of them. */
export type HasPath<Sh, P> = P extends unknown ? ([SchemaAt<Sh, P>] extends [never] ? false : true) : never;

/** Whether a shape has a nested resource at a dotted path that can be expanded. */
export type HasExpandPath<Sh, P> = P extends unknown ? IsExpandable<SchemaAt<Sh, P>> : never;
