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
  /** The number of messages before it was read; after a later message the store may hold something newer. */
  readonly messages: number;
}

const longestEarlyMs = 120_000;
const earlyShare = 0.2;

const toTokenInUse = (
  { accessToken, accessExpiresAt, generation }: Renewed['record'],
  messages: number,
): TokenInUse => {
  const lifetimeMs = accessExpiresAt - Date.now();
  return {
    accessToken,
    generation,
    expiresAt: accessExpiresAt,
    expiresAtMonotonic: performance.now() + lifetimeMs,
    // Up to half as early, at random, so that a fleet does not renew at the same time.
    earlyMs: Math.min(longestEarlyMs, lifetimeMs * earlyShare) * (0.5 + Math.random() / 2),
    messages,
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
 * | stale     | another tab reported a change     | reads the store, and uses what is there; as `due` otherwise |
 */
export class AccessToken {
  readonly #chain: TokenChain;
  #inUse: TokenInUse | undefined;
  #flight: { readonly isEarly: boolean; readonly renewed: Promise<Renewed> } | undefined;
  #noEarlyBefore = 0;
  #messages = 0;
  /** True after the end of the login was reported, until there are newer tokens. */
  #isLost = false;

  /** @param onRemote - called for each event of the login in another tab */
  constructor(options: Omit<TokenChainOptions, 'onMessage'>, onRemote: (event: LoginEvent) => void) {
    /** A page that was frozen, or returns from the back/forward cache, may have missed the end of the login. */
    const checkMissed = async (): Promise<void> => {
      if (!(await this.#chain.isSignedOut()) || this.#isLost) return;
      this.#isLost = true;
      onRemote({ reason: 'signedOut', isRemote: true });
    };
    const onMessage = (message: unknown): void => {
      this.#messages++;
      // Another version of the package may have sent it.
      const { reason, grant } = (message ?? {}) as Partial<LoginEvent>;
      if (reason === undefined) return void checkMissed().catch(() => undefined);
      this.#isLost = grant === undefined;
      onRemote({ reason, ...(grant === undefined ? {} : { grant }), isRemote: true });
    };
    this.#chain = new TokenChain({ ...options, onMessage });
  }

  /** The current access token, if it needs no renewal: the case of most requests. */
  valid(): string | undefined {
    const inUse = this.#inUse;
    return inUse !== undefined && this.#isValid(inUse) ? inUse.accessToken : undefined;
  }

  /**
   * The current access token; a new one when there is none, when it is about to expire, or when it was refused.
   *
   * @param refused - the token that the server refused; undefined for the first attempt of a request
   */
  async get(requester: Requester, refused: string | undefined): Promise<string> {
    for (;;) {
      const inUse = this.#inUse;
      const isRefused = inUse?.accessToken === refused;
      // A late 401 for a token that was replaced meanwhile needs no renewal.
      if (inUse !== undefined && !isRefused) {
        if (this.#isValid(inUse)) return inUse.accessToken;
        if (leftMs(inUse) > 0) return this.#renewEarly(requester, inUse);
      }
      if (this.#flight?.isEarly === true) {
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
    try {
      await this.#chain.signOut(authUrl);
      this.#chain.tell({ reason: 'signedOut' });
    } finally {
      this.#messages++;
      this.#inUse = undefined;
    }
  }

  #isStale({ messages }: TokenInUse): boolean {
    return messages !== this.#messages;
  }

  #isValid(inUse: TokenInUse): boolean {
    if (this.#isStale(inUse)) return false;
    const left = leftMs(inUse);
    return left > inUse.earlyMs || (left > 0 && performance.now() < this.#noEarlyBefore);
  }

  /**
   * The old token is still valid, so a slow renewal continues in the background, and a failed one is not repeated with
   * every call.
   */
  async #renewEarly(requester: Requester, inUse: TokenInUse): Promise<string> {
    const patienceMs = Math.min(earlyPatienceMs, leftMs(inUse));
    const isStale = this.#isStale(inUse);
    // If it is stale, any token in the store is good enough, unless the login has ended.
    const seen = { generation: isStale ? 0 : inUse.generation, refused: undefined, isEarly: true };
    const renewed = await waitUpTo(
      this.#renewOnce(requester, 'early', seen).catch((error: unknown): typeof tooLate => {
        if (isStale && error instanceof ReauthenticationRequiredError) throw error;
        return tooLate;
      }),
      patienceMs,
    );
    if (renewed !== tooLate) return renewed.record.accessToken;
    this.#noEarlyBefore = performance.now() + earlyPauseMs;
    return inUse.accessToken;
  }

  /** One renewal at a time, shared by all callers: it continues when one of them gives up. */
  #renewOnce(requester: Requester, reason: RenewalReason, seen: Seen): Promise<Renewed> {
    if (this.#flight !== undefined) return this.#flight.renewed;
    const messages = this.#messages;
    const report = (event: LoginEvent): void => {
      requester.onToken(event);
      this.#chain.tell(event);
    };
    const run = async (): Promise<Renewed> => {
      try {
        const renewed = await this.#chain.renew(requester, seen);
        // An older token may be the one that the server refused.
        if (renewed.record.generation > (this.#inUse?.generation ?? 0)) this.#isLost = false;
        this.#inUse = toTokenInUse(renewed.record, messages);
        const { grant, isRecovery } = renewed;
        if (grant !== undefined) report({ reason: isRecovery ? 'recovered' : reason, grant });
        return renewed;
      } catch (error) {
        if (error instanceof ReauthenticationRequiredError && !this.#isLost) {
          this.#isLost = true;
          report({ reason: 'reauthenticationRequired' });
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
