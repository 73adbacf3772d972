import { pathSeparator } from '../src/conventions/parameters.ts';
import type { Resource } from '../src/schema/resource.ts';
import { type Described, isObject, type Json } from './fields.ts';

/** A nested resource that stands by its `id` in a value (§2.1). */
export interface Relation {
  /** Dotted. */
  readonly path: string;
  readonly target: Resource;
  readonly value: Json;
}

/** The relations of a value, in it and in what it holds. */
export const relationsOf = (value: unknown, at: Described, path = ''): readonly Relation[] => {
  const below = (name: string | number): string =>
    path === '' ? String(name) : `${path}${pathSeparator}${name}`;
  if (Array.isArray(value)) return value.flatMap((item, index) => relationsOf(item, at, below(index)));
  if (!isObject(value)) return [];
  const { target, fields } = at;
  if (target !== undefined) return [{ path, target, value }];
  return [...(fields ?? [])].flatMap(([name, field]) => relationsOf(value[name], field, below(name)));
};
