import type { Json } from '../json.ts';
import type { Direction, Schema } from './schema.ts';

/** A schema of the document that has a name. */
export interface Component {
  /** The name of its constant, if that is free. */
  readonly name: string;
  readonly direction: Direction;
  readonly schema: Schema;
}

/** Reads the schemas of a document, each component once. */
export interface Reader {
  readonly document: Json;
  readonly components: ReadonlyMap<string, Component>;
  /** The schema of a component. */
  readonly find: (key: string) => Schema | undefined;
  /**
   * Reads a schema where it is used.
   *
   * @param given - the type of what it is a part of, which its keywords have where it has no type itself
   */
  readonly read: (schema: unknown, direction: Direction, given?: unknown) => Schema;
  /** Reads a component where it is used. Returns its key. */
  readonly readComponent: (reference: Json, direction: Direction) => string;
  /** Whether a schema refers to a component that is being read: to one that it is a part of. */
  readonly isInside: (schema: unknown) => boolean;
}
