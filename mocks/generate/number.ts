import type { Random } from './random.ts';

/** What the checks of a number schema allow. */
export interface NumberRules {
  readonly isInteger: boolean;
  /** The smallest and the largest number allowed. */
  readonly least: number;
  readonly most: number;
  readonly multipleOf: number | undefined;
}

const usualSpan = 1000;

/** A range no larger than people expect: from 0, or from the given bound. */
const rangeOf = ({ least, most }: NumberRules): readonly [number, number] => {
  if (most <= 0) return [Math.max(least, most - usualSpan), most];
  const from = Math.max(least, 0);
  return [from, Math.min(most, from + usualSpan)];
};

/** The part of a usual range that the rules allow; the rules themselves where there is none. */
export const narrow = (rules: NumberRules, [from, to]: readonly [number, number]): NumberRules => {
  const [least, most] = [Math.max(rules.least, from), Math.min(rules.most, to)];
  return least <= most ? { ...rules, least, most } : rules;
};

/** A number by its rules. The check of its schema finds impossible rules, such as a range without a multiple. */
export const generateNumber = (rules: NumberRules, random: Random): number => {
  const [from, to] = rangeOf(rules);
  const { multipleOf, isInteger } = rules;
  if (multipleOf !== undefined) {
    const step = Math.abs(multipleOf);
    const times = random.int(Math.ceil(from / step), Math.floor(to / step));
    // 3 * 0.1 is not 0.3: written with the digits of the step, it is.
    const places = String(step).split('.')[1]?.length ?? 0;
    return Number((times * step).toFixed(Math.min(places, 20)));
  }
  if (isInteger) return random.int(Math.ceil(from), Math.floor(to));
  const between = from + random.next() * (to - from);
  const short = Math.round(between * 100) / 100;
  return short > from && short < to ? short : between;
};
