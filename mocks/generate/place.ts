// Where a value is generated, and how often it is tried.
import { below as pathBelow } from '../../src/schema/codec.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import type { Id } from '../rows/store.ts';
import type { Random } from './random.ts';

/**
 * The target row of a relation; or the collection that lacks rows; undefined when no collection has its
 * resource.
 */
type Related = { readonly id: Id } | { readonly lacking: string } | undefined;

/** Where in a row a value is generated, and from what. */
export interface Place {
  /** The key of the collection. */
  readonly key: string;
  /** The name of the field. */
  readonly name: string;
  /** The dotted path in the row. */
  readonly path: string;
  readonly random: Random;
  readonly depth: number;
  /** Whether the store assigns the ids of resources here, which it does only in objects and lists. */
  readonly assignsIds: boolean;
  /** The form of a string to begin with. */
  readonly attempt: number;
  relate(target: Schema, random: Random): Related;
}

/** Thrown for a schema that no value can be generated for. */
export class UngeneratedError extends Error {
  constructor({ key, path }: Place, reason: string, advice = `give rows in data.${key}`) {
    const field = `the field "${path}" of the collection "${key}"`;
    super(`generate.${key}: ${field}: ${reason}; ${advice}, or the field in generate.${key}.row`);
  }
}

/** Below this depth optional values are left out, so that a schema that contains itself comes to an end. */
const optionalDepth = 4;

/** The place of a part that has no name: an item of a list, a key of a record. */
export const inside = (place: Place, part: string): Place => ({
  ...place,
  random: place.random.fork(part),
  depth: place.depth + 1,
});

/** The place of a field. */
export const below = (place: Place, name: string): Place => ({
  ...place,
  name,
  path: pathBelow(place.path, name),
  random: place.random.fork(name),
  depth: place.depth + 1,
});

/** True where optional values are left out. */
export const isDeep = ({ depth }: Place): boolean => depth > optionalDepth;

const attempts = 50;

/**
 * The first of several values that is not refused. This is the only place where generation tries again.
 *
 * @param refuse - what is wrong with a value; undefined for nothing
 * @throws {@link UngeneratedError} when none fits
 */
export const firstThatFits = <T>(
  place: Place,
  make: (place: Place) => T,
  refuse: (value: T) => { readonly path: string; readonly reason: string } | undefined,
): T => {
  let refused = { path: place.path, reason: '' };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const random = attempt === 0 ? place.random : place.random.fork(`attempt ${attempt}`);
    const value = make({ ...place, random, attempt: place.attempt + attempt });
    const problem = refuse(value);
    if (problem === undefined) return value;
    refused = problem;
  }
  throw new UngeneratedError({ ...place, path: refused.path }, refused.reason);
};
