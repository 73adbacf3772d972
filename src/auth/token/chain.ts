import { grantType } from '../../conventions/token.ts';
import {
  ReauthenticationRequiredError,
  TokenRequestError,
  TokenRequestNotSentError,
} from '../../errors/token-error.ts';
import { traced } from '../../http/tracing.ts';
import { tooLate, wait, withinLimits } from '../../http/wait.ts';
import type { Authorization, GrantType, RenewalReason, TokenEvent } from '../auth-scheme.ts';
import { Backoff } from './backoff.ts';
import {
  createClaim,
  createClaimWatch,
  isOurs,
  type Known,
  randomName,
  toRenew,
  type Unconfirmed,
  withoutRefreshToken,
} from './claims.ts';
import type { Grants } from './grants.ts';
import { leftMs, type TokenInUse, toTokenInUse } from './lifetime.ts';
import type { ChainStart } from './login.ts';
import { endless, noTokens, parseRecord, type TokenRecord, toRecord } from './record.ts';
import { callStore, StoreFailure, type TokenStore } from './store.ts';

export interface TokenChainOptions {
  readonly store: TokenStore;
  /** How long a claim is waited for, in milliseconds. It decides who waits, never safety. */
  readonly leaseMs: number;
  readonly start: (authUrl: string) => Promise<ChainStart>;
}

/** What a renewal uses of the client that began it; the clients of a login share its chain. */
export interface Requester {
  readonly authUrl: string;
  readonly grants: Grants;
  readonly onToken: (event: TokenEvent) => void;
}

/** An access token that the server refused. */
export interface Refusal {
  readonly accessToken: string;
  /** True when it was itself used in place of a refused one: then the next one is not taken from elsewhere either. */
  readonly isReplacement: boolean;
}

/** Tokens that may be used now. */
interface Renewed {
  readonly record: TokenRecord;
  /** Undefined when another process got them. */
  readonly grant?: GrantType;
  /** True when the refresh token was lost, and the password was used. */
  readonly isRecovery?: boolean;
  /** True when another process may have logged in since. */
  readonly isContested?: boolean;
}

interface Flight {
  readonly isEarly: boolean;
  readonly renewed: Promise<Renewed>;
}

/** What a renewal must do better than. */
interface Seen {
  /** Tokens of this generation are not newer. */
  readonly generation: number;
  readonly refused: string | undefined;
  /** True while the token in use is still valid: then nobody else's renewal is waited for. */
  readonly isEarly: boolean;
}

const patienceInLeases = 5;
const earlyPauseMs = 30_000;
const earlyPatienceMs = 500;

/** Short at first, because most renewals take milliseconds, then longer. */
const pollMs = (polls: number): number => (0.5 + Math.random()) * Math.min(100, 3 * 1.3 ** polls);

/** Somebody else has claimed or committed meanwhile: what they have counts. */
class Overtaken extends Error {}

const isUsable = (record: TokenRecord, { generation, refused }: Seen): boolean =>
  record.generation > generation && record.accessToken !== refused && Date.now() < record.accessExpiresAt;

/** With nothing else to go by, a token that only looks expired by this clock is used until the server refuses it. */
const orUntilRefused = (known: TokenRecord, { refused }: Seen, problem: TokenRequestError): Renewed => {
  const isHopeless = known.accessToken === '' || known.accessToken === refused;
  if (isHopeless || !(problem instanceof ReauthenticationRequiredError)) throw problem;
  return { record: { ...known, accessExpiresAt: endless } };
};

