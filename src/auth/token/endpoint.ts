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
import type { Credentials } from '../credentials.ts';

/** What the token endpoint gave (§2.2), with lifetimes in milliseconds. */
export interface Tokens {
  readonly accessToken: string;
  readonly accessLifetimeMs: number;
  readonly refreshToken: string | undefined;
  readonly refreshLifetimeMs: number;
}

/** The two grants of the token endpoint (§4.1). */
export interface TokenEndpoint {
  /** @throws {@link InvalidCredentialsError}, {@link TokenRequestError} */
  passwordGrant(credentials: Credentials): Promise<Tokens>;
  /** Sent once, never again. @throws {@link TokenRequestError}; `sent` tells whether the token may have arrived */
  refreshGrant(refreshToken: string): Promise<Tokens>;
}

// A lifetime below this would renew on every request; a server that says so is answered with the floor.
const shortestLifetimeMs = 5_000;
// Above this a wrong unit is more likely than a token for a year.
const longestLifetimeMs = 366 * 24 * 3_600_000;

const parseLifetimeMs = (value: unknown, byDefaultS: number): number => {
  const seconds = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  const ms = typeof seconds === 'number' && Number.isFinite(seconds) ? seconds * 1_000 : byDefaultS * 1_000;
  return Math.min(longestLifetimeMs, Math.max(shortestLifetimeMs, ms));
};

const isToken = (value: unknown): value is string => isFieldValue(value) && value !== '' && !/\s/.test(value);

/** Reads a token response (§2.2). Its text stays out of every error: it holds the tokens. */
const parseTokens = ({ status, body }: ApiResponse): Tokens => {
  let value: unknown;
  try {
    value = JSON.parse(String(body));
  } catch {
    throw new TokenRequestError('The token endpoint did not answer with JSON', status);
  }
  const answer = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const { access_token, refresh_token, token_type, expires_in, refresh_expires_in } = answer;
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

  const request = async (form: Readonly<Record<string, string>>): Promise<ApiResponse> => {
    try {
      return await transport({
        method: 'POST',
        url: `${authUrl.href}/${tokenPath}`,
        headers: { [header.contentType]: formType, [header.accept]: jsonType },
        body: new URLSearchParams(form).toString(),
        mask: secrets.mask,
        timeoutMs,
        deadline: Number.POSITIVE_INFINITY,
      });
    } catch (error) {
      throw toFailure(error);
    }
  };

  const toTokens = (response: ApiResponse, refused: () => TokenRequestError): Tokens => {
    const { status, headers } = response;
    if (status === 200) {
      const tokens = parseTokens(response);
      secrets.add([tokens.accessToken, tokens.refreshToken ?? '']);
      return tokens;
    }
    if (status === 401) throw refused();
    const retryAfterMs = withRetryAfter.has(status)
      ? parseRetryAfter(headers.get(header.retryAfter), Date.now())
      : undefined;
    const message = `The token endpoint answered ${status}`;
    throw new TokenRequestError(message, status, temporary.has(status), retryAfterMs);
  };

  return {
    passwordGrant: async ({ username, password }) => {
      secrets.add([password], true);
      return toTokens(
        await request({ grant_type: grantType.password, username, password }),
        () => new InvalidCredentialsError('The token endpoint refused the username and password', 401),
      );
    },
    refreshGrant: async (refreshToken) => {
      secrets.add([refreshToken]);
      return toTokens(
        await request({ grant_type: grantType.refreshToken, refresh_token: refreshToken }),
        () => new TokenRequestError('The token endpoint refused the refresh token', 401),
      );
    },
  };
};
