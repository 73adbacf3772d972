import type { Schema } from './shape.ts';

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && '_zod' in value;

/** The schemas that a schema is made of, whatever its kind. */
const partsOf = (schema: Schema): readonly Schema[] => {
  const { type, ...definition } = schema._zod.def as unknown as Readonly<Record<string, unknown>>;
  const { shape, getter } = definition;
  const values = Object.values(definition).flatMap((value) => (Array.isArray(value) ? value : [value]));
  if (type === 'object' && typeof shape === 'object' && shape !== null) values.push(...Object.values(shape));
  if (type === 'lazy' && typeof getter === 'function') values.push(getter());
  return values.filter(isSchema);
};

/** True when a schema, or one below it, is what is looked for. Resources may hold themselves. */
export const someSchema = (schema: Schema, is: (schema: Schema) => boolean): boolean => {
  const seen = new Set<Schema>();
  const search = (at: Schema): boolean => {
    if (seen.has(at)) return false;
    seen.add(at);
    return is(at) || partsOf(at).some(search);
  };
  return search(schema);
};
