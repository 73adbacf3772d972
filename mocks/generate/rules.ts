import type { Schema } from '../../src/schema/types/shape.ts';
import { type Check, checksOf, innerOf, kindOf } from '../../src/schema/zod.ts';
import type { NumberRules, StringRules } from './primitive.ts';

const named = (checks: readonly Check[], name: string): readonly Check[] =>
  checks.filter(({ check }) => check === name);

const numbers = (
  checks: readonly Check[],
  key: 'minimum' | 'maximum' | 'length' | 'value',
): readonly number[] => checks.flatMap((check) => check[key] ?? []);

/** How long a string or a list may be. */
export const lengthsOf = (schema: Schema): { readonly least: number; readonly most: number } => {
  const checks = checksOf(schema);
  const exact = numbers(checks, 'length');
  return {
    least: Math.max(0, ...numbers(checks, 'minimum'), ...exact),
    most: Math.min(Number.MAX_SAFE_INTEGER, ...numbers(checks, 'maximum'), ...exact),
  };
};

/** Checks that narrow a string without being a format. */
const narrowing: ReadonlySet<string> = new Set(['regex', 'starts_with', 'ends_with', 'includes']);

const formatOf = (checks: readonly Check[]): string | undefined =>
  checks.find(({ format }) => format !== undefined && !narrowing.has(format))?.format;

/** The pattern of a string: its own, or else that of its format. */
const patternOf = (checks: readonly Check[]): RegExp | undefined =>
  checks.find(({ format }) => format === 'regex')?.pattern ??
  checks.find(({ format }) => format !== undefined && !narrowing.has(format))?.pattern;

/** The checks of a string schema. */
export const stringRulesOf = (schema: Schema): StringRules => {
  const checks = checksOf(schema);
  const part = (name: 'prefix' | 'includes' | 'suffix'): string =>
    checks.find((check) => check[name] !== undefined)?.[name] ?? '';
  return {
    ...lengthsOf(schema),
    format: formatOf(checks),
    pattern: patternOf(checks),
    prefix: part('prefix'),
    middle: part('includes'),
    suffix: part('suffix'),
  };
};

/** The checks of a number schema. */
export const numberRulesOf = (schema: Schema): NumberRules => {
  const checks = checksOf(schema);
  const isInteger = checks.some(({ check, format }) => check === 'number_format' && /int/.test(format ?? ''));
  const step = isInteger ? 1 : 0.01;
  const bound = ({ value = 0, inclusive = true }: Check, side: number): number =>
    inclusive ? value : value + side * step;
  return {
    isInteger,
    least: Math.max(
      ...[Number.NEGATIVE_INFINITY, ...named(checks, 'greater_than').map((check) => bound(check, 1))],
    ),
    most: Math.min(
      ...[Number.POSITIVE_INFINITY, ...named(checks, 'less_than').map((check) => bound(check, -1))],
    ),
    // The largest of several, which is often a multiple of the others.
    multipleOf: numbers(named(checks, 'multiple_of'), 'value').toSorted((a, b) => b - a)[0],
  };
};

/** A schema in words, for an error message. */
export const describeSchema = (schema: Schema): string => {
  const checks = checksOf(schema);
  const format = formatOf(checks);
  const patterns = checks.filter((check) => check.format === 'regex').map(({ pattern }) => String(pattern));
  return [
    `a ${kindOf(schema)}`,
    ...(format === undefined ? [] : [`of the format ${format}`]),
    ...(patterns.length === 0 ? [] : [`that matches ${patterns.join(' and ')}`]),
  ].join(' ');
};

/** Whether a schema can contain itself. */
export const isNested = (schema: Schema): boolean => {
  const inner = innerOf(schema);
  if (inner !== undefined) return isNested(inner);
  return ['object', 'lazy', 'record', 'union', 'intersection', 'tuple'].includes(kindOf(schema));
};
