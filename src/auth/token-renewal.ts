import {
  ReauthenticationRequiredError,
  TokenRequestError,
  TokenRequestNotSentError,
} from '../errors/token-error.ts';
import { wait } from '../http/wait.ts';
import { ask, StoreFailure } from './ask-store.ts';
import { createClaimWatch } from './claim-watch.ts';
import { randomName } from './random-name.ts';
import type { Grants, GrantType } from './token-grants.ts';
import { formatRecord, noTokens, parseRecord, type TokenRecord, toRecord } from './token-record.ts';
import type { TokenStore } from './token-store.ts';

/** A login whose tokens are renewed. */
export interface Login {
  /** Names the chain in its store. */
  readonly name: string;
  /** Tokens that were handed in; the store's are newer. */
  readonly initial?: TokenRecord | undefined;
}

/** What the caller has, and does not want again. */
export interface Seen {
  readonly generation: number;
  /** The access token that the server refused. */
  readonly refused: string | undefined;
  /** True when the token in use is still good: then another one's renewal is not waited for. */
  readonly early: boolean;
}

/** Tokens that may be used now. */
export interface Renewed {
  readonly record: TokenRecord;
  /** How they were got; undefined when another one did that. */
  readonly grant: GrantType | undefined;
  /** True when the chain was broken, and the password mended it. */
  readonly recovered: boolean;
}

export interface TokenRenewalOptions {
  readonly store: TokenStore;
  readonly grants: Grants;
  /** How long a claim is waited for, in milliseconds. It decides who waits, never safety. */
  readonly leaseMs: number;
  /** Called each time the store did not do what it was asked. */
  readonly onStoreFailure: () => void;
}

const patienceInLeases = 5;

/** Short at first, because most renewals take milliseconds, then longer. */
const pollMs = (polls: number): number => (0.5 + Math.random()) * Math.min(100, 3 * 1.3 ** polls);

/** Another one is renewing the chain already. */
const busy = (): TokenRequestError =>
  new TokenRequestError('Another process is renewing the token', undefined, true);

/** Tokens that the store did not confirm. */
interface Unstored {
  readonly name: string;
  readonly record: TokenRecord;
  /** True when the store was asked to take them and did not answer: then others may have them, too. */
  readonly offered: boolean;
}

const isUsable = (record: TokenRecord, { generation, refused }: Seen): boolean =>
  record.generation > generation && record.accessToken !== refused && Date.now() < record.accessExpiresAt;

/**
 * Renews a chain by claim, act, commit.
 *
 * A claim takes the refresh token out of the record, durably and by compare-and-swap, *before* the token is sent.
 * Whoever finds an abandoned claim logs in with the password; the token may have been used. A commit counts only while
 * the claim is still there.
 */
export const createTokenRenewal = ({ store, grants, leaseMs, onStoreFailure }: TokenRenewalOptions) => {
  /** They are offered again before the next renewal. */
  let unstored: Unstored | undefined;

  /** Forgets them when the store has taken them, or has newer ones. */
  const offerUnstored = async (name: string, version: number, found: TokenRecord): Promise<void> => {
    if (unstored === undefined) return;
    const { record } = unstored;
    if (record.generation > found.generation) {
      unstored = { ...unstored, offered: true };
      if (!(await ask(() => store.swap(name, version, formatRecord(record))))) return;
    }
    unstored = undefined;
  };

  const act = async (found: TokenRecord): Promise<Renewed> => {
    const startedAt = Date.now();
    const { tokens, grant } = await grants.request(found);
    const recovered = grant === 'password' && found.generation > 0;
    return { record: toRecord(found.generation + 1, tokens, startedAt), grant, recovered };
  };

  /** Undefined: another one was faster, look again. */
  const renewOnce = async (
    name: string,
    version: number,
    found: TokenRecord,
  ): Promise<Renewed | undefined> => {
    const claim = { by: randomName(), until: Date.now() + leaseMs };
    const claimed = formatRecord({ ...found, refreshToken: undefined, claim });
    if (!(await ask(() => store.swap(name, version, claimed)))) return undefined;
    let renewed: Renewed;
    try {
      renewed = await act(found);
    } catch (error) {
      const refreshToken = error instanceof TokenRequestNotSentError ? found.refreshToken : undefined;
      const released = formatRecord({ ...found, refreshToken, claim: undefined });
      // A claim that cannot be given back runs out.
      await ask(() => store.swap(name, version + 1, released)).catch(onStoreFailure);
      throw error;
    }
    try {
      // Nobody sees a token before this: else a crash now would leave it in use and unknown.
      const committed = await ask(() => store.swap(name, version + 1, formatRecord(renewed.record)));
      return committed ? renewed : undefined;
    } catch {
      onStoreFailure();
      unstored = { name, record: renewed.record, offered: true };
      return renewed;
    }
  };

  const renewShared = async ({ name, initial }: Login, seen: Seen): Promise<Renewed> => {
    const isLive = createClaimWatch(leaseMs);
    const giveUpAt = performance.now() + leaseMs * patienceInLeases;
    for (let polls = 0; performance.now() < giveUpAt; ) {
      const stored = await ask(() => store.read(name));
      const found = stored === undefined ? (initial ?? noTokens) : parseRecord(stored.record);
      const version = stored?.version ?? 0;
      if (isUsable(found, seen)) return { record: found, grant: undefined, recovered: false };
      if (isLive(found.claim)) {
        if (seen.early) throw busy();
        await wait(pollMs(polls++), undefined);
        continue;
      }
      if (unstored?.name === name) {
        await offerUnstored(name, version, found);
        continue;
      }
      const problem = grants.problem(found);
      if (problem !== undefined) throw problem;
      const renewed = await renewOnce(name, version, found);
      if (renewed !== undefined) return renewed;
      await wait(pollMs(polls++), undefined);
    }
    throw busy();
  };

  /** Without a store nothing can be marked as spent, so only a refresh token that nobody else can know is sent. */
  const renewAlone = async ({ name }: Login, seen: Seen): Promise<Renewed> => {
    const own = unstored?.name === name ? unstored : undefined;
    const known = own?.record ?? { ...noTokens, generation: seen.generation };
    if (isUsable(known, seen)) return { record: known, grant: undefined, recovered: false };
    const found = own === undefined || own.offered ? { ...known, refreshToken: undefined } : known;
    if (grants.problem(found) instanceof ReauthenticationRequiredError) {
      throw new TokenRequestError(
        'The token store does not answer, and there is no password to do without it',
        undefined,
        true,
      );
    }
    unstored = { name, record: { ...found, refreshToken: undefined }, offered: false };
    try {
      const renewed = await act(found);
      unstored = { name, record: renewed.record, offered: false };
      return renewed;
    } catch (error) {
      if (error instanceof TokenRequestNotSentError) unstored = own;
      throw error;
    }
  };

  /** @throws {@link TokenRequestError} when there is no way to a token */
  return async (login: Login, seen: Seen): Promise<Renewed> => {
    try {
      return await renewShared(login, seen);
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      onStoreFailure();
      return renewAlone(login, seen);
    }
  };
};
