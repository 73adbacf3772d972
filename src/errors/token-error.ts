import { type RequestContext, RequestError } from './restkin-error.ts';

interface TokenRequestErrorInit extends Partial<RequestContext> {
  readonly status?: number | undefined;
  readonly detail?: string | undefined;
  readonly temporary?: boolean;
  readonly retryAfterMs?: number | undefined;
}

/** The token endpoint returned no token (§4.1). `attempts` are those of the call that needed the token. */
export class TokenRequestError extends RequestError {
  readonly code: 'token_request_failed' | 'invalid_credentials' | 'reauthentication_required' =
    'token_request_failed';
  /** Status of the token endpoint's response; undefined when there was none. */
  readonly status: number | undefined;
  /** `message` of the token endpoint's error body (§7.2), without secrets; undefined when it gave none. */
  readonly detail: string | undefined;
  /** True when the same request may succeed later: for example without a response, or after 429 or 5xx. */
  readonly temporary: boolean;
  /**
   * Milliseconds until the next token request is sent: `Retry-After`, or the backoff after failures of the
   * token endpoint. `temporary` says whether it may succeed.
   */
  readonly retryAfterMs: number | undefined;

  /** @param what - what happened; the method and the URL of the token endpoint are put in front */
  constructor(what: string, init: TokenRequestErrorInit = {}) {
    super(what, { method: 'POST', ...init });
    this.status = init.status;
    this.detail = init.detail;
    this.temporary = init.temporary ?? false;
    this.retryAfterMs = init.retryAfterMs;
  }

  /**
   * @internal The same failure with other data: all calls that wait for a token share it, and each gets an
   * error of its own.
   */
  with(changes: TokenRequestErrorInit): this {
    const Same = this.constructor as new (what: string, init: TokenRequestErrorInit) => this;
    const { status, detail, temporary, retryAfterMs } = this;
    return new Same(this.what, { ...this.context, status, detail, temporary, retryAfterMs, ...changes });
  }
}

/** A token request that provably never left this machine: a refresh token in it is still unused. */
export class TokenRequestNotSentError extends TokenRequestError {}

/** The token endpoint refused the username and password (§7.1, 401). They are not resent for 30 seconds. */
export class InvalidCredentialsError extends TokenRequestError {
  override readonly code = 'invalid_credentials';
}

/**
 * A person must log in: the refresh token is used up and there is no password, or `signOut()` ended the
 * login.
 *
 * @example
 * ```ts
 * if (error instanceof ReauthenticationRequiredError) {
 *   auth.useTokens({ accessToken: 'a new access token', refreshToken: 'its refresh token' });
 * }
 * ```
 */
export class ReauthenticationRequiredError extends TokenRequestError {
  override readonly code = 'reauthentication_required';
}
