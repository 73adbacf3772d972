import { UsageError } from './usage-error.ts';

/** The arguments of a command, checked against its options. */
export interface Arguments {
  readonly positionals: readonly string[];
  /** Values by option; a single empty text for an option that takes none. */
  readonly options: ReadonlyMap<string, readonly string[]>;
}

/** The value of an option. */
export const textOf = ({ options }: Arguments, name: string): string | undefined => options.get(name)?.[0];

/** True when the option is there. */
export const isSet = ({ options }: Arguments, name: string): boolean => options.has(name);

/** The names of a comma-separated option that may stand there several times. */
export const namesOf = ({ options }: Arguments, name: string): readonly string[] | undefined =>
  options.get(name)?.flatMap((text) => text.split(',').map((part) => part.trim()));

/** @throws {@link UsageError} for what is no whole number between the bounds */
export const numberOf = (
  args: Arguments,
  name: string,
  [least, most]: readonly [number, number] = [1, Number.MAX_SAFE_INTEGER],
): number | undefined => {
  const text = textOf(args, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`;
  throw new UsageError(`--${name} must be a whole number ${range}`);
};

/** A setting that is an option or a variable of the environment; an empty one is none. */
export const settingOf = (
  args: Arguments,
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  variable: string,
): string | undefined => textOf(args, name) ?? (env[variable] || undefined);
