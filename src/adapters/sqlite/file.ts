import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** The file of a token store cannot be used. What is at the path is left as it was. */
export class SqliteStoreError extends Error {
  /** `SqliteStoreError`. */
  override get name(): string {
    return 'SqliteStoreError';
  }

  /** The path of the store, absolute. */
  readonly path: string;
  /** What is wrong, as `on.token` reports it: the first clause of the message, without the path and codes. */
  readonly errstr: string;

  constructor(path: string, message: string, cause?: unknown) {
    super(`The token store ${path} ${message}`, { cause });
    this.path = path;
    this.errstr = `the file ${message.replace(/[,.].*/s, '').replace(/\bE[A-Z]+: /, '')}`;
  }
}

/** In the header of each database that restkin makes: `rskn`. */
const applicationId = 0x72_73_6b_6e;

const magic = 'SQLite format 3\0';
const applicationIdOffset = 68;

/** SQLITE_NOTADB. */
const isNoDatabase = (error: unknown): boolean => (error as { readonly errcode?: unknown }).errcode === 26;

/** What is at a path, without following a link; undefined when nothing is. */
export const identify = (path: string): BigIntStats | undefined =>
  lstatSync(path, { bigint: true, throwIfNoEntry: false });

/** False in Node before 22.15. */
const opensUrls = (): boolean => {
  try {
    new DatabaseSync('file::memory:', { readOnly: true }).close();
    return true;
  } catch {
    return false;
  }
};

/**
 * {@link readApplicationId} where SQLite opens no URL. The descriptor stays open, for the reason that is
 * given there.
 */
const readHeader = (path: string): unknown => {
  const header = Buffer.alloc(applicationIdOffset + 4);
  const length = readSync(openSync(path, constants.O_RDONLY), header);
  const isDatabase = length === header.length && header.toString('latin1', 0, magic.length) === magic;
  return isDatabase ? header.readUInt32BE(applicationIdOffset) : undefined;
};

/**
 * The application id of the database at a path; undefined for a file of another format.
 *
 * `immutable` reads the file alone: without it, SQLite would write beside the database of another
 * application. SQLite reads it, because closing a descriptor of our own would end all locks that this process
 * has on the file (POSIX).
 */
const readApplicationId = (path: string): unknown => {
  if (!opensUrls()) return readHeader(path);
  const database = new DatabaseSync(`${pathToFileURL(path).href}?immutable=1`, { readOnly: true });
  try {
    return database.prepare('PRAGMA application_id').get()?.application_id;
  } catch (error) {
    if (isNoDatabase(error)) return undefined;
    throw error;
  } finally {
    database.close();
  }
};

/** Why what is at a path is no store of ours; undefined for a store. */
const problemOf = (path: string, stats: BigIntStats): string | undefined => {
  if (stats.isSymbolicLink()) return 'a symbolic link';
  if (stats.isDirectory()) return 'a directory';
  if (!stats.isFile()) return 'a device, a pipe or a socket';
  if (stats.size === 0n) return 'an empty file';
  const id = readApplicationId(path);
  if (id === undefined) return 'a file of another format';
  return id === applicationId ? undefined : 'the SQLite database of another application';
};

const othersMode = 0o077n;

/** A store that is open. */
export interface OpenStore {
  /** What was at the path when it was opened. */
  readonly stats: BigIntStats;
  readonly database: DatabaseSync;
  readonly read: StatementSync;
  readonly insert: StatementSync;
  readonly update: StatementSync;
}

/**
 * Opens the store at a path, for its owner alone. A lock of another connection is an error at once.
 *
 * @throws {@link SqliteStoreError} for a file that restkin did not make
 */
export const openStore = (path: string, stats: BigIntStats): OpenStore => {
  const problem = problemOf(path, stats);
  if (problem !== undefined) {
    const advice = 'Nothing was changed; choose another path';
    throw new SqliteStoreError(
      path,
      `was refused: it is ${problem}, not a store that restkin made. ${advice}`,
    );
  }
  if ((stats.mode & othersMode) !== 0n) chmodSync(path, 0o600);
  const database = new DatabaseSync(path);
  try {
    // With less, a power failure may bring the record before the last one back, and with it a used token.
    database.exec('PRAGMA synchronous = EXTRA');
    return {
      stats,
      database,
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

/** True while the path names the file that was opened. */
export const isAt = (path: string, { stats }: OpenStore): boolean => {
  const found = identify(path);
  return found?.dev === stats.dev && found.ino === stats.ino;
};

/**
 * Creates a folder and those above it. With `recursive`, Node never returns where the system refuses one with
 * ENOENT, as in /proc.
 */
const createFolder = (folder: string): void => {
  const above = dirname(folder);
  // A drive that is missing is its own parent.
  if (existsSync(folder) || above === folder) return;
  createFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was faster, or it is a dangling link, which the file in it tells.
    if (identify(folder) === undefined) throw error;
  }
};

/**
 * Creates an empty store and its folder, completely or not at all. A crash leaves only a file with another
 * name.
 */
export const createStore = (path: string): void => {
  createFolder(dirname(path));
  // SQLite would replay what another database has left into the new one.
  const left = ['-journal', '-wal'].map((suffix) => path + suffix).find((file) => existsSync(file));
  if (left !== undefined) {
    // Another process was faster, and writes to the new store.
    if (identify(path) !== undefined) return;
    throw new SqliteStoreError(
      path,
      `cannot be made: another database left a file there. ${left} is in the way: move it, or choose another path`,
    );
  }
  const fresh = `${path}.new-${crypto.randomUUID()}`;
  try {
    // SQLite would make it readable for others at first.
    closeSync(openSync(fresh, 'wx', 0o600));
    const database = new DatabaseSync(fresh);
    try {
      database.exec(`PRAGMA application_id = ${applicationId};
        CREATE TABLE chains (name TEXT PRIMARY KEY, version INTEGER NOT NULL, record TEXT NOT NULL) STRICT`);
    } finally {
      database.close();
    }
    // Unlike a rename, it replaces nothing: another process may have been faster.
    if (identify(path) === undefined) linkSync(fresh, path);
  } finally {
    for (const suffix of ['', '-journal']) rmSync(fresh + suffix, { force: true });
  }
};
