import { isObject } from '../options.ts';

/**
 * The value at a dotted path of a body; undefined when there is none. An empty path is the body itself. A
 * name of the body that has a dot, as `@odata.nextLink`, is a path too.
 */
export const valueAt = (body: unknown, path: string): unknown => {
  if (path === '') return body;
  let at: unknown = body;
  if (isObject(at) && Object.hasOwn(at, path)) return at[path];
  for (const name of path.split('.')) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return at;
};

/** A body that holds a value at a dotted path; an empty path is the value itself. */
export const bodyWith = (path: string, value: unknown): unknown =>
  path === '' ? value : path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
