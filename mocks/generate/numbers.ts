import type { Schema } from '../../src/schema/types/shape.ts';
import { checksOf } from '../../src/schema/zod.ts';
import type { Random } from './random.ts';

const usualSpan = 1000;

/** Makes numbers in the range of a schema, limited to usual values: from 0, or from the given bound. */
export const numbersOf = (schema: Schema): ((random: Random) => number) => {
  const checks = checksOf(schema);
  const isInteger = checks.some(({ check, format }) => check === 'number_format' && /int/.test(format ?? ''));
  const step = isInteger ? 1 : 0.01;
  const unit = checks.find(({ check }) => check === 'multiple_of')?.value ?? step;
  const bounds = (name: string, side: number): readonly number[] =>
    checks
      .filter(({ check }) => check === name)
      .map(({ value = 0, inclusive = true }) => (inclusive ? value : value + side * step));
  const least = Math.max(...bounds('greater_than', 1), Number.NEGATIVE_INFINITY);
  const most = Math.min(...bounds('less_than', -1), Number.POSITIVE_INFINITY);
  // Ten units at least, so that multiples of 2500 vary too.
  const span = Math.max(usualSpan, unit * 10);
  const from = most <= 0 ? Math.max(least, most - span) : Math.max(least, 0);
  const to = most <= 0 ? most : Math.min(most, from + span);
  const first = Math.ceil(from / unit);
  const last = Math.floor(to / unit);
  if (first > last) return (random) => from + random.next() * (to - from);
  // 3 * 0.1 is not 0.3, until it is rounded to the digits of the unit.
  const digits = String(unit).split('.')[1]?.length ?? 0;
  return (random) => Number((random.int(first, last) * unit).toFixed(digits));
};
