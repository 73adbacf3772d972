import { InvalidRequestError } from './errors/restkin-error.ts';

/** Every option of `T` with its check; undefined for one that is checked where it is used. A missing name does not compile. */
export type OptionChecks<T> = {
  readonly [K in keyof T]-?: ((name: string, value: unknown) => unknown) | undefined;
};

/** How many characters must be inserted, deleted or replaced to turn one name into another. */
const distanceBetween = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of Array.from(a).entries()) {
    const next = [i + 1];
    for (const [j, other] of Array.from(b).entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};

/** The known name that is most similar; undefined when none is similar. */
const nearestOf = (name: string, known: readonly string[]): string | undefined => {
  const [nearest] = known
    .map((other) => ({ other, distance: distanceBetween(name.toLowerCase(), other.toLowerCase()) }))
    .filter(({ other, distance }) => distance <= Math.min(2, other.length / 3))
    .sort((a, b) => a.distance - b.distance);
  return nearest?.other;
};

/**
 * Makes a reader of options. The reader checks their values and refuses unknown names. It copies their own enumerable
 * properties to an object that has every known name, so that nothing on `Object.prototype` is taken for an option.
 *
 * @param advice - what to do about an unknown name that is not similar to a known one; lists the known names by default
 */
export const createReader = <T extends object>(
  checks: OptionChecks<T>,
  advice: (name: string) => string = () => `its options are ${Object.keys(checks).join(', ')}`,
): ((given: T | undefined, owner: string) => T) => {
  const names = Object.keys(checks);
  const refuseName = (owner: string, name: string): never => {
    const shown = name.slice(0, 100);
    const nearest = nearestOf(shown, names);
    const fix = nearest === undefined ? advice(name) : `did you mean ${JSON.stringify(nearest)}?`;
    throw new InvalidRequestError(`${owner} has no option ${JSON.stringify(shown)}; ${fix}`);
  };
  const blank: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, undefined]));
  // A required option is checked where it is used.
  const none = Object.freeze({ ...blank }) as T;
  return (given, owner) => {
    if (given === undefined) return none;
    if (typeof given !== 'object' || given === null) {
      throw new InvalidRequestError(`The options of ${owner} must be an object`);
    }
    const options = { ...blank };
    for (const name of Object.keys(given)) {
      if (!Object.hasOwn(checks, name)) refuseName(owner, name);
      const value = given[name as keyof T];
      checks[name as keyof T]?.(name, value);
      options[name] = value;
    }
    return options as T;
  };
};

/** True for an object that is not an array. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True for an integer from 1. */
export const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 1;

/** Makes a check of one option. It returns the value, accepts undefined, and throws an {@link InvalidRequestError}. */
export const checkOf =
  (isValid: (value: unknown) => boolean, kind: string) =>
  <T>(name: string, value: T): T => {
    if (value === undefined || isValid(value)) return value;
    throw new InvalidRequestError(`${name} must be ${kind}`);
  };

const isNumber = (value: unknown): value is number => typeof value === 'number';

export const checkName = checkOf(
  (value) => typeof value === 'string' && value !== '',
  'a string that is not empty',
);
export const checkFunction = checkOf((value) => typeof value === 'function', 'a function');
export const checkPositive = checkOf((value) => isNumber(value) && value > 0, 'a number above 0');
export const checkFromZero = checkOf((value) => isNumber(value) && value >= 0, 'a number from 0');
export const checkCount = checkOf(isCount, 'an integer from 1');
/** {@link checkCount} for a bound, which may also be `Infinity`. */
export const checkCountOrNone = checkOf(
  (value) => value === Infinity || (Number.isInteger(value) && (value as number) >= 1),
  'an integer from 1',
);
export const checkSignal = checkOf(
  (value) => typeof (value as Partial<AbortSignal> | null)?.addEventListener === 'function',
  'an AbortSignal',
);
