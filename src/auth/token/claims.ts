// Claim, act, commit: what a chain does with its record. The state itself is in the chain.
import { noTokens, type StoredChain, StoreFailure, type TokenRecord } from './store.ts';

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

type CommitResult = 'stored' | 'contested' | 'lost';

/** A claim on a chain in its store. */
export interface Claim {
  /** Its name, which tells it from the claims of other processes. */
  readonly by: string;
  /** The tokens that it claims. */
  readonly claimed: TokenRecord;
  /** Takes a refresh token that works once out of the store; false when another version was stored first. */
  readonly take: () => Promise<boolean>;
  /** Gives the claim back, with the tokens that are left, unless another process has taken it over. */
  readonly release: (left: TokenRecord) => Promise<boolean>;
  /**
   * Stores the tokens that follow the claimed ones; `contested` where another process has taken over the
   * claim, and `lost` where newer tokens are there.
   */
  readonly commit: (next: TokenRecord) => Promise<CommitResult>;
}

interface ClaimOptions {
  /** The version of the record that was read. */
  readonly version: number;
  /** The tokens to claim. */
  readonly claimed: TokenRecord;
  /** How long others wait for the claim. */
  readonly leaseMs: number;
  /** The name of an earlier claim that is in doubt: its swap may still arrive. */
  readonly by?: string | undefined;
  /** The refresh token that stays in the store; undefined for one that works once. */
  readonly stays?: string | undefined;
}

/** The longest lease: JSON has no infinity, and a process that died must not hold a login for ever. */
const longestLeaseMs = 3_600_000;

/** Makes a claim on a chain. Nothing is stored before it is taken. */
export const createClaim = (chain: StoredChain, options: ClaimOptions): Claim => {
  const { version, claimed, leaseMs, stays } = options;
  // Not `crypto.randomUUID`: that exists on secure pages only.
  const { by = crypto.getRandomValues(new Uint32Array(3)).join('-') } = options;

  const take = (): Promise<boolean> => {
    const claim = { by, until: Date.now() + Math.min(leaseMs, longestLeaseMs) };
    return chain.swap(version, { ...claimed, refreshToken: stays, claim });
  };

  const release = (left: TokenRecord): Promise<boolean> =>
    chain.swap(version + 1, { ...left, claim: undefined });

  // The claim of a process that took over holds no refresh token, and dropping our tokens would only lead to
  // another renewal. A password login is newer than the refresh whose claim it took over, even if the refresh
  // committed first: a server with one session per user has ended the older one.
  const commit = async (next: TokenRecord): Promise<CommitResult> => {
    let at = version + 1;
    for (let tries = 0; tries < mostTries; tries++) {
      if (await chain.swap(at, next)) return tries === 0 ? 'stored' : 'contested';
      const { version: found, record: stored } = await chain.read();
      at = found;
      if (stored === undefined) continue;
      // An earlier try arrived, and only its response was lost.
      if (stored.generation === next.generation && stored.accessToken === next.accessToken) return 'stored';
      // Newer tokens are there. Below what was claimed, the login was taken out of the store.
      if (stored.generation >= next.generation || stored.generation < claimed.generation) return 'lost';
    }
    return 'lost';
  };
  return { by, claimed, take, release, commit };
};

/**
 * Replaces the tokens of a chain, whoever has claimed them, with the record of a login that was ended.
 * Returns its generation: the highest that a claim of the replaced tokens could commit.
 */
export const storeSignedOut = async (chain: StoredChain, newest: number): Promise<number> => {
  for (let tries = 0; tries < mostTries; tries++) {
    const { version, record } = await chain.read();
    const generation = Math.max(newest, record?.generation ?? 0) + 2;
    const end: TokenRecord = { ...noTokens, generation, isSignedOut: true };
    if (await chain.swap(version, end)) return generation;
  }
  throw new StoreFailure('other processes changed the record each time');
};

/** How many leases a renewal waits for the claims of other processes, before it gives up. */
export const patienceInLeases = 5;

/** About a second: most renewals of other processes take less, and need no report. */
export const pollsBeforeReport = 20;

/** The wait between two reads: short at first, because most renewals take milliseconds, then longer. */
export const pollMs = (polls: number): number => (0.5 + Math.random()) * Math.min(100, 3 * 1.3 ** polls);

/**
 * Tells how long a claim is still live, in milliseconds; not above 0 when it has ended. The wall clock is
 * read when the claim is first seen. The wait is measured on the monotonic clock: neither a jump nor another
 * host's clock makes it longer than a lease.
 */
export const createClaimWatch = (leaseMs: number) => {
  let seen: number | undefined;
  let endsAt = 0;
  return (claim: TokenRecord['claim']): number => {
    if (claim === undefined) return 0;
    if (claim.until !== seen) {
      seen = claim.until;
      endsAt = performance.now() + Math.min(leaseMs, claim.until - Date.now());
    }
    return Math.ceil(endsAt - performance.now());
  };
};
