import { grantType } from '../../conventions.ts';
import {
  ReauthenticationRequiredError,
  TokenRequestError,
  TokenRequestNotSentError,
} from '../../errors/token-error.ts';
import { wait } from '../../http/timing.ts';
import type { LoginEvent } from '../authorize.ts';
import {
  type Claim,
  createClaim,
  createClaimWatch,
  type Held,
  isOurs,
  isUsable,
  pollMs,
  randomName,
  type Seen,
  storeSignedOut,
  toRenew,
  withoutRefreshToken,
} from './claims.ts';
import type { TokenEndpoint } from './endpoint.ts';
import type { Grants, Renewed } from './grants.ts';
import { noTokens, readRecord, StoreFailure, type TokenRecord, type TokenStore } from './store.ts';

export interface TokenChainOptions {
  readonly store: TokenStore;
  /** How long others wait for a claim, in milliseconds. Safety does not depend on it. */
  readonly leaseMs: number;
  readonly grants: Grants;
  /** The name of the chain in its store. */
  readonly name: () => Promise<string>;
  /** Tokens that were handed in. */
  readonly initial: TokenRecord | undefined;
  /** Called when another user of the store may have changed the chain. */
  readonly onChange: () => void;
}

/** The part of a client that a renewal uses; the clients of a login share its chain. */
export interface Requester {
  readonly endpoint: TokenEndpoint;
  readonly onToken: (event: LoginEvent) => void;
  /** Runs a renewal inside the `trace` of the client. */
  readonly traced: (renew: () => Promise<Renewed>) => Promise<Renewed>;
}

const patienceInLeases = 5;

const ended = (): ReauthenticationRequiredError =>
  new ReauthenticationRequiredError('the login was ended by signOut(); log in again');

const ignoreMissingPassword = (error: unknown): undefined => {
  if (!(error instanceof ReauthenticationRequiredError)) throw error;
};

/**
 * The chain of tokens of one login. A refresh token works once, so the state of the newest one decides who may send it:
 *
 * | state       | the store holds                   | memory holds                     | next                              |
 * |-------------|-----------------------------------|----------------------------------|-----------------------------------|
 * | handed in   | nothing, and never held anything  | the token (`#held`)              | claim: claimed                    |
 * | stored      | the token                         | nothing                          | claim: claimed, or in doubt       |
 * | claimed     | our claim in place of the token   | the token (`#held`)              | send: spent                       |
 * | in doubt    | our claim, or what was before it  | the token (`#held`)              | our claim is there: claimed       |
 * |             |                                   |                                  | something else is there: stored   |
 * | spent       | our claim                         | nothing                          | new tokens: granted               |
 * |             |                                   |                                  | not sent after all: stored        |
 * |             |                                   |                                  | refused: password, then granted   |
 * | granted     | our claim                         | the new tokens (`#uncommitted`)  | commit: stored; again if it fails |
 * | restored    | a token that was sent (`#sent`)   | nothing                          | claim, then the password: granted |
 * | lost        | nothing any more (`#wasStored`)   | nothing                          | claim, then the password: granted |
 * | ended       | the end of the login, or anything | `#endedAt`                       | none, until a later login is      |
 * |             | if its store failed               |                                  | stored: stored                    |
 *
 * `signOut` leads from every state to `ended`, and what was claimed or sent before it cannot be committed after it. `toRenew`
 * alone decides whether a refresh token may be sent. No caller sees a token before its commit. A store that fails before the
 * claim changes no state: with a password this process logs in for itself.
 */
export class TokenChain {
  readonly #options: TokenChainOptions;
  #name: string | undefined;
  #held: Held | undefined;
  #wasStored = false;
  #sent = -1;
  #uncommitted: { readonly granted: Renewed; readonly claim: Claim } | undefined;
  /** The generation of the end of the login; infinite until the store has it. */
  #endedAt: number | undefined;
  /** The generation at the first read: the end of a login up to it is older than this chain. */
  #since: number | undefined;
  #isStoreFailing = false;

  constructor(options: TokenChainOptions) {
    this.#options = options;
    this.#held = options.initial && { record: options.initial, claim: undefined };
  }

