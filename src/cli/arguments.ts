import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { closest, distance } from 'fastest-levenshtein';
import type { ApiDeclaration, Credentials } from '../index.ts';
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

const refuseTwice = (previous: unknown, flag: string): void => {
  if (previous !== undefined) throw new UsageError(`${flag} is given twice`);
};

/** An option with a value that can be given once. */
export const single = <const Flags extends string>(flags: Flags, help: string) =>
  valued<Flags, string>(flags, help, (value, previous, flag) => {
    refuseTwice(previous, flag);
    return value;
  });

/** An option whose value is an integer between two bounds. */
export const integer = <const Flags extends string>(
  flags: Flags,
  help: string,
  [least, most]: readonly [number, number] = [1, Number.MAX_SAFE_INTEGER],
) =>
  valued<Flags, number>(flags, help, (digits, previous, flag) => {
    refuseTwice(previous, flag);
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
  store: single('--store <file>', "the file of logins; by default in the user's folder for state"),
  allowInsecure: new Option('--allow-insecure', 'allow plain http: to hosts other than this one'),
  verbose: new Option('--verbose', 'report on stderr what is sent, without secrets'),
} as const;

/** The known name that was probably meant; undefined when none is similar. */
export const suggest = (name: string, known: readonly string[]): string | undefined => {
  if (known.length === 0) return undefined;
  const best = closest(name, known);
  return distance(name, best) <= Math.max(1, Math.floor(best.length / 3)) ? best : undefined;
};

/** Options that say where an API lives and who uses it. The environment supplies what they lack. */
export interface Settings {
  readonly baseUrl?: string | undefined;
  readonly authUrl?: string | undefined;
  readonly store?: string | undefined;
  readonly allowInsecure?: true | undefined;
  readonly verbose?: true | undefined;
}

const urls = {
  baseUrl: { flag: '--base-url', variable: 'RESTKIN_BASE_URL', of: 'the API' },
  authUrl: { flag: '--auth-url', variable: 'RESTKIN_AUTH_URL', of: 'the token endpoint' },
} as const;

/** The URL of an option, or of a variable; an empty variable counts as unset. */
const readUrl = (name: keyof typeof urls, settings: Settings, { env }: Io): string | undefined => {
  const { flag, variable } = urls[name];
  const value = settings[name] ?? (env[variable] || undefined);
  // The value is not shown: a URL can hold a password.
  if (value === undefined || (/^https?:/i.test(value) && URL.canParse(value))) return value;
  throw new UsageError(`${flag} (or ${variable}) must be an absolute URL such as https://api.example.com`);
};

const required = (value: string | undefined, name: keyof typeof urls): string => {
  if (value !== undefined) return value;
  const { flag, variable, of } = urls[name];
  throw new UsageError(`The URL of ${of} is missing: give ${flag}=<url>, or set ${variable}`);
};

export const baseUrlOf = (settings: Settings, io: Io) => readUrl('baseUrl', settings, io);

/** @throws {@link UsageError} when it is not given */
export const requiredBaseUrlOf = (settings: Settings, io: Io): string =>
  required(baseUrlOf(settings, io), 'baseUrl');

/** Where the token endpoint lives, without a slash at its end; undefined when it is not given. */
export const authUrlOf = (settings: Settings, io: Io): string | undefined => {
  const value = readUrl('authUrl', settings, io);
  if (value === undefined) return undefined;
  const url = new URL(value);
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url.href.replace(/\/$/, '');
};

/** @throws {@link UsageError} when it is not given */
export const requiredAuthUrlOf = (settings: Settings, io: Io): string =>
  required(authUrlOf(settings, io), 'authUrl');

/** The credentials of the environment. An empty variable counts as unset. */
export const environmentCredentials = ({ env }: Io): Partial<Credentials> => ({
  ...(env.RESTKIN_USERNAME ? { username: env.RESTKIN_USERNAME } : {}),
  ...(env.RESTKIN_PASSWORD ? { password: env.RESTKIN_PASSWORD } : {}),
});

const stateFolder = ({ XDG_STATE_HOME: xdg, LOCALAPPDATA: local, HOME }: Io['env']): string => {
  const home = HOME || homedir();
  // The specification says to ignore a relative path.
  if (xdg !== undefined && isAbsolute(xdg)) return xdg;
  if (process.platform === 'win32') return local || join(home, 'AppData', 'Local');
  return process.platform === 'darwin'
    ? join(home, 'Library', 'Application Support')
    : join(home, '.local', 'state');
};

/**
 * The file of logins: the one of `--store`, or `restkin/tokens.db` in the user's folder for state.
 *
 * @see XDG Base Directory Specification
 */
export const storePathOf = ({ store }: Settings, { env }: Io): string =>
  store ?? join(stateFolder(env), 'restkin', 'tokens.db');

export const takes = ({ auth }: ApiDeclaration, scheme: 'token' | 'basic'): boolean =>
  typeof auth === 'string' ? auth === scheme : auth.includes(scheme);

/**
 * The schemes of an API, and its token endpoint.
 *
 * @param advice - what to do about an API with another scheme
 * @throws {@link UsageError} for such an API, and where the token endpoint is required and not given
 */
export const authenticationOf = (api: ApiDeclaration, settings: Settings, io: Io, advice: string) => {
  const [token, basic] = [takes(api, 'token'), takes(api, 'basic')];
  if (token || basic) {
    return { token, basic, authUrl: basic ? authUrlOf(settings, io) : requiredAuthUrlOf(settings, io) };
  }
  throw new UsageError(`The API ${api.name} has its own authentication scheme; ${advice}`);
};
