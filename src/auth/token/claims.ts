// Claim, act, commit: what a chain does with its store. The state itself is in the chain.
import { callStore, noTokens, readRecord, StoreFailure, type TokenRecord, type TokenStore } from './store.ts';

/** The last claim of this process, with the tokens that it took out of the store; or tokens that were handed in. */
export interface Held {
  /** Has the refresh token until it is sent. */
  readonly record: TokenRecord;
  /** The name of the claim, which may be in doubt; undefined for tokens that were handed in and never claimed. */
  readonly claim: string | undefined;
}

/** What a process knows of a chain, beside its store. */
export interface Memory {
  readonly held: Held | undefined;
  /** True once the store had the chain. */
  readonly wasStored: boolean;
  /** Refresh tokens up to this generation were sent, here or by another process; -1 at first. */
  readonly sent: number;
}

/** True when the store holds the last claim of this process. */
export const isOurs = ({ claim }: TokenRecord, held: Held | undefined): boolean =>
  claim !== undefined && claim.by === held?.claim;

export const withoutRefreshToken = (record: TokenRecord): TokenRecord => ({
  ...record,
  refreshToken: undefined,
});

/**
 * The tokens to claim and renew. **The one place that decides whether a refresh token may be sent**: the result has it only if
 * no other process can have sent it, or can send it later.
 *
 * @param stored - what the store holds
 * @param hasPassword - without a password, a refresh token that has expired by this clock is sent anyway: the clock may be
 * wrong
 */
export const toRenew = (
  stored: TokenRecord | undefined,
  { held, wasStored, sent }: Memory,
  hasPassword: boolean,
): TokenRecord => {
  const ifAlive = (record: TokenRecord): TokenRecord =>
    hasPassword && record.refreshExpiresAt <= Date.now() ? withoutRefreshToken(record) : record;
  // Handed in: another process with the same token needs the same claim.
  if (stored === undefined && held !== undefined && !wasStored) return ifAlive(held.record);
  // The store lost the chain, and nobody can tell who renewed it before.
  if (stored === undefined) return noTokens;
  // Claimed: nobody else claimed the version before, and our next claim replaces this one.
  if (held !== undefined && isOurs(stored, held)) return ifAlive(held.record);
  // Restored from a backup: the token was sent.
  if (stored.generation <= sent) return withoutRefreshToken(stored);
  // Stored: only the first claim of this version removes the token. A claim of another process holds none.
  return ifAlive(stored);
};

/** The token in use; a renewal must return a newer one. */
export interface Seen {
  /** Only tokens of a higher generation are newer. */
  readonly generation: number;
  /** The access token that the server refused. */
  readonly refused: string | undefined;
}

/** True for tokens that may be used in place of the token in use. */
export const isUsable = (record: TokenRecord, { generation, refused }: Seen): boolean =>
  record.generation > generation && record.accessToken !== refused && Date.now() < record.accessExpiresAt;

// Each further try means that another process stored something in between.
const mostTries = 10;

/** A claim on a chain in its store, followed from one version to the next. */
export type Claim = ReturnType<typeof createClaim>;

/**
 * @param version - the version that was read
 * @param claimed - the generation of the tokens that are claimed
 */
export const createClaim = (store: TokenStore, name: string, version: number, claimed: number) => {
  let at = version;

  /** Stores a record; false when another version was stored first. @throws {@link StoreFailure} */
  const put = async (next: TokenRecord): Promise<boolean> => {
    const swapped = await callStore(() => store.swap(name, at, JSON.stringify(next)));
    if (swapped) at++;
    return swapped;
  };

  /**
   * Stores the tokens that follow the claimed ones; false when newer ones are there.
   *
   * The claim of a process that took over holds no refresh token, and dropping our tokens would only lead to another renewal.
   * A password login is newer than the refresh whose claim it took over, even if the refresh committed first: a server with
   * one session per user has ended the older one.
   */
  const commit = async (next: TokenRecord): Promise<boolean> => {
    for (let tries = 0; tries < mostTries; tries++) {
      if (await put(next)) return true;
      const { version: found, record: stored } = await readRecord(store, name);
      // An earlier try arrived, and only its response was lost.
      if (stored?.generation === next.generation && stored.accessToken === next.accessToken) return true;
      const isOlder = stored === undefined || stored.generation < next.generation;
      // Below what was claimed, the login was taken out of the store.
      if (!isOlder || (stored !== undefined && stored.generation < claimed)) return false;
      at = found;
    }
    return false;
  };
  return { put, commit };
};

/**
 * Replaces the tokens of a chain, whoever has claimed them, with the record of a login that was ended. Returns its generation:
 * the highest that a claim of the replaced tokens could commit.
 */
export const storeSignedOut = async (store: TokenStore, name: string, newest: number): Promise<number> => {
  for (let tries = 0; tries < mostTries; tries++) {
    const { version, record } = await readRecord(store, name);
    const generation = Math.max(newest, record?.generation ?? 0) + 2;
    const end: TokenRecord = { ...noTokens, generation, isSignedOut: true };
    if (await createClaim(store, name, version, generation).put(end)) return generation;
  }
  throw new StoreFailure('other processes changed the record each time');
};

/** The wait between two reads: short at first, because most renewals take milliseconds, then longer. */
export const pollMs = (polls: number): number => (0.5 + Math.random()) * Math.min(100, 3 * 1.3 ** polls);

/**
 * Tells whether a claim is still live. The wall clock is read when the claim is first seen. The wait is measured on the
 * monotonic clock: neither a jump nor another host's clock makes it longer than a lease.
 */
export const createClaimWatch = (leaseMs: number) => {
  let seen: number | undefined;
  let endsAt = 0;
  return (claim: TokenRecord['claim']): boolean => {
    if (claim === undefined) return false;
    if (claim.until !== seen) {
      seen = claim.until;
      endsAt = performance.now() + Math.min(leaseMs, claim.until - Date.now());
    }
    return performance.now() < endsAt;
  };
};

/** A unique name. Not `crypto.randomUUID`: that exists on secure pages only. */
export const randomName = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(3)), (word) => word.toString(36)).join('-');
