import { below } from '../../src/schema/codec.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import type { Json } from '../rows/schema.ts';
import type { Random } from './random.ts';

/** What {@link ValueContext.relate} finds: the row that a relation leads to, or why there is none. */
export type Related =
  /** A row, as the value of the relation: `{ id }`, or the row in full. */
  | { readonly kind: 'row'; readonly value: Json }
  /** The collection of its resource has no rows. */
  | { readonly kind: 'noRows'; readonly collection: string }
  /** No collection has its resource. */
  | { readonly kind: 'noCollection' };

/**
 * What a {@link Maker} knows besides its schema: where in a row or a response its value is, and the random
 * numbers of that place. It gives each part of its value a changed copy.
 */
export interface ValueContext {
  /** The key of the collection, or the name of the endpoint, for messages. */
  readonly key: string;
  /** The name of the field; empty for the value as a whole. */
  readonly name: string;
  /** The dotted path of the field. */
  readonly path: string;
  /** How many fields, items and keys the value is inside of. */
  readonly depth: number;
  readonly random: Random;
  /** How many values were refused before this one. Each attempt makes a string of another form. */
  readonly attempt: number;
  /**
   * The fields that each resource here gets later: in a row its `id` from the store and its `self` from each
   * response, in a generated response its `self`. None inside a union, a record or another value that is
   * stored and sent as it is: there, a resource is generated as a client reads it.
   */
  readonly addedLater: readonly ('id' | 'self')[];
  /** True for an item of a list and an option of a union: only a field can be left out. */
  readonly isRequired: boolean;
  /** Finds the row that a relation to a resource leads to. */
  readonly relate: (target: Schema, random: Random) => Related;
  /** The strings that lists select rows by, for the paths of fields. */
  readonly listed?: ReadonlyMap<string, readonly string[]>;
}

/**
 * Makes values of one schema, as they go over the wire: a date as its string. Undefined is for a field that
 * is left out. It is created once for a schema, and called for each value.
 */
export type Maker = (context: ValueContext) => unknown;

/** The context of a whole row or response, from which those of its parts are derived. */
export const createValueContext = (
  whole: Pick<ValueContext, 'key' | 'random' | 'addedLater' | 'relate' | 'listed'>,
): ValueContext => ({ ...whole, name: '', path: '', depth: 0, attempt: 0, isRequired: false });

/**
 * The context of another value at the same place, such as the next row or attempt: it has random numbers of
 * its own, the same for the same name.
 */
export const forkContext = (context: ValueContext, name: string): ValueContext => ({
  ...context,
  random: context.random.fork(name),
});

/** The context of an item of a list, or of a key of a record. It keeps the name and the path of the whole. */
export const contextOfPart = (context: ValueContext, part: string): ValueContext => ({
  ...context,
  random: context.random.fork(part),
  depth: context.depth + 1,
  isRequired: true,
});

/** The context of a field of an object, at a path of its own. */
export const contextOfField = (context: ValueContext, name: string): ValueContext => ({
  ...context,
  name,
  path: below(context.path, name),
  random: context.random.fork(name),
  depth: context.depth + 1,
  isRequired: false,
});

/**
 * Thrown where a schema alone shows that it has no value that can be made, such as an empty range. The
 * message is that reason: who knows the field throws a {@link GenerationError} with it.
 */
export class UnsupportedSchemaError extends Error {}

/**
 * Thrown for a field that no value can be generated for. The message is that of a row of a collection; for a
 * response, `path` and `reason` make another one.
 */
export class GenerationError extends Error {
  /** The dotted path of the field, or of what is inside of it. */
  readonly path: string;
  readonly reason: string;

  constructor({ key, path }: ValueContext, reason: string, advice = `give rows in data.${key}`) {
    const field = `the field "${path}" of the collection "${key}"`;
    super(`generate.${key}: ${field}: ${reason}; ${advice}, or the field in generate.${key}.row`);
    this.path = path;
    this.reason = reason;
  }
}

/** Optional values occur only up to this depth, so that a schema that contains itself comes to an end. */
const optionalDepth = 4;

/** True for a value at a depth where optional fields are left out, and lists are as short as they may be. */
export const isDeep = ({ depth }: ValueContext): boolean => depth > optionalDepth;

const attempts = 100;

/** What is wrong with a generated value, and at which dotted path. */
interface Problem {
  readonly path: string;
  readonly reason: string;
}

/**
 * Makes values until one is accepted, each with other random numbers and a higher `attempt`. This is the only
 * place where generation tries again.
 *
 * @param problemOf - what is wrong with a value; undefined for nothing
 * @throws {@link GenerationError} when none fits
 */
export const makeUntilFits = <T>(
  context: ValueContext,
  make: (context: ValueContext) => T,
  problemOf: (value: T) => Problem | undefined,
): T => {
  let latest: Problem = { path: context.path, reason: '' };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const own = attempt === 0 ? context : forkContext(context, `attempt ${attempt}`);
    const value = make({ ...own, attempt: context.attempt + attempt });
    const problem = problemOf(value);
    if (problem === undefined) return value;
    latest = problem;
  }
  throw new GenerationError({ ...context, path: latest.path }, latest.reason);
};
