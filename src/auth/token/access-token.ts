import { ReauthenticationRequiredError } from '../../errors/token-error.ts';
import { tooLate, waitUpTo } from '../../http/timing.ts';
import type { LoginEvent, RenewalReason } from '../authorize.ts';
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
 * | state     | when                              | what a call does                                            |
 * |-----------|-----------------------------------|-------------------------------------------------------------|
 * | none      | at the start                      | waits for a renewal (`first`)                               |
 * | valid     | until it is due                   | uses it                                                     |
 * | due       | in its last fifth, at most 120 s  | begins a renewal (`early`), and uses it if that takes long; |
 * | expired   | by either of two clocks           | waits for a renewal (`expired`)                             |
 * | refused   | it got a 401                      | waits for a renewal (`refused`), and is resent once         |
 * | following | another tab changed the store     | waits until the store is read; as above with what is there  |
 */
export class AccessToken {
  readonly #chain: TokenChain;
  readonly #onRemote: (event: LoginEvent) => void;
  #inUse: TokenInUse | undefined;
  #renewal: Promise<string> | undefined;
  #noEarlyBefore = 0;
  #following: Promise<void> | undefined;
  /** True after the end of the login was reported, until there are newer tokens. */
  #isLost = false;

  /** @param onRemote - called when another tab ended the login, or logged in again */
  constructor(options: Omit<TokenChainOptions, 'onChange'>, onRemote: (event: LoginEvent) => void) {
    this.#chain = new TokenChain({ ...options, onChange: () => this.#follow() });
    this.#onRemote = onRemote;
  }

  /** The current access token, if it needs no renewal: the case of most requests. */
  valid(): string | undefined {
    const inUse = this.#inUse;
    const isValid = inUse !== undefined && this.#following === undefined && this.#isValid(inUse);
    return isValid ? inUse.accessToken : undefined;
  }

  /** The current access token; a new one when there is none, when it is about to expire, or when it is the one `refused`. */
  async get(requester: Requester, refused: string | undefined): Promise<string> {
    while (this.#following !== undefined) await this.#following;
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
    this.#isLost = true;
    this.#inUse = undefined;
    try {
      await this.#chain.signOut();
    } finally {
      this.#inUse = undefined;
    }
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
    await this.#following;
    // Meanwhile another tab may have ended the login.
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
    try {
      const generation = this.#inUse?.generation ?? 0;
      const { record, grant, isRecovery } = await requester.traced(() =>
        this.#chain.renew(requester, { generation, refused }),
      );
      // An older token may be the one that the server refused.
      if (record.generation > (this.#inUse?.generation ?? 0)) this.#isLost = false;
      this.#inUse = toTokenInUse(record);
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

  /** Another tab changed the chain. Calls wait until it is read, because the login may have ended. */
  #follow(): void {
    const following = Promise.resolve(this.#following)
      .then(() => this.#readChange())
      .finally(() => {
        if (this.#following === following) this.#following = undefined;
      });
    this.#following = following;
  }

  async #readChange(): Promise<void> {
    try {
      const newer = await this.#chain.findNewer(this.#inUse?.generation ?? 0);
      if (newer === undefined) return;
      this.#inUse = toTokenInUse(newer);
      if (this.#isLost) this.#onRemote({ reason: 'first', isRemote: true });
      this.#isLost = false;
    } catch {
      this.#inUse = undefined;
      if (!this.#isLost) this.#onRemote({ reason: 'signedOut', isRemote: true });
      this.#isLost = true;
    }
  }
}
