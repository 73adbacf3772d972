import { grantType } from '../../conventions.ts';
import {
  InvalidCredentialsError,
  ReauthenticationRequiredError,
  TokenRequestError,
  TokenRequestNotSentError,
} from '../../errors/token-error.ts';
import type { GrantType } from '../authorize.ts';
import type { TokenEndpoint, Tokens } from './endpoint.ts';
import type { Login } from './login.ts';
import type { TokenRecord } from './store.ts';

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
const createGate = () => {
  let failuresInARow = 0;
  let pause: { readonly step: Step; readonly error: TokenRequestError; readonly until: number } | undefined;

  return {
    /** A step failed. The next try is after `Retry-After`, or after a backoff. A refused password also keeps the store closed. */
    failed: (step: Step, error: TokenRequestError): void => {
      if (error instanceof InvalidCredentialsError) {
        pause = { step: 'store', error, until: performance.now() + refusedPasswordMs };
        return;
      }
      const backoffMs = Math.min(longestBackoffMs, shortestBackoffMs * 2 ** failuresInARow++);
      // Equal jitter: processes that failed together do not return together, and none returns at once.
      const jitteredMs = backoffMs * (0.5 + Math.random() / 2);
      const pauseMs = Math.max(jitteredMs, Math.min(error.retryAfterMs ?? 0, longestPauseMs));
      pause = { step, error, until: performance.now() + pauseMs };
      error.retryAfterMs = Math.max(error.retryAfterMs ?? 0, Math.ceil(pauseMs));
    },
    succeeded: (): void => {
      failuresInARow = 0;
      pause = undefined;
    },
    /** The error for a renewal that must not ask `step` yet. While the endpoint fails, the store may still have newer tokens. */
    closedFor: (step: Step): TokenRequestError | undefined => {
      if (pause === undefined || (step === 'store' && pause.step === 'endpoint')) return undefined;
      const leftMs = Math.ceil(pause.until - performance.now());
      // A timer may fire a millisecond early.
      if (leftMs <= 1) return undefined;
      if (pause.error instanceof InvalidCredentialsError) return pause.error;
      const what = `not sent: paused for another ${(leftMs / 1_000).toFixed(1)} s after ${pause.error.what}`;
      return new TokenRequestError(what, Object.assign({}, pause.error, { retryAfterMs: leftMs }));
    },
  };
};

/** New tokens, and how they were obtained. */
export interface Granted {
  readonly record: TokenRecord;
  readonly grant: GrantType;
  /** True when the refresh token was lost, and the password was used. */
  readonly isRecovery: boolean;
}

const noPassword = (refused = 'used up'): ReauthenticationRequiredError =>
  new ReauthenticationRequiredError(
    `the refresh token is ${refused}, and there is no password; log in again`,
  );

/** Only a browser tells. */
const isOffline = (): boolean => globalThis.navigator?.onLine === false;

/** How a chain gets new tokens. The clients of a login share it, and each has its own endpoint. */
export type Grants = ReturnType<typeof createGrants>;

export const createGrants = (credentials: Login['credentials']) => {
  const gate = createGate();

  /** Sends the password. @throws {@link TokenRequestError} */
  const logIn = async (endpoint: TokenEndpoint, refused?: string): Promise<Tokens> => {
    if (credentials === undefined) throw noPassword(refused);
    const closed = gate.closedFor('endpoint');
    if (closed !== undefined) throw closed;
    const { username, password } = await credentials();
    try {
      const tokens = await endpoint({ grant_type: grantType.password, username, password });
      gate.succeeded();
      return tokens;
    } catch (error) {
      if (error instanceof TokenRequestError) gate.failed('endpoint', error);
      throw error;
    }
  };

  /** The error when no request can be sent, or not yet; undefined when one can. */
  const cannotSend = (refreshToken: string | undefined): TokenRequestError | undefined => {
    if (refreshToken === undefined && credentials === undefined) return noPassword();
    // Sent into a connection that is down, it would be lost.
    if (refreshToken !== undefined && isOffline())
      return new TokenRequestError('not sent: the browser is offline', { temporary: true });
    return gate.closedFor('endpoint');
  };

  /**
   * Sends the refresh token of `known` once. After any response but new tokens, and after none, it is dead: the password follows.
   *
   * @param sent - the highest generation whose refresh token was sent; a login is newer
   * @param extendClaim - makes others wait for the password, too; false when another process has taken over
   * @returns undefined when another process has taken over
   * @throws {@link TokenRequestNotSentError} when the refresh token provably never left this machine
   */
  const renew = async (
    endpoint: TokenEndpoint,
    { refreshToken, accessToken, generation }: TokenRecord,
    sent: number,
    extendClaim: () => Promise<boolean>,
  ): Promise<Granted | undefined> => {
    let refused: string | undefined;
    if (refreshToken !== undefined) {
      try {
        const tokens = await endpoint({ grant_type: grantType.refreshToken, refresh_token: refreshToken });
        gate.succeeded();
        // A refresh token that is returned in the response to itself does not work again (§5.2.7).
        const next = tokens.refreshToken === refreshToken ? undefined : tokens.refreshToken;
        const record = { ...tokens, refreshToken: next, generation: generation + 1 };
        return { record, grant: grantType.refreshToken, isRecovery: false };
      } catch (error) {
        if (!(error instanceof TokenRequestError)) throw error;
        const isUnsent = error instanceof TokenRequestNotSentError;
        // The password may work, unless the endpoint asked for a pause.
        if (isUnsent || error.retryAfterMs !== undefined) gate.failed('endpoint', error);
        if (isUnsent) throw error;
        refused = `dead after ${error.what}`;
      }
      if (credentials !== undefined && !(await extendClaim())) return undefined;
    }
    const tokens = await logIn(endpoint, refused);
    const record = { ...tokens, generation: Math.max(generation, sent) + 2 };
    return { record, grant: grantType.password, isRecovery: accessToken !== '' };
  };

  return { hasPassword: credentials !== undefined, gate, cannotSend, logIn, renew };
};
