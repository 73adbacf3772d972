import {
  ReauthenticationRequiredError,
  TokenRequestError,
  TokenRequestNotSentError,
} from '../../errors/token-error.ts';
import { wait } from '../../http/timing.ts';
import type { LoginEvent } from '../authorize.ts';
import {
  createClaim,
  createClaimWatch,
  isEnded,
  isOurs,
  isUsable,
  type Known,
  Overtaken,
  pollMs,
  randomName,
  type Seen,
  storeSignedOut,
  toRenew,
  toSignedOut,
  type Unconfirmed,
  withoutRefreshToken,
} from './claims.ts';
import type { TokenEndpoint } from './endpoint.ts';
import type { Granted, Grants } from './grants.ts';
import type { ChainStart } from './login.ts';
import { endless, readRecord, StoreFailure, type TokenRecord, type TokenStore } from './store.ts';

export interface TokenChainOptions {
  readonly store: TokenStore;
  /** How long others wait for a claim, in milliseconds. Safety does not depend on it. */
  readonly leaseMs: number;
  readonly grants: Grants;
  readonly start: (authUrl: string) => Promise<ChainStart>;
  /** Receives the messages of the chain's other users; undefined when some may have been missed. */
  readonly onMessage: (message: unknown) => void;
}

/** The part of a client that a renewal uses; the clients of a login share its chain. */
export interface Requester {
  readonly authUrl: string;
  readonly endpoint: TokenEndpoint;
  readonly onToken: (event: LoginEvent) => void;
}

/** A token that may be used now; without `grant` another process requested it. */
export interface Renewed extends Partial<Pick<Granted, 'grant' | 'isRecovery'>> {
  readonly record: Pick<TokenRecord, 'accessToken' | 'accessExpiresAt' | 'generation'>;
}

const patienceInLeases = 5;

const ended = (): ReauthenticationRequiredError =>
  new ReauthenticationRequiredError('the login was ended by signOut(); log in again');

/** When no renewal is possible, a token that has expired by this clock alone is used until the server refuses it. */
const orUntilRefused = (known: TokenRecord, { refused }: Seen, problem: TokenRequestError): Renewed => {
  const isHopeless = known.accessToken === '' || known.accessToken === refused;
  if (isHopeless || !(problem instanceof ReauthenticationRequiredError)) throw problem;
  return { record: { ...known, accessExpiresAt: endless } };
};

/**
 * The chain of tokens of one login. A refresh token works once, so the state of the newest one decides who may send it:
 *
 * | state   | the store holds                    | memory holds (`#unconfirmed`)   | next                                 |
 * |---------|------------------------------------|---------------------------------|--------------------------------------|
 * | handed  | nothing, and never held anything   | the token                       | claim: claimed                       |
 * | stored  | the token                          | nothing                         | claim: claimed, or guarded           |
 * | claimed | our claim in place of the token    | the token                       | send: spent                          |
 * | spent   | our claim                          | nothing                         | tokens returned: stored, or guarded  |
 * |         |                                    |                                 | not sent after all: stored, or guarded |
 * |         |                                    |                                 | refused: password, then stored       |
 * | guarded | our claim, or what came before or  | the token, valid as long as our | claim: claimed                       |
 * |         | after it: a swap is in doubt       | claim is there                  |                                      |
 * | apart   | something older: the store failed  | a token it never received       | claim: claimed                       |
 * |         |                                    |                                 | still failing: sent, next is apart   |
 * | ended   | the end of the login, or something | nothing, or the end             | none, until a later login is stored: |
 * |         | else because the store failed      |                                 | stored                               |
 *
 * `signOut` leads from every state to `ended`, and what was claimed or sent before it cannot be committed after it.
 * "Or guarded": the store did not confirm the swap. `toRenew` alone reads these states and decides what is sent. A token
 * that was sent before is not sent again, even if a restored store holds it.
 */
