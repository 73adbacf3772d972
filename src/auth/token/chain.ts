import { grantType } from '../../conventions.ts';
import { ReauthenticationRequiredError, TokenRequestError } from '../../errors/token-error.ts';
import { wait } from '../../http/timing.ts';
import type { LoginEvent } from '../authorize.ts';
import {
  type Claim,
  createClaim,
  createClaimWatch,
  isUsable,
  patienceInLeases,
  pollMs,
  pollsBeforeReport,
  type Seen,
  storeSignedOut,
} from './claims.ts';
import type { TokenEndpoint } from './endpoint.ts';
import { type Grants, ignoreMissingPassword, type Renewed } from './grants.ts';
import {
  noTokens,
  openChain,
  type StoredChain,
  StoreFailure,
  type TokenRecord,
  type TokenStore,
} from './store.ts';

export interface TokenChainOptions {
  readonly store: TokenStore;
  /** The name of the chain in its store. */
  readonly name: () => Promise<string>;
  /** How long others wait for a claim, in milliseconds. Safety does not depend on it. */
  readonly leaseMs: number;
  readonly grants: Grants;
  /** Tokens that were handed in. */
  readonly initial: TokenRecord | undefined;
}

/** The part of a client that a renewal uses; the clients of a login share its chain. */
export interface Requester {
  readonly endpoint: TokenEndpoint;
  readonly onToken: (event: LoginEvent) => void;
}

/**
 * The chain of tokens of one login. A refresh token works once, so the state of the newest one decides who
 * may send it:
 *
 * | state     | the store holds                   | memory holds   | next                              |
 * |-----------|-----------------------------------|----------------|-----------------------------------|
 * | handed in | nothing, and never held anything  | `#handedIn`    | claim: claimed                    |
 * |           | the end of an earlier login, if   |                |                                   |
 * |           | the token works more than once    |                |                                   |
 * | stored    | the token                         | nothing        | claim: claimed, or in doubt       |
 * | claimed   | our claim in place of the token   | `#held`        | send: spent                       |
 * | in doubt  | our claim, or what was before it  | `#held`        | our claim is there: claimed       |
 * |           |                                   |                | something else is there: stored   |
 * | spent     | our claim                         | `#sent`        | new tokens: granted               |
 * |           |                                   |                | it may be sent again: stored      |
 * |           |                                   |                | refused: dead                     |
 * | granted   | our claim                         | `#uncommitted` | commit: stored; again if it fails |
 * | restored  | a token that was sent (`#sent`)   | nothing        | claim, then the password: granted |
 * | dead      | no token, or nothing any more     | nothing        | claim, then the password: granted |
 * | ended     | the end of the login, or anything | `#endedAt`     | none, until a later login is      |
 * |           | if its store failed               |                | stored: stored                    |
 *
 * `signOut` leads from every state to `ended`, and what was claimed or sent before it cannot be committed
 * after it. `#toRenew` alone decides whether a refresh token may be sent. No caller sees a token before its
 * commit. A store that fails before the claim changes no state: with a password this process logs in for
 * itself.
 *
 * A server that does not rotate refresh tokens takes one again. Our claim then leaves it in the store, so
 * that a process that takes over the claim can send it.
 */
export class TokenChain {
  readonly #options: TokenChainOptions;
  readonly #chain: StoredChain;
  #handedIn: TokenRecord | undefined;
  /** Our claim, which may be in doubt, with the tokens that it took out of the store. */
  #held: Claim | undefined;
  /** Refresh tokens up to this generation were sent, here or by another process. */
  #sent = -1;
  /** What the held claim was granted. */
  #uncommitted: Renewed | undefined;
  /** The generation of the end of the login; infinite until the store has it, if it was ended here. */
  #endedAt: number | undefined;
  /** The generation at the first read: the end of a login up to it is older than this chain. */
  #since: number | undefined;
  #isStoreFailing = false;
  /** True while another process has claimed the tokens that a renewal needs. */
  isWaiting = false;

  constructor(options: TokenChainOptions, onChange: () => void) {
    this.#options = options;
    this.#chain = openChain(options.store, options.name, onChange);
    this.#handedIn = options.initial;
  }

