import { grantType } from '../../conventions.ts';
import {
  InvalidCredentialsError,
  ReauthenticationRequiredError,
  TokenRequestError,
  TokenRequestNotSentError,
} from '../../errors/token-error.ts';
import { backoffMs, longestPauseMs } from '../../http/timing.ts';
import type { GrantType } from '../authorize.ts';
import type { TokenEndpoint, Tokens } from './endpoint.ts';
import type { Login } from './login.ts';
import type { TokenRecord } from './store.ts';

// The first call after a recovery works within two seconds: a wait of at most `longestBackoffMs`, and the
// request.
const shortestBackoffMs = 100;
const longestBackoffMs = 1_500;
// A further step would always be the longest, without jitter: processes that failed together would ask again
// at the same time.
const mostSteps = 3;
const refusedPasswordMs = 30_000;

/** What a renewal asks: the store, then the vault and the token endpoint. */
type Step = 'store' | 'endpoint';

/**
 * Decides when a login may ask its store and its token endpoint again. The clients of a login share it, so
 * that a failing one gets as many requests from a thousand calls as from one.
 */
interface Gate {
  /**
   * A step failed. The next try is after `Retry-After`, or after a backoff. A refused password also keeps the
   * store closed.
   *
   * @returns the error with the wait until the next try
   */
  failed(step: Step, error: TokenRequestError): TokenRequestError;
  /** A step succeeded: the next may start at once. */
  succeeded(): void;
  /**
   * Throws when a renewal must not ask `step` yet. While the endpoint fails, the store may still have newer
   * tokens.
   */
  assertOpen(step: Step): void;
}

const createGate = (): Gate => {
  let failuresInARow = 0;
  let pause: { readonly step: Step; readonly error: TokenRequestError; readonly until: number } | undefined;

  return {
    failed: (step, error) => {
      if (error instanceof InvalidCredentialsError) {
        pause = { step: 'store', error, until: performance.now() + refusedPasswordMs };
        return error;
      }
      const steps = Math.min(mostSteps, failuresInARow++);
      const askedMs = Math.min(longestPauseMs, error.retryAfterMs ?? 0);
      const pauseMs = Math.max(askedMs, backoffMs(steps, shortestBackoffMs, longestBackoffMs));
      pause = { step, error, until: performance.now() + pauseMs };
      return error.with({ retryAfterMs: Math.max(error.retryAfterMs ?? 0, Math.ceil(pauseMs)) });
    },
    succeeded: () => {
      failuresInARow = 0;
      pause = undefined;
    },
    assertOpen: (step) => {
      if (pause === undefined || (step === 'store' && pause.step === 'endpoint')) return;
      const leftMs = Math.ceil(pause.until - performance.now());
      if (leftMs <= 0) return;
      if (pause.error instanceof InvalidCredentialsError) throw pause.error;
      const what = `not sent: paused for another ${(leftMs / 1_000).toFixed(1)} s after ${pause.error.what}`;
      const { context, status, detail, temporary } = pause.error;
      throw new TokenRequestError(what, { ...context, status, detail, temporary, retryAfterMs: leftMs });
    },
  };
};

/** A token that may be used now. */
export interface Renewed {
  readonly record: TokenRecord;
  /** The grant that returned it; undefined when another process requested it. */
  readonly grant?: GrantType;
  /** True when the password was used, because there was no refresh token. */
  readonly isRecovery?: boolean;
  /** True when another process claimed the tokens while this one renewed them. */
  readonly isContested?: boolean;
}

/** The statuses by which a server refuses a refresh token (RFC 6749 §5.2, §4.1). */
const refusals: readonly (number | undefined)[] = [400, 401, 403];

const noPassword = (why: string): ReauthenticationRequiredError =>
  new ReauthenticationRequiredError(`${why}, and there is no password; log in again`);

/** For a login that can wait: undefined in place of the error that there is no password, also in a vault. */
export const ignoreMissingPassword = (error: unknown): undefined => {
  if (!(error instanceof ReauthenticationRequiredError)) throw error;
};

/** Why tokens without a refresh token do not suffice. */
const describeEnd = ({ accessToken }: Pick<TokenRecord, 'accessToken'>): string =>
  accessToken === ''
    ? 'there are no tokens'
    : 'the access token was refused or has expired, there is no unused refresh token';

