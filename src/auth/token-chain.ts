import { InvalidCredentialsError, TokenRequestError } from '../errors/token-error.ts';
import { wait } from '../http/wait.ts';
import type { Credentials } from './credentials.ts';
import { type TokenEndpoint, TokenRequestNotSentError, type Tokens } from './token-endpoint.ts';
import type { StoredTokens, TokenRecord, TokenStore } from './token-store.ts';

/** What a chain is made of. Times are milliseconds. */
export interface TokenChainOptions {
  /** Names the chain in its store: one per login. Asked once. */
  readonly name: () => Promise<string>;
  readonly store: TokenStore;
  readonly endpoint: TokenEndpoint;
  readonly credentials: Credentials;
  /** How long others wait for a renewal before they take it over. Decides who waits, never safety. */
  readonly leaseMs: number;
  /** How long refused credentials are not sent again. */
  readonly latchMs: number;
}

/** A login that renews itself. */
export interface TokenChain {
  /**
   * The current access token; a new one when there is none, when it is about to expire, or when it is the one that
   * the server refused.
   */
  accessToken(refused?: string): Promise<string>;
}

/** The token in use, with its times on both clocks: the wall clock may jump, the monotonic one may sleep. */
interface Current {
  readonly accessToken: string;
  readonly generation: number;
  readonly expiresAt: number;
  readonly expiresAtMonotonic: number;
  readonly earlyMs: number;
}

const longestEarlyMs = 120_000;
const earlyShare = 0.2;

/** Renewal starts early by up to a fifth of the lifetime, at a random time so that a fleet does not renew at once. */
const earlyMsOf = (lifetimeMs: number): number =>
  Math.min(longestEarlyMs, lifetimeMs * earlyShare) * (0.5 + Math.random() / 2);

const randomName = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('');

const pollMs = (): number => 25 + Math.random() * 75;

const leftMs = ({ expiresAt, expiresAtMonotonic }: Current): number =>
  Math.min(expiresAt - Date.now(), expiresAtMonotonic - performance.now());

const toCurrent = ({ accessToken, accessExpiresAt, generation }: TokenRecord): Current => {
  const lifetimeMs = Math.max(0, accessExpiresAt - Date.now());
  return {
    accessToken,
    generation,
    expiresAt: accessExpiresAt,
    expiresAtMonotonic: performance.now() + lifetimeMs,
    earlyMs: earlyMsOf(lifetimeMs),
  };
};

const noTokens: TokenRecord = {
  generation: 0,
  accessToken: '',
  accessExpiresAt: 0,
  refreshToken: undefined,
  refreshExpiresAt: 0,
  spent: true,
  claim: undefined,
};

/**
 * The token chain: claim, act, commit. A refresh token works once, so the record says that it is spent *before* it is
 * sent; whoever finds that mark without new tokens logs in with the password instead of sending it again.
 */
