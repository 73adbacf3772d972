import { Option } from '@commander-js/extra-typings';
import { closest, distance } from 'fastest-levenshtein';
import { UsageError } from './errors.ts';

/** Reads the value of an option; `previous` is what it was given before. */
type Read<Value> = (value: string, previous: Value | undefined) => Value;

const checkValue = (flag: string, value: string): void => {
  // `--sort --all` lacks a value; `--sort -createdAt` does not.
  if (value === '' || value.startsWith('--')) throw new UsageError(`${flag} needs a value`);
};

const once =
  <Value>(flag: string, read: (value: string) => Value): Read<Value> =>
  (value, previous) => {
    checkValue(flag, value);
    if (previous !== undefined) throw new UsageError(`${flag} is given twice`);
    return read(value);
  };

/** An option with a value that can be given once. */
export const single = <const Flags extends string>(flags: Flags, help: string) =>
  new Option(flags, help).argParser(once(flagOf(flags), (value) => value));

/** An option whose value is an integer between two bounds. */
export const integer = <const Flags extends string>(
  flags: Flags,
  help: string,
  [least, most]: readonly [number, number] = [1, Number.MAX_SAFE_INTEGER],
) => {
  const flag = flagOf(flags);
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return new Option(flags, help).argParser(
    once(flag, (digits) => {
      const value = Number(digits);
      if (/^\d+$/.test(digits) && value >= least && value <= most) return value;
      throw new UsageError(`${flag} must be an integer ${range}`);
    }),
  );
};

const repeatable = <const Flags extends string>(
  flags: Flags,
  help: string,
  read: (value: string) => readonly string[],
) => {
  const flag = flagOf(flags);
  const collect: Read<readonly string[]> = (value, previous = []) => {
    checkValue(flag, value);
    return [...previous, ...read(value)];
  };
  return new Option(flags, help).argParser(collect);
};

/** An option that can be given several times. */
export const several = <const Flags extends string>(flags: Flags, help: string) =>
  repeatable(flags, help, (value) => [value]);

/** An option of names, separated by commas, that can be given several times. */
export const names = <const Flags extends string>(flags: Flags, help: string) =>
  repeatable(flags, help, (value) => value.split(',').map((name) => name.trim()));

const flagOf = (flags: string): string => flags.split(' ', 1)[0] ?? flags;

/** Options of several commands. */
export const common = {
  api: single('--api <name>', 'the export to use, when the file exports several declarations'),
  baseUrl: single('--base-url <url>', 'where the API lives; by default RESTKIN_BASE_URL'),
  authUrl: single('--auth-url <url>', 'where the token endpoint lives; by default RESTKIN_AUTH_URL'),
  store: single('--store <file>', "the file of logins; by default in the user's folder for state"),
  allowInsecure: new Option('--allow-insecure', 'allow plain http: to other hosts than this one'),
  verbose: new Option('--verbose', 'report on stderr what is sent, without secrets'),
} as const;

/** The known name that was probably meant; undefined when none is similar. */
export const suggest = (name: string, known: readonly string[]): string | undefined => {
  if (known.length === 0) return undefined;
  const best = closest(name, known);
  return distance(name, best) <= Math.max(1, Math.floor(best.length / 3)) ? best : undefined;
};
