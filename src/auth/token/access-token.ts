import { ReauthenticationRequiredError } from '../../errors/token-error.ts';
import { tooLate, waitUpTo } from '../../http/timing.ts';
import type { RenewalReason } from '../authorize.ts';
import { type Renewed, type Requester, TokenChain, type TokenChainOptions } from './chain.ts';

/** An access token in use, with its times on both clocks: the wall clock may jump, the monotonic one may stop. */
interface TokenInUse {
  readonly accessToken: string;
  readonly generation: number;
  readonly expiresAt: number;
  readonly expiresAtMonotonic: number;
  readonly earlyMs: number;
}

const longestEarlyMs = 120_000;
const earlyShare = 0.2;

const toTokenInUse = ({ accessToken, accessExpiresAt, generation }: Renewed['record']): TokenInUse => {
  const lifetimeMs = accessExpiresAt - Date.now();
  return {
    accessToken,
    generation,
    expiresAt: accessExpiresAt,
    expiresAtMonotonic: performance.now() + lifetimeMs,
    // Up to half as early, at random, so that a fleet does not renew at the same time.
    earlyMs: Math.min(longestEarlyMs, lifetimeMs * earlyShare) * (0.5 + Math.random() / 2),
  };
};

/** The remaining lifetime of a token, in milliseconds; not above 0 when it has expired. */
const leftMs = ({ expiresAt, expiresAtMonotonic }: TokenInUse): number =>
  Math.min(expiresAt - Date.now(), expiresAtMonotonic - performance.now());

const earlyPauseMs = 30_000;
const earlyPatienceMs = 500;

/**
 * The access token of one login, shared by all its calls and clients.
 *
 * | state   | when                                        | what a call does                                           |
 * |---------|---------------------------------------------|------------------------------------------------------------|
 * | none    | at the start; another tab changed the store | waits for the token in the store, or a renewal (`first`)   |
 * | valid   | until it is due                             | uses it                                                    |
 * | due     | in its last fifth, at most 120 s            | begins a renewal (`early`), and uses it if that takes long |
 * | expired | by either of two clocks                     | waits for a renewal (`expired`)                            |
 * | refused | it got a 401                                | waits for a renewal (`refused`), and is resent once        |
 */
export class AccessToken {
  readonly #chain: TokenChain;
  #inUse: TokenInUse | undefined;
  #renewal: Promise<string> | undefined;
  #noEarlyBefore = 0;
  #timesForgotten = 0;
  /** True after the end of the login was reported, until there are newer tokens. */
  #isLost = false;

  constructor(options: Omit<TokenChainOptions, 'onChange'>) {
    this.#chain = new TokenChain({ ...options, onChange: () => this.#forget() });
  }

  /** The current access token, if it needs no renewal: the case of most requests. */
  valid(): string | undefined {
    return this.#inUse !== undefined && this.#isValid(this.#inUse) ? this.#inUse.accessToken : undefined;
  }

  /** The current access token; a new one when there is none, when it is about to expire, or when it is the one `refused`. */
  async get(requester: Requester, refused: string | undefined): Promise<string> {
    const inUse = this.#inUse;
    if (inUse === undefined) return this.#renew(requester, 'first', refused);
    if (inUse.accessToken === refused) return this.#renew(requester, 'refused', refused);
    // Also after a late 401 for a token that was replaced meanwhile.
    if (this.#isValid(inUse)) return inUse.accessToken;
    return leftMs(inUse) > 0
      ? this.#renewEarly(requester, inUse)
      : this.#renew(requester, 'expired', refused);
  }

  /** Ends the login for all who share it. */
  async signOut(): Promise<void> {
    // Whoever signs out knows it.
    this.#isLost = true;
    this.#forget();
    await this.#chain.signOut();
  }

  /** The next call reads the store: the login may have ended. */
  #forget(): void {
    this.#inUse = undefined;
    this.#timesForgotten++;
  }

  #isValid(inUse: TokenInUse): boolean {
    const left = leftMs(inUse);
    return left > inUse.earlyMs || (left > 0 && performance.now() < this.#noEarlyBefore);
  }

  /** The old token is still valid: a slow renewal continues in the background, and a failed one is not repeated at once. */
  async #renewEarly(requester: Requester, inUse: TokenInUse): Promise<string> {
    const patienceMs = Math.min(earlyPatienceMs, leftMs(inUse));
    const renewal = this.#renew(requester, 'early', undefined).catch(() => tooLate);
    const renewed = await waitUpTo(renewal, patienceMs);
    if (typeof renewed === 'string') return renewed;
    this.#noEarlyBefore = performance.now() + earlyPauseMs;
    return this.#inUse === inUse ? inUse.accessToken : this.get(requester, undefined);
  }

  /** One renewal at a time, shared by all callers: it continues when one of them gives up. */
  #renew(requester: Requester, reason: RenewalReason, refused: string | undefined): Promise<string> {
    this.#renewal ??= this.#runRenewal(requester, reason, refused).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #runRenewal(
    requester: Requester,
    reason: RenewalReason,
    refused: string | undefined,
  ): Promise<string> {
    const timesForgotten = this.#timesForgotten;
    const generation = this.#inUse?.generation ?? 0;
    try {
      const { record, grant, isRecovery } = await requester.traced(() =>
        this.#chain.renew(requester, { generation, refused }),
      );
      this.#isLost = false;
      // What another tab stored meanwhile may be newer, or the end of the login.
      if (timesForgotten === this.#timesForgotten) this.#inUse = toTokenInUse(record);
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
