import { getSegmentsFromPath } from '@scalar/json-magic/helpers/get-segments-from-path';
import { getValueByPath } from '@scalar/json-magic/helpers/get-value-by-path';
import { isObject } from '../../options.ts';

/** An object of a document. */
export type Json = Readonly<Record<string, unknown>>;

const memberOf = (of: Json, name: string): unknown => (Object.hasOwn(of, name) ? of[name] : undefined);

/** A member that is an object; an empty one when it is missing or something else. */
export const objectAt = (of: Json, name: string): Json => {
  const value = memberOf(of, name);
  return isObject(value) ? value : {};
};

/** A member that is a list; an empty one when it is missing or something else. */
export const listAt = (of: Json, name: string): readonly unknown[] => {
  const value = memberOf(of, name);
  return Array.isArray(value) ? value : [];
};

export const stringsAt = (of: Json, name: string): readonly string[] =>
  listAt(of, name).filter((value) => typeof value === 'string');

export const stringAt = (of: Json, name: string): string | undefined => {
  const value = memberOf(of, name);
  return typeof value === 'string' ? value : undefined;
};

/** What a pointer leads to; undefined for the name of an anchor, which is not looked for. */
const valueAt = (document: Json, pointer: string): unknown => {
  if (pointer !== '#' && !pointer.startsWith('#/')) return undefined;
  return getValueByPath(document, getSegmentsFromPath(decodeURI(pointer))).value;
};

/** What a report says of a reference without a target. */
export const missingTarget = (pointer: string): string => `the reference ${pointer} has no target`;

/**
 * The target of references, empty if it is no object, or the value itself if it is not a reference; and the
 * last reference on the way, for example `#/components/schemas/Order`; and whether the target is missing.
 */
export const follow = (
  document: Json,
  start: unknown,
): { readonly target: Json; readonly pointer: string; readonly isMissing: boolean } => {
  let pointer = '';
  let value = start;
  for (let count = 0; isObject(value) && typeof value.$ref === 'string' && count < 100; count += 1) {
    pointer = value.$ref;
    value = valueAt(document, pointer);
  }
  const target = isObject(value) && value.$ref === undefined ? value : {};
  return { target, pointer, isMissing: value === undefined };
};

export const targetOf = (document: Json, start: unknown): Json => follow(document, start).target;

/** A field of a schema, also one that only a part of its `allOf` has. A part may contain itself. */
const fieldSchemaOf = (document: Json, schema: unknown, name: string, maxDepth = 5): unknown => {
  const target = targetOf(document, schema);
  const own = memberOf(objectAt(target, 'properties'), name);
  if (own !== undefined || maxDepth === 0) return own;
  const parts = listAt(target, 'allOf').map((part) => fieldSchemaOf(document, part, name, maxDepth - 1));
  return parts.find((part) => part !== undefined);
};

/** The names on a dotted path of a body. That of one field may have a dot, as `@odata.nextLink`. */
export const namesAlong = (document: Json, schema: unknown, path: string): readonly string[] => {
  if (path === '') return [];
  return fieldSchemaOf(document, schema, path) === undefined ? path.split('.') : [path];
};

/** The schema at a dotted path of a body; the body itself for an empty path. */
export const schemaAt = (document: Json, schema: unknown, path: string): unknown =>
  namesAlong(document, schema, path).reduce((at, name) => fieldSchemaOf(document, at, name), schema);

/**
 * The fields that a schema requires, or a part of its `allOf`, which may name those of another part. A part
 * may contain itself.
 */
export const requiredIn = (document: Json, schema: unknown, maxDepth = 5): readonly string[] => {
  const target = targetOf(document, schema);
  const parts = maxDepth === 0 ? [] : listAt(target, 'allOf');
  return [
    ...stringsAt(target, 'required'),
    ...parts.flatMap((part) => requiredIn(document, part, maxDepth - 1)),
  ];
};

const takesNull = (document: Json, schema: unknown): boolean => {
  const target = targetOf(document, schema);
  const options = [target, ...listAt(target, 'anyOf'), ...listAt(target, 'oneOf')];
  return options.some((one) => [targetOf(document, one).type].flat().includes('null'));
};

/** Whether a document says that each response has a field, or `null` there. A part may contain itself. */
export const isAlwaysSent = (
  document: Json,
  schema: unknown,
  path: readonly string[],
  maxDepth = 5,
): boolean => {
  const [name, ...below] = path;
  if (name === undefined) return true;
  const owner = targetOf(document, schema);
  const field = memberOf(objectAt(owner, 'properties'), name);
  if (field === undefined) {
    const parts = maxDepth === 0 ? [] : listAt(owner, 'allOf');
    return parts.some((part) => isAlwaysSent(document, part, path, maxDepth - 1));
  }
  const isSent = stringsAt(owner, 'required').includes(name) || takesNull(document, field);
  return isSent && isAlwaysSent(document, field, below);
};
