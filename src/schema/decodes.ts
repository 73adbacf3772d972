import type { Schema } from '../query/shape.ts';
import { someSchema } from '../query/walk.ts';

interface Definition {
  readonly type: string;
  readonly coerce?: boolean;
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly check: string } } }[];
}

const changing: ReadonlySet<string> = new Set(['pipe', 'transform', 'default', 'prefault', 'catch']);

const changes = (schema: Schema): boolean => {
  const { type, coerce, checks = [] } = schema._zod.def as unknown as Definition;
  return changing.has(type) || coerce === true || checks.some(({ _zod }) => _zod.def.check === 'overwrite');
};

const known = new WeakMap<Schema, boolean>();

/** True when a schema gives another value than it is given: codecs, transforms, defaults, coercion, trimming. */
export const decodes = (schema: Schema): boolean => {
  const found = known.get(schema) ?? someSchema(schema, changes);
  known.set(schema, found);
  return found;
};
