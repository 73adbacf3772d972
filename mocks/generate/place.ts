import type { Resource } from '../../src/schema/resource.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import type { Id } from '../resources/table.ts';
import { fits } from '../resources/validate.ts';
import type { Field } from './kinds.ts';
import type { Random } from './random.ts';
import type { Realistic } from './realistic.ts';
import { describeSchema } from './rules.ts';

/** The row that a relation leads to. `'empty'`: its collection has no rows. `'unheld'`: no collection has it. */
export type Related = { readonly id: Id } | 'empty' | 'unheld';

/** Where in a row a value is generated, and from what. */
export interface Place extends Field {
  readonly depth: number;
  /** The form of a value to begin with. */
  readonly attempt: number;
  /** Knows values by the names of fields; undefined for plain ones. */
  readonly realistic: Realistic | undefined;
  relate(target: Resource, random: Random): Related;
}

/** Thrown for a schema that no value can be generated for. */
export class UngeneratedError extends Error {
  readonly path: string;

  constructor(path: string, reason: string) {
    super(reason);
    this.path = path;
  }
}

const attempts = 24;

/**
 * Refuses a schema.
 *
 * @throws {@link UngeneratedError} always
 */
export const refuse = (schema: Schema, { path }: Place): never => {
  throw new UngeneratedError(path, `no value for ${describeSchema(schema)} can be generated`);
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
 * The first value that fits its schema.
 *
 * @throws {@link UngeneratedError} after 24 attempts
 */
export const firstThatFits = (schema: Schema, place: Place, make: (attempt: number) => unknown): unknown => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const value = make(place.attempt + attempt);
    if (fitsSafely(schema, value)) return value;
  }
  return refuse(schema, place);
};
