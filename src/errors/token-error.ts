import { brand, type Family, RestkinError } from './restkin-error.ts';

/** The token endpoint gave no token (§4.1). */
export class TokenRequestError extends RestkinError {
  readonly code: 'token_request_failed' | 'invalid_credentials' | 'reauthentication_required' =
    'token_request_failed';
  /** Status of the token endpoint's answer; undefined when there was none. */
  readonly status: number | undefined;
  /** True when the same request may succeed later: no answer, 429, 500 or 503. */
  readonly temporary: boolean;
  /**
   * Milliseconds until the next token request is possible: what `Retry-After` asked for, or the backoff of a token
   * endpoint that fails; undefined when waiting does not help.
   */
  retryAfterMs: number | undefined;

  constructor(message: string, status?: number, temporary = false, retryAfterMs?: number) {
    super(message);
    this.status = status;
    this.temporary = temporary;
    this.retryAfterMs = retryAfterMs;
  }

  /** @internal */
  override get [brand](): Family {
    return 'token';
  }
  override get name(): string {
    return 'TokenRequestError';
  }
}

/** A token request that provably never left this machine: the refresh token in it is as good as before. */
export class TokenRequestNotSentError extends TokenRequestError {}

/** The token endpoint refused the username and password (§7.1, 401). They are not sent again for a while. */
export class InvalidCredentialsError extends TokenRequestError {
  override readonly code = 'invalid_credentials';
  override get name(): string {
    return 'InvalidCredentialsError';
  }
}

/** The refresh token is used up and there is no password to get a new one with: a person must log in. */
export class ReauthenticationRequiredError extends TokenRequestError {
  override readonly code = 'reauthentication_required';
  override get name(): string {
    return 'ReauthenticationRequiredError';
  }
}
