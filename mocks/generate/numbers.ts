import type { Schema } from '../../src/schema/types/shape.ts';
import { checksOf } from '../../src/schema/zod.ts';
import type { Maker } from './value-context.ts';

/** Values are usually from a range of this size. */
const usualSpan = 1000;

/** The numbers that a schema takes. */
interface NumberRule {
  readonly least: number;
  readonly most: number;
  /** Every value is a multiple of it. */
  readonly unit: number;
}

const ruleOf = (schema: Schema): NumberRule => {
  const checks = checksOf(schema);
  const isInteger = checks.some(({ check, format }) => check === 'number_format' && /int/.test(format ?? ''));
  const step = isInteger ? 1 : 0.01;
  const bounds = (name: string, side: number): readonly number[] =>
    checks
      .filter(({ check }) => check === name)
      .map(({ value = 0, inclusive = true }) => (inclusive ? value : value + side * step));
  return {
    least: Math.max(...bounds('greater_than', 1), Number.NEGATIVE_INFINITY),
    most: Math.min(...bounds('less_than', -1), Number.POSITIVE_INFINITY),
    unit: checks.find(({ check }) => check === 'multiple_of')?.value ?? step,
  };
};

/** The part of a range that values are taken from: close to 0, or else to the bound that is closest to it. */
const usualRange = ({ least, most, unit }: NumberRule): { readonly from: number; readonly to: number } => {
  // Ten units at least, so that multiples of 2500 vary too.
  const span = Math.max(usualSpan, unit * 10);
  if (most <= 0) return { from: Math.max(least, most - span), to: most };
  const from = Math.max(least, 0);
  return { from, to: Math.min(most, from + span) };
};

/** Makes the numbers of a schema, as small as its bounds allow. */
export const createNumberMaker = (schema: Schema): Maker => {
  const rule = ruleOf(schema);
  const { unit } = rule;
  const { from, to } = usualRange(rule);
  const first = Math.ceil(from / unit);
  const last = Math.floor(to / unit);
  if (first > last) return ({ random }) => from + random.next() * (to - from);
  // 3 * 0.1 is not 0.3, until it is rounded to the digits of the unit.
  const digits = String(unit).split('.')[1]?.length ?? 0;
  return ({ random }) => Number((random.int(first, last) * unit).toFixed(digits));
};
