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
import { type Granted, type Grants, requestTokens } from './grants.ts';
import type { ChainStart } from './login.ts';
import { endless, noTokens, readRecord, StoreFailure, type TokenRecord, type TokenStore } from './store.ts';

export interface TokenChainOptions {
  readonly store: TokenStore;
  /** How long others wait for a claim, in milliseconds. Safety does not depend on it. */
  readonly leaseMs: number;
  readonly grants: Grants;
  readonly start: (authUrl: string) => Promise<ChainStart>;
  /** Called when another user of the store may have changed the chain. */
  readonly onChange: () => void;
}

/** The part of a client that a renewal uses; the clients of a login share its chain. */
export interface Requester {
  readonly authUrl: string;
  readonly endpoint: TokenEndpoint;
  readonly onToken: (event: LoginEvent) => void;
  /** Runs a renewal inside the `trace` of the client. */
  readonly traced: (renew: () => Promise<Renewed>) => Promise<Renewed>;
}

/** A token that may be used now; without `grant` another process requested it. */
export interface Renewed extends Partial<Pick<Granted, 'grant' | 'isRecovery'>> {
  readonly record: Pick<TokenRecord, 'accessToken' | 'accessExpiresAt' | 'generation'>;
}

type Found = Awaited<ReturnType<typeof readRecord>>;

const patienceInLeases = 5;
const nothingSent = -1;

const ended = (): ReauthenticationRequiredError =>
  new ReauthenticationRequiredError('the login was ended by signOut(); log in again');

/** When no renewal is possible, a token that has expired by this clock alone is used until the server refuses it. */
const untilRefused = (known: TokenRecord, { refused }: Seen, reason: TokenRequestError): Renewed => {
  const { accessToken } = known;
  const isLast = reason instanceof ReauthenticationRequiredError && accessToken !== '';
  if (!isLast || accessToken === refused) throw reason;
  return { record: { ...known, accessExpiresAt: endless } };
};

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
 * | ended       | the end of the login, or anything | `#endedAt`                       | none, until a later login is      |
 * |             | if its store failed               |                                  | stored: stored                    |
 *
 * `signOut` leads from every state to `ended`, and what was claimed or sent before it cannot be committed after it. `toRenew`
 * alone decides whether a refresh token may be sent. No caller sees a token before its commit. A store that fails before the claim changes no state: with a password this process logs in for itself.
 */
export class TokenChain {
  readonly #options: TokenChainOptions;
  #name: Promise<string> | undefined;
  #held: Held | undefined;
  #uncommitted: { readonly granted: Granted; readonly claim: Claim } | undefined;
  /** The generation of the end of the login; infinite until the store has it. */
  #endedAt: number | undefined;
  /** The generation at the first read: the end of a login up to it is older than this chain. */
  #since: number | undefined;
  /** Refresh tokens up to this generation were sent, here or by another process. A restored store may hold one of them. */
  #sent = nothingSent;
  #isStoreFailing = false;

  constructor(options: TokenChainOptions) {
    this.#options = options;
  }

  /** Returns newer tokens: those that another process has stored, or new ones. @throws {@link TokenRequestError} */
  async renew(requester: Requester, seen: Seen): Promise<Renewed> {
    const closed = this.#options.grants.gate.closedFor('store');
    if (closed !== undefined) throw closed;
    try {
      return await this.#renewStored(requester, seen);
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      this.#warn(requester, error);
      return this.#renewInMemory(requester, seen, error);
    }
  }

  async #renewStored(requester: Requester, seen: Seen): Promise<Renewed> {
    const committed = await this.#commit();
    if (committed !== undefined && isUsable(committed.record, seen)) return committed;
    const { store, leaseMs, grants } = this.#options;
    const isLive = createClaimWatch(leaseMs);
    const giveUpAt = performance.now() + leaseMs * patienceInLeases;
    for (let polls = 0; performance.now() < giveUpAt; await wait(pollMs(polls++), undefined)) {
      const name = await this.#begin(requester.authUrl);
      const found = await readRecord(store, name);
      const { record: stored } = found;
      const known = this.#read(stored);
      if (isUsable(known, seen)) return { record: known };
      if (stored !== undefined && !isOurs(stored, this.#held) && isLive(stored.claim)) {
        if (seen.isEarly) break;
        continue;
      }
      const reason = grants.cannotSend(known.refreshToken);
      if (reason !== undefined) return untilRefused(known, seen, reason);
      const granted = await this.#claimAndAct(requester, name, found, known);
      if (granted !== undefined) return granted;
    }
    throw new TokenRequestError('gave up waiting for another process to renew the token', {
      temporary: true,
    });
  }

