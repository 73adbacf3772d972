// The values of schemas that have no schemas inside.
import type { Schema } from '../../src/schema/types/shape.ts';
import { knownValuesOf, valuesOf } from '../../src/schema/zod.ts';
import { fits } from '../rows/parse.ts';
import { createDateMaker } from './dates.ts';
import { createNumberMaker } from './numbers.ts';
import { createStringMaker } from './strings.ts';
import type { Maker } from './value-context.ts';

/** Makes one of these values. */
const createChoice =
  (values: readonly unknown[]): Maker =>
  ({ random }) =>
    values[random.int(0, values.length - 1)];

/** Makes the known values of an `openEnum`, those that lists select by, or else any strings. */
const createTextMaker = (schema: Schema): Maker => {
  const known = knownValuesOf(schema);
  if (known !== undefined) return createChoice(known);
  const makeAny = createStringMaker(schema);
  return (context) => {
    const listed = context.listed?.get(context.path)?.filter((value) => fits(schema, value)) ?? [];
    return listed.length > 0 ? createChoice(listed)(context) : makeAny(context);
  };
};

const makeBoolean: Maker = ({ random }) => random.next() < 0.5;

const createListedMaker = (schema: Schema): Maker =>
  createChoice(valuesOf(schema).filter((value) => value !== undefined));

/** What makes the values of each of these kinds, read from the schema once. */
export const scalarMakers: Readonly<Record<string, (schema: Schema) => Maker>> = {
  string: createTextMaker,
  unknown: createTextMaker,
  any: createTextMaker,
  custom: createTextMaker,
  template_literal: createStringMaker,
  number: createNumberMaker,
  // JSON has none, but a schema that coerces takes a number.
  bigint: createNumberMaker,
  boolean: () => makeBoolean,
  date: createDateMaker,
  null: () => () => null,
  enum: createListedMaker,
  literal: createListedMaker,
};
