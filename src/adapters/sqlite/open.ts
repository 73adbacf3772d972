import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import {
  applicationId,
  type Identity,
  identify,
  inspect,
  isSame,
  logOf,
  openExisting,
  SqliteStoreError,
} from './inspect.ts';

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
  // In WAL mode anything less than FULL may lose the last write when the power fails. A used token would then be resent.
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

/** Checks access first: SQLite would open a file that it cannot write for reading, and create files beside it. */
const checkAccess = (path: string): void => {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    // Deno needs `--allow-sys` for this check, which a store does not need otherwise.
    if ((error as Error).name !== 'NotCapable') throw error;
  }
};

/** Whether the files of an open store are still those at its path. */
export const isAt = (path: string, open: OpenStore): boolean =>
  isSame(open, identify(path)) && isSame(open.log, identify(logOf(path)));

/**
 * Opens the store at a path, for its owner alone. It does not wait for a lock: one of another connection is an error.
 *
 * @returns undefined when there is no file, or when it was replaced meanwhile
 * @throws SqliteStoreError for a file that restkin did not make
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

// Moved before the database: as long as that is in place, no new database can take these files for its own.
const logSuffixes = ['-wal', '-shm'] as const;

/** Runs `work` while no other process makes or moves the store. A lock of SQLite ends with the process that holds it. */
const alone = <T>(path: string, work: () => T): T => {
  const lock = `${path}.restkin-lock`;
  const database = new DatabaseSync(lock);
  try {
    // The lock writes nothing, so that a full disk is found by the work itself.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    try {
      return work();
    } finally {
      rmSync(lock, { force: true });
    }
  } finally {
    database.close();
  }
};

/** Both numbers that a log of SQLite begins with, for the two orders of bytes in its checksums. */
const logMagic: ReadonlySet<number> = new Set([0x37_7f_06_82, 0x37_7f_06_83]);

const isLog = (path: string): boolean => {
  const start = Buffer.alloc(4);
  const file = openSync(path, 'r');
  try {
    return readSync(file, start) === 0 || logMagic.has(start.readUInt32BE());
  } finally {
    closeSync(file);
  }
};

const moveAll = (path: string, target: string, suffixes: readonly string[]): void => {
  for (const suffix of suffixes) if (existsSync(path + suffix)) renameSync(path + suffix, target + suffix);
};

const moveLogs = (path: string): void => moveAll(path, `${path}.deleted-${Date.now()}`, logSuffixes);

/** A database that was deleted leaves its log behind. SQLite would replay it into a new one of the same name. */
const moveLeftLogs = (path: string): void => {
  const log = logOf(path);
  if (existsSync(log) && !isLog(log)) {
    throw new SqliteStoreError(path, `cannot be made: ${log} is in the way. Move it, or choose another path`);
  }
  moveLogs(path);
};

/** Moves the log of a deleted store away, so that SQLite does not replay it into the file that replaced the store. */
export const leaveStore = (path: string, { log }: OpenStore): void => {
  const isLeft = (): boolean => isSame(log, identify(logOf(path)));
  if (!isLeft()) return;
  alone(path, () => {
    if (isLeft()) moveLogs(path);
  });
};

/** Creates an empty store at the path completely or not at all. A crash leaves only a file with another name. */
const linkNewStore = (path: string): void => {
  const fresh = `${path}.new-${crypto.randomUUID()}`;
  try {
    // SQLite would make it readable for others at first.
    closeSync(openSync(fresh, 'wx', 0o600));
    const database = new DatabaseSync(fresh);
    try {
      database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA journal_mode = WAL`);
    } finally {
      database.close();
    }
    // Unlike a rename, it replaces nothing.
    linkSync(fresh, path);
  } finally {
    for (const suffix of ['', '-journal', ...logSuffixes]) rmSync(fresh + suffix, { force: true });
  }
};

/** Makes an empty store where nothing is, and its folder. */
export const createStore = (path: string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  alone(path, () => {
    if (identify(path) !== undefined) return;
    moveLeftLogs(path);
    linkNewStore(path);
  });
};

/**
 * Moves a damaged store away, with the files beside it that belong to it.
 *
 * @returns where it is now; undefined when another process was faster
 * @throws SqliteStoreError for a file that restkin did not make
 */
export const setStoreAside = (path: string, damaged: Identity | undefined): string | undefined =>
  alone(path, () => {
    const found = inspect(path);
    if (found === undefined || !isSame(damaged, found)) return undefined;
    const aside = `${path}.corrupt-${Date.now()}`;
    moveAll(path, aside, [...logSuffixes, '']);
    return aside;
  });
