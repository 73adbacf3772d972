import type { Schema } from '../../src/schema/types/shape.ts';
import { checksOf } from '../../src/schema/zod.ts';
import type { Random } from './random.ts';

const usualSpan = 1000;

/** Makes numbers in the range of a schema, which is no larger than people expect: from 0, or from the given bound. */
export const numbersOf = (schema: Schema): ((random: Random) => number) => {
  const checks = checksOf(schema);
  const isInteger = checks.some(({ check, format }) => check === 'number_format' && /int/.test(format ?? ''));
  const step = isInteger ? 1 : 0.01;
  const bounds = (name: string, side: number): readonly number[] =>
    checks
      .filter(({ check }) => check === name)
      .map(({ value = 0, inclusive = true }) => (inclusive ? value : value + side * step));
  const least = Math.max(...bounds('greater_than', 1), Number.NEGATIVE_INFINITY);
  const most = Math.min(...bounds('less_than', -1), Number.POSITIVE_INFINITY);
  const from = most <= 0 ? Math.max(least, most - usualSpan) : Math.max(least, 0);
  const to = most <= 0 ? most : Math.min(most, from + usualSpan);
  const multiple = checks.find(({ check }) => check === 'multiple_of')?.value;
  const unit = multiple ?? (isInteger ? 1 : 0.01);
  return (random) => {
    const [first, last] = [Math.ceil(from / unit), Math.floor(to / unit)];
    if (first > last) return from + random.next() * (to - from);
    // 3 * 0.1 is not 0.3, until it is rounded to the digits of the unit.
    return Number((random.int(first, last) * unit).toFixed(String(unit).split('.')[1]?.length ?? 0));
  };
};
