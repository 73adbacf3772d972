import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { ApiDeclaration, Credentials } from '../index.ts';
import { UsageError } from './errors.ts';
import type { Io } from './io.ts';

/** Options that say where an API lives and who uses it; the environment has the rest. */
export interface Settings {
  readonly baseUrl?: string | undefined;
  readonly authUrl?: string | undefined;
  readonly store?: string | undefined;
  readonly allowInsecure?: true | undefined;
  readonly verbose?: true | undefined;
}

/** An empty variable counts as unset. */
const readUrl = (option: string | undefined, { env }: Io, flag: string, variable: string) => {
  const value = option ?? (env[variable] || undefined);
  // The value is not shown: a URL can hold a password.
  if (value === undefined || URL.canParse(value)) return value;
  throw new UsageError(`${flag} (or ${variable}) must be an absolute URL`);
};

/** @throws {@link UsageError} when it is not given */
export const baseUrlOf = ({ baseUrl }: Settings, io: Io): string => {
  const value = readUrl(baseUrl, io, '--base-url', 'RESTKIN_BASE_URL');
  if (value !== undefined) return value;
  throw new UsageError('The URL of the API is missing: give --base-url=<url>, or set RESTKIN_BASE_URL');
};

/** Where the token endpoint lives, without a slash at its end; undefined when it is not given. */
export const authUrlOf = ({ authUrl }: Settings, io: Io): string | undefined => {
  const value = readUrl(authUrl, io, '--auth-url', 'RESTKIN_AUTH_URL');
  if (value === undefined) return undefined;
  const url = new URL(value);
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url.href.replace(/\/$/, '');
};

/** @throws {@link UsageError} when it is not given */
export const requiredAuthUrlOf = (settings: Settings, io: Io): string => {
  const value = authUrlOf(settings, io);
  if (value !== undefined) return value;
  throw new UsageError(
    'The URL of the token endpoint is missing: give --auth-url=<url>, or set RESTKIN_AUTH_URL',
  );
};

/** The credentials of the environment. An empty variable counts as unset. */
export const environmentCredentials = ({ env }: Io): Partial<Credentials> => ({
  ...(env.RESTKIN_USERNAME ? { username: env.RESTKIN_USERNAME } : {}),
  ...(env.RESTKIN_PASSWORD ? { password: env.RESTKIN_PASSWORD } : {}),
});

const stateFolder = ({ XDG_STATE_HOME: xdg, LOCALAPPDATA: local, HOME }: Io['env']): string => {
  const home = HOME || homedir();
  // The specification ignores a relative path.
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

/** Whether an API takes a scheme (§5). */
export const takes = ({ auth }: ApiDeclaration, scheme: 'token' | 'basic'): boolean =>
  typeof auth === 'string' ? auth === scheme : auth.includes(scheme);
