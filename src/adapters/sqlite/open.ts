import { accessSync, chmodSync, constants } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Identity, identify, inspect, isSame, logOf, openExisting } from './inspect.ts';

/** A store that is open. */
export interface OpenStore extends Identity {
  /** SQLite's write-ahead log, which stays the same while a connection is open. */
  readonly log: Identity | undefined;
  readonly database: DatabaseSync;
  readonly read: StatementSync;
  readonly insert: StatementSync;
  readonly update: StatementSync;
}

const othersMode = 0o077n;

const prepare = (database: DatabaseSync, path: string, { dev, ino }: Identity): OpenStore => {
  // FULL: in WAL mode anything less may forget a mark when the power fails, and the token would be sent twice.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec(
    'CREATE TABLE IF NOT EXISTS chains (name TEXT PRIMARY KEY, version INTEGER NOT NULL, record TEXT NOT NULL) STRICT',
  );
  return {
    dev,
    ino,
    log: identify(logOf(path)),
    database,
    read: database.prepare('SELECT version, record FROM chains WHERE name = ?'),
    insert: database.prepare(
      'INSERT INTO chains (name, version, record) VALUES (?, 1, ?) ON CONFLICT DO NOTHING',
    ),
    update: database.prepare(
      'UPDATE chains SET version = version + 1, record = ? WHERE name = ? AND version = ?',
    ),
  };
};

/** SQLite opens for reading what it cannot write, and makes files beside it. */
const checkAccess = (path: string): void => {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    // Deno needs `--allow-sys` for this question, which a store does not need otherwise.
    if ((error as Error).name !== 'NotCapable') throw error;
  }
};

/** The files of an open store are still those at its path. */
export const isAt = (path: string, open: OpenStore): boolean =>
  isSame(open, identify(path)) && isSame(open.log, identify(logOf(path)));

/**
 * Opens the store at a path, for its owner alone. It waits for no lock: another connection's is an error.
 *
 * @returns undefined when there is no file, or when it was replaced meanwhile
 * @throws SqliteStoreError for what restkin did not make
 */
export const openStore = (path: string): OpenStore | undefined => {
  const stats = inspect(path);
  if (stats === undefined) return undefined;
  checkAccess(path);
  if ((stats.mode & othersMode) !== 0n) chmodSync(path, 0o600);
  const database = openExisting(path);
  try {
    const open = prepare(database, path, stats);
    // The database and its log are opened one after the other, by name: they must be of the same file.
    if (isAt(path, open)) return open;
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  return undefined;
};
