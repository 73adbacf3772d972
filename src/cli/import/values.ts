import type { Json } from './json.ts';
import { nullable, type Schema } from './schema.ts';

/** The members of these names that are numbers. */
export const numbersAt = (schema: Json, names: readonly string[]): Schema =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = schema[name];
      // The safe integers are all that z.int() takes, and no number is precise beyond them.
      return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? [[name, value]] : [];
    }),
  );

export const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

type Literal = string | number | boolean;

const isLiteral = (value: unknown): value is Literal =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

export const valuesSchema = (all: readonly unknown[], isConstant = false): Schema | undefined => {
  const values = [...new Set(all)];
  const others = values.filter((value) => value !== null);
  if (!others.every(isLiteral)) return undefined;
  const of: Schema =
    others.length === 0 ? { type: 'null' } : { enum: others, ...(isConstant && { isConstant }) };
  return others.length < values.length ? nullable(of) : of;
};
