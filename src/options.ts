import { InvalidRequestError } from './errors/restkin-error.ts';

/**
 * Every option of `T` with its check; undefined for one that is checked where it is used. A missing name does
 * not compile.
 */
export type OptionChecks<T> = {
  readonly [K in keyof T]-?: ((name: string, value: unknown) => unknown) | undefined;
};

/**
 * Reads the options of one owner, the function that takes them. Messages begin with `prefix`, by default the
 * owner: `createClient: timeoutMs must be ...`.
 */
export type OptionReader<T> = (given: T | undefined, owner: string, prefix?: string) => T;

/** The error of an option that no check of this file reads, for the mock, which imports no errors. */
export const toInvalidOption = (problem: string): InvalidRequestError => new InvalidRequestError(problem);

interface ReaderOptions<T> {
  /** The options that cannot be left out; others that must be given are checked where they are used. */
  readonly required?: readonly (keyof T & string)[];
  /** Ends the message for an unknown name. */
  readonly hint?: string;
}

/**
 * Makes a reader of options. It checks the values of the own properties, refuses unknown names, and returns a
 * copy.
 */
export const createReader =
  <T extends object>(
    checks: OptionChecks<T>,
    { required = [], hint = '' }: ReaderOptions<T> = {},
  ): OptionReader<T> =>
  (given = {} as T, owner, prefix = `${owner}: `) => {
    const known = (): string => Object.keys(checks).join(', ');
    if (!isObject(given))
      throw new InvalidRequestError(`${owner} takes its options as an object: ${known()}`);
    for (const [name, value] of Object.entries(given)) {
      if (!Object.hasOwn(checks, name)) {
        const shown = JSON.stringify(name.slice(0, 100));
        throw new InvalidRequestError(`${owner} has no option ${shown}; its options are ${known()}${hint}`);
      }
      checks[name as keyof T]?.(prefix + name, value);
    }
    const missing = required.find((name) => given[name] === undefined);
    if (missing !== undefined) throw new InvalidRequestError(`${prefix}${missing} is missing`);
    return { ...given };
  };

/** The check of an option that has options of its own. */
export const checkPart =
  <T extends object>(read: OptionReader<T>) =>
  (name: string, value: unknown): unknown =>
    value === undefined ? value : read(value as T, name, `${name}.`);

/** True for an object that is not an array. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * True for an object whose content is its properties: a `Map`, `Headers` and `URLSearchParams` would be read
 * as empty.
 */
export const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && !(Symbol.iterator in value);

/** True for an integer from 1. */
export const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 1;

/**
 * Makes a check of one option. It returns the value, accepts undefined, and throws an
 * {@link InvalidRequestError}.
 */
export const checkOf =
  (isValid: (value: unknown) => boolean, kind: string) =>
  <T>(name: string, value: T): T => {
    if (value === undefined || isValid(value)) return value;
    throw new InvalidRequestError(`${name} must be ${kind}`);
  };

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** True for a string that is not empty. */
export const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** True for an array of strings. */
export const isStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

export const checkName = checkOf(isName, 'a string that is not empty');
export const checkBoolean = checkOf((value) => typeof value === 'boolean', 'true or false');
export const checkFunction = checkOf((value) => typeof value === 'function', 'a function');
export const checkPositive = checkOf((value) => isNumber(value) && value > 0, 'a number above 0');
export const checkFromZero = checkOf((value) => isNumber(value) && value >= 0, 'a number from 0');
export const checkCount = checkOf(isCount, 'an integer from 1');
/** {@link checkCount} for a bound, which may also be `Infinity`. */
export const checkCountOrNone = checkOf((value) => value === Infinity || isCount(value), 'an integer from 1');
export const checkStrings = checkOf(isStrings, 'an array of strings');

// Visible ASCII, spaces and tabs; runtimes differ in what they do with other characters.
const fieldValue = /^[\t\x20-\x7e]*$/;

/** True for a valid header value (RFC 9110 §5.5). */
export const isFieldValue = (value: unknown): value is string =>
  typeof value === 'string' && fieldValue.test(value);

export const checkFieldValue = checkOf(isFieldValue, 'a string of visible ASCII characters');

export const checkSignal = checkOf(
  (value) => typeof (value as Partial<AbortSignal> | null)?.addEventListener === 'function',
  'an AbortSignal',
);
