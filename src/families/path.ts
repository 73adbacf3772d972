import { isObject } from '../options.ts';

/** The value of a name in an object, or of an index in an array; undefined when there is none. */
const memberOf = (value: unknown, name: string): unknown => {
  if (Array.isArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined;
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
};

/**
 * The value at a dotted path of a body; undefined when there is none. An empty path is the body itself. A
 * name of the body that has a dot, as `@odata.nextLink`, is a path too.
 */
export const valueAt = (body: unknown, path: string): unknown => {
  if (path === '') return body;
  let at: unknown = body;
  if (isObject(at) && Object.hasOwn(at, path)) return at[path];
  for (const name of path.split('.')) at = memberOf(at, name);
  return at;
};

/** A body that holds a value at a dotted path; an empty path is the value itself. */
export const bodyWith = (path: string, value: unknown): unknown =>
  path === '' ? value : path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);

/** The paths of some values of a body: of its members, or else of the members of those. */
export const pathsIn = (body: unknown, isFound: (value: unknown) => boolean): readonly string[] => {
  const membersOf = (value: unknown): readonly (readonly [string, unknown])[] =>
    // A dot separates the names of a path.
    Object.entries(isObject(value) ? value : {}).filter(([name]) => !name.includes('.'));
  const members = membersOf(body);
  const direct = members.filter(([, value]) => isFound(value)).map(([name]) => name);
  if (direct.length > 0) return direct;
  return members.flatMap(([name, inner]) =>
    membersOf(inner)
      .filter(([, value]) => isFound(value))
      .map(([below]) => `${name}.${below}`),
  );
};
