import {
  accessTokenLifetimeS,
  formType,
  grantType,
  header,
  jsonType,
  refreshTokenLifetimeS,
} from '../../conventions.ts';
import { formatStatus, nameItems } from '../../errors/api-error.ts';
import { isConnectionError } from '../../errors/connection-error.ts';
import { parseErrorBody } from '../../errors/error-body.ts';
import { ResponseTooLargeError } from '../../errors/response-error.ts';
import {
  InvalidCredentialsError,
  TokenRequestError,
  TokenRequestNotSentError,
} from '../../errors/token-error.ts';
import { readRetryAfter } from '../../headers/dates.ts';
import { isLasting } from '../../http/failure.ts';
import { type ApiRequest, type ApiResponse, contextOf, isSuccess, isWebPage } from '../../http/message.ts';
import { noRetry } from '../../http/retry.ts';
import type { RunningOperation } from '../../http/trace.ts';
import { originOf, repetitionNote } from '../../http/url.ts';
import { isFieldValue } from '../../options.ts';
import type { AuthorizerContext } from '../authorize.ts';
import type { TokenRequestParts } from './request-options.ts';
import type { TokenRecord } from './store.ts';

/** The tokens of a token response (§2.2). */
export type Tokens = Omit<TokenRecord, 'generation' | 'claim' | 'isSignedOut'>;

/** The form of a token request (§4.1). */
export type TokenForm =
  | { readonly grant_type: typeof grantType.password; readonly username: string; readonly password: string }
  | { readonly grant_type: typeof grantType.refreshToken; readonly refresh_token: string };

/**
 * Sends a token request exactly once.
 * @throws {@link TokenRequestError}; as a {@link TokenRequestNotSentError} only for a request that provably
 * never left this machine, and as an {@link InvalidCredentialsError} when the password is refused
 */
export type TokenEndpoint = (form: TokenForm) => Promise<Tokens>;

// A lifetime below a second makes no sense, and would renew the token with every request.
const shortestLifetimeS = 1;
const lifetimeInPlaceOfNoneS = 5;

const parseLifetimeMs = (value: unknown, byDefaultS: number): number => {
  // `Number` alone reads null, true and an empty string as numbers, and both throw for some objects.
  const seconds = typeof value === 'object' ? Number.NaN : Number(String(value) || Number.NaN);
  if (!Number.isFinite(seconds * 1_000)) return byDefaultS * 1_000;
  return (seconds >= shortestLifetimeS ? seconds : lifetimeInPlaceOfNoneS) * 1_000;
};

/**
 * Reads a token response (§2.2), whose lifetimes begin at `startedAt`. The body holds the tokens, so no error
 * quotes it.
 */
const parseTokens = (response: ApiResponse, startedAt: number): Tokens | string => {
  let value: unknown;
  try {
    value = JSON.parse(String(response.body));
  } catch {
    const what = isWebPage(response) ? 'text/html where JSON was expected' : 'not JSON';
    return `the response is ${what}; check \`authUrl\``;
  }
  const fields = (value ?? {}) as Record<string, unknown>;
  const { access_token, refresh_token, token_type, expires_in, refresh_expires_in } = fields;
  if (typeof access_token !== 'string' || access_token === '') return 'the response has no access_token';
  if (!isFieldValue(access_token) || /\s/.test(access_token))
    return 'the access_token of the response is not visible ASCII';
  if (token_type === undefined) return 'the response has no token_type, which must be bearer';
  if (typeof token_type !== 'string' || token_type.toLowerCase() !== 'bearer')
    return 'the response has a token_type other than bearer';
  const refreshToken = refresh_token ?? '';
  // RFC 6749, appendix A.17. Left out, it would cost the login at the next renewal.
  if (typeof refreshToken !== 'string' || !/^[\x20-\x7e]*$/.test(refreshToken))
    return 'the refresh_token of the response is not visible ASCII';
  return {
    accessToken: access_token,
    accessExpiresAt: startedAt + parseLifetimeMs(expires_in, accessTokenLifetimeS),
    refreshToken: refreshToken || undefined,
    // Some servers write 0 for a refresh token that does not expire.
    refreshExpiresAt: startedAt + parseLifetimeMs(refresh_expires_in || undefined, refreshTokenLifetimeS),
  };
};

/**
 * Turns a failure of the transport into a token error. Others, such as that of a broken `fetch`, are thrown
 * unchanged.
 */
