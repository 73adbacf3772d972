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

/** A value of a document with the reference that led to it. */
export interface Located {
  readonly value: Json;
  /** The last reference on the way, for example `#/components/schemas/Order`; empty without one. */
  readonly pointer: string;
}

const valueAt = (document: Json, pointer: string): unknown => {
  let at: unknown = document;
  for (const token of decodeURI(pointer).split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Json)[name];
  }
  return at;
};

/** The target of references, or the value itself if it is not a reference; undefined if the target is missing. */
export const follow = (document: Json, start: unknown): Located | undefined => {
  const seen = new Set<unknown>();
  let pointer = '';
  let value = start;
  while (isObject(value) && typeof value.$ref === 'string') {
    if (seen.has(value)) return undefined;
    seen.add(value);
    pointer = value.$ref;
    value = pointer.startsWith('#') ? valueAt(document, pointer) : undefined;
  }
  return isObject(value) ? { value, pointer } : undefined;
};