/** How a chain gets new tokens. The clients of a login share it, and each has its own endpoint. */
export interface Grants {
  /** Whether a password can be sent when there is no refresh token. */
  readonly hasPassword: boolean;
  /** Whether a refresh token works once. */
  readonly rotates: boolean;
  /** Whether the store and the token endpoint may be asked yet. */
  readonly gate: Gate;
  /** Throws when no request can be sent with the refresh token of a record, or without one, or not yet. */
  assertCanSend(record: TokenRecord): void;
  /** Sends the password. @throws {@link TokenRequestError} */
  logIn(endpoint: TokenEndpoint): Promise<Tokens>;
  /**
   * Sends the refresh token of a record once, or the password where there is none.
   *
   * @param sent - the highest generation whose refresh token was sent; a login is newer
   * @throws {@link TokenRequestError}; `mayResend` tells whether the refresh token is dead after it
   */
  renew(endpoint: TokenEndpoint, record: TokenRecord, sent: number): Promise<Renewed>;
  /**
   * Whether a refresh token may be sent again after an error of `renew`: it provably never left this machine,
   * or it works more than once and the server did not refuse it.
   */
  mayResend(error: unknown): boolean;
}

/**
 * @param credentials - of the login; undefined if it begins with tokens, and has no password
 * @param rotates - whether a refresh token works once
 */
export const createGrants = (credentials: Login['credentials'], rotates = true): Grants => {
  const gate = createGate();
  const hasPassword = credentials !== undefined;

  const logIn: Grants['logIn'] = async (endpoint) => {
    if (credentials === undefined) throw noPassword('there is no refresh token');
    gate.assertOpen('endpoint');
    const { username, password } = await credentials();
    try {
      const tokens = await endpoint({ grant_type: grantType.password, username, password });
      gate.succeeded();
      return tokens;
    } catch (error) {
      throw error instanceof TokenRequestError ? gate.failed('endpoint', error) : error;
    }
  };

  const assertCanSend: Grants['assertCanSend'] = (record) => {
    const { refreshToken } = record;
    if (refreshToken === undefined && credentials === undefined) throw noPassword(describeEnd(record));
    // Only a browser tells. Sent into a connection that is down, the token would be lost.
    if (refreshToken !== undefined && globalThis.navigator?.onLine === false)
      throw new TokenRequestError('not sent: the browser is offline', { temporary: true });
    gate.assertOpen('endpoint');
  };

  const mayResend: Grants['mayResend'] = (error) => {
    if (error instanceof TokenRequestNotSentError) return true;
    // What ends the login is thrown in place of a refusal.
    if (rotates || error instanceof ReauthenticationRequiredError) return false;
    if (!(error instanceof TokenRequestError) || error.temporary) return true;
    // The page of a proxy says nothing about the token. A password is the better way on where there is one.
    return !hasPassword && !refusals.includes(error.status);
  };

  const renew: Grants['renew'] = async (endpoint, before, sent) => {
    const { refreshToken, accessToken, generation } = before;
    if (refreshToken === undefined) {
      const tokens = await logIn(endpoint);
      const record = { ...tokens, generation: Math.max(generation, sent) + 2 };
      return { record, grant: grantType.password, isRecovery: accessToken !== '' };
    }
    try {
      const tokens = await endpoint({ grant_type: grantType.refreshToken, refresh_token: refreshToken });
      gate.succeeded();
      // Without a new refresh token the old one stays in use, unless it works once (RFC 6749 §6).
      const kept = !rotates && tokens.refreshToken === undefined ? before : tokens;
      // A refresh token that is returned in the response to itself does not work again (§5.2.7).
      const isUsed = rotates && kept.refreshToken === refreshToken;
      const record: TokenRecord = {
        ...tokens,
        refreshToken: isUsed ? undefined : kept.refreshToken,
        refreshExpiresAt: kept.refreshExpiresAt,
        generation: generation + 1,
      };
      return { record, grant: grantType.refreshToken };
    } catch (error) {
      if (!(error instanceof TokenRequestError)) throw error;
      const isAlive = mayResend(error);
      // The password may work, unless the endpoint asked for a pause.
      const isPaused = isAlive || error.retryAfterMs !== undefined;
      const failure = isPaused ? gate.failed('endpoint', error) : error;
      throw isAlive || hasPassword ? failure : noPassword(`the refresh token is dead after ${error.what}`);
    }
  };

  return { hasPassword, rotates, gate, assertCanSend, logIn, renew, mayResend };
};