const toFailure = (error: unknown): unknown => {
  if (error instanceof ResponseTooLargeError)
    return new TokenRequestError(error.what, { ...error.context, status: error.status });
  if (!isConnectionError(error)) return error;
  const Failure = error.sent ? TokenRequestError : TokenRequestNotSentError;
  return new Failure(error.what, { ...error.context, temporary: !isLasting(error) });
};

/** RFC 6749 §5.2: the client is refused, whatever the username and password are. */
const clientErrors: readonly unknown[] = ['invalid_client', 'unauthorized_client', 'unsupported_grant_type'];

const passwordRefused = 'the username or password was refused';

/** What a refusal means; undefined where its status says it. */
const reasonOf = (
  response: ApiResponse,
  { mask, url }: ApiRequest,
  oauthError: unknown,
  isPassword: boolean,
): string | undefined => {
  const { status, headers } = response;
  if (clientErrors.includes(oauthError)) return 'the client was refused, not the password; check `client`';
  if (isPassword && (status === 401 || oauthError === 'invalid_grant'))
    return isWebPage(response) ? `${passwordRefused}, by a web page: check \`authUrl\`` : passwordRefused;
  if (status === 404 || status === 405 || (status < 500 && isWebPage(response)))
    return 'check `authUrl` and `tokenPath`';
  // A browser shows a redirect that was not followed as status 0.
  if (status !== 0 && (status < 300 || status >= 400)) return undefined;
  const location = headers.get(header.location) ?? '';
  return `redirect${location && ` to ${originOf(location, mask, url)}`} refused; check \`authUrl\``;
};

/** The error for a response that is not a success. */
const toStatusError = (response: ApiResponse, request: ApiRequest, isPassword: boolean) => {
  const { status, headers } = response;
  const { detail, oauthError, items = [] } = parseErrorBody(String(response.body), { mask: request.mask });
  const reason = reasonOf(response, request, oauthError, isPassword);
  const what = [formatStatus(status), reason, detail, nameItems(items)].filter(Boolean).join(': ');
  const temporary = status === 429 || status >= 500;
  const retryAfterMs = temporary ? readRetryAfter(headers) : undefined;
  const Refusal = reason?.startsWith(passwordRefused) ? InvalidCredentialsError : TokenRequestError;
  const context = { ...contextOf(request, response), status, detail, temporary, retryAfterMs };
  return new Refusal(what + repetitionNote(request.url), context);
};

/** The token endpoint at a URL (§4.1), for one renewal. */
export const createTokenEndpoint = (
  { transport, secrets }: Pick<AuthorizerContext, 'transport' | 'secrets'>,
  { url, parts, timeoutMs }: { url: string; parts: TokenRequestParts; timeoutMs: number },
): ((renewal: RunningOperation) => TokenEndpoint) => {
  const holdPassword = secrets.holder();
  const holdTokens = secrets.holder();

  return (renewal) => async (form) => {
    const isPassword = form.grant_type === grantType.password;
    // Also with the username, as Basic sends it: the base64 of both does not contain that of the password.
    const sent = isPassword ? [form.password, `${form.username}:${form.password}`] : [form.refresh_token];
    const carried = [...sent, ...parts.secrets];
    if (isPassword) holdPassword(carried);
    const request: ApiRequest = {
      method: 'POST',
      url,
      headers: { [header.contentType]: formType, [header.accept]: jsonType, ...parts.headers },
      body: new URLSearchParams({ ...parts.form, ...(isPassword && parts.passwordForm), ...form }).toString(),
      ...secrets.forRequest(carried),
      attempts: [],
      callId: renewal.callId,
      timeoutMs,
      retry: noRetry,
      deadline: Infinity,
    };
    const startedAt = Date.now();
    const response = await transport(request).catch((error: unknown) => {
      throw toFailure(error);
    });
    const { status } = response;
    renewal.status = status;
    // §4.1 names no status.
    if (!isSuccess(status)) throw toStatusError(response, request, isPassword);
    const tokens = parseTokens(response, startedAt);
    if (typeof tokens === 'string') {
      const context = { ...contextOf(request, response), status };
      throw new TokenRequestError(`${status}: ${tokens}${repetitionNote(url)}`, context);
    }
    holdTokens([tokens.accessToken, tokens.refreshToken ?? '']);
    return tokens;
  };
};
