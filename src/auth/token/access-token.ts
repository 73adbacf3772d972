import { ReauthenticationRequiredError } from '../../errors/token-error.ts';
import { tooLate, waitUpTo } from '../../http/timing.ts';
import type { RenewalReason } from '../authorize.ts';
import { type Requester, TokenChain, type TokenChainOptions } from './chain.ts';
import { noTokens, type TokenRecord } from './store.ts';

// A token is renewed early in the last fifth of its lifetime, and at most 120 s before its end.
const longestEarlyMs = 120_000;
const earlyShare = 0.2;
const earlyPauseMs = 30_000;
const earlyPatienceMs = 500;

// An endpoint that answers 401 to every request would otherwise renew the token with each call.
const refusalPauseMs = 10_000;

/**
 * An access token in use, with its end on both clocks: the wall clock may jump, the monotonic one may stop.
 */
interface TokenInUse {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  readonly generation: number;
  readonly expiresAt: number;
  readonly expiresAtMonotonic: number;
  /** How long before its end it is renewed; less after an early renewal that failed. */
  earlyMs: number;
}

const toTokenInUse = (record: TokenRecord): TokenInUse => {
  const { accessToken, refreshToken, accessExpiresAt, generation } = record;
  const lifetimeMs = accessExpiresAt - Date.now();
  // Up to half as early, at random, so that a fleet does not renew at the same time.
  const earlyMs = Math.min(longestEarlyMs, lifetimeMs * earlyShare) * (0.5 + Math.random() / 2);
  return {
    accessToken,
    refreshToken,
    generation,
    expiresAt: accessExpiresAt,
    expiresAtMonotonic: performance.now() + lifetimeMs,
    earlyMs,
  };
};

/** The remaining lifetime of a token, in milliseconds; not above 0 when it has expired. */
const leftMs = ({ expiresAt, expiresAtMonotonic }: TokenInUse): number =>
  Math.min(expiresAt - Date.now(), expiresAtMonotonic - performance.now());

/** The access token of one login, shared by all its calls and clients. */
export class AccessToken {
  readonly #chain: TokenChain;
  /** Its token is empty when there is none. */
  #inUse = toTokenInUse(noTokens);
  #renewal: Promise<string> | undefined;
  /** The token that this process fetched last, and when, on the monotonic clock. */
  #fetched = { token: '', at: -Infinity };
  /**
   * True once the fetched token was refused by the request for which it was fetched: the token is not the
   * reason.
   */
  #isFetchedRefused = false;
  /** True after the end of the login was reported, until there are newer tokens. */
  #isLost = false;

  constructor(options: TokenChainOptions) {
    // Another tab changed the store, and may have ended the login: the next call reads it.
    this.#chain = new TokenChain(options, () => {
      this.#inUse = toTokenInUse(noTokens);
    });
  }

  /** The refresh token beside the current access token, which any of its clients may have fetched. */
  get refreshToken(): string | undefined {
    return this.#inUse.refreshToken;
  }

  /** True while a renewal waits for that of another process. */
  get isWaiting(): boolean {
    return this.#chain.isWaiting;
  }

  /**
   * The current access token; the promise of a new one when there is none, or when it is about to expire.
   * Callers share one renewal at a time, which continues when one of them gives up.
   */
  get(requester: Requester): string | Promise<string> {
    return this.#get(requester, undefined);
  }

  /**
   * The token to send in place of one that got a 401: the current one, or the promise of a new one. Undefined
   * when that would be refused as well; a newer one that another process has stored is used even then.
   */
  replace(requester: Requester, refused: string): string | Promise<string | undefined> {
    const isInUse = this.#reasonToRenew(refused) === 'refused' && this.#renewal === undefined;
    const isPointless = this.#isFetchedRefused && refused === this.#fetched.token;
    const isRecent = performance.now() - this.#fetched.at < refusalPauseMs;
    return isInUse && isPointless && isRecent ? this.#findNewer(refused) : this.#get(requester, refused);
  }

  /** Notes that the token got a 401 that took the place of a refused one. */
  noteRefusal(token: string): void {
    if (token === this.#fetched.token) this.#isFetchedRefused = true;
  }

  #get(requester: Requester, refused: string | undefined): string | Promise<string> {
    const reason = this.#reasonToRenew(refused);
    if (reason === undefined) return this.#inUse.accessToken;
    this.#renewal ??= this.#renew(requester, reason, refused).finally(() => {
      this.#renewal = undefined;
    });
    return reason === 'early' ? this.#renewEarly(requester, this.#renewal) : this.#renewal;
  }

  /**
   * The old token is still valid: a slow renewal continues in the background, and a failed one is not
   * repeated at once.
   */
  async #renewEarly(requester: Requester, renewal: Promise<string>): Promise<string> {
    const inUse = this.#inUse;
    const renewed = await waitUpTo(renewal, Math.min(earlyPatienceMs, leftMs(inUse))).catch(() => tooLate);
    if (typeof renewed === 'string') return renewed;
    inUse.earlyMs = Math.max(0, leftMs(inUse) - earlyPauseMs);
    return this.get(requester);
  }

  #noteFetched(token: string): void {
    this.#fetched = { token, at: performance.now() };
    this.#isFetchedRefused = false;
  }

  async #findNewer(refused: string): Promise<string | undefined> {
    const before = this.#inUse;
    const record = await this.#chain.findNewer({ generation: before.generation, refused });
    if (record === undefined) return undefined;
    if (this.#inUse === before) this.#inUse = toTokenInUse(record);
    return record.accessToken;
  }

  /** Ends the notices of the store, when other tokens take the place of this one. */
  close(): void {
    // The end of this login ends no calls any more, and needs no event.
    this.#isLost = true;
    this.#chain.close();
  }

  /** Ends the login for all who share it. */
  async signOut(): Promise<void> {
    this.#inUse = toTokenInUse(noTokens);
    await this.#chain.signOut();
  }

  /** Undefined for a valid token; also after a late 401 for a token that was replaced meanwhile. */
  #reasonToRenew(refused: string | undefined): RenewalReason | undefined {
    const { accessToken, earlyMs } = this.#inUse;
    if (accessToken === '') return 'first';
    if (accessToken === refused) return 'refused';
    const left = leftMs(this.#inUse);
    if (left > earlyMs) return undefined;
    return left > 0 ? 'early' : 'expired';
  }

  async #renew(requester: Requester, reason: RenewalReason, refused: string | undefined): Promise<string> {
    const before = this.#inUse;
    try {
      const seen = { generation: before.generation, refused };
      const { record, grant, isRecovery, isContested } = await this.#chain.renew(requester, seen);
      this.#isLost = false;
      // What another tab stored meanwhile may be newer, or the end of the login.
      if (this.#inUse === before) this.#inUse = toTokenInUse(record);
      // The login of a process that claimed the tokens meanwhile may have ended what was fetched here.
      if (grant !== undefined && !isContested) this.#noteFetched(record.accessToken);
      if (grant !== undefined) requester.onToken({ reason: isRecovery ? 'recovered' : reason, grant });
      return record.accessToken;
    } catch (error) {
      if (error instanceof ReauthenticationRequiredError && !this.#isLost) {
        this.#isLost = true;
        requester.onToken({ reason: 'reauthenticationRequired' });
      }
      throw error;
    }
  }
}