  /** Returns newer tokens: those that another process has stored, or new ones. @throws {@link TokenRequestError} */
  async renew(requester: Requester, seen: Seen): Promise<Renewed> {
    const { store, leaseMs, grants } = this.#options;
    grants.gate.assertOpen('store');
    try {
      const committed = await this.#commit();
      if (committed !== undefined && isUsable(committed.record, seen)) return committed;
      const isLive = createClaimWatch(leaseMs);
      const giveUpAt = performance.now() + leaseMs * patienceInLeases;
      for (let polls = 0; performance.now() < giveUpAt; await wait(pollMs(polls++), undefined)) {
        const name = await this.#begin();
        const { version, record: stored } = await readRecord(store, name);
        const known = this.#read(stored);
        if (isUsable(known, seen)) return { record: known };
        if (stored !== undefined && !isOurs(stored, this.#held) && isLive(stored.claim)) continue;
        grants.assertCanSend(known.refreshToken);
        const granted = await this.#claimAndAct(
          requester,
          createClaim(store, name, version, known.generation),
          known,
        );
        if (granted !== undefined) return granted;
      }
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      this.#warn(requester, error);
      return this.#renewInMemory(requester, seen, error);
    }
    const what = 'gave up waiting for another process to renew the token';
    throw new TokenRequestError(what, { temporary: true });
  }

  /** Notes what the store holds, and returns what is to be renewed. @throws {@link ReauthenticationRequiredError} */
  #read(stored: TokenRecord | undefined): TokenRecord {
    const { generation, isSignedOut = false } = stored ?? noTokens;
    this.#since ??= generation;
    this.#wasStored ||= stored !== undefined;
    this.#noteSent(generation - 1);
    const isEnd = isSignedOut && generation > this.#since;
    if (isEnd || (this.#endedAt !== undefined && generation <= this.#endedAt)) throw ended();
    // Somebody logged in again.
    this.#endedAt = undefined;
    const memory = { held: this.#held, wasStored: this.#wasStored, sent: this.#sent };
    return toRenew(stored, memory, this.#options.grants.hasPassword);
  }

  /** Undefined when another process stored something first: the chain must be read again. */
  async #claimAndAct(requester: Requester, claim: Claim, known: TokenRecord): Promise<Renewed | undefined> {
    const { leaseMs, grants } = this.#options;
    // The name of a claim in doubt is kept: its swap may still arrive.
    const by = this.#held?.claim ?? randomName();
    const spent = withoutRefreshToken(known);
    const take = () => claim.put({ ...spent, claim: { by, until: Date.now() + leaseMs } });
    const sentBefore = this.#sent;
    this.#held = { record: known, claim: by };
    if (!(await take())) return undefined;
    this.#held = { record: spent, claim: by };
    this.#wasStored = true;
    this.#throwIfEnded();
    this.#noteSent(known.generation);
    try {
      const granted = await grants.renew(requester.endpoint, known, this.#sent, take);
      this.#throwIfEnded();
      if (granted === undefined) return undefined;
      this.#uncommitted = { granted, claim };
    } catch (error) {
      this.#throwIfEnded();
      const isUnsent = error instanceof TokenRequestNotSentError;
      if (isUnsent) this.#sent = sentBefore;
      const left = isUnsent ? known : spent;
      this.#held = { record: left, claim: by };
      await claim.put({ ...left, claim: undefined }).then(
        () => {
          this.#held = undefined;
        },
        (failure: StoreFailure) => this.#warn(requester, failure),
      );
      throw error;
    }
    return this.#commit();
  }

  /** Stores the tokens that were granted. Undefined when there are none, or newer ones are stored. @throws {@link StoreFailure} */
  async #commit(): Promise<Renewed | undefined> {
    if (this.#uncommitted === undefined) return undefined;
    const { granted, claim } = this.#uncommitted;
    this.#noteSent(granted.record.generation - 1);
    const isStored = await claim.commit(granted.record);
    this.#throwIfEnded();
    this.#uncommitted = undefined;
    this.#held = undefined;
    this.#isStoreFailing = false;
    return isStored ? granted : undefined;
  }

  /**
   * The store fails. A refresh token is not sent, because its mark may not be durable, and tokens that were granted wait for
   * their commit. A password login is kept in memory; any token in the store is as new.
   */
  async #renewInMemory({ endpoint }: Requester, seen: Seen, failure: StoreFailure): Promise<Renewed> {
    const { grants } = this.#options;
    this.#throwIfEnded();
    if (this.#held !== undefined && isUsable(this.#held.record, seen)) return { record: this.#held.record };
    if (this.#uncommitted === undefined && grants.hasPassword) {
      // A function `credentials` may have no password; the login is in the store, so it has not ended.
      const tokens = await grants.logIn(endpoint).catch(ignoreMissingPassword);
      this.#throwIfEnded();
      if (tokens !== undefined) {
        const record = { ...tokens, generation: seen.generation };
        return { record, grant: grantType.password, isRecovery: seen.generation > 0 };
      }
    }
    const error = new TokenRequestError(`the token store failed (${failure.message})`, { temporary: true });
    grants.gate.failed('store', error);
    throw error;
  }

  #noteSent(generation: number): void {
    this.#sent = Math.max(this.#sent, generation);
  }

  /** After a wait, in which `signOut` may have ended the login. */
  #throwIfEnded(): void {
    if (this.#endedAt !== undefined) throw ended();
  }

  /** Ends the login for all who share the chain, and removes its tokens from the store. @throws {@link StoreFailure} */
  async signOut(): Promise<void> {
    // In memory at once: this login ends, even if its store fails and other processes continue to renew it.
    this.#endedAt = Number.POSITIVE_INFINITY;
    this.#held = undefined;
    this.#uncommitted = undefined;
    const name = await this.#begin();
    this.#endedAt = await storeSignedOut(this.#options.store, name, this.#sent + 1);
  }

  async #begin(): Promise<string> {
    const { name, store, onChange } = this.#options;
    if (this.#name !== undefined) return this.#name;
    const found = await name();
    // A renewal and a `signOut` may begin together.
    if (this.#name === undefined) store.watch?.(found, onChange);
    this.#name = found;
    return found;
  }

  /** Warns once for each failure of the store, until a commit is confirmed. */
  #warn({ onToken }: Requester, { message }: StoreFailure): void {
    if (!this.#isStoreFailing) onToken({ reason: 'storeFailed', failure: message });
    this.#isStoreFailing = true;
  }
}