/**
 * The tokens of one login, shared by all its calls and clients.
 *
 * The access token, `#inUse`:
 *
 * | state     | when                              | what a call does                                            |
 * |-----------|-----------------------------------|-------------------------------------------------------------|
 * | none      | at the start                      | waits for a renewal (`first`)                               |
 * | valid     | until the last fifth of its time  | uses it                                                     |
 * | due       | in the last fifth                 | begins a renewal (`early`), and uses it if that takes long  |
 * | expired   | by one of two clocks              | waits for a renewal (`expired`)                             |
 * | refused   | it got a 401                      | waits for a renewal (`refused`), and is sent once more      |
 *
 * The refresh token, `#unconfirmed`. It works once, so every state says who may send it:
 *
 * | state     | the store holds                   | memory holds               | next                            |
 * |-----------|-----------------------------------|----------------------------|---------------------------------|
 * | stored    | the token                         | nothing                    | claim: claimed, or guarded      |
 * | guarded   | our claim, or what the swap, which | the token, good as long as | claim: claimed                  |
 * |           | was not confirmed, replaced or made | our claim is there       |                                 |
 * | claimed   | our claim                         | the token                  | send: spent                     |
 * | spent     | our claim                         | nothing                    | commit: stored, or guarded; not sent after all: stored, or guarded |
 * | apart     | anything: it fails                | a token it never received  | claim: claimed; store fails: sent, and the new one is apart |
 *
 * "Or guarded": the store did not confirm the swap. `toRenew` reads these states; nothing else decides what is sent.
 */
export class TokenChain {
  /** Distinguishes the users of a client's cache. */
  readonly id = randomName();
  readonly #options: TokenChainOptions;
  readonly #storeBackoff = new Backoff();
  #start: Promise<ChainStart> | undefined;
  #inUse: TokenInUse | undefined;
  #flight: Flight | undefined;
  #noEarlyBefore = 0;
  #unconfirmed: Unconfirmed | undefined;
  /** True once the store had the chain: the tokens that were handed in are spent, even if the store loses it. */
  #isStored = false;
  #isStoreFailing = false;

  constructor(options: TokenChainOptions) {
    this.#options = options;
  }

  /** The current access token, when nothing needs to be done for it: what most requests use. */
  validToken(): string | undefined {
    const inUse = this.#inUse;
    return inUse !== undefined && this.#isValid(inUse) ? inUse.accessToken : undefined;
  }

  /** The current access token; a new one when there is none, when it is about to expire, or when it was refused. */
  async accessToken(
    requester: Requester,
    refusal?: Refusal,
  ): Promise<{ readonly token: string; readonly origin: Authorization['origin'] }> {
    const atHand = refusal === undefined ? 'kept' : 'replaced';
    for (;;) {
      const inUse = this.#inUse;
      // A late 401 for a token that was replaced meanwhile asks for nothing new.
      const isRefused = refusal?.accessToken === inUse?.accessToken || refusal?.isReplacement === true;
      if (inUse !== undefined && !isRefused) {
        if (this.#isValid(inUse)) return { token: inUse.accessToken, origin: atHand };
        if (leftMs(inUse) > 0) return { token: await this.#renewEarly(requester, inUse), origin: atHand };
      }
      if (this.#flight?.isEarly === true) {
        // An early renewal may give way to another process; who needs a token now looks again.
        await this.#flight.renewed.catch(() => undefined);
        continue;
      }
      const { record, grant, isContested } = await this.#renewOnce(
        requester,
        inUse === undefined ? 'first' : isRefused ? 'refused' : 'expired',
        {
          generation: refusal?.isReplacement === true ? Number.POSITIVE_INFINITY : (inUse?.generation ?? 0),
          refused: refusal?.accessToken,
          isEarly: false,
        },
      );
      const isRenewed = refusal !== undefined && grant !== undefined && isContested !== true;
      return { token: record.accessToken, origin: isRenewed ? 'renewed' : atHand };
    }
  }

  #isValid(inUse: TokenInUse): boolean {
    const left = leftMs(inUse);
    return left > inUse.earlyMs || (left > 0 && performance.now() < this.#noEarlyBefore);
  }

  /**
   * The old token is still valid, whatever becomes of the renewal: one that takes long continues by itself, and one that
   * failed is not repeated with every call.
   */
  async #renewEarly(requester: Requester, inUse: TokenInUse): Promise<string> {
    const deadline = performance.now() + Math.min(earlyPatienceMs, leftMs(inUse));
    const seen = { generation: inUse.generation, refused: undefined, isEarly: true };
    const renewed = await withinLimits(
      this.#renewOnce(requester, 'early', seen).catch((): typeof tooLate => tooLate),
      { deadline },
    );
    if (renewed !== tooLate) return renewed.record.accessToken;
    this.#noEarlyBefore = performance.now() + earlyPauseMs;
    return inUse.accessToken;
  }

