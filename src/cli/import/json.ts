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

const valueAt = (document: Json, pointer: string): unknown => {
  const names = decodeURI(pointer).split('/').slice(1);
  let at: unknown = document;
  for (const name of names.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')))
    at = isObject(at) || Array.isArray(at) ? memberOf(at as Json, name) : undefined;
  return at;
};

/** The last reference on the way to a value, for example `#/components/schemas/Order`; empty without one. */
export const pointerOf = (document: Json, start: unknown): string => {
  let pointer = '';
  let value = start;
  for (let count = 0; isObject(value) && typeof value.$ref === 'string' && count < 100; count += 1) {
    pointer = value.$ref;
    value = pointer.startsWith('#') ? valueAt(document, pointer) : undefined;
  }
  return pointer;
};

/** The target of references, or the value itself if it is not a reference; empty if the target is no object. */
export const targetOf = (document: Json, start: unknown): Json => {
  const pointer = pointerOf(document, start);
  const value = pointer === '' ? start : valueAt(document, pointer);
  return isObject(value) && value.$ref === undefined ? value : {};
};
