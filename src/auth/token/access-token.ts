import { ReauthenticationRequiredError } from '../../errors/token-error.ts';
import { tooLate, waitUpTo } from '../../http/timing.ts';
import type { LoginEvent, RenewalReason } from '../authorize.ts';
import { type Renewed, type Requester, TokenChain, type TokenChainOptions } from './chain.ts';
import type { Seen } from './claims.ts';

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
  #flight: { readonly isEarly: boolean; readonly renewed: Promise<Renewed> } | undefined;
  #noEarlyBefore = 0;
  #changes = 0;
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
    for (;;) {
      await this.#following;
      const inUse = this.#inUse;
      const isRefused = inUse?.accessToken === refused;
      // A late 401 for a token that was replaced meanwhile needs no renewal.
      if (inUse !== undefined && !isRefused) {
        if (this.#isValid(inUse)) return inUse.accessToken;
        if (leftMs(inUse) > 0) return this.#renewEarly(requester, inUse);
      }
      if (this.#flight?.isEarly === true) {
        // The end of the login is reported without that wait.
        if (inUse === undefined) await this.#chain.findNewer(0);
        // An early renewal may give way to another process, so a call that needs a token now checks again.
        await this.#flight.renewed.catch(() => undefined);
        continue;
      }
      const reason = inUse === undefined ? 'first' : isRefused ? 'refused' : 'expired';
      const seen = { generation: inUse?.generation ?? 0, refused, isEarly: false };
      return (await this.#renewOnce(requester, reason, seen)).record.accessToken;
    }
  }

  /** Ends the login for all who share it. */
  async signOut(authUrl: string): Promise<void> {
    this.#isLost = true;
    this.#inUse = undefined;
    try {
      await this.#chain.signOut(authUrl);
    } finally {
      this.#inUse = undefined;
    }
  }

  /** Another tab changed the chain. Calls wait until it is read, because the login may have ended. */
  #follow(): void {
    this.#changes++;
    this.#following ??= this.#readChanges().finally(() => {
      this.#following = undefined;
    });
  }

  async #readChanges(): Promise<void> {
    for (let read = -1; read !== this.#changes; ) {
      read = this.#changes;
      try {
        const newer = await this.#chain.findNewer(this.#inUse?.generation ?? 0);
        if (newer === undefined) continue;
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

  #isValid(inUse: TokenInUse): boolean {
    const left = leftMs(inUse);
    return left > inUse.earlyMs || (left > 0 && performance.now() < this.#noEarlyBefore);
  }

  /** The old token is still valid: a slow renewal continues in the background, and a failed one is not repeated at once. */
  async #renewEarly(requester: Requester, inUse: TokenInUse): Promise<string> {
    const patienceMs = Math.min(earlyPatienceMs, leftMs(inUse));
    const seen = { generation: inUse.generation, refused: undefined, isEarly: true };
    const renewal = this.#renewOnce(requester, 'early', seen).catch(() => tooLate);
    const renewed = await waitUpTo(renewal, patienceMs);
    if (typeof renewed === 'object') return renewed.record.accessToken;
    this.#noEarlyBefore = performance.now() + earlyPauseMs;
    await this.#following;
    // Meanwhile another tab may have ended the login.
    return this.#inUse === inUse ? inUse.accessToken : this.get(requester, undefined);
  }

  /** One renewal at a time, shared by all callers: it continues when one of them gives up. */
  #renewOnce(requester: Requester, reason: RenewalReason, seen: Seen): Promise<Renewed> {
    if (this.#flight !== undefined) return this.#flight.renewed;
    const run = async (): Promise<Renewed> => {
      try {
        const renewed = await requester.traced(() => this.#chain.renew(requester, seen));
        // An older token may be the one that the server refused.
        if (renewed.record.generation > (this.#inUse?.generation ?? 0)) this.#isLost = false;
        this.#inUse = toTokenInUse(renewed.record);
        const { grant, isRecovery } = renewed;
        if (grant !== undefined) requester.onToken({ reason: isRecovery ? 'recovered' : reason, grant });
        return renewed;
      } catch (error) {
        if (error instanceof ReauthenticationRequiredError && !this.#isLost) {
          this.#isLost = true;
          requester.onToken({ reason: 'reauthenticationRequired' });
        }
        throw error;
      } finally {
        this.#flight = undefined;
      }
    };
    const renewed = run();
    this.#flight = { isEarly: reason === 'early', renewed };
    return renewed;
  }
}
