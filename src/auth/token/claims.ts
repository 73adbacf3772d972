// Claim, act, commit: what a chain does with its store. The state itself is in the chain.
import { callStore, noTokens, readRecord, StoreFailure, type TokenRecord, type TokenStore } from './store.ts';

/** Tokens that the store has not confirmed. */
export interface Unconfirmed {
  /** Holds the refresh token until it is sent. */
  readonly record: TokenRecord;
  /** The name of the chain's last claim. */
  readonly claim: string;
  /**
   * `handed`: the refresh token was handed in, and the store has never had the chain. `apart`: the store failed and never
   * received it. `guarded`: the store may have it, in the version before the claim or in the one after it.
   */
  readonly kind: 'handed' | 'apart' | 'guarded';
}

/** True when the store holds the last claim of the chain. */
export const isOurs = ({ claim }: TokenRecord, unconfirmed: Unconfirmed | undefined): boolean =>
  claim !== undefined && claim.by === unconfirmed?.claim;

/** True for the end of a login that is newer than the start; while the start is unknown, for any end. */
export const isEnded = (record: TokenRecord | undefined, since = 0): boolean =>
  record?.isSignedOut === true && record.generation > since;

export const withoutRefreshToken = (record: TokenRecord): TokenRecord => ({
  ...record,
  refreshToken: undefined,
});

/** Tokens to renew, and where their refresh token may be. */
export type Known = Pick<Unconfirmed, 'record' | 'kind'>;

/**
 * The tokens to claim and renew. **The one place that decides whether a refresh token may be sent**: it is in the result
 * only if no other process can have sent it, or can send it later.
 *
 * - It is in the store, where only the first claim of that version removes it. The chain remembers which ones were sent,
 *   because a store may be restored from a backup.
 * - It was `handed` in, and the store holds nothing: another process with the same token needs the same claim.
 * - It is `guarded`, and the store holds our own claim. That proves that no other process claimed the version before it, and
 *   that the commit which may have stored the token did not arrive. The next claim replaces our own, so that this commit
 *   cannot arrive late. A store that fails proves nothing.
 * - It is `apart`: the store never received it, whether or not it can be read now.
 *
 * A login that was ended takes precedence over everything but a later login.
 *
 * @param since - the generation at the start: a login that was ended before it may be followed by this one
 * @param found - the record that the store holds; `failed` when the store cannot be read or written
 * @param hasPassword - without a password, a refresh token that has expired by this clock is sent anyway: the clock may be
 * wrong
 */
export const toRenew = (
  found: TokenRecord | undefined | 'failed',
  unconfirmed: Unconfirmed | undefined,
  hasPassword: boolean,
  since: number | undefined,
): Known | 'signedOut' => {
  const stored = found === 'failed' ? undefined : found;
  let { record, kind }: Known = unconfirmed ?? { record: noTokens, kind: 'guarded' };
  let maySend = kind === 'apart' || (kind === 'handed' && found === undefined);
  if (stored !== undefined && isOurs(stored, unconfirmed)) maySend = true;
  else if (stored !== undefined && (isEnded(stored, since) || stored.generation >= record.generation)) {
    [record, kind, maySend] = [stored, 'guarded', true];
  }
  if (isEnded(record, since)) return 'signedOut';
  if (hasPassword && record.refreshExpiresAt <= Date.now()) maySend = false;
  return {
    record: { ...record, refreshToken: maySend ? record.refreshToken : undefined, claim: undefined },
    kind,
  };
};

/** The token in use; a renewal must return a newer one. */
export interface Seen {
  /** Only tokens of a higher generation are newer. */
  readonly generation: number;
  /** The access token that the server refused. */
  readonly refused: string | undefined;
  /** True while the token in use is still valid; the renewal then waits for no other process. */
  readonly isEarly: boolean;
}

/** True for tokens that may be used in place of the token in use. */
export const isUsable = (record: TokenRecord, { generation, refused }: Seen): boolean =>
  record.generation > generation && record.accessToken !== refused && Date.now() < record.accessExpiresAt;

/** Thrown when another process has claimed the tokens meanwhile: it renews them. */
export class Overtaken extends Error {}

// Each further try means that another process took over the claim in between.
const mostTries = 5;

// Each further try means that another process claimed or committed in between.
const mostSignOuts = 50;

/** The end of a login, with the highest generation that a claim on this one could commit, so that it replaces those tokens. */
export const toSignedOut = (generation: number): Unconfirmed => ({
  record: { ...noTokens, generation: generation + 2, isSignedOut: true },
  claim: randomName(),
  kind: 'guarded',
});

interface ClaimOptions {
  readonly store: TokenStore;
  /** Name of the chain in the store. */
  readonly name: string;
  /** The version that was read. */
  readonly version: number;
  /** The tokens that are claimed. */
  readonly record: TokenRecord;
  /** Name of the claim. */
  readonly by: string;
  readonly leaseMs: number;
}

/** A claim on a chain in its store, followed from one version to the next. */
export const createClaim = ({ store, name, version, record: known, by, leaseMs }: ClaimOptions) => {
  let at = version;

  const put = async (next: TokenRecord): Promise<boolean> => {
    const swapped = await callStore(() => store.swap(name, at, JSON.stringify(next)));
    if (swapped) at++;
    return swapped;
  };

  /** True for a record that a commit may replace. */
  const isOlder = (stored: TokenRecord, next: TokenRecord): boolean =>
    stored.generation >= known.generation && stored.generation < next.generation;

  return {
    /** Removes the refresh token and stores the claim. False when another version was stored first. */
    take: () => put({ ...withoutRefreshToken(known), claim: { by, until: Date.now() + leaseMs } }),
    /** Ends the claim without new tokens. */
    release: put,
    /**
     * Stores the tokens that follow the claimed ones; false when newer ones are there.
     *
     * The claim of a process that took over holds no refresh token, and dropping our tokens would only lead to another
     * renewal. A password login is newer than the refresh whose claim it took over, even if the refresh committed first: a
     * server with one session per user has ended the older one.
     */
    commit: async (next: TokenRecord): Promise<boolean> => {
      for (let tries = 0; tries < mostTries; tries++) {
        if (await put(next)) return true;
        const { version: found, record: stored } = await readRecord(store, name);
        if (stored !== undefined && !isOlder(stored, next)) return false;
        at = found;
      }
      return false;
    },
  };
};

/**
 * Replaces the tokens of a chain, whoever has claimed them, with the record of a login that was ended.
 *
 * @param newest - the newest generation that this process knows; a store that lost its tokens has none
 */
export const storeSignedOut = async (
  store: TokenStore,
  name: string,
  newest: number,
): Promise<Unconfirmed> => {
  for (let tries = 0; tries < mostSignOuts; tries++) {
    const { version, record } = await readRecord(store, name);
    const end = toSignedOut(Math.max(newest, record?.generation ?? 0));
    const swapped = await callStore(() => store.swap(name, version, JSON.stringify(end.record)));
    if (swapped) return end;
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
