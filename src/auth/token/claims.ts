// Claim, act, commit: what a chain does with its store. Without state of its own; the chain has that.
import { noTokens, parseRecord, type TokenRecord } from './record.ts';
import { callStore, type TokenStore } from './store.ts';

/** What a chain remembers of tokens that its store does not confirm. */
export interface Unconfirmed {
  /** With the refresh token, until it is sent. */
  readonly record: TokenRecord;
  /** The name of the chain's last claim. */
  readonly claim: string;
  /**
   * `handed`: the refresh token was handed in, and the store has never had the chain. `apart`: the store failed, and never
   * received it. `guarded`: the store may have it, in the version before the claim or in the one after.
   */
  readonly kind: 'handed' | 'apart' | 'guarded';
}

/** The record that the store holds; undefined when it holds none. */
export type Found = TokenRecord | undefined;

/** True when the store holds the claim that the chain remembers. */
export const isOurs = ({ claim }: TokenRecord, unconfirmed: Unconfirmed | undefined): boolean =>
  claim !== undefined && claim.by === unconfirmed?.claim;

export const withoutRefreshToken = (record: TokenRecord): TokenRecord => ({
  ...record,
  refreshToken: undefined,
});

/** Tokens to renew, and who may have their refresh token. */
export type Known = Pick<Unconfirmed, 'record' | 'kind'>;

/**
 * The tokens to claim and renew. **The one place that decides whether a refresh token may be sent**: it is in the result
 * only if nobody else can have sent it, or can send it later.
 *
 * - It stands in the store, which takes it out for whoever claims that version first.
 * - It was `handed` in, and the store holds nothing: whoever else has it needs the same claim.
 * - It is `guarded`, and the store holds our own claim. Nobody else could claim the version before it, and the commit that
 *   may have brought the token into the store is not there. The next claim is swapped in over our own, so that this commit
 *   cannot arrive late. Seen in the store, our claim proves this. A store that fails proves nothing.
 * - It is `apart`: the store never received it, whether or not it can be read now.
 *
 * @param found - `failed` when the store cannot be read or written
 * @param hasPassword - without one there is nothing to lose by a refresh token that is over by this clock, which may be
 * wrong
 */
export const toRenew = (
  found: Found | 'failed',
  unconfirmed: Unconfirmed | undefined,
  hasPassword: boolean,
): Known => {
  const stored = found === 'failed' ? undefined : found;
  let { record, kind }: Known = unconfirmed ?? { record: noTokens, kind: 'guarded' };
  let maySend = kind === 'apart' || (kind === 'handed' && found === undefined);
  if (stored !== undefined && isOurs(stored, unconfirmed)) maySend = true;
  else if (stored !== undefined && stored.generation >= record.generation) {
    [record, kind, maySend] = [stored, 'guarded', true];
  }
  if (hasPassword && record.refreshExpiresAt <= Date.now()) maySend = false;
  return {
    record: { ...record, refreshToken: maySend ? record.refreshToken : undefined, claim: undefined },
    kind,
  };
};

/** `clean`: over the own claim. `contested`: over the claim of somebody who waited no longer. `lost`: not at all. */
export type Commit = 'clean' | 'contested' | 'lost';

/** A chain in its store, held from one version to the next. */
export interface Claim {
  /** Takes the refresh token out, and says who renews. False when another version was there first. */
  take(): Promise<boolean>;
  /** Gives the chain back without new tokens. */
  release(record: TokenRecord): Promise<void>;
  /**
   * Swaps in the tokens that come after those that were claimed.
   *
   * Another process may have claimed them too, because it waited no longer. Such a claim holds no refresh token, and to
   * throw away what is here would only begin the same anew. If that process has committed, newer tokens win. A password
   * login is newer than the refresh whose claim it took over, although that one committed first: a server with one session
   * per user ended it.
   */
  commit(record: TokenRecord): Promise<Commit>;
}

// Each takes another one's claim in between.
const mostTries = 5;

export interface ClaimOptions {
  readonly store: TokenStore;
  /** Of the chain in the store. */
  readonly name: string;
  /** The version that was read. */
  readonly version: number;
  /** What is claimed. */
  readonly record: TokenRecord;
  /** Who claims it. */
  readonly by: string;
  readonly leaseMs: number;
}

export const createClaim = ({ store, name, version, record, by, leaseMs }: ClaimOptions): Claim => {
  let at = version;
  const { generation } = record;

  const put = async (next: TokenRecord): Promise<boolean> => {
    const swapped = await callStore(() => store.swap(name, at, JSON.stringify(next)));
    if (swapped) at++;
    return swapped;
  };

  /** What a commit may replace. */
  const isOlder = (stored: TokenRecord, next: TokenRecord): boolean =>
    (stored.generation === generation && stored.claim !== undefined) ||
    (stored.generation > generation && stored.generation < next.generation);

  return {
    take: () => put({ ...withoutRefreshToken(record), claim: { by, until: Date.now() + leaseMs } }),
    release: async (next) => void (await put(next)),
    commit: async (next) => {
      for (let tries = 0; tries < mostTries; tries++) {
        if (await put(next)) return tries === 0 ? 'clean' : 'contested';
        const stored = await callStore(() => store.read(name));
        if (stored !== undefined && !isOlder(parseRecord(stored.record), next)) return 'lost';
        at = stored?.version ?? 0;
      }
      return 'lost';
    },
  };
};

/** Sees whether a claim is still alive, by both clocks: neither a jump nor another host's clock keeps it for ever. */
export const createClaimWatch = (leaseMs: number) => {
  let seen: TokenRecord['claim'];
  let since = 0;
  return (claim: TokenRecord['claim']): boolean => {
    if (claim === undefined) return false;
    if (claim.by !== seen?.by || claim.until !== seen.until) {
      seen = claim;
      since = performance.now();
    }
    return Date.now() < claim.until && performance.now() - since < leaseMs;
  };
};

/** A unique name. Not `crypto.randomUUID`: that exists on secure pages only. */
export const randomName = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(3)), (word) => word.toString(36)).join('-');