export const createTokenChain = (options: TokenChainOptions): TokenChain => {
  const { store, endpoint, credentials, leaseMs, latchMs } = options;
  let current: Current | undefined;
  let flight: Promise<string> | undefined;
  let name: Promise<string> | undefined;
  let latched: { readonly error: InvalidCredentialsError; readonly until: number } | undefined;

  const adopt = (record: TokenRecord): string => {
    current = toCurrent(record);
    return record.accessToken;
  };

  /** A token that another one renewed meanwhile, or that was in the store from the start. */
  const isUsable = (
    { generation, accessToken, accessExpiresAt }: TokenRecord,
    refused: string | undefined,
  ): boolean =>
    generation > (current?.generation ?? 0) && accessToken !== refused && accessExpiresAt > Date.now();

  const passwordGrant = async (): Promise<Tokens> => {
    if (latched !== undefined && performance.now() < latched.until) throw latched.error;
    try {
      return await endpoint.passwordGrant(credentials);
    } catch (error) {
      if (error instanceof InvalidCredentialsError) latched = { error, until: performance.now() + latchMs };
      throw error;
    }
  };

  /** A refresh token that was never presented, as far as anybody can know. */
  const isFresh = ({ refreshToken, refreshExpiresAt, spent, claim }: TokenRecord): boolean =>
    refreshToken !== undefined && !spent && claim === undefined && Date.now() < refreshExpiresAt;

  /** Sends the refresh token, once. Undefined: it is dead, whatever the answer was. */
  const refreshGrant = async (refreshToken: string): Promise<Tokens | undefined> => {
    try {
      return await endpoint.refreshGrant(refreshToken);
    } catch (error) {
      if (error instanceof TokenRequestNotSentError || !(error instanceof TokenRequestError)) throw error;
      return undefined;
    }
  };

  const toRecord = (found: TokenRecord, tokens: Tokens, startedAt: number): TokenRecord => ({
    generation: found.generation + 1,
    accessToken: tokens.accessToken,
    accessExpiresAt: startedAt + tokens.accessLifetimeMs,
    refreshToken: tokens.refreshToken,
    refreshExpiresAt: startedAt + tokens.refreshLifetimeMs,
    spent: tokens.refreshToken === undefined,
    claim: undefined,
  });

  /** Claims the chain, acts, commits. Undefined: another one was faster, look again. */
  const renewOnce = async (name: string, stored: StoredTokens | undefined): Promise<string | undefined> => {
    const found = stored?.record ?? noTokens;
    const version = stored?.version ?? 0;
    const claim = { by: randomName(), until: Date.now() + leaseMs };
    if (!(await store.swap(name, version, { ...found, spent: true, claim }))) return undefined;

    const startedAt = Date.now();
    let tokens: Tokens | undefined;
    let spent = true;
    try {
      if (isFresh(found)) {
        spent = false;
        tokens = await refreshGrant(found.refreshToken as string);
        spent = true;
      }
      tokens ??= await passwordGrant();
    } catch (error) {
      // The mark may go only when nothing was sent; in every other case the token stays spent and the claim is given back.
      const stays = spent || !(error instanceof TokenRequestNotSentError);
      await store.swap(name, version + 1, { ...found, spent: stays, claim: undefined });
      throw error;
    }
    // Nobody sees a token before it is committed: else a crash now would leave it in use and unknown.
    const record = toRecord(found, tokens, startedAt);
    return (await store.swap(name, version + 1, record)) ? adopt(record) : undefined;
  };

  const renew = async (refused: string | undefined): Promise<string> => {
    name ??= options.name();
    const chain = await name;
    let watched: { readonly by: string; readonly since: number } | undefined;
    while (true) {
      const stored = await store.read(chain);
      if (stored !== undefined && isUsable(stored.record, refused)) return adopt(stored.record);
      const claim = stored?.record.claim;
      if (claim !== undefined && claim.by !== watched?.by)
        watched = { by: claim.by, since: performance.now() };
      // Both clocks: a wall clock that jumps must not make a claim live for ever.
      const isLive = claim !== undefined && Date.now() < claim.until && !(watched && isOver(watched.since));
      if (isLive) {
        await wait(pollMs(), undefined);
        continue;
      }
      const token = await renewOnce(chain, stored);
      if (token !== undefined) return token;
    }
  };

  const isOver = (since: number): boolean => performance.now() - since > leaseMs;

  /** One renewal at a time; everybody who needs it waits for the same one. */
  const renewShared = (refused: string | undefined): Promise<string> => {
    flight ??= renew(refused).finally(() => {
      flight = undefined;
    });
    return flight;
  };

  return {
    accessToken: async (refused) => {
      const known = current;
      if (known === undefined) return renewShared(refused);
      if (refused !== undefined) {
        // A late 401 for a token that was replaced meanwhile asks for nothing new.
        return refused === known.accessToken ? renewShared(refused) : known.accessToken;
      }
      const left = leftMs(known);
      if (left > known.earlyMs) return known.accessToken;
      if (left <= 0) return renewShared(undefined);
      // Early: the old token is still good, whatever becomes of the renewal.
      return renewShared(undefined).catch(() => known.accessToken);
    },
  };
};
