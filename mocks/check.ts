import * as z from 'zod/mini';
import { util } from 'zod/v4/core';
import { disallowedMethods, methodRules } from '../src/conventions.ts';

/** A schema for every property of `T`: the compiler says when one is missing or unknown. */
export type ShapeOf<T> = Readonly<Record<keyof T, z.ZodMiniType>>;

/** A check whose message is `must be …`: another type is a TypeError, a value out of its range a RangeError. */
const must = <T>(kind: 'type' | 'range', be: string, holds: (value: unknown) => boolean) =>
  z.custom<T>(holds, { error: `must be ${be}`, params: { kind } });

const isDate = (value: unknown): value is Date => value instanceof Date;

const isInteger = (value: unknown, least: number): boolean =>
  Number.isSafeInteger(value) && (value as number) >= least; // isSafeInteger has said that it is a number

const methods: readonly string[] = [...Object.keys(methodRules), ...disallowedMethods];

/** Schemas for the values of options. */
export const value = {
  string: must<string>('type', 'a string', (input) => typeof input === 'string'),
  boolean: must<boolean>('type', 'true or false', (input) => typeof input === 'boolean'),
  number: must<number>('type', 'a number', (input) => typeof input === 'number'),
  function: must<() => unknown>('type', 'a function', (input) => typeof input === 'function'),
  date: must<Date>('type', 'a Date', isDate).check(
    z.refine((date) => !Number.isNaN(date.getTime()), { error: 'must be a valid date' }),
  ),
  finite: must<number>('range', 'a finite number', (input) => Number.isFinite(input)),
  positive: must<number>('range', 'a number above 0', (input) => typeof input === 'number' && input > 0),
  /** Case-insensitive. */
  method: must<string>('type', 'a string', (input) => typeof input === 'string').check(
    z.refine((method) => methods.includes(method.toUpperCase()), {
      error: `must be one of ${methods.join(', ')}`,
    }),
  ),
  atLeast: (least: number) =>
    must<number>('range', `a number from ${least}`, (input) => typeof input === 'number' && input >= least),
  integer: (least: number, unit = '') =>
    must<number>('range', `an integer${unit} from ${least}`, (input) => isInteger(input, least)),
  /** An integer, or `Infinity` for no limit. */
  count: (least: number) =>
    must<number>(
      'range',
      `an integer from ${least}, or Infinity`,
      (input) => input === Number.POSITIVE_INFINITY || isInteger(input, least),
    ),
  oneOf: (...values: readonly unknown[]) =>
    must('range', values.map((one) => JSON.stringify(one)).join(' or '), (input) => values.includes(input)),
  /** Any other rule, in words. */
  other: must,
  /** The key of a collection of the mock. */
  collection: (keys: ReadonlySet<string>) =>
    z.custom<string>((key) => typeof key === 'string' && keys.has(key), {
      error: ({ input }) =>
        `must be the key of a collection: there is no collection ${JSON.stringify(input)}`,
      params: { kind: 'range' },
    }),
};

/** An object with no other properties than these, each of which may be left out. */
export const optional = <T>(shape: ShapeOf<T>): z.ZodMiniType<T> =>
  // The shape has the keys of T; the schemas check their values.
  z.partial(z.strictObject(shape)) as unknown as z.ZodMiniType<T>;

const formatPath = (path: readonly PropertyKey[]): string =>
  path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
    )
    .join('');

const describeIssue = (taker: string, issue: z.core.$ZodIssue): string => {
  if (issue.code === 'unrecognized_keys') {
    const name = formatPath([...issue.path, issue.keys[0] ?? '']);
    return `${taker}: unknown option ${JSON.stringify(name)}`;
  }
  const kind = issue.code === 'invalid_type' && issue.expected === 'array' ? 'array' : 'object';
  const message = issue.code === 'invalid_type' ? `must be an ${kind}` : issue.message;
  return `${taker}: ${formatPath(issue.path) || 'the argument'} ${message}`;
};

const isWrongType = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'unrecognized_keys' ||
  issue.code === 'invalid_type' ||
  issue.code === 'invalid_union' ||
  (issue.code === 'custom' && issue.params?.kind === 'type');

/** A copy of options without a prototype, so that nothing on `Object.prototype` is taken for one; rows stay as they are. */
const ownProperties = (input: unknown, depth = 3): unknown => {
  if (depth === 0) return input;
  if (Array.isArray(input)) return input.map((item) => ownProperties(item, depth - 1));
  if (!util.isPlainObject(input)) return input;
  const copies = Object.entries(input).map(([name, inner]) => [name, ownProperties(inner, depth - 1)]);
  return Object.assign(Object.create(null), Object.fromEntries(copies));
};

/**
 * Checks what a caller passed, because in JavaScript no compiler finds a misspelt name.
 *
 * @param taker - what was called, for example `createMock`
 * @returns a copy with its own properties only
 * @throws TypeError for an unknown name or another type, RangeError for a value out of its range; the message says where
 */
export const check = <T>(taker: string, schema: z.ZodMiniType, input: T): T => {
  // A copy of a T is a T.
  const own = ownProperties(input) as T;
  const issues = z.safeParse(schema, own).error?.issues ?? [];
  // If a name is misspelt, another one may be missing for that reason.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  if (issue === undefined) return own;
  const message = describeIssue(taker, issue);
  throw isWrongType(issue) ? new TypeError(message) : new RangeError(message);
};
