import { below } from '../../src/schema/codec.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import type { Json } from '../rows/schema.ts';
import type { Random } from './random.ts';

/** What a relation leads to. */
export type Related =
  /** A row, as the value of the relation: `{ id }`, or the row in full. */
  | { readonly kind: 'row'; readonly value: Json }
  /** The collection of its resource has no rows. */
  | { readonly kind: 'noRows'; readonly collection: string }
  /** No collection has its resource. */
  | { readonly kind: 'noCollection' };

/** What a value is generated from, besides its schema. */
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
  /** Whether the store assigns the ids of resources here, which it does only in objects and lists. */
  readonly assignsIds: boolean;
  /** Finds the row that a relation to a resource leads to. */
  readonly relate: (target: Schema, random: Random) => Related;
}

/** Makes a value of one schema, as it goes over the wire; undefined for a field that is left out. */
export type Maker = (context: ValueContext) => unknown;

/** The context of a value as a whole, such as a row. */
export const createValueContext = (
  whole: Pick<ValueContext, 'key' | 'random' | 'assignsIds' | 'relate'>,
): ValueContext => ({ ...whole, name: '', path: '', depth: 0, attempt: 0 });

/** The same context with random numbers of its own. */
export const forkContext = (context: ValueContext, name: string): ValueContext => ({
  ...context,
  random: context.random.fork(name),
});

/** The context of a part that has no name, such as an item of a list or a key of a record. */
export const contextOfPart = (context: ValueContext, part: string): ValueContext => ({
  ...context,
  random: context.random.fork(part),
  depth: context.depth + 1,
});

/** The context of a field of an object. */
export const contextOfField = (context: ValueContext, name: string): ValueContext => ({
  ...context,
  name,
  path: below(context.path, name),
  random: context.random.fork(name),
  depth: context.depth + 1,
});

/** Thrown where the schema alone shows that no value can be made. The message is the reason, for another one. */
export class UnsupportedSchemaError extends Error {}

/** Thrown for a schema that no value can be generated for. Its message is for the rows of a collection. */
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

/** Below this depth optional values are left out, so that a schema that contains itself comes to an end. */
const optionalDepth = 4;

/** True where optional values are left out. */
export const isDeep = ({ depth }: ValueContext): boolean => depth > optionalDepth;

const attempts = 100;

/** What is wrong with a generated value, and at which dotted path. */
interface Problem {
  readonly path: string;
  readonly reason: string;
}

/**
 * Makes values until one is not refused. This is the only place where generation tries again.
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
