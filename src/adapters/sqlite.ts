/**
 * A token store for several processes on one host.
 *
 * @module restkin/sqlite
 */

import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TokenStore } from '../auth/token/store.ts';
import { checkFromZero, checkFunction, checkName, createReader } from '../options.ts';
import { identify, isBusy, isCorrupt, nameStore, SqliteStoreError } from './sqlite/inspect.ts';
import { createStore, isAt, leaveStore, type OpenStore, openStore, setStoreAside } from './sqlite/open.ts';

export { SqliteStoreError };

/** Options of {@link sqliteStore}. */
export interface SqliteStoreOptions {
  /**
   * The database file. The first write creates it with mode 0600, and its folder, if it is missing, with 0700. Anything
   * else that is at the path is refused and left as it is: only a file that restkin made is ever opened.
   */
  readonly path: string;
  /** How long an operation waits for another process, in milliseconds; 4,000 by default. The process is not blocked. */
  readonly busyTimeoutMs?: number | undefined;
  /**
   * Called when the store was damaged and was set aside; a process warning by default.
   *
   * @param setAside - where it is now; it is never deleted
   */
  readonly onCorrupt?: ((setAside: string) => void) | undefined;
}

/**
 * A token store in a SQLite database, made by {@link sqliteStore}.
 *
 * @throws {@link SqliteStoreError} from `read` and `swap` if the file cannot be used
 */
export interface SqliteStore extends TokenStore {
  /** Closes the database. Nothing else keeps the process alive. */
  close(): void;
}

const readOptions = createReader<SqliteStoreOptions>({
  path: undefined,
  busyTimeoutMs: checkFromZero,
  onCorrupt: checkFunction,
});

const warn = (aside: string): void =>
  process.emitWarning(`A token store was damaged. It is kept as ${aside}, and a new one is created`);

const shortestPauseMs = 2;
const longestPauseMs = 50;

const tryAgain = Symbol();

/**
 * Keeps token chains in a SQLite database, for several processes on one host. Writes are durable before they return.
 *
 * A database that is deleted or replaced while it is open is noticed by the next operation, which uses the new one.
 * A network file system is not one host: its locks do not hold.
 *
 * @throws `InvalidRequestError` for invalid options
 * @example
 * ```ts
 * const auth = tokenAuth({ authUrl, username, password, store: sqliteStore({ path: 'state/tokens.db' }) });
 * ```
 */
export const sqliteStore = (options: SqliteStoreOptions): SqliteStore => {
  const { path: given, busyTimeoutMs = 4_000, onCorrupt = warn } = readOptions(options, 'sqliteStore');
  const path = resolve(checkName('path', given ?? ''));
  let current: OpenStore | undefined;

  const close = (): void => {
    current?.database.close();
    current = undefined;
  };

  const attempt = <T>(
    operation: (open: OpenStore) => T,
    creates: boolean,
  ): T | undefined | typeof tryAgain => {
    const seen = identify(path);
    try {
      if (current !== undefined && !isAt(path, current)) {
        const left = current;
        close();
        leaveStore(path, left);
      }
      if (seen === undefined) {
        if (!creates) return undefined;
        createStore(path);
      }
      current ??= openStore(path);
      if (current === undefined) return tryAgain;
      const result = operation(current);
      // What was written to a file that is no longer at the path is lost.
      return isAt(path, current) ? result : tryAgain;
    } catch (error) {
      const isLeft = current !== undefined && !isAt(path, current);
      if (isLeft || isBusy(error)) return tryAgain;
      if (!isCorrupt(error)) throw error;
      close();
      const aside = setStoreAside(path, seen);
      if (aside !== undefined) onCorrupt(aside);
      return tryAgain;
    }
  };

  /** Waits for a lock between attempts, while other work continues. SQLite itself would block the process. */
  const perform = async <T>(operation: (open: OpenStore) => T, creates: boolean): Promise<T | undefined> => {
    const deadline = performance.now() + busyTimeoutMs;
    for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        const result = attempt(operation, creates);
        if (result !== tryAgain) return result;
      } catch (error) {
        throw nameStore(path, error);
      }
      if (performance.now() >= deadline) {
        throw new SqliteStoreError(
          path,
          `is locked by another program, for ${busyTimeoutMs} ms now. Close that program, or raise busyTimeoutMs`,
        );
      }
      await sleep(pauseMs * (0.5 + Math.random() / 2));
    }
  };

  return {
    read: async (chain) => {
      const row = await perform(({ read }) => read.get(chain), false);
      return row === undefined ? undefined : { version: Number(row.version), record: String(row.record) };
    },
    swap: async (chain, expectedVersion, record) => {
      const changes = await perform(
        ({ insert, update }) =>
          (expectedVersion === 0 ? insert.run(chain, record) : update.run(record, chain, expectedVersion))
            .changes,
        expectedVersion === 0,
      );
      return Number(changes ?? 0) === 1;
    },
    events: undefined,
    close,
  };
};
