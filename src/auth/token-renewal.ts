import {
  ReauthenticationRequiredError,
  TokenRequestError,
  TokenRequestNotSentError,
} from '../errors/token-error.ts';
import { wait } from '../http/wait.ts';
import { ask, StoreFailure } from './ask-store.ts';
import { openSlot } from './chain-slot.ts';
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

/** A claim that the store may have taken without saying so. Its refresh token was not sent. */
interface DoubtfulClaim {
  readonly name: string;
  readonly by: string;
  readonly refreshToken: string | undefined;
}

/** Another one took the claim over: what was going to be sent is not. */
class Overtaken extends Error {}

/** Tokens that the store did not confirm. */
interface Unstored {
  readonly name: string;
  readonly record: TokenRecord;
  /** True when the store was asked to take them and did not answer: then others may have them, too. */
  readonly offered: boolean;
}

const isUsable = (record: TokenRecord, { generation, refused }: Seen): boolean =>
  record.generation > generation && record.accessToken !== refused && Date.now() < record.accessExpiresAt;

const noPassword = (): TokenRequestError =>
  new TokenRequestError(
    'The token store does not answer, and there is no password to do without it',
    undefined,
    true,
  );

/** Logins whose chain was seen in the store: the tokens that were handed in are spent, even if the store loses it. */
const begun = new WeakSet<Login>();

/**
 * Renews a chain by claim, act, commit.
 *
 * A claim takes the refresh token out of the record, durably and by compare-and-swap, *before* the token is sent.
 * Whoever finds an abandoned claim logs in with the password; the token may have been used. A commit counts only while
 * there is a claim on the tokens that it replaces.
 */
export const createTokenRenewal = ({ store, grants, leaseMs, onStoreFailure }: TokenRenewalOptions) => {
  /** They are offered again before the next renewal. */
  let unstored: Unstored | undefined;
  /** Known by its name when it is found; then its refresh token goes back to where it was. */
  let doubtful: DoubtfulClaim | undefined;

  const read = async (login: Login): Promise<{ version: number; found: TokenRecord }> => {
    const stored = await ask(() => store.read(login.name));
    if (stored !== undefined) begun.add(login);
    const initial = begun.has(login) ? undefined : login.initial;
    const found = stored === undefined ? (initial ?? noTokens) : parseRecord(stored.record);
    if (unstored?.name === login.name && unstored.record.generation <= found.generation) unstored = undefined;
    return { version: stored?.version ?? 0, found };
  };

  /** Forgets them when the store has taken them. */
  const offerUnstored = async ({ record, ...rest }: Unstored, version: number): Promise<void> => {
    unstored = { ...rest, record, offered: true };
    if (await ask(() => store.swap(rest.name, version, formatRecord(record)))) unstored = undefined;
  };

  const act = async (found: TokenRecord, beforePassword?: () => Promise<void>): Promise<Renewed> => {
    const startedAt = Date.now();
    const { tokens, grant } = await grants.request(found, beforePassword);
    const recovered = grant === 'password' && found.generation > 0;
    return { record: toRecord(found.generation + 1, tokens, startedAt), grant, recovered };
  };

  /** Undefined: another one was faster, look again. */
  const renewOnce = async (
    login: Login,
    version: number,
    found: TokenRecord,
    by: string,
  ): Promise<Renewed | undefined> => {
    const { name } = login;
    const slot = openSlot(store, name, version);
    const claim = (): Promise<boolean> =>
      slot.put({ ...found, refreshToken: undefined, claim: { by, until: Date.now() + leaseMs } });

    /** The others are to wait for the password, too. */
    const prolong = async (): Promise<void> => {
      if (!(await claim())) throw new Overtaken();
    };

    const unsent = { name, by, refreshToken: found.refreshToken };
    doubtful = undefined;
    let isClaimed = false;
    try {
      isClaimed = await claim();
    } finally {
      // Until this is known, nobody else here may take the claim for one that nothing came of.
      if (!isClaimed) doubtful = unsent;
    }
    if (!isClaimed) return undefined;
    begun.add(login);
    let renewed: Renewed;
    try {
      renewed = await act(found, prolong);
    } catch (error) {
      if (error instanceof Overtaken) return undefined;
      const isUnsent = error instanceof TokenRequestNotSentError;
      const refreshToken = isUnsent ? found.refreshToken : undefined;
      await slot.put({ ...found, refreshToken, claim: undefined }).catch(() => {
        // A claim that cannot be given back runs out.
        if (isUnsent) doubtful = unsent;
        onStoreFailure();
      });
      throw error;
    }
    try {
      // Nobody sees a token before this: else a crash now would leave it in use and unknown.
      return (await slot.commit(renewed.record, found.generation)) ? renewed : undefined;
    } catch {
      onStoreFailure();
      unstored = { name, record: renewed.record, offered: true };
      return renewed;
    }
  };

  const renewShared = async (login: Login, seen: Seen): Promise<Renewed> => {
    const { name } = login;
    const isLive = createClaimWatch(leaseMs);
    const giveUpAt = performance.now() + leaseMs * patienceInLeases;
    for (let polls = 0; performance.now() < giveUpAt; ) {
      const { version, found } = await read(login);
      if (isUsable(found, seen)) return { record: found, grant: undefined, recovered: false };
      const own = doubtful?.name === name && doubtful.by === found.claim?.by ? doubtful : undefined;
      if (own === undefined && isLive(found.claim)) {
        if (seen.early) throw busy();
        await wait(pollMs(polls++), undefined);
        continue;
      }
      if (unstored?.name === name) {
        await offerUnstored(unstored, version);
        continue;
      }
      const known =
        own === undefined ? found : { ...found, refreshToken: own.refreshToken, claim: undefined };
      const problem = grants.problem(known);
      if (problem !== undefined) throw problem;
      // By the same name as before, which a swap that the store is late with may yet bring there.
      const by = doubtful?.name === name ? doubtful.by : randomName();
      const renewed = await renewOnce(login, version, known, by);
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
    if (grants.problem(found) instanceof ReauthenticationRequiredError) throw noPassword();
    unstored = { name, record: { ...found, refreshToken: undefined }, offered: false };
    try {
      const renewed = await act(found);
      unstored = { name, record: renewed.record, offered: false };
      return renewed;
    } catch (error) {
      if (error instanceof TokenRequestNotSentError) unstored = own;
      // `credentials` may know only now that there are none; the login is in the store, and has not ended.
      throw error instanceof ReauthenticationRequiredError ? noPassword() : error;
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
