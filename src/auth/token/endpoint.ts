import { formType, header, jsonType } from '../../conventions/headers.ts';
import { accessTokenLifetimeS, refreshTokenLifetimeS } from '../../conventions/limits.ts';
import { grantType, tokenPath } from '../../conventions/token.ts';
import { ConnectionError } from '../../errors/connection-error.ts';
import { ResponseTooLargeError } from '../../errors/response-error.ts';
import {
  InvalidCredentialsError,
  TokenRequestError,
  TokenRequestNotSentError,
} from '../../errors/token-error.ts';
import { parseRetryAfter } from '../../headers/retry-after.ts';
import { isFieldValue } from '../../http/header-fields.ts';
import type { ApiResponse, Send } from '../../http/message.ts';
import type { Secrets } from '../../http/secrets.ts';
import type { BaseUrl } from '../../http/url.ts';

/** The tokens of a token response (§2.2), with lifetimes in milliseconds. */
export interface Tokens {
  readonly accessToken: string;
  readonly accessLifetimeMs: number;
  readonly refreshToken: string | undefined;
  readonly refreshLifetimeMs: number;
}

/** The form of a token request (§4.1). */
export type TokenForm =
  | { readonly grant_type: typeof grantType.password; readonly username: string; readonly password: string }
  | { readonly grant_type: typeof grantType.refreshToken; readonly refresh_token: string };

/**
 * Sends a token request once, never again.
 *
 * @throws {@link TokenRequestError}; as a {@link TokenRequestNotSentError} only when it provably never left this machine,
 * and as an {@link InvalidCredentialsError} when the password is refused
 */
export type TokenEndpoint = (form: TokenForm) => Promise<Tokens>;

// A lifetime below this would renew the token with every request.
const shortestLifetimeMs = 5_000;
// Above this a wrong unit is more likely than a token for a year.
const longestLifetimeMs = 366 * 24 * 3_600_000;

const parseLifetimeMs = (value: unknown, byDefaultS: number): number => {
  const seconds = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  const ms = typeof seconds === 'number' && Number.isFinite(seconds) ? seconds * 1_000 : byDefaultS * 1_000;
  return Math.min(longestLifetimeMs, Math.max(shortestLifetimeMs, ms));
};

const isToken = (value: unknown): value is string => isFieldValue(value) && value !== '' && !/\s/.test(value);

/** Parses a token response (§2.2). Its body stays out of every error: it holds the tokens. */
const parseTokens = ({ status, body }: ApiResponse): Tokens => {
  let value: unknown;
  try {
    value = JSON.parse(String(body));
  } catch {
    throw new TokenRequestError('The token endpoint did not answer with JSON', status);
  }
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const { access_token, refresh_token, token_type, expires_in, refresh_expires_in } = fields;
  if (!isToken(access_token)) throw new TokenRequestError('The token endpoint gave no access_token', status);
  if (typeof token_type !== 'string' || token_type.toLowerCase() !== 'bearer') {
    throw new TokenRequestError('The token endpoint gave a token_type other than bearer', status);
  }
  return {
    accessToken: access_token,
    accessLifetimeMs: parseLifetimeMs(expires_in, accessTokenLifetimeS),
    refreshToken: isToken(refresh_token) ? refresh_token : undefined,
    refreshLifetimeMs: parseLifetimeMs(refresh_expires_in, refreshTokenLifetimeS),
  };
};

/** What is no failure of the connection is thrown as it is: a mistake in a given `fetch`, for example. */
const toFailure = (error: unknown): unknown => {
  if (error instanceof ConnectionError) {
    const message = `The token endpoint did not answer: ${error.message}`;
    return error.sent
      ? new TokenRequestError(message, undefined, true)
      : new TokenRequestNotSentError(message, undefined, true);
  }
  if (error instanceof ResponseTooLargeError)
    return new TokenRequestError('The token answer is too large', error.status);
  return error;
};

const temporary: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const withRetryAfter: ReadonlySet<number> = new Set([429, 503]);

const toRefusal = ({ status, headers }: ApiResponse, grant: TokenForm['grant_type']): TokenRequestError => {
  if (status === 401) {
    return grant === grantType.password
      ? new InvalidCredentialsError('The token endpoint refused the username and password', status)
      : new TokenRequestError('The token endpoint refused the refresh token', status);
  }
  const retryAfterMs = withRetryAfter.has(status)
    ? parseRetryAfter(headers.get(header.retryAfter), Date.now())
    : undefined;
  const message = `The token endpoint answered ${status}`;
  return new TokenRequestError(message, status, temporary.has(status), retryAfterMs);
};

export interface TokenEndpointOptions {
  readonly authUrl: BaseUrl;
  readonly transport: Send;
  /** For one token request. */
  readonly timeoutMs: number;
  readonly secrets: Secrets;
}

/** The token endpoint below an auth URL (§4.1). */
export const createTokenEndpoint = (options: TokenEndpointOptions): TokenEndpoint => {
  const { authUrl, transport, timeoutMs, secrets } = options;

  return async (form) => {
    if (form.grant_type === grantType.password) secrets.add([form.password], true);
    else secrets.add([form.refresh_token]);
    const response = await transport({
      method: 'POST',
      url: `${authUrl.href}/${tokenPath}`,
      headers: { [header.contentType]: formType, [header.accept]: jsonType },
      body: new URLSearchParams(form).toString(),
      readAs: 'text',
      mayBeMissing: false,
      signal: undefined,
      mask: secrets.mask,
      timeoutMs,
      deadline: Number.POSITIVE_INFINITY,
    }).catch((error: unknown) => {
      throw toFailure(error);
    });
    if (response.status !== 200) throw toRefusal(response, form.grant_type);
    const tokens = parseTokens(response);
    secrets.add([tokens.accessToken, tokens.refreshToken ?? '']);
    return tokens;
  };
};