  #read(stored: TokenRecord | undefined): TokenRecord {
    this.#since ??= stored?.generation ?? 0;
    this.#noteSent((stored?.generation ?? 0) - 1);
    if (this.#isEndOf(stored)) throw ended();
    // Somebody logged in again.
    if (this.#endedAt !== undefined) this.#since = this.#endedAt;
    this.#endedAt = undefined;
    // Another process stored the chain, so it has used the tokens that were handed in, even if the store loses the chain.
    if (stored !== undefined && this.#held?.wasStored === false && !isOurs(stored, this.#held))
      this.#held = undefined;
    // A late read looks like a restored store, until a claim of what was read succeeds.
    return toRenew(stored, this.#held, nothingSent, this.#options.grants.hasPassword);
  }

  /** Undefined when another process stored something first: the chain must be read again. */
  async #claimAndAct(
    requester: Requester,
    name: string,
    { version, record: stored }: Found,
    known: TokenRecord,
  ): Promise<Granted | undefined> {
    const { store, leaseMs, grants } = this.#options;
    const before = this.#held;
    // The name of a claim in doubt is kept: its swap may still arrive.
    const by = before?.claim ?? randomName();
    const spent = withoutRefreshToken(known);
    const claim = createClaim({ store, name, version, record: known, by, leaseMs });
    this.#held = { record: known, claim: by, wasStored: before?.wasStored ?? version > 0 };
    if (!(await claim.take())) return undefined;
    this.#held = { record: spent, claim: by, wasStored: true };
    this.#throwIfEnded();
    const toSend = toRenew(stored, before, this.#sent, grants.hasPassword);
    let granted: Granted | undefined;
    try {
      granted = await requestTokens(grants, requester.endpoint, claim, toSend, this.#sent);
    } catch (error) {
      const isUnsent = error instanceof TokenRequestNotSentError;
      if (!isUnsent) this.#noteSent(known.generation);
      const left = isUnsent ? known : spent;
      this.#held = { record: left, claim: by, wasStored: true };
      this.#throwIfEnded();
      await claim.release(left).then(
        () => {
          this.#held = undefined;
        },
        (failure: unknown) => this.#warn(requester, failure),
      );
      throw error;
    }
    this.#noteSent(known.generation);
    if (granted === undefined) return undefined;
    this.#noteSent(granted.record.generation - 1);
    this.#throwIfEnded();
    this.#uncommitted = { granted, claim };
    return this.#commit();
  }

  /** Stores the tokens that were granted. Undefined when there are none, or newer ones are stored. @throws {@link StoreFailure} */
  async #commit(): Promise<Granted | undefined> {
    if (this.#uncommitted === undefined) return undefined;
    const { granted, claim } = this.#uncommitted;
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
      const tokens = await grants.logIn(endpoint, undefined).catch(ignoreMissingPassword);
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

  /** True for a store that holds the end of this login, or nothing newer than that. */
  #isEndOf(stored: TokenRecord | undefined): boolean {
    const { generation, isSignedOut = false } = stored ?? noTokens;
    if (this.#endedAt !== undefined && generation <= this.#endedAt) return true;
    return isSignedOut && generation > (this.#since ?? 0);
  }

  /** After a wait, in which `signOut` may have ended the login. */
  #throwIfEnded(): void {
    if (this.#endedAt !== undefined) throw ended();
  }

  /** Ends the login for all who share the chain, and removes its tokens from the store. @throws {@link StoreFailure} */
  async signOut(authUrl: string): Promise<void> {
    // In memory at once: this login ends, even if its store fails and other processes continue to renew it.
    this.#endedAt = Number.POSITIVE_INFINITY;
    this.#held = undefined;
    this.#uncommitted = undefined;
    const name = await this.#begin(authUrl);
    this.#endedAt = await storeSignedOut(this.#options.store, name, this.#sent + 1);
  }

  /** Newer tokens in the store, if it can be read. @throws {@link ReauthenticationRequiredError} after the end of the login */
  async findNewer(generation: number): Promise<TokenRecord | undefined> {
    if (this.#name === undefined) return undefined;
    const found = await readRecord(this.#options.store, await this.#name).catch(() => undefined);
    if (found === undefined) return undefined;
    const known = this.#read(found.record);
    return isUsable(known, { generation, refused: undefined, isEarly: true }) ? known : undefined;
  }

  #begin(authUrl: string): Promise<string> {
    const { start, store, onChange } = this.#options;
    this.#name ??= start(authUrl)
      .then(({ name, initial }) => {
        if (initial !== undefined) this.#held = { record: initial, claim: undefined, wasStored: false };
        store.watch?.(name, onChange);
        return name;
      })
      .catch((error: unknown) => {
        // After a failure of the vault the next call asks it again.
        this.#name = undefined;
        throw error;
      });
    return this.#name;
  }

  /** Warns once for each failure of the store, until a commit is confirmed. */
  #warn({ onToken }: Requester, error: unknown): void {
    const failure = error instanceof StoreFailure ? error.message : 'unknown error';
    if (!this.#isStoreFailing) onToken({ reason: 'storeFailed', failure });
    this.#isStoreFailing = true;
  }
}
