/**
 * A token store for several processes on one host.
 *
 * @module restkin/sqlite
 */

import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TokenStore } from '../auth/token/store.ts';
import { checkFromZero, checkName, createReader } from '../options.ts';
import { createStore, identify, isAt, type OpenStore, openStore, SqliteStoreError } from './sqlite/file.ts';

export { SqliteStoreError };

/** Options of {@link sqliteStore}. */
export interface SqliteStoreOptions {
  /**
   * The database file. The first write creates it with mode 0600, and its folder, if it is missing, with
   * 0700. Anything else that is at the path is refused and left as it is: only a file that restkin made is
   * ever opened.
   */
  readonly path: string;
  /**
   * Milliseconds to wait for another process, without blocking this one; 4,000 by default. A login waits at
   * most 5,000.
   */
  readonly busyTimeoutMs?: number | undefined;
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

const readOptions = createReader<SqliteStoreOptions>(
  { path: checkName, busyTimeoutMs: checkFromZero },
  { required: ['path'] },
);

const shortestPauseMs = 2;
const longestPauseMs = 50;

const codeOf = (error: unknown): unknown =>
  (error as { readonly errcode?: unknown; readonly code?: unknown }).errcode ??
  (error as { readonly code?: unknown }).code;

/** SQLITE_BUSY, with its extended codes. */
const isLocked = (error: unknown): boolean => (Number(codeOf(error)) & 0xff) === 5;

/** Another process was faster: SQLITE_READONLY_DBMOVED, or a new store that is there already. */
const isReplaced = (error: unknown): boolean => codeOf(error) === 1032 || codeOf(error) === 'EEXIST';

/**
 * Names the store in a failure of the file system or of SQLite, whose own messages may name no path or
 * another one.
 */
const nameStore = (path: string, error: unknown): SqliteStoreError => {
  if (error instanceof SqliteStoreError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const advice = 'Check its permissions and the space on the disk, or choose another path';
  return new SqliteStoreError(path, `cannot be used: ${reason}. ${advice}`, error);
};

/**
 * Keeps token chains in a SQLite database, for several processes on one host. Writes are durable before they
 * return.
 *
 * A network file system is not one host: its locks do not hold.
 *
 * @throws `InvalidRequestError` for invalid options
 * @example
 * ```ts
 * const auth = tokenAuth({ authUrl, username, password, store: sqliteStore({ path: 'state/tokens.db' }) });
 * ```
 */
export const sqliteStore = (options: SqliteStoreOptions): SqliteStore => {
  const { path: given, busyTimeoutMs = 4_000 } = readOptions(options, 'sqliteStore');
  const path = resolve(given);
  let current: OpenStore | undefined;

  const close = (): void => {
    current?.database.close();
    current = undefined;
  };

  /**
   * Opens the store, or the one that has taken its place; undefined when there is none and none is to be
   * created.
   */
  const open = (creates: boolean): OpenStore | undefined => {
    if (current !== undefined && isAt(path, current)) return current;
    close();
    if (creates && identify(path) === undefined) createStore(path);
    const stats = identify(path);
    current = stats && openStore(path, stats);
    return current;
  };

  /** Waits for a lock between attempts, while other work continues. SQLite itself would block the process. */
  const perform = async <T>(creates: boolean, operation: (store: OpenStore) => T): Promise<T | undefined> => {
    const deadline = performance.now() + busyTimeoutMs;
    for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        const store = open(creates);
        return store && operation(store);
      } catch (error) {
        if (!isLocked(error) && !isReplaced(error)) throw nameStore(path, error);
      }
      if (performance.now() >= deadline) {
        const advice = 'Close that program, or raise busyTimeoutMs';
        throw new SqliteStoreError(
          path,
          `is locked by another program, for ${busyTimeoutMs} ms now. ${advice}`,
        );
      }
      await sleep(pauseMs * (0.5 + Math.random() / 2));
    }
  };

  return {
    read: async (chain) => {
      const row = await perform(false, ({ read }) => read.get(chain));
      return row && { version: Number(row.version), record: String(row.record) };
    },
    swap: async (chain, expectedVersion, record) => {
      const isFirst = expectedVersion === 0;
      const result = await perform(isFirst, ({ insert, update }) =>
        isFirst ? insert.run(chain, record) : update.run(record, chain, expectedVersion),
      );
      return Number(result?.changes ?? 0) === 1;
    },
    close,
  };
};