  /**
   * Returns newer tokens: those that another process has stored, or new ones.
   *
   * @throws {@link TokenRequestError}
   */
  async renew(requester: Requester, seen: Seen): Promise<Renewed> {
    const { leaseMs, grants } = this.#options;
    grants.gate.assertOpen('store');
    try {
      const committed = await this.#commit();
      if (committed !== undefined && isUsable(committed.record, seen)) return committed;
      const leftMsOf = createClaimWatch(leaseMs);
      const giveUpAt = performance.now() + leaseMs * patienceInLeases;
      for (let polls = 0; performance.now() < giveUpAt; await wait(pollMs(polls++), undefined)) {
        const { version, record: stored } = await this.#chain.read();
        this.#note(stored);
        const known = this.#toRenew(stored);
        if (isUsable(known, seen)) {
          // Whoever stored it shows that the store works again.
          this.#isStoreFailing = false;
          return { record: known };
        }
        const waitMs = stored?.claim?.by === this.#held?.by ? 0 : leftMsOf(stored?.claim);
        this.isWaiting = waitMs > 0;
        if (waitMs > 0) {
          if (polls === pollsBeforeReport) requester.onToken({ reason: 'waiting', waitMs });
          continue;
        }
        grants.assertCanSend(known);
        const stays = grants.rotates ? undefined : known.refreshToken;
        const by = this.#held?.by;
        const claim = createClaim(this.#chain, { version, claimed: known, leaseMs, by, stays });
        const granted = await this.#act(requester, claim);
        if (granted !== undefined) return granted;
      }
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      // Once for each failure of the store.
      if (!this.#isStoreFailing) requester.onToken({ reason: 'storeFailed', failure: error.message });
      this.#isStoreFailing = true;
      return this.#renewInMemory(requester, seen, error);
    } finally {
      this.isWaiting = false;
    }
    const what = 'gave up waiting for another process to renew the token';
    throw new TokenRequestError(what, { temporary: true });
  }

  /**
   * Newer tokens that another process has stored; undefined without any, or if the store fails. Nothing is
   * claimed or sent.
   */
  async findNewer(seen: Seen): Promise<TokenRecord | undefined> {
    try {
      const { record } = await this.#chain.read();
      this.#note(record);
      return record !== undefined && isUsable(record, seen) ? record : undefined;
    } catch (error) {
      if (error instanceof StoreFailure) return undefined;
      throw error;
    }
  }

  /**
   * Notes what the store holds.
   *
   * @throws {@link ReauthenticationRequiredError} when that is the end of the login
   */
  #note(stored: TokenRecord | undefined): void {
    const { generation, isSignedOut = false } = stored ?? noTokens;
    this.#since ??= generation;
    // After the end of a login the same token may be handed in again, if it works more than once.
    const mayFollow = stored === undefined || (isSignedOut && !this.#options.grants.rotates);
    if (!mayFollow) this.#handedIn = undefined;
    this.#sent = Math.max(this.#sent, generation - 1);
    if (isSignedOut && generation > this.#since) this.#endedAt = generation;
    // Somebody has logged in again.
    if (this.#endedAt !== undefined && generation > this.#endedAt) this.#endedAt = undefined;
    this.#throwIfEnded();
  }

  /**
   * The tokens to claim and renew. **The one place that decides whether a refresh token may be sent**: the
   * result has it only if no other process can have sent it, or can send it later.
   */
  #toRenew(stored: TokenRecord | undefined): TokenRecord {
    // Handed in: another process with the same token needs the same claim.
    if (this.#handedIn !== undefined)
      return this.#withoutDead({ ...this.#handedIn, generation: (stored?.generation ?? 0) + 1 });
    // The store lost the chain, and nobody can tell who renewed it before.
    if (stored === undefined) return noTokens;
    // Claimed: nobody else claimed the version before, and our next claim replaces this one.
    if (this.#held !== undefined && this.#held.by === stored.claim?.by)
      return this.#withoutDead(this.#held.claimed);
    // Stored: only the first claim of this version removes the token. A claim of another process holds none.
    return this.#withoutDead(stored);
  }

  /**
   * Takes out a refresh token that was sent, also one that came back with a backup of the store, and an
   * expired one.
   */
  #withoutDead(record: TokenRecord): TokenRecord {
    const isSent = record.generation <= this.#sent;
    // Without a password it is sent anyway: the clock may be wrong.
    const isExpired = this.#options.grants.hasPassword && record.refreshExpiresAt <= Date.now();
    return isSent || isExpired ? { ...record, refreshToken: undefined } : record;
  }

  /**
   * Claims, sends and commits. Undefined when another process stored something first, or when the refresh
   * token is dead and the password comes next: the chain must be read again.
   */
  async #act({ endpoint }: Requester, claim: Claim): Promise<Renewed | undefined> {
    const { grants } = this.#options;
    const { claimed } = claim;
    this.#held = claim;
    if (!(await claim.take())) return undefined;
    this.#handedIn = undefined;
    this.#throwIfEnded();
    const sentBefore = this.#sent;
    this.#sent = Math.max(this.#sent, claimed.generation);
    try {
      const granted = await grants.renew(endpoint, claimed, this.#sent);
      this.#throwIfEnded();
      this.#uncommitted = granted;
    } catch (error) {
      this.#throwIfEnded();
      const mayResend = grants.mayResend(error);
      if (mayResend) this.#sent = sentBefore;
      await claim.release(this.#withoutDead(claimed));
      this.#held = undefined;
      if (mayResend || claimed.refreshToken === undefined || !grants.hasPassword) throw error;
      return undefined;
    }
    return this.#commit();
  }

  /**
   * Stores the tokens that were granted. Undefined when there are none, or newer ones are stored.
   *
   * @throws {@link StoreFailure}
   */
  async #commit(): Promise<Renewed | undefined> {
    const granted = this.#uncommitted;
    if (granted === undefined || this.#held === undefined) return undefined;
    this.#sent = Math.max(this.#sent, granted.record.generation - 1);
    const result = await this.#held.commit(granted.record);
    this.#throwIfEnded();
    this.#uncommitted = undefined;
    this.#held = undefined;
    this.#isStoreFailing = false;
    return result === 'lost' ? undefined : { ...granted, isContested: result === 'contested' };
  }

  /**
   * The store fails. A refresh token is not sent, because its mark may not be durable, and tokens that were
   * granted wait for their commit. A password login is kept in memory, with the generation in use, so that
   * any newer token in the store takes its place.
   */
  async #renewInMemory({ endpoint }: Requester, seen: Seen, failure: StoreFailure): Promise<Renewed> {
    const { grants } = this.#options;
    this.#throwIfEnded();
    const held = this.#held?.claimed ?? this.#handedIn;
    if (held !== undefined && isUsable(held, seen)) return { record: held };
    // Without a password the login has not ended: it is in the store.
    const isWaiting = this.#uncommitted !== undefined;
    const tokens = isWaiting ? undefined : await grants.logIn(endpoint).catch(ignoreMissingPassword);
    this.#throwIfEnded();
    if (tokens === undefined) {
      const what = `the token store failed (${failure.message}); its message is not shown: log it in the store`;
      const error = new TokenRequestError(what, { temporary: true });
      throw grants.gate.failed('store', error);
    }
    const record = { ...tokens, generation: seen.generation };
    return { record, grant: grantType.password, isRecovery: seen.generation > 0 };
  }

  /** Also after each wait, in which `signOut` may have ended the login. */
  #throwIfEnded(): void {
    if (this.#endedAt === undefined) return;
    throw new ReauthenticationRequiredError('the login was ended by signOut(); log in again');
  }

  /** Ends the notices of the store, when other tokens take the place of this chain. */
  close(): void {
    this.#chain.close();
  }

  /**
   * Ends the login for all who share the chain, and removes its tokens from the store.
   *
   * @throws {@link StoreFailure}
   */
  async signOut(): Promise<void> {
    // In memory at once: this login ends, even if its store fails and other processes continue to renew it.
    this.#endedAt = Infinity;
    this.#handedIn = undefined;
    this.#held = undefined;
    this.#uncommitted = undefined;
    this.#endedAt = await storeSignedOut(this.#chain, this.#sent + 1);
  }
}
