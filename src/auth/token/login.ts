import { InvalidRequestError } from '../../errors/restkin-error.ts';
import { TokenRequestError } from '../../errors/token-error.ts';
import { tooLate, waitUpTo } from '../../http/timing.ts';
import { checkOf, createReader, isFieldValue, isObject } from '../../options.ts';
import { type Credentials, checkCredentials } from '../basic.ts';
import type { TokenRecord } from './store.ts';

/** Tokens from elsewhere, for example from a person's login in a browser. */
export interface HandedTokens {
  /**
   * Alone it is used until the server refuses it; with a refresh token, a JWT is used until its `exp` claim.
   */
  readonly accessToken?: string | undefined;
  /** Used once; without it the login ends with the access token. */
  readonly refreshToken?: string | undefined;
}

/**
 * How {@link tokenAuth} logs in: with a password, with one from a vault, or with the tokens of a person's
 * login.
 */
export type TokenLogin =
  | { readonly tokens: HandedTokens }
  | { readonly credentials: () => Credentials | Promise<Credentials>; readonly username?: string }
  // Last, and not `Credentials`: for `{ username }`, compilers then say that `password` is missing.
  | { readonly username: Credentials['username']; readonly password: Credentials['password'] };

/** A login, checked. */
export interface Login {
  /** Undefined when the tokens were handed in and there is no password. */
  readonly credentials: (() => Promise<Credentials>) | undefined;
  /** The user, or the token that was handed in; undefined for a vault without a username. */
  readonly who: string | undefined;
  /** The tokens that were handed in; those in the store are newer. */
  readonly initial?: TokenRecord;
}

/** The options of every kind of login. */
export type AnyLogin = Partial<Credentials> & {
  readonly credentials?: () => Credentials | Promise<Credentials>;
  readonly tokens?: HandedTokens;
};

const checkToken = checkOf(
  (value) => isFieldValue(value) && value !== '',
  'a string that is valid in a header field',
);
const readTokens = createReader<HandedTokens>({ accessToken: checkToken, refreshToken: checkToken });

/** The expiry of a token that is used until the server refuses it. */
const never = Number.MAX_SAFE_INTEGER;

/**
 * The expiry of a token: the `exp` claim of a JWT (RFC 7519 §4.1.4). Any other token is opaque, and used
 * until it is refused.
 */
const expiryOf = (token: string | undefined): number => {
  if (token === undefined) return 0;
  try {
    const [, payload = ''] = token.split('.');
    const exp: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))).exp;
    return typeof exp === 'number' && Number.isFinite(exp * 1_000) ? exp * 1_000 : never;
  } catch {
    return never;
  }
};

/**
 * The login that continues with tokens from elsewhere.
 *
 * @throws {@link InvalidRequestError} for invalid tokens, and for none
 */
export const withTokens = (credentials: Login['credentials'], given: HandedTokens): Login => {
  const { accessToken, refreshToken } = readTokens(given, 'tokenAuth: tokens', 'tokenAuth: tokens.');
  const who = refreshToken ?? accessToken;
  if (who === undefined)
    throw new InvalidRequestError('tokenAuth: tokens must have an accessToken or a refreshToken');
  const initial = {
    generation: 1,
    accessToken: accessToken ?? '',
    accessExpiresAt: refreshToken === undefined ? never : expiryOf(accessToken),
    refreshToken,
    refreshExpiresAt: expiryOf(refreshToken),
  };
  return { credentials, who, initial };
};

const credentialsTimeoutMs = 60_000;

/** Asks a vault, which may never respond. */
const readVault = async (credentials: () => Credentials | Promise<Credentials>): Promise<Credentials> => {
  const given = await waitUpTo(Promise.resolve(credentials()), credentialsTimeoutMs);
  if (given === tooLate)
    throw new TokenRequestError('`credentials` did not return within a minute', { temporary: true });
  if (!isObject(given))
    throw new InvalidRequestError('tokenAuth: credentials must return { username, password }');
  return checkCredentials('tokenAuth: credentials', given);
};

/** @throws {@link InvalidRequestError} for credentials or tokens that cannot be sent */
export const toLogin = ({ tokens, credentials, username, password }: AnyLogin): Login => {
  if ([tokens, credentials, password].filter((one) => one !== undefined).length > 1)
    throw new InvalidRequestError('tokenAuth takes one of password, credentials and tokens');
  if (tokens !== undefined) return withTokens(undefined, tokens);
  if (credentials !== undefined) return { credentials: () => readVault(credentials), who: username };
  // `checkCredentials` refuses a missing one.
  const checked = checkCredentials('tokenAuth', { username, password } as Credentials);
  return { credentials: async () => checked, who: username };
};

/**
 * Names the chain of a login. A digest, because the name may become a key or a file name, and the username is
 * private.
 *
 * @param identity - what distinguishes the token requests; `{}` where nothing beyond §4.1 is sent
 */
export const toChainName = async ({ who, credentials }: Login, authUrl: string, identity: string) => {
  const parts = [authUrl, who ?? (await credentials?.())?.username ?? ''];
  if (crypto.subtle === undefined)
    throw new InvalidRequestError('a token store needs a secure page: https:, or localhost');
  const named = (identity === '{}' ? parts : [...parts, identity]).join('\n');
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(named)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
};