export class TokenChain {
  readonly #options: TokenChainOptions;
  /** The chain's name in its store. */
  #name: Promise<string> | undefined;
  #unconfirmed: Unconfirmed | undefined;
  /** The generation at the first read: tokens, and the end of a login, up to it are older than this chain. */
  #since: number | undefined;
  /** Refresh tokens up to this generation were sent, here or by another process. A restored store may hold one of them. */
  #sent = -1;
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
    }
    return this.#renewApart(requester, seen);
  }

  /** Claim, act, commit. */
  async #renewStored(requester: Requester, seen: Seen): Promise<Renewed> {
    const { store, leaseMs, grants } = this.#options;
    const isLive = createClaimWatch(leaseMs);
    const giveUpAt = performance.now() + leaseMs * patienceInLeases;
    for (let polls = 0; performance.now() < giveUpAt; await wait(pollMs(polls++), undefined)) {
      const name = await this.#begin(requester.authUrl);
      const { version, record: found } = await readRecord(store, name);
      // Another process stored the chain, so it has used the tokens that were handed in, even if the store loses the chain.
      if (found !== undefined && this.#unconfirmed?.kind === 'handed' && !isOurs(found, this.#unconfirmed))
        this.#unconfirmed = undefined;
      this.#since ??= found?.generation ?? 0;
      this.#noteSent((found?.generation ?? 0) - 1);
      const known = this.#toRenew(found);
      if (isUsable(known.record, seen)) return { record: known.record };
      if (found !== undefined && !isOurs(found, this.#unconfirmed) && isLive(found.claim)) {
        if (seen.isEarly) break;
        continue;
      }
      const problem = grants.cannotSend(known.record.refreshToken);
      if (problem !== undefined) return orUntilRefused(known.record, seen, problem);
      const renewed = await this.#claimAndAct(requester, name, version, known);
      if (renewed !== undefined) return renewed;
    }
    throw new TokenRequestError('gave up waiting for another process to renew the token', {
      temporary: true,
    });
  }

  /** Undefined when another process stored something first: the chain must be read again. */
  async #claimAndAct(
    requester: Requester,
    name: string,
    version: number,
    { record: known, kind }: Known,
  ): Promise<Renewed | undefined> {
    const { store, leaseMs, grants } = this.#options;
    // The name of an unconfirmed claim is kept: its swap may still arrive.
    const by = this.#unconfirmed?.claim ?? randomName();
    const spent = withoutRefreshToken(known);
    const claim = createClaim({ store, name, version, record: known, by, leaseMs });
    this.#unconfirmed = { record: known, claim: by, kind };
    if (!(await claim.take())) return undefined;
    this.#remember({ record: spent, claim: by, kind: 'guarded' });
    // An older token comes from a restored store, not from a late read, because the swap succeeded. It is not sent.
    const toSend = known.generation > this.#sent ? known : { ...spent, generation: this.#sent };
    let granted: Granted;
    try {
      granted = await grants.request(requester.endpoint, toSend, async () => {
        // Extends the claim, so that others also wait for the password grant.
        if (!(await claim.take())) throw new Overtaken();
      });
    } catch (error) {
      const isUnsent = error instanceof TokenRequestNotSentError;
      if (!isUnsent) this.#noteSent(known.generation);
      if (error instanceof Overtaken) return undefined;
      const left = isUnsent ? known : spent;
      this.#remember({ record: left, claim: by, kind: 'guarded' });
      await claim.release(left).then(
        () => this.#remember(undefined),
        (failure: unknown) => this.#warn(requester, failure),
      );
      throw error;
    }
    this.#noteSent(granted.record.generation - 1);
    const guarded = { record: granted.record, claim: by, kind: 'guarded' } as const;
    this.#remember(guarded);
    // No caller sees a token before this: after a crash it would be in use but not stored.
    const isStored = await claim
      .commit(granted.record)
      .catch((error: unknown) => this.#warn(requester, error));
    this.#remember(isStored === undefined ? guarded : undefined);
    if (isStored === undefined) return granted;
    this.#isStoreFailing = false;
    return isStored ? granted : undefined;
  }

  /** Renews without the store. No token can be marked as spent, so only a refresh token that no other process has is sent. */
  async #renewApart({ endpoint }: Requester, seen: Seen): Promise<Renewed> {
    const before = this.#unconfirmed;
    const { record } = this.#toRenew('failed');
    if (isUsable(record, seen)) return { record };
    const claim = before?.claim ?? randomName();
    const known = { ...record, generation: Math.max(record.generation, seen.generation) };
    if (known.refreshToken !== undefined) {
      this.#unconfirmed = { record: withoutRefreshToken(known), claim, kind: 'apart' };
    }
    try {
      const granted = await this.#options.grants.request(endpoint, known);
      this.#remember({ record: granted.record, claim, kind: 'apart' });
      return granted;
    } catch (error) {
      this.#remember(error instanceof TokenRequestNotSentError ? before : this.#unconfirmed);
      if (!(error instanceof ReauthenticationRequiredError)) throw error;
      // The login is in the store, so it has not ended.
      const failed = new TokenRequestError(
        'the token store fails, and there is no password to log in without it',
        {
          temporary: true,
        },
      );
      this.#options.grants.gate.failed('store', failed);
      throw failed;
    }
  }

  #toRenew(found: TokenRecord | undefined | 'failed'): Known {
    const known = toRenew(found, this.#unconfirmed, this.#options.grants.hasPassword, this.#since);
    if (known === 'signedOut') throw ended();
    return known;
  }

  #noteSent(generation: number): void {
    this.#sent = Math.max(this.#sent, generation);
  }

  /** Replaces what memory holds after a wait, in which `signOut` may have ended the login. */
  #remember(next: Unconfirmed | undefined): void {
    if (isEnded(this.#unconfirmed?.record, this.#since)) throw ended();
    this.#unconfirmed = next;
  }

  /** Ends the login for all who share the chain, and removes its tokens from the store. @throws {@link StoreFailure} */
  async signOut(authUrl: string): Promise<void> {
    const name = await this.#begin(authUrl);
    this.#since ??= 0;
    // In memory at once: this login ends, even if its store fails and other processes continue to renew it.
    this.#unconfirmed = toSignedOut(Number.POSITIVE_INFINITY);
    this.#unconfirmed = await storeSignedOut(this.#options.store, name, this.#sent + 1);
  }

  /** True when the login was ended, here or by somebody else. */
  async isSignedOut(): Promise<boolean> {
    const stored = this.#name && (await readRecord(this.#options.store, await this.#name));
    return toRenew(stored?.record, this.#unconfirmed, false, this.#since) === 'signedOut';
  }

  /** Sends a message to the chain's other users. */
  tell(message: unknown): void {
    // A chain without a name has no other users yet.
    this.#name?.then((name) => this.#options.store.events?.send(name, message)).catch(() => undefined);
  }

  #begin(authUrl: string): Promise<string> {
    const { start, store, onMessage } = this.#options;
    this.#name ??= start(authUrl)
      .then(({ name, initial }) => {
        if (initial !== undefined)
          this.#unconfirmed = { record: initial, claim: randomName(), kind: 'handed' };
        store.events?.listen(name, onMessage);
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
