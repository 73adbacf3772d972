import { Option } from '@commander-js/extra-typings';
import type { ApiDeclaration, Credentials } from '../index.ts';
import { ReauthenticationRequiredError } from '../index.ts';
import { UsageError } from './errors.ts';
import type { Io } from './io.ts';

/**
 * An option with a value.
 *
 * @param read - reads a value; `previous` is its earlier result if the option is repeated
 */
const valued = <const Flags extends string, Value>(
  flags: Flags,
  help: string,
  read: (value: string, previous: Value | undefined, flag: string) => Value,
) => {
  const option = new Option(flags, help);
  const flag = option.long ?? flags;
  return option.argParser((value: string, previous: Value | undefined): Value => {
    // `--sort --all` lacks a value; `--sort -createdAt` does not.
    if (value === '' || value.startsWith('--')) throw new UsageError(`${flag} needs a value`);
    return read(value, previous, flag);
  });
};

/** An option with one value. */
export const single = <const Flags extends string>(flags: Flags, help: string) =>
  valued<Flags, string>(flags, help, (value) => value);

/** An option whose value is an integer between two bounds. */
export const integer = <const Flags extends string>(
  flags: Flags,
  help: string,
  [least, most]: readonly [number, number] = [1, Number.MAX_SAFE_INTEGER],
) =>
  valued<Flags, number>(flags, help, (digits, _previous, flag) => {
    const value = Number(digits);
    if (/^\d+$/.test(digits) && value >= least && value <= most) return value;
    const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
    throw new UsageError(`${flag} must be an integer ${range}`);
  });

/** An option that can be given several times. */
export const several = <const Flags extends string>(flags: Flags, help: string) =>
  valued<Flags, readonly string[]>(flags, help, (value, previous = []) => [...previous, value]);

/** An option of names, separated by commas, that can be given several times. */
export const names = <const Flags extends string>(flags: Flags, help: string) =>
  valued<Flags, readonly string[]>(flags, help, (value, previous = []) => [
    ...previous,
    ...value.split(',').map((name) => name.trim()),
  ]);

/** The options of a command, as they are read. */
export type OptionsOf<C extends () => { opts(): unknown }> = Readonly<ReturnType<ReturnType<C>['opts']>>;

export const common = {
  api: single('--api <name>', 'the export to use, when the file exports several declarations'),
  baseUrl: single('--base-url <url>', 'where the API lives; by default RESTKIN_BASE_URL'),
  authUrl: single('--auth-url <url>', 'where the token endpoint lives; by default RESTKIN_AUTH_URL'),
  allowInsecure: new Option('--allow-insecure', 'allow plain http: to hosts other than this one'),
} as const;

/** The names and values of a repeated option, for example of `--param since=2026 --param limit=5`. */
export const readPairs = (flag: string, pairs: readonly string[] = []): Readonly<Record<string, string>> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value = ''] = /^([^=]+)=(.+)$/s.exec(pair) ?? [];
      if (name !== undefined) return [name, value];
      throw new UsageError(`${flag} needs a name and a value: ${flag} name=value`);
    }),
  );

/** Options that say where an API lives. The environment supplies what they lack. */
interface Settings {
  readonly baseUrl?: string | undefined;
  readonly authUrl?: string | undefined;
}

const urls = {
  baseUrl: { flag: '--base-url', variable: 'RESTKIN_BASE_URL', of: 'the API' },
  authUrl: { flag: '--auth-url', variable: 'RESTKIN_AUTH_URL', of: 'the token endpoint' },
} as const;

/** The URL of an option, or of a variable; an empty variable counts as unset. */
export const findUrl = (name: keyof typeof urls, settings: Settings, { env }: Io): string | undefined =>
  settings[name] ?? (env[urls[name].variable] || undefined);

/** {@link findUrl}. @throws {@link UsageError} when it is not given */
export const urlOf = (name: keyof typeof urls, settings: Settings, io: Io): string => {
  const value = findUrl(name, settings, io);
  if (value !== undefined) return value;
  const { flag, variable, of } = urls[name];
  throw new UsageError(`The URL of ${of} is missing: give ${flag}=<url>, or set ${variable}`);
};

/** The user of the environment; undefined unless both variables are set. An empty one counts as unset. */
export const findCredentials = ({ env }: Io): Credentials | undefined => {
  const { RESTKIN_USERNAME: username, RESTKIN_PASSWORD: password } = env;
  return username && password ? { username, password } : undefined;
};

/** {@link findCredentials}. @throws {@link ReauthenticationRequiredError} when they are missing */
export const credentialsOf = (io: Io): Credentials => {
  const credentials = findCredentials(io);
  if (credentials !== undefined) return credentials;
  throw new ReauthenticationRequiredError(
    'Credentials are missing: set RESTKIN_USERNAME and RESTKIN_PASSWORD in the environment',
  );
};

/**
 * The schemes of an API that the command supports, and its token endpoint.
 *
 * @param advice - what to do about an API with another scheme
 * @throws {@link UsageError} for such an API, and where the token endpoint is required and not given
 */
export const authenticationOf = (
  { name, auth }: ApiDeclaration,
  settings: Settings,
  io: Io,
  advice: string,
) => {
  const schemes: readonly string[] = typeof auth === 'string' ? [auth] : auth;
  const hasBasic = schemes.includes('basic');
  if (schemes.includes('token')) {
    const find = hasBasic ? findUrl : urlOf;
    return { hasBasic, authUrl: find('authUrl', settings, io) };
  }
  if (hasBasic) return { hasBasic, authUrl: undefined };
  throw new UsageError(`The API ${name} has its own authentication scheme; ${advice}`);
};
