import type { Schema } from '../../src/schema/types/shape.ts';
import { type Check, checksOf, kindOf } from '../../src/schema/zod.ts';
import { type Maker, UnsupportedSchemaError } from './value-context.ts';

/** Values are usually from a range of this size. */
const usualSpan = 1000;

/** The unit of values where the schema names none, and their range is not narrower. */
const usualUnit = 0.01;

/** How far a quotient of two fractions may be from the integer that it stands for: 0.7 / 0.1 is below 7. */
const tolerance = 1e-9;

/** The numbers that a schema takes: from `least` to `most`, without the bounds that are excluded. */
interface NumberRule {
  readonly least: number;
  readonly most: number;
  readonly excluded: readonly number[];
  /** Every value is a multiple of it; undefined where the schema takes any fraction. */
  readonly unit: number | undefined;
}

/** The ranges of formats that have one, by name. */
const ranges: Readonly<Record<string, readonly [least: number, most: number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
  safeint: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
};

/** The number of digits that a number has after its point: 7 for 1e-7. */
const decimalsOf = (value: number): number => {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
};

/** The greatest common divisor of two integers. */
const greatestDivisorOf = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisorOf(other, one % other);

/** The least common multiple of two units: 1 of 1 and 0.01, and 21 of 3 and 7. */
const commonMultipleOf = (a: number, b: number): number => {
  // As integers, because a remainder of fractions is not exact.
  const scale = 10 ** Math.max(decimalsOf(a), decimalsOf(b));
  const first = Math.round(a * scale);
  const second = Math.round(b * scale);
  const multiple = (first / greatestDivisorOf(first, second)) * second;
  // An inexact one is of no use: of the multiples of the greater unit, some may fit.
  return Number.isSafeInteger(multiple) ? multiple / scale : Math.max(a, b);
};

const ruleOf = (schema: Schema): NumberRule => {
  const checks = checksOf(schema);
  const formats = checks.flatMap(({ check, format = '' }) => (check === 'number_format' ? format : []));
  const isInteger = kindOf(schema) === 'bigint' || formats.some((format) => format.includes('int'));
  const named = (name: string): readonly Check[] => checks.filter(({ check }) => check === name);
  // The bounds of `z.bigint()` are BigInts, and `Math.max` and `Math.min` take only numbers.
  const valuesOf = (all: readonly Check[]): readonly number[] => all.map(({ value }) => Number(value));
  const above = named('greater_than');
  const below = named('less_than');
  const known = formats.flatMap((format) => (Object.hasOwn(ranges, format) ? [ranges[format] ?? []] : []));
  const steps = valuesOf(named('multiple_of')).map(Math.abs);
  const units = isInteger ? [1, ...steps] : steps;
  return {
    least: Math.max(...valuesOf(above), ...known.map(([least = 0]) => least), Number.NEGATIVE_INFINITY),
    most: Math.min(...valuesOf(below), ...known.map(([, most = 0]) => most), Number.POSITIVE_INFINITY),
    excluded: valuesOf([...above, ...below].filter(({ inclusive }) => inclusive === false)),
    unit: units.length === 0 ? undefined : units.reduce(commonMultipleOf),
  };
};

/** The part of a range that values are taken from: close to 0, or else to the bound that is closest to it. */
const usualRange = ({
  least,
  most,
  unit = 0,
}: NumberRule): { readonly from: number; readonly to: number } => {
  const closest = most <= 0 ? most : Math.max(least, 0);
  // Ten units at least, so that multiples of 2500 vary too, and enough for the precision of a huge bound.
  const span = Math.max(usualSpan, unit * 10, Math.abs(closest) * 2 ** -40);
  if (most <= 0) return { from: Math.max(least, most - span), to: most };
  return { from: closest, to: Math.min(most, closest + span) };
};

/** A power of ten that divides a range into a thousand values or more. */
const unitWithin = (span: number): number =>
  span < 1 ? 10 ** (Math.floor(Math.log10(span)) - 3) : usualUnit;

/** Says which numbers there are none of, for a message. */
const describeRule = ({ least, most, excluded, unit }: NumberRule): string => {
  const from = excluded.includes(least) ? `above ${least}` : `from ${least}`;
  const to = excluded.includes(most) ? `below ${most}` : `to ${most}`;
  const multiple = unit === 1 ? 'integer' : `multiple of ${unit}`;
  const kind = unit === undefined ? 'number' : multiple;
  return `no ${kind} is ${from} ${to}`;
};

/**
 * Creates what makes the numbers of a schema, as close to 0 as its bounds allow.
 *
 * @throws {@link UnsupportedSchemaError} for a schema that no number fits
 */
export const createNumberMaker = (schema: Schema): Maker => {
  const rule = ruleOf(schema);
  const { excluded } = rule;
  const { from, to } = usualRange(rule);
  if (rule.unit === undefined && from === to) {
    if (excluded.includes(from)) throw new UnsupportedSchemaError(describeRule(rule));
    return () => from;
  }
  const unit = rule.unit ?? unitWithin(to - from);
  // 3 * 0.1 is not 0.3, but 3 / 10 is.
  const scale = 10 ** decimalsOf(unit);
  const numerator = Math.round(unit * scale);
  const valueAt = (index: number): number => (index * numerator) / scale;
  const lowest = Math.ceil(from / unit - tolerance);
  const highest = Math.floor(to / unit + tolerance);
  const first = excluded.includes(valueAt(lowest)) ? lowest + 1 : lowest;
  const last = excluded.includes(valueAt(highest)) ? highest - 1 : highest;
  if (!(first <= last)) throw new UnsupportedSchemaError(describeRule(rule));
  return ({ random }) => valueAt(random.int(first, last));
};
