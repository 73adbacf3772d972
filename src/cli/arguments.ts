import { Option } from '@commander-js/extra-typings';
import { UsageError } from './errors.ts';

/** Reads an option whose value is an integer. */
export const integer =
  (flag: string, least = 1) =>
  (digits: string): number => {
    const value = Number(digits);
    if (/^\d+$/.test(digits) && Number.isSafeInteger(value) && value >= least) return value;
    throw new UsageError(`${flag} must be an integer of at least ${least}`);
  };

/** Reads an option that can be given several times. */
export const several = (value: string, previous: readonly string[] = []): readonly string[] => [
  ...previous,
  value,
];

/** Reads an option of names, separated by commas, that can be given several times. */
export const names = (value: string, previous: readonly string[] = []): readonly string[] => [
  ...previous,
  ...value.split(',').map((name) => name.trim()),
];

/** The options of a command, as they are read. */
export type OptionsOf<C extends () => { opts(): unknown }> = Readonly<ReturnType<ReturnType<C>['opts']>>;

export const common = {
  out: new Option('--out <file>', 'the file to write; by default the result is printed'),
  force: new Option('--force', 'replace the file of --out if it exists'),
  api: new Option('--api <name>', 'the export to use, when the file exports several declarations'),
  baseUrl: new Option('--base-url <url>', 'where the API lives; by default RESTKIN_BASE_URL'),
  authUrl: new Option('--auth-url <url>', 'where the token endpoint lives; by default RESTKIN_AUTH_URL'),
  header: new Option('--header <field>', 'a header of each request: --header "X-Api-Key: …"').argParser(
    several,
  ),
  allowInsecure: new Option('--allow-insecure', 'allow plain http: to hosts other than this one'),
} as const;

/** The name and the value of an option like `--param since=2026`. */
export const splitPair = (flag: string, pair: string): readonly [name: string, value: string] => {
  const [, name, value = ''] = /^([^=]+)=(.+)$/s.exec(pair) ?? [];
  if (name === undefined) throw new UsageError(`${flag} needs a name and a value: ${flag} name=value`);
  return [name, value];
};

/**
 * The names and values of a repeated option, for example of `--path-param companyId=3 --path-param planId=5`.
 */
export const readPairs = (flag: string, pairs: readonly string[] = []): Readonly<Record<string, string>> => {
  const values = new Map<string, string>();
  for (const pair of pairs) {
    const [name, value] = splitPair(flag, pair);
    if (values.has(name)) throw new UsageError(`${flag} has ${JSON.stringify(name)} more than once`);
    values.set(name, value);
  }
  return Object.fromEntries(values);
};
