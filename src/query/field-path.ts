import { pathSeparator } from '../conventions/parameters.ts';
import {
  type ExpansionTarget,
  type Schema,
  type Shape,
  type ShapeOf,
  shapeOf,
  targetOf,
  type Unwrapped,
} from './shape.ts';

// How deep paths are offered to the compiler. A resource may refer to itself through another one.
type Depth = [0, 0, 0, 0];
type Less<D extends unknown[]> = D extends [unknown, ...infer Rest] ? Rest : [];

/** Every dotted path of a shape (§2.1), `'status' | 'device' | 'device.model' | …`. */
export type PathsOf<Sh, D extends unknown[] = Depth> = {
  [K in keyof Sh & string]: K | (D extends [] ? never : Below<K, ShapeOf<Sh[K]>, Less<D>>);
}[keyof Sh & string];

type Below<K extends string, Sh, D extends unknown[]> = [Sh] extends [never]
  ? never
  : `${K}.${PathsOf<Sh, D>}`;

/** Every dotted path to a nested resource that can be expanded (§4.4). */
export type ExpandPathsOf<Sh, D extends unknown[] = Depth> = {
  [K in keyof Sh & string]:
    | (Unwrapped<Sh[K]> extends ExpansionTarget ? K : never)
    | (D extends [] ? never : BelowExpand<K, ShapeOf<Sh[K]>, Less<D>>);
}[keyof Sh & string];

type BelowExpand<K extends string, Sh, D extends unknown[]> = [Sh] extends [never]
  ? never
  : `${K}.${ExpandPathsOf<Sh, D>}`;

/** The schema at a dotted path below a schema; undefined when there is none. */
const schemaAt = (schema: Schema, path: string): Schema | undefined => {
  let at: Schema | undefined = schema;
  for (const name of path.split(pathSeparator)) {
    const shape: Shape | undefined = at && shapeOf(at);
    at = shape && Object.hasOwn(shape, name) ? shape[name] : undefined;
  }
  return at;
};

/** True when a resource has a field at this path. */
export const hasField = (resource: Schema, path: string): boolean => schemaAt(resource, path) !== undefined;

/** True when a resource has a nested resource at this path that can be expanded. */
export const isExpandable = (resource: Schema, path: string): boolean => {
  const schema = schemaAt(resource, path);
  return schema !== undefined && targetOf(schema) !== undefined;
};
