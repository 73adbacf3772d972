import { readFailure } from '../../http/failure.ts';
import { tooLate, waitUpTo } from '../../http/timing.ts';
import { notify } from '../../http/trace.ts';
import { checkOf, isFieldValue } from '../../options.ts';

/** A record of a {@link TokenStore} and the version to swap it at. */
export interface StoredRecord {
  /** Counts the swaps of the chain, from 1. */
  readonly version: number;
  /** The record as it was passed to `swap`. */
  readonly record: string;
}

/**
 * Where token chains live. Several processes may share a store when `swap` is atomic and durable: a refresh
 * token is marked as used here before it is sent, and a mark that a crash could lose would let it be sent
 * twice.
 *
 * A record is an opaque string and holds secrets; `restkin/sealed` encrypts it at rest.
 */
export interface TokenStore {
  /** The chain's record; undefined when there is none. */
  read(chain: string): Promise<StoredRecord | undefined>;
  /**
   * Writes a record, with the version after `expectedVersion`, when the stored version is `expectedVersion`;
   * 0 means that there is no record.
   *
   * @returns false when the stored version is another one; nothing is written then
   */
  swap(chain: string, expectedVersion: number, record: string): Promise<boolean>;
  /**
   * Calls `changed` when another user, such as another tab, may have changed the chain. Safety does not
   * depend on it, and what it throws is ignored.
   *
   * @returns a function that ends it, so that `useTokens` leaves no listener behind; what that throws, and
   * anything else, is ignored
   */
  readonly watch?: ((chain: string, changed: () => void) => unknown) | undefined;
}

/**
 * Keeps chains in the memory of this process, the default. Two schemes that are given the same one share the
 * logins of a user.
 */
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

/** Refuses anything but a store, such as the promise of one. */
export const checkStore = checkOf((value) => {
  const { read, swap } = (value ?? {}) as Partial<TokenStore>;
  return typeof read === 'function' && typeof swap === 'function';
}, 'a store with the functions read and swap, as sqliteStore(...) has');

/**
 * The store threw or did not respond; the login continues without it. The message names the failure, without
 * secrets.
 */
export class StoreFailure extends Error {}

const storeTimeoutMs = 5_000;
// While one operation has no response yet, the next ones get less time: their calls would only wait as long.
const muteStoreTimeoutMs = 500;

/**
 * The name and the code of a failure, and the fixed phrase of SQLite. A whole message may quote the record.
 */
const describe = (error: unknown): string => {
  const { cause } = readFailure(error);
  const { errstr } = (error ?? {}) as { readonly errstr?: unknown };
  const phrase = typeof errstr === 'string' && /^[A-Za-z :/]{4,80}$/.test(errstr) ? errstr : undefined;
  const named = [cause?.name, cause?.code].filter(Boolean).join(' ');
  return [named, phrase].filter(Boolean).join(': ') || 'unknown error';
};

/** Runs an operation of a store. @throws {@link StoreFailure} */
const wrapFailure = async <T>(operation: () => Promise<T>): Promise<T> => {
  try {
    return await operation();
  } catch (error) {
    throw new StoreFailure(describe(error));
  }
};

/** One chain in its store. Its functions throw a {@link StoreFailure}, or what `name` throws. */
export interface StoredChain {
  /** Version 0 when there is none. */
  read(): Promise<{ readonly version: number; readonly record: TokenRecord | undefined }>;
  /** False when another version was stored first. */
  swap(expectedVersion: number, record: TokenRecord): Promise<boolean>;
  /** Ends the calls of `onChange`. */
  close(): void;
}

/** @param onChange - called when another user of the store may have changed the chain */
export const openChain = (
  store: TokenStore,
  name: () => Promise<string>,
  onChange: () => void,
): StoredChain => {
  let opened: string | undefined;
  let stopWatching: unknown;
  let isClosed = false;
  let timeoutMs = storeTimeoutMs;
  /** The version that the latest refused swap expected. */
  let refused: number | undefined;

  const open = async (): Promise<string> => {
    const chain = await name();
    // A renewal and a `signOut` may begin together.
    if (opened === undefined && !isClosed)
      notify(() => {
        stopWatching = store.watch?.(chain, onChange);
        return stopWatching;
      });
    opened = chain;
    return chain;
  };

  const restoreTimeout = (): void => {
    timeoutMs = storeTimeoutMs;
  };

  const run = async <T>(operation: (chain: string) => Promise<T>): Promise<T> => {
    const chain = opened ?? (await open());
    const running = wrapFailure(() => operation(chain));
    const result = await waitUpTo(running, timeoutMs);
    if (result !== tooLate) {
      restoreTimeout();
      return result;
    }
    timeoutMs = muteStoreTimeoutMs;
    running.catch(() => undefined).finally(restoreTimeout);
    throw new StoreFailure('TimeoutError');
  };

  return {
    read: async () => {
      const expected = refused;
      refused = undefined;
      const stored = await run((chain) => store.read(chain));
      // A store in JavaScript may return null.
      const version = stored?.version ?? 0;
      if (stored && typeof stored.record !== 'string')
        throw new StoreFailure('read returned a record that is not a string');
      if (version === expected) throw new StoreFailure('swap returned false, and no other version is stored');
      return { version, record: stored ? parseRecord(stored.record) : undefined };
    },
    swap: async (expectedVersion, record) => {
      const isSwapped: unknown = await run((chain) =>
        store.swap(chain, expectedVersion, JSON.stringify(record)),
      );
      // A store in JavaScript may return nothing, which says nothing of what is stored.
      if (typeof isSwapped !== 'boolean') throw new StoreFailure('swap returned neither true nor false');
      if (!isSwapped) refused = expectedVersion;
      return isSwapped;
    },
    close: () => {
      isClosed = true;
      notify(() => typeof stopWatching === 'function' && stopWatching());
    },
  };
};

/** The state of a token chain, as its store holds it. Times are milliseconds since the epoch. */
export interface TokenRecord {
  /**
   * Orders the tokens of the chain; a higher one is newer. A refresh adds 1 and a password login 2, so that
   * the login of the process that took over a claim is newer than the late refresh of the process that lost
   * it.
   */
  readonly generation: number;
  readonly accessToken: string;
  readonly accessExpiresAt: number;
  /** Undefined when there is none, and, if it works once, as soon as the record is claimed. */
  readonly refreshToken?: string | undefined;
  readonly refreshExpiresAt: number;
  /** Who is renewing the chain, and until when others wait. */
  readonly claim?: { readonly by: string; readonly until: number } | undefined;
  /**
   * True when the login was ended on purpose: there are no tokens, and no process of that login logs in
   * again.
   */
  readonly isSignedOut?: boolean | undefined;
}

/** The record of a chain that has never had a token. */
export const noTokens: TokenRecord = {
  generation: 0,
  accessToken: '',
  accessExpiresAt: 0,
  refreshExpiresAt: 0,
};

/** A record is stored as JSON. A damaged one has no tokens, so that a new login follows. */
const parseRecord = (stored: string): TokenRecord => {
  try {
    const record = JSON.parse(stored) as TokenRecord | null;
    return Number.isFinite(record?.generation) && isFieldValue(record?.accessToken) ? record : noTokens;
  } catch {
    return noTokens;
  }
};
