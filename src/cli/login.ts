import {
  type ApiDeclaration,
  type Credentials,
  ReauthenticationRequiredError,
  type TokenAuthOptions,
} from '../index.ts';
import { UsageError } from './errors.ts';
import type { Io } from './io.ts';

/** Options that say where an API lives. */
interface Urls {
  readonly baseUrl?: string | undefined;
  readonly authUrl?: string | undefined;
}

/** What a token endpoint wants beside the user. */
type TokenRequest = Pick<TokenAuthOptions, 'client' | 'scope' | 'tokenPath'>;

/** What it takes to log in to an API. */
interface Access {
  readonly baseUrl: string;
  /** Undefined for an API that takes no tokens. */
  readonly authUrl: string | undefined;
  readonly hasBasic: boolean;
  readonly credentials: Credentials;
  readonly tokenRequest: TokenRequest;
}

/** The variables that a login of the command reads, for its help. */
export const loginHelp = `
  RESTKIN_USERNAME, RESTKIN_PASSWORD  credentials; they are never arguments
  RESTKIN_CLIENT_ID, RESTKIN_CLIENT_SECRET, RESTKIN_SCOPE, RESTKIN_TOKEN_PATH
                                      what the token endpoint wants beside them; none by default`.slice(1);

// An empty variable counts as unset.
const variable = ({ env }: Io, name: `RESTKIN_${string}`): string | undefined => env[name] || undefined;

/** The URLs of options, or else of the environment. */
export const urlsOf = ({ baseUrl, authUrl }: Urls, io: Io): Urls => ({
  baseUrl: baseUrl ?? variable(io, 'RESTKIN_BASE_URL'),
  authUrl: authUrl ?? variable(io, 'RESTKIN_AUTH_URL'),
});

/** The user of the environment; undefined unless both variables are set. */
export const credentialsOf = (io: Io): Credentials | undefined => {
  const username = variable(io, 'RESTKIN_USERNAME');
  const password = variable(io, 'RESTKIN_PASSWORD');
  return username === undefined || password === undefined ? undefined : { username, password };
};

/** The path of the token endpoint; undefined for the one of the conventions. */
export const tokenPathOf = (io: Io): string | undefined => variable(io, 'RESTKIN_TOKEN_PATH');

/**
 * What the token endpoint wants beside the user, from the environment.
 *
 * @throws {@link UsageError} for a secret without the id of its client
 */
export const tokenRequestOf = (io: Io): TokenRequest => {
  const id = variable(io, 'RESTKIN_CLIENT_ID');
  const secret = variable(io, 'RESTKIN_CLIENT_SECRET');
  if (id === undefined && secret !== undefined)
    throw new UsageError('RESTKIN_CLIENT_SECRET needs RESTKIN_CLIENT_ID, the client that it belongs to');
  return {
    client: id === undefined ? undefined : { id, secret },
    scope: variable(io, 'RESTKIN_SCOPE'),
    tokenPath: tokenPathOf(io),
  };
};

/** Hosts that the client takes plain `http:` for. */
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Refuses a host without `http://` or `https://`. A URL may hold a password, which is not shown.
 *
 * @param what - what the URL is called
 * @throws {@link UsageError} with the URL as it was probably meant
 */
export const requireScheme = (what: string, given: string | undefined): void => {
  const isHost = given !== undefined && /^[^/]/.test(given) && !given.includes('://');
  const meant = isHost && URL.canParse(`http://${given}`) ? new URL(`http://${given}`) : undefined;
  if (meant === undefined) return;
  const { host, hostname, pathname } = meant;
  const scheme = loopback.test(hostname) ? 'http' : 'https';
  const path = pathname === '/' ? '' : pathname;
  throw new UsageError(`The ${what} has no scheme; write it as ${scheme}://${host}${path}`);
};

/** @throws {@link UsageError} where it is missing, or has no scheme */
export const baseUrlOf = (options: Urls, io: Io): string => {
  const { baseUrl } = urlsOf(options, io);
  requireScheme('base URL', baseUrl);
  if (baseUrl !== undefined) return baseUrl;
  throw new UsageError('The URL of the API is missing: give --base-url=<url>, or set RESTKIN_BASE_URL');
};

/**
 * The header fields of `--header`, by their names in lower case.
 *
 * @throws {@link UsageError} for one without a name or a value, and for a name that is given twice
 */
export const readHeaders = (given: readonly string[]): Readonly<Record<string, string>> => {
  const fields = new Map<string, string>();
  for (const field of given) {
    const [, written = '', value] = /^([\w-]+):\s*(.+)$/s.exec(field) ?? [];
    const name = written.toLowerCase();
    // The value may be a secret, so that it is not shown.
    if (value === undefined)
      throw new UsageError('--header needs a name and a value: --header "X-Api-Key: …"');
    if (fields.has(name)) throw new UsageError(`--header has ${JSON.stringify(name)} more than once`);
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
};

/**
 * A variable may be set for other APIs, but an option is meant for this one.
 *
 * @throws {@link UsageError} for `--auth-url` beside header fields that stand for a login
 */
export const refuseAuthUrl = (fields: string, authUrl: string | undefined): void => {
  if (authUrl !== undefined)
    throw new UsageError(
      `${fields} stands for a login, so that --auth-url would be ignored: leave one of them out`,
    );
};

/** The names of the schemes that an API takes (§5). */
export const schemesOf = ({ auth }: ApiDeclaration): readonly string[] =>
  typeof auth === 'string' ? [auth] : auth;

/** The schemes of an API that the environment has credentials for. */
export const knownSchemesOf = (api: ApiDeclaration) => {
  const names = schemesOf(api);
  return { hasToken: names.includes('token'), hasBasic: names.includes('basic') };
};

/**
 * The header fields that stand for a login: those of `--header`, or none for an API with a scheme of its own,
 * which may be open. Undefined where the environment logs in.
 *
 * @throws {@link UsageError} for `--auth-url` beside them
 */
export const fieldsOf = (
  api: ApiDeclaration,
  { header: given, authUrl }: { readonly header?: readonly string[]; readonly authUrl?: string },
) => {
  if (given !== undefined) refuseAuthUrl('--header', authUrl);
  const { hasToken, hasBasic } = knownSchemesOf(api);
  const isLogin = given === undefined && (hasToken || hasBasic);
  return isLogin ? undefined : readHeaders(given ?? []);
};

/**
 * What it takes to log in to an API: its URLs, its schemes, the user, and the client.
 *
 * @throws {@link UsageError} where a URL or the id of a client is missing
 * @throws {@link ReauthenticationRequiredError} where the user is missing
 */
export const accessOf = (api: ApiDeclaration, options: Urls, io: Io): Access => {
  const { hasToken, hasBasic } = knownSchemesOf(api);
  const { authUrl } = urlsOf(options, io);
  const baseUrl = baseUrlOf(options, io);
  requireScheme('auth URL', authUrl);
  if (authUrl === undefined && !hasBasic)
    throw new UsageError(
      'The URL of the token endpoint is missing: give --auth-url=<url>, or set RESTKIN_AUTH_URL',
    );
  const credentials = credentialsOf(io);
  if (credentials === undefined)
    throw new ReauthenticationRequiredError(
      'Credentials are missing: set RESTKIN_USERNAME and RESTKIN_PASSWORD in the environment',
    );
  const tokenRequest = tokenRequestOf(io);
  return { baseUrl, authUrl: hasToken ? authUrl : undefined, hasBasic, credentials, tokenRequest };
};
