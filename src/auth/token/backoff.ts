import { whatOf } from '../../errors/restkin-error.ts';
import {
  type InvalidCredentialsError,
  type TokenRequestError,
  TokenRequestNotSentError,
} from '../../errors/token-error.ts';
import type { Credentials } from '../basic.ts';

// The first call after a recovery works within two seconds: a wait of at most `longestMs`, and the request.
const shortestMs = 200;
const longestMs = 1_500;

/** Exponential backoff: each failure in a row is followed by a longer wait. */
export class Backoff {
  #failures = 0;
  #until = 0;

  /** @param atLeastMs - the wait that the server asked for */
  fail(atLeastMs = 0): void {
    const step = Math.min(longestMs, shortestMs * 2 ** this.#failures++);
    // Equal jitter: processes that failed together do not return together, and none returns at once.
    const waitMs = Math.max(atLeastMs, step * (0.5 + Math.random() / 2));
    this.#until = Math.max(this.#until, performance.now() + waitMs);
  }

  succeed(): void {
    this.#failures = 0;
    this.#until = 0;
  }

  /** The rest of the wait, in whole milliseconds; 0 when it is over. */
  leftMs(): number {
    const left = Math.ceil(this.#until - performance.now());
    // A timer may fire a millisecond early.
    return left > 1 ? left : 0;
  }
}

// A pause ends after an hour, however long `Retry-After` is.
const longestPauseMs = 3_600_000;

const refusedPasswordMs = 30_000;

/**
 * Decides when a token request may be sent. The clients of a login share it, so that a failing endpoint gets as many
 * requests from a thousand calls as from one.
 */
export class EndpointGate {
  readonly #backoff = new Backoff();
  #failure: TokenRequestError | undefined;
  #refused:
    | { readonly credentials: Credentials; readonly error: InvalidCredentialsError; readonly until: number }
    | undefined;

  /** A renewal failed. No request is sent during `Retry-After`, or the next backoff. */
  failed(error: TokenRequestError): void {
    this.#failure = error;
    this.#backoff.fail(Math.min(error.retryAfterMs ?? 0, longestPauseMs));
    error.retryAfterMs = Math.max(error.retryAfterMs ?? 0, this.#backoff.leftMs());
  }

  /** These credentials are wrong, and are not resent for a while. */
  passwordRefused(credentials: Credentials, error: InvalidCredentialsError): void {
    this.#refused = { credentials, error, until: performance.now() + refusedPasswordMs };
  }

  succeeded(): void {
    this.#backoff.succeed();
    this.#refused = undefined;
  }

  /** The error for any request during a pause; undefined when a request may be sent. */
  problem(): TokenRequestNotSentError | undefined {
    const leftMs = this.#backoff.leftMs();
    if (leftMs === 0 || this.#failure === undefined) return undefined;
    const seconds = (leftMs / 1_000).toFixed(1);
    return new TokenRequestNotSentError(
      `not sent: paused for another ${seconds} s after ${whatOf(this.#failure)}`,
      Object.assign({}, this.#failure, { retryAfterMs: leftMs }),
    );
  }

  /** The error for these credentials; undefined when they may be sent. Other credentials may be correct. */
  passwordProblem({ username, password }: Credentials): InvalidCredentialsError | undefined {
    const { credentials, error, until = 0 } = this.#refused ?? {};
    const isSame = credentials?.username === username && credentials.password === password;
    return isSame && performance.now() < until ? error : undefined;
  }
}
