/**
 * A token store for several processes on one host.
 *
 * @module restkin/sqlite
 */

import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { TokenStore } from '../auth/token-store.ts';

/** Options of {@link sqliteStore}. */
export interface SqliteStoreOptions {
  /** The database file. It is created with mode 0600, and its folder, where it is missing, with 0700. */
  readonly path: string;
  /** How long a write waits for another process, in milliseconds; 4,000 by default. */
  readonly busyTimeoutMs?: number | undefined;
  /**
   * Called when the file was no database any more and was set aside; a process warning by default.
   *
   * @param setAside - where it is now; it is never deleted
   */
  readonly onCorrupt?: ((setAside: string) => void) | undefined;
}

/** A token store in a SQLite database. */
export interface SqliteStore extends TokenStore {
  /** Closes the database. Nothing else holds the process. */
  close(): void;
}

interface Open {
  readonly database: DatabaseSync;
  readonly inode: number;
  readonly read: StatementSync;
  readonly insert: StatementSync;
  readonly update: StatementSync;
}

// SQLITE_CORRUPT and SQLITE_NOTADB, without their extended parts.
const corruptCodes: ReadonlySet<number> = new Set([11, 26]);

const isCorrupt = (error: unknown): boolean => {
  const code = (error as { readonly errcode?: unknown }).errcode;
  return typeof code === 'number' && corruptCodes.has(code & 0xff);
};

/** Creates the file before SQLite does: with the umask in between, its tokens could be read by others. */
const createPrivately = (path: string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
};

const open = (path: string, busyTimeoutMs: number): Open => {
  createPrivately(path);
  const inode = statSync(path).ino;
  const database = new DatabaseSync(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    // FULL: in WAL mode anything less may forget a mark when the power fails, and the token would be sent twice.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    database.exec(
      'CREATE TABLE IF NOT EXISTS chains (name TEXT PRIMARY KEY, version INTEGER NOT NULL, record TEXT NOT NULL) STRICT',
    );
    return {
      database,
      inode,
      read: database.prepare('SELECT version, record FROM chains WHERE name = ?'),
      insert: database.prepare(
        'INSERT INTO chains (name, version, record) VALUES (?, 1, ?) ON CONFLICT DO NOTHING',
      ),
      update: database.prepare(
        'UPDATE chains SET version = version + 1, record = ? WHERE name = ? AND version = ?',
      ),
    };
  } catch (error) {
    database.close();
    throw error;
  }
};

/** Moves a damaged database away, with the files beside it that belong to it. */
const setAside = (path: string): string => {
  const aside = `${path}.corrupt-${Date.now()}`;
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  return aside;
};

const warn = (aside: string): void =>
  process.emitWarning(`The token database was damaged; it is kept as ${aside}, and a new one was begun`);

/**
 * Keeps token chains in a SQLite database, for several processes on one host. Writes are durable before they return.
 *
 * A network file system is not one host: its locks do not hold.
 *
 * @example
 * ```ts
 * const auth = tokenAuth({ authUrl, username, password, store: sqliteStore({ path: 'state/tokens.db' }) });
 * ```
 */
export const sqliteStore = (options: SqliteStoreOptions): SqliteStore => {
  const path = resolve(options.path);
  const { busyTimeoutMs = 4_000, onCorrupt = warn } = options;
  let current: Open | undefined;

  const close = (): void => {
    current?.database.close();
    current = undefined;
  };

  /** Another process may have replaced the damaged file already; that one is good. */
  const replaceDamaged = (inode: number): void => {
    if (existsSync(path) && statSync(path).ino === inode) onCorrupt(setAside(path));
  };

  const attempt = <T>(operation: (open: Open) => T): T => {
    const inode = existsSync(path) ? statSync(path).ino : 0;
    try {
      current ??= open(path, busyTimeoutMs);
      return operation(current);
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      const damaged = current?.inode ?? inode;
      close();
      replaceDamaged(damaged);
      current = open(path, busyTimeoutMs);
      return operation(current);
    }
  };

  return {
    read: async (chain) => {
      const row = attempt(({ read }) => read.get(chain));
      return row === undefined ? undefined : { version: Number(row.version), record: String(row.record) };
    },
    swap: async (chain, expectedVersion, record) =>
      attempt(({ insert, update }) => {
        const { changes } =
          expectedVersion === 0 ? insert.run(chain, record) : update.run(record, chain, expectedVersion);
        return Number(changes) === 1;
      }),
    close,
  };
};
