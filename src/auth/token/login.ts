import { InvalidRequestError } from '../../errors/restkin-error.ts';
import { TokenRequestError } from '../../errors/token-error.ts';
import { isFieldValue } from '../../http/fields.ts';
import { tooLate, waitUpTo } from '../../http/timing.ts';
import { createReader, isObject } from '../../options.ts';
import { type Credentials, checkCredentials } from '../basic.ts';
import type { TokenRecord } from './store.ts';

/**
 * Tokens from elsewhere, for example from a person's login in a browser.
 *
 * @example
 * ```ts
 * const auth = tokenAuth({ authUrl, tokens: { accessToken: 'an access token', refreshToken: 'its refresh token' } });
 * ```
 */
export interface HandedTokens {
  /** Alone it is used until the server refuses it; with a refresh token, a JWT is used until its `exp` claim. */
  readonly accessToken?: string | undefined;
  /** Used once; without it the login ends with the access token. */
  readonly refreshToken?: string | undefined;
}

/** How {@link tokenAuth} logs in: with a password, with one from a vault, or with the tokens of a person's login. */
export type TokenLogin =
  | Credentials
  | { readonly credentials: () => Credentials | Promise<Credentials>; readonly username?: string }
  | { readonly tokens: HandedTokens };

/** A login, checked. */
export interface Login {
  /** Undefined when the tokens were handed in and there is no password. */
  readonly credentials: (() => Promise<Credentials>) | undefined;
  readonly username: string | undefined;
  readonly tokens: HandedTokens | undefined;
}

/** The options of every kind of login. */
export interface AnyLogin {
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly credentials: (() => Credentials | Promise<Credentials>) | undefined;
  readonly tokens: HandedTokens | undefined;
}

const readTokens = createReader<HandedTokens>({ accessToken: undefined, refreshToken: undefined });

export const checkTokens = (given: HandedTokens): HandedTokens => {
  const tokens = readTokens(given, 'tokenAuth, in tokens,');
  for (const token of [tokens.accessToken, tokens.refreshToken]) {
    if (token !== undefined && (!isFieldValue(token) || token === '')) {
      throw new InvalidRequestError('tokens must be strings that are valid in a header field');
    }
  }
  if (tokens.accessToken === undefined && tokens.refreshToken === undefined) {
    throw new InvalidRequestError('tokens must have an accessToken or a refreshToken');
  }
  return tokens;
};

const credentialsTimeoutMs = 60_000;

/** Asks a vault, which may never respond. */
const readVault = async (credentials: () => Credentials | Promise<Credentials>): Promise<Credentials> => {
  const given = await waitUpTo(Promise.resolve(credentials()), credentialsTimeoutMs);
  if (given === tooLate)
    throw new TokenRequestError('`credentials` did not return within a minute', { temporary: true });
  if (!isObject(given)) throw new InvalidRequestError('`credentials` must return { username, password }');
  return checkCredentials(given);
};

/** @throws {@link InvalidRequestError} for credentials or tokens that cannot be sent */
export const toLogin = ({ tokens, credentials, username, password }: AnyLogin): Login => {
  if (tokens !== undefined)
    return { tokens: checkTokens(tokens), credentials: undefined, username: undefined };
  if (credentials !== undefined)
    return { tokens: undefined, credentials: () => readVault(credentials), username };
  // `checkCredentials` refuses a missing one.
  const checked = checkCredentials({ username, password } as Credentials);
  return { tokens: undefined, credentials: async () => checked, username };
};

/** The expiry of a token that is used until the server refuses it. */
const endless = Number.MAX_SAFE_INTEGER;

/** The expiry of a token: the `exp` claim of a JWT (RFC 7519 §4.1.4). Any other token is opaque, and endless. */
const expiryOf = (token: string | undefined): number => {
  if (token === undefined) return 0;
  try {
    const [, payload = ''] = token.split('.');
    const exp: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))).exp;
    return typeof exp === 'number' && Number.isFinite(exp * 1_000) ? exp * 1_000 : endless;
  } catch {
    return endless;
  }
};

/** The record of a chain that starts with tokens from elsewhere. */
const toInitialRecord = ({ accessToken, refreshToken }: HandedTokens): TokenRecord => ({
  generation: 1,
  accessToken: accessToken ?? '',
  accessExpiresAt: refreshToken === undefined ? endless : expiryOf(accessToken),
  refreshToken,
  refreshExpiresAt: expiryOf(refreshToken),
});

/** Names the chain of a login. A digest, because the name may become a key or a file name, and the username is private. */
const toChainName = async (authUrl: string, who: string, identity: string): Promise<string> => {
  const named = identity === '' ? `${authUrl}\n${who}` : `${authUrl}\n${who}\n${identity}`;
  const bytes = new TextEncoder().encode(named);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
};

/**
 * Where the chain of a login begins: its name, and the tokens that were handed in; those in the store are newer.
 *
 * @param identity - what distinguishes the token requests, where more than §4.1 is sent; otherwise empty
 * @param isShared - false for a store of the login's own, which needs no digest: not every page has `crypto.subtle`
 */
export const toChainStart = async (
  { tokens, username, credentials }: Login,
  authUrl: string,
  identity: string,
  isShared: boolean,
): Promise<{ readonly name: string; readonly initial: TokenRecord | undefined }> => {
  const known = tokens?.refreshToken ?? tokens?.accessToken ?? username;
  const initial = tokens && toInitialRecord(tokens);
  if (!isShared) return { name: known ?? 'login', initial };
  const who = known ?? (await credentials?.())?.username ?? '';
  return { name: await toChainName(authUrl, who, identity), initial };
};
