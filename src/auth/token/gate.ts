import { InvalidCredentialsError, TokenRequestError } from '../../errors/token-error.ts';

// The first call after a recovery works within two seconds: a wait of at most `longestBackoffMs`, and the request.
const shortestBackoffMs = 200;
const longestBackoffMs = 1_500;
// A pause ends after an hour, however long `Retry-After` is.
const longestPauseMs = 3_600_000;
const refusedPasswordMs = 30_000;

/** What a renewal asks: the store, then the vault and the token endpoint. */
type Step = 'store' | 'endpoint';

/**
 * Decides when a login may ask its store and its token endpoint again. The clients of a login share it, so that a failing
 * one gets as many requests from a thousand calls as from one.
 */
export class Gate {
  #failuresInARow = 0;
  #pause: { readonly step: Step; readonly error: TokenRequestError; readonly until: number } | undefined;

  /** A step failed. The next try is after `Retry-After`, or after a backoff. */
  failed(step: Step, error: TokenRequestError): void {
    const backoffMs = Math.min(longestBackoffMs, shortestBackoffMs * 2 ** this.#failuresInARow++);
    // Equal jitter: processes that failed together do not return together, and none returns at once.
    const jitteredMs = backoffMs * (0.5 + Math.random() / 2);
    const pauseMs = Math.max(jitteredMs, Math.min(error.retryAfterMs ?? 0, longestPauseMs));
    this.#pause = { step, error, until: performance.now() + pauseMs };
    error.retryAfterMs = Math.max(error.retryAfterMs ?? 0, Math.ceil(pauseMs));
  }

  /** The password is wrong. It is not resent for a while, and neither the store nor the vault is asked. */
  passwordRefused(error: InvalidCredentialsError): void {
    this.#pause = { step: 'store', error, until: performance.now() + refusedPasswordMs };
  }

  succeeded(): void {
    this.#failuresInARow = 0;
    this.#pause = undefined;
  }

  /** The login changed: other tokens were handed in, or it was ended. A refused password says nothing about either. */
  forgetRefusal(): void {
    if (this.#pause?.error instanceof InvalidCredentialsError) this.#pause = undefined;
  }

  /** The error for a renewal that must not ask `step` yet. While the endpoint fails, the store may still have newer tokens. */
  closedFor(step: Step): TokenRequestError | undefined {
    const pause = this.#pause;
    if (pause === undefined || (step === 'store' && pause.step === 'endpoint')) return undefined;
    const leftMs = Math.ceil(pause.until - performance.now());
    // A timer may fire a millisecond early.
    if (leftMs <= 1) return undefined;
    if (pause.error instanceof InvalidCredentialsError) return pause.error;
    const seconds = (leftMs / 1_000).toFixed(1);
    return new TokenRequestError(
      `not sent: paused for another ${seconds} s after ${pause.error.what}`,
      Object.assign({}, pause.error, { retryAfterMs: leftMs }),
    );
  }
}
