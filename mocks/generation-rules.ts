import { definitionOf, innerOf, type Schema } from './fields.ts';
import type { NumberRules } from './generate-number.ts';
import type { TextRules } from './generate-text.ts';

/** A check of zod, as far as the mock reads it; a format is a check of its own schema. */
interface Check {
  readonly check?: string;
  readonly format?: string;
  readonly pattern?: RegExp;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly includes?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly length?: number;
  readonly value?: number;
  readonly inclusive?: boolean;
}

const checksOf = (schema: Schema): readonly Check[] => [
  // zod types these definitions one by one; what is read of any of them stands in Check.
  schema._zod.def as unknown as Check,
  ...(definitionOf(schema).checks ?? []).map(({ _zod }) => _zod.def as Check),
];

const named = (checks: readonly Check[], name: string): readonly Check[] =>
  checks.filter(({ check }) => check === name);

const numbers = (
  checks: readonly Check[],
  key: 'minimum' | 'maximum' | 'length' | 'value',
): readonly number[] => checks.flatMap((check) => check[key] ?? []);

/** How long a text or a list is. */
export const lengthsOf = (schema: Schema): { readonly least: number; readonly most: number } => {
  const checks = checksOf(schema);
  const exact = numbers(named(checks, 'length_equals'), 'length');
  return {
    least: Math.max(0, ...numbers(named(checks, 'min_length'), 'minimum'), ...exact),
    most: Math.min(Number.MAX_SAFE_INTEGER, ...numbers(named(checks, 'max_length'), 'maximum'), ...exact),
  };
};

/** What only narrows a text, and is no format of its own. */
const narrowing: ReadonlySet<string> = new Set(['regex', 'starts_with', 'ends_with', 'includes']);

const formatOf = (checks: readonly Check[]): string | undefined =>
  checks.find(({ format }) => format !== undefined && !narrowing.has(format))?.format;

/** What a string schema asks for. */
export const textRulesOf = (schema: Schema): TextRules => {
  const checks = checksOf(schema);
  const part = (name: 'prefix' | 'includes' | 'suffix'): string =>
    checks.find((check) => check[name] !== undefined)?.[name] ?? '';
  return {
    ...lengthsOf(schema),
    format: formatOf(checks),
    prefix: part('prefix'),
    middle: part('includes'),
    suffix: part('suffix'),
  };
};

/** What a number schema asks for. */
export const numberRulesOf = (schema: Schema): NumberRules => {
  const checks = checksOf(schema);
  const whole = checks.some(({ check, format }) => check === 'number_format' && /int/.test(format ?? ''));
  const step = whole ? 1 : 0.01;
  const bound = ({ value = 0, inclusive = true }: Check, side: number): number =>
    inclusive ? value : value + side * step;
  return {
    whole,
    least: Math.max(
      ...[Number.NEGATIVE_INFINITY, ...named(checks, 'greater_than').map((check) => bound(check, 1))],
    ),
    most: Math.min(
      ...[Number.POSITIVE_INFINITY, ...named(checks, 'less_than').map((check) => bound(check, -1))],
    ),
    // Of several the largest: it is a multiple of the others where there is one of them all in reach.
    multipleOf: numbers(named(checks, 'multiple_of'), 'value').toSorted((a, b) => b - a)[0],
  };
};

/** A schema in words, for an error. */
export const kindOf = (schema: Schema): string => {
  const checks = checksOf(schema);
  const format = formatOf(checks);
  const patterns = checks.filter((check) => check.format === 'regex').map(({ pattern }) => String(pattern));
  return [
    `a ${definitionOf(schema).type}`,
    ...(format === undefined ? [] : [`of the format ${format}`]),
    ...(patterns.length === 0 ? [] : [`that matches ${patterns.join(' and ')}`]),
  ].join(' ');
};

/** Whether a schema may hold others without end. */
export const isNested = (schema: Schema): boolean => {
  const inner = innerOf(schema);
  if (inner !== undefined) return isNested(inner);
  return ['object', 'lazy', 'record', 'union', 'intersection', 'tuple'].includes(definitionOf(schema).type);
};
