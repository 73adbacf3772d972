/** What a token chain knows, in one record. Times are milliseconds since the epoch. */
export interface TokenRecord {
  /** Counts the tokens of the chain; a higher one is newer. */
  readonly generation: number;
  readonly accessToken: string;
  readonly accessExpiresAt: number;
  /** Undefined when the server gave none. */
  readonly refreshToken: string | undefined;
  readonly refreshExpiresAt: number;
  /** True from before the refresh token is sent: it may have been used, and must not be used again. */
  readonly spent: boolean;
  /** Who is renewing the chain, and until when others wait for that. */
  readonly claim: { readonly by: string; readonly until: number } | undefined;
}

/** A record and the version to swap it at. */
export interface StoredTokens {
  readonly version: number;
  readonly record: TokenRecord;
}

/**
 * Where token chains live. A store is safe for several clients or processes when `swap` is atomic and durable.
 *
 * @see DESIGN: claim, act, commit; a refresh token is marked as spent before it is sent
 */
export interface TokenStore {
  /** The chain's record; undefined when there is none. */
  read(chain: string): Promise<StoredTokens | undefined>;
  /**
   * Writes a record when the stored version still is `expectedVersion` (0: when there is none), as that version + 1.
   *
   * @returns false when another one was there first; nothing is written then
   */
  swap(chain: string, expectedVersion: number, record: TokenRecord): Promise<boolean>;
}

/** Keeps chains in the memory of this process, the default. */
export const memoryStore = (): TokenStore => {
  const chains = new Map<string, StoredTokens>();
  return {
    read: async (chain) => chains.get(chain),
    swap: async (chain, expectedVersion, record) => {
      if ((chains.get(chain)?.version ?? 0) !== expectedVersion) return false;
      chains.set(chain, { version: expectedVersion + 1, record });
      return true;
    },
  };
};
