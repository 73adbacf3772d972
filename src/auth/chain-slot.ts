import { ask } from './ask-store.ts';
import { formatRecord, parseRecord, type TokenRecord } from './token-record.ts';
import type { TokenStore } from './token-store.ts';

/** The place of a chain in its store, held from one version to the next. */
export interface ChainSlot {
  /** Swaps a record in; false when another one was there first. */
  put(record: TokenRecord): Promise<boolean>;
  /**
   * Swaps in the tokens that come after those of a generation, also where another one, who waited no longer, has claimed
   * these meanwhile: such a claim holds no refresh token, and to wait for its password would only begin the same anew.
   *
   * @returns false when there are newer tokens, or the login was taken out
   */
  commit(record: TokenRecord, after: number): Promise<boolean>;
}

// Each takes another one's claim in between.
const mostTries = 5;

export const openSlot = (store: TokenStore, name: string, version: number): ChainSlot => {
  let at = version;
  const put = async (record: TokenRecord): Promise<boolean> => {
    const taken = await ask(() => store.swap(name, at, formatRecord(record)));
    if (taken) at++;
    return taken;
  };
  return {
    put,
    commit: async (record, after) => {
      for (let tries = 0; tries < mostTries; tries++) {
        if (await put(record)) return true;
        const stored = await ask(() => store.read(name));
        const there = stored && parseRecord(stored.record);
        if (there !== undefined && (there.claim === undefined || there.generation !== after)) return false;
        at = stored?.version ?? 0;
      }
      return false;
    },
  };
};
