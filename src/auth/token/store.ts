import { InvalidRequestError } from '../../errors/request-error.ts';
import { within } from '../../http/wait.ts';

/** A record and the version to swap it at. */
export interface StoredRecord {
  /** Counts the swaps of the chain, from 1. */
  readonly version: number;
  /** The record as it was passed to `swap`. */
  readonly record: string;
}

/**
 * Where token chains live. Several processes may share a store when `swap` is atomic and durable: a refresh token is
 * marked as spent here before it is sent, and a mark that a crash could lose would let it be sent twice.
 *
 * A record is an opaque string and holds secrets; see `sealed` for encryption at rest.
 */
export interface TokenStore {
  /** The chain's record; undefined when there is none. */
  read(chain: string): Promise<StoredRecord | undefined>;
  /**
   * Writes a record, with the version after `expectedVersion`, when the stored version is `expectedVersion`; 0 means
   * that there is no record.
   *
   * @returns false when the stored version is another one; nothing is written then
   */
  swap(chain: string, expectedVersion: number, record: string): Promise<boolean>;
}

/** Keeps chains in the memory of this process, the default. */
export const memoryStore = (): TokenStore => {
  const chains = new Map<string, StoredRecord>();
  return {
    read: async (chain) => chains.get(chain),
    swap: async (chain, expectedVersion, record) => {
      if ((chains.get(chain)?.version ?? 0) !== expectedVersion) return false;
      chains.set(chain, { version: expectedVersion + 1, record });
      return true;
    },
  };
};

/** The store threw or did not respond; the login continues without it. */
export class StoreFailure extends Error {}

const storeTimeoutMs = 5_000;

/** Runs an operation of the store. A wrong key is the caller's mistake and is thrown; any other failure is the store's. */
export const callStore = async <T>(operation: () => Promise<T>): Promise<T> => {
  try {
    return await within(operation(), storeTimeoutMs);
  } catch (error) {
    if (error instanceof InvalidRequestError) throw error;
    throw new StoreFailure();
  }
};
