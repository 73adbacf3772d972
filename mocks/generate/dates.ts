import type { Schema } from '../../src/schema/types/shape.ts';
import { checksOf } from '../../src/schema/zod.ts';
import { generateTime } from './formats.ts';
import type { Maker } from './value-context.ts';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Creates what makes the dates of a schema, as JSON has them. Beyond the usual times, they are within a day
 * of a bound.
 */
export const createDateMaker = (schema: Schema): Maker => {
  const boundsOf = (name: string): readonly number[] =>
    checksOf(schema).flatMap(({ check, value }) => (check === name ? Number(value) : []));
  const least = Math.max(...boundsOf('greater_than'), Number.NEGATIVE_INFINITY);
  const most = Math.min(...boundsOf('less_than'), Number.POSITIVE_INFINITY);
  return ({ random }) => {
    const usual = generateTime(random);
    const time = Date.parse(usual);
    if (time > least && time < most) return usual;
    const from = time > least ? Math.max(least, most - dayMs) : least;
    const to = Math.min(most, from + dayMs);
    return new Date(from + random.int(0, to - from)).toISOString();
  };
};