  /** One renewal at a time. It belongs to no caller: one that gives up leaves it to the others. */
  #renewOnce(requester: Requester, reason: RenewalReason, seen: Seen): Promise<Renewed> {
    if (this.#flight !== undefined) return this.#flight.renewed;
    const run = async (): Promise<Renewed> => {
      try {
        const renewed = await traced(
          'restkin:token',
          () => this.#renew(requester, seen),
          () => ({ authUrl: requester.authUrl }),
        );
        this.#inUse = toTokenInUse(renewed.record);
        const { grant, isRecovery } = renewed;
        if (grant !== undefined) requester.onToken({ reason: isRecovery ? 'recovered' : reason, grant });
        return renewed;
      } finally {
        this.#flight = undefined;
      }
    };
    const renewed = run();
    this.#flight = { isEarly: reason === 'early', renewed };
    return renewed;
  }

  async #renew(requester: Requester, seen: Seen): Promise<Renewed> {
    const isStoreDue = this.#storeBackoff.leftMs() === 0;
    if (isStoreDue) {
      try {
        return await this.#renewStored(requester, seen);
      } catch (error) {
        if (!(error instanceof StoreFailure)) throw error;
        this.#warn(requester);
      }
    }
    try {
      return await this.#renewApart(requester, seen);
    } catch (error) {
      if (isStoreDue) this.#storeBackoff.fail();
      throw error;
    }
  }

  /** Claim, act, commit. */
  async #renewStored(requester: Requester, seen: Seen): Promise<Renewed> {
    const { leaseMs } = this.#options;
    const isLive = createClaimWatch(leaseMs);
    const giveUpAt = performance.now() + leaseMs * patienceInLeases;
    let wanted = seen;
    for (let polls = 0; performance.now() < giveUpAt; await wait(pollMs(polls++), undefined)) {
      const { name, version, found } = await this.#read(requester);
      if (isUsable(found, wanted)) return { record: found };
      if (!isOurs(found, this.#unconfirmed) && isLive(found.claim)) {
        if (seen.isEarly) break;
        continue;
      }
      const known = toRenew(found, this.#unconfirmed, requester.grants.hasPassword);
      const problem = requester.grants.problem(known.record.refreshToken);
      if (problem !== undefined) return orUntilRefused(known.record, seen, problem);
      try {
        const renewed = await this.#claimAndAct(requester, name, version, known);
        if (renewed !== undefined) return renewed;
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error;
        wanted = { ...seen, generation: Math.min(seen.generation, known.record.generation) };
      }
    }
    throw new TokenRequestError('Gave up waiting for another process to renew the token', undefined, true);
  }

  async #read(requester: Requester) {
    const { name, initial } = await this.#begin(requester.authUrl);
    const stored = await callStore(() => this.#options.store.read(name));
    if (stored !== undefined) this.#isStored = true;
    const first = (this.#isStored ? undefined : initial) ?? noTokens;
    return {
      name,
      version: stored?.version ?? 0,
      found: stored === undefined ? first : parseRecord(stored.record),
    };
  }

  /** Undefined: another version was there first, look again. */
  async #claimAndAct(
    requester: Requester,
    name: string,
    version: number,
    { record: known, kind }: Known,
  ): Promise<Renewed | undefined> {
    const { store, leaseMs } = this.#options;
    // The name of a claim that is in doubt is kept: the store may be late with it.
    const by = this.#unconfirmed?.claim ?? randomName();
    const spent = withoutRefreshToken(known);
    const claim = createClaim({ store, name, version, record: known, by, leaseMs });
    this.#unconfirmed = { record: known, claim: by, kind };
    if (!(await claim.take())) return undefined;
    this.#isStored = true;
    this.#unconfirmed = { record: spent, claim: by, kind: 'guarded' };
    let renewed: Renewed;
    try {
      renewed = await this.#act(requester, known, async () => {
        // The others wait for the password, too.
        if (!(await claim.take())) throw new Overtaken();
      });
    } catch (error) {
      if (error instanceof Overtaken) throw error;
      const left = error instanceof TokenRequestNotSentError ? known : spent;
      this.#unconfirmed = { record: left, claim: by, kind: 'guarded' };
      await claim.release(left).then(
        () => {
          this.#unconfirmed = undefined;
        },
        () => this.#warn(requester),
      );
      throw error;
    }
    this.#unconfirmed = { record: renewed.record, claim: by, kind: 'guarded' };
    try {
      // No caller sees a token before this: a crash now would leave it in use and unknown.
      const commit = await claim.commit(renewed.record);
      this.#unconfirmed = undefined;
      this.#isStoreFailing = false;
      if (commit === 'lost') throw new Overtaken();
      return { ...renewed, isContested: commit === 'contested' };
    } catch (error) {
      if (error instanceof Overtaken) throw error;
      this.#warn(requester);
      return renewed;
    }
  }

  /** Without a store nothing can be marked as spent, so only a refresh token that nobody else can know is sent. */
  async #renewApart(requester: Requester, seen: Seen): Promise<Renewed> {
    const before = this.#unconfirmed;
    const { grants } = requester;
    const { initial } = await this.#begin(requester.authUrl);
    const base = (this.#isStored ? undefined : initial) ?? {
      ...noTokens,
      generation: this.#inUse?.generation ?? 0,
    };
    const known =
      before === undefined
        ? withoutRefreshToken(base)
        : toRenew(undefined, before, grants.hasPassword).record;
    if (isUsable(known, seen)) return { record: known };
    if (grants.problem(known.refreshToken) instanceof ReauthenticationRequiredError) throw this.#noPassword();
    const claim = before?.claim ?? randomName();
    if (known.refreshToken !== undefined) {
      this.#unconfirmed = { record: withoutRefreshToken(known), claim, kind: 'apart' };
    }
    try {
      const renewed = await this.#act(requester, known);
      this.#unconfirmed = { record: renewed.record, claim, kind: 'apart' };
      return renewed;
    } catch (error) {
      if (error instanceof TokenRequestNotSentError) this.#unconfirmed = before;
      // `credentials` may know only now that there are none; the login is in the store, and has not ended.
      throw error instanceof ReauthenticationRequiredError ? this.#noPassword() : error;
    }
  }

  async #act(
    { grants }: Requester,
    known: TokenRecord,
    beforePassword?: () => Promise<void>,
  ): Promise<Renewed> {
    const startedAt = Date.now();
    const granted = await grants.request(known.refreshToken, beforePassword);
    const isRecovery = granted.grant === grantType.password && known.generation > 0;
    return { record: toRecord(known.generation, granted, startedAt), grant: granted.grant, isRecovery };
  }

  #begin(authUrl: string): Promise<ChainStart> {
    if (this.#start !== undefined) return this.#start;
    const start = this.#options.start(authUrl);
    this.#start = start;
    // A vault that failed is asked again. Those who wait are told why; it may be that nobody does.
    start.catch(() => {
      this.#start = undefined;
    });
    return start;
  }

  /** Once for each failure of the store, until a commit is confirmed. */
  #warn({ onToken }: Requester): void {
    if (!this.#isStoreFailing) onToken({ reason: 'storeFailed' });
    this.#isStoreFailing = true;
  }

  #noPassword(): TokenRequestError {
    const message = 'The token store fails, and there is no password to log in without it';
    return new TokenRequestError(message, undefined, true, this.#storeBackoff.leftMs());
  }
}
