import type { Resource } from '../src/schema/resource.ts';
import type { Schema } from './fields.ts';
import { kindOf } from './generation-rules.ts';
import type { Random } from './random.ts';
import type { Id } from './store.ts';
import { fits } from './validate.ts';

/** What a relation can lead to: a row, nothing yet, or to what no collection holds. */
export type Related = { readonly id: Id } | 'empty' | 'unheld';

/** Where in a row a value is generated, and from what. */
export interface Place {
  /** Dotted. */
  readonly path: string;
  readonly random: Random;
  readonly depth: number;
  /** Which form of a value to begin with. */
  readonly attempt: number;
  relate(target: Resource, random: Random): Related;
}

/** A schema that no value can be made for. */
export class UngeneratedError extends Error {
  readonly path: string;

  constructor(path: string, reason: string) {
    super(reason);
    this.path = path;
  }
}

const attempts = 24;

/** @throws {@link UngeneratedError} always */
export const refuse = (schema: Schema, { path }: Place): never => {
  throw new UngeneratedError(path, `no value for ${kindOf(schema)} can be generated`);
};

const fitsSafely = (schema: Schema, value: unknown): boolean => {
  try {
    return fits(schema, value);
  } catch {
    // A transform that does not expect this value.
    return false;
  }
};

/**
 * The first value that its schema takes.
 *
 * @throws {@link UngeneratedError} after some attempts
 */
export const firstThatFits = (schema: Schema, place: Place, make: (attempt: number) => unknown): unknown => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const value = make(place.attempt + attempt);
    if (fitsSafely(schema, value)) return value;
  }
  return refuse(schema, place);
};
