import type { Random } from './random.ts';

/** What the checks of a number schema say. */
export interface NumberRules {
  readonly whole: boolean;
  /** The smallest and the largest number that fit. */
  readonly least: number;
  readonly most: number;
  readonly multipleOf: number | undefined;
}

const usualSpan = 1000;

/** A range that is not larger than people expect: from 0, or from the bound that is there. */
const rangeOf = ({ least, most }: NumberRules): readonly [number, number] => {
  if (most <= 0) return [Math.max(least, most - usualSpan), most];
  const from = Math.max(least, 0);
  return [from, Math.min(most, from + usualSpan)];
};

/** A number by its rules; what cannot be (a range without a multiple) is found by the check of its schema. */
export const generateNumber = (rules: NumberRules, random: Random): number => {
  const [from, to] = rangeOf(rules);
  const { multipleOf, whole } = rules;
  if (multipleOf !== undefined) {
    const step = Math.abs(multipleOf);
    const times = random.int(Math.ceil(from / step), Math.floor(to / step));
    // 3 * 0.1 is not 0.3: written with the digits of the step, it is.
    const places = String(step).split('.')[1]?.length ?? 0;
    return Number((times * step).toFixed(Math.min(places, 20)));
  }
  if (whole) return random.int(Math.ceil(from), Math.floor(to));
  const between = from + random.next() * (to - from);
  const short = Math.round(between * 100) / 100;
  return short > from && short < to ? short : between;
};
