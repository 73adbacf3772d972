import { type BigIntStats, closeSync, constants, lstatSync, openSync, readSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/**
 * The file of a token store cannot be used. What is at the path is left as it was.
 *
 * @example
 * ```ts
 * try {
 *   await sqliteStore({ path: 'state/tokens.db' }).read('chain');
 * } catch (error) {
 *   if (error instanceof SqliteStoreError) console.error(error.message);
 * }
 * ```
 */
export class SqliteStoreError extends Error {
  /** `SqliteStoreError`. */
  override get name(): string {
    return 'SqliteStoreError';
  }

  /** The path of the store, absolute. */
  readonly path: string;
  /** What is wrong, as `on.token` reports it: the first clause of the message, without the path. */
  readonly errstr: string;

  constructor(path: string, message: string, cause?: unknown) {
    super(`The token store ${path} ${message}`, { cause });
    this.path = path;
    this.errstr = message.replace(/[,.].*/s, '');
  }
}

/** The error for a file that restkin did not make. It is thrown before anything is done to the file. */
export const refusal = (path: string, what: string): SqliteStoreError =>
  new SqliteStoreError(
    path,
    `was refused: it is ${what}, not a store that restkin made. Nothing was changed; choose another path`,
  );

/** Names the store in a failure of the file system or of SQLite, whose own messages may name no path or another one. */
export const nameStore = (path: string, error: unknown): SqliteStoreError => {
  if (error instanceof SqliteStoreError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const advice = 'Check its permissions and the space on the disk, or choose another path';
  return new SqliteStoreError(path, `cannot be used: ${reason}. ${advice}`, error);
};

/** Which file a path names. Another file has another identity as long as the first one is open. */
export interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** In the header of each database that restkin makes: `rskn`. */
export const applicationId = 0x72_73_6b_6e;

const headerBytes = 100;
const magic = 'SQLite format 3\0';
const applicationIdOffset = 68;

// SQLITE_CORRUPT and SQLITE_NOTADB, without their extended parts.
const corruptCodes: ReadonlySet<number> = new Set([11, 26]);
const busyCode = 5;

const resultCodeOf = (error: unknown): number | undefined => {
  const code = (error as { readonly errcode?: unknown }).errcode;
  return typeof code === 'number' ? code & 0xff : undefined;
};

/** SQLite found that the file is damaged, or no database. */
export const isCorrupt = (error: unknown): boolean => corruptCodes.has(resultCodeOf(error) ?? 0);

/** Another connection holds a lock. */
export const isBusy = (error: unknown): boolean => resultCodeOf(error) === busyCode;

/** What is at a path, without following a link; undefined when nothing is. */
export const identify = (path: string): BigIntStats | undefined =>
  lstatSync(path, { bigint: true, throwIfNoEntry: false });

export const isSame = (one: Identity | undefined, other: Identity | undefined): boolean =>
  one?.dev === other?.dev && one?.ino === other?.ino;

/** Where SQLite keeps what is not in the database yet. */
export const logOf = (path: string): string => `${path}-wal`;

const canOpen = (location: string): boolean => {
  try {
    new DatabaseSync(location, { readOnly: true }).close();
    return true;
  } catch {
    return false;
  }
};

/** Node before 22.15 takes a URI for the name of a file, and finds none. */
const takesUris = canOpen('file:probe?mode=memory');

/** Opens a database that exists; SQLite would create one that was deleted meanwhile. */
export const openExisting = (path: string): DatabaseSync =>
  new DatabaseSync(takesUris ? `${pathToFileURL(path).href}?mode=rw` : path);

const kindOf = (stats: BigIntStats): string | undefined => {
  if (stats.isSymbolicLink()) return 'a symbolic link';
  if (stats.isDirectory()) return 'a directory';
  if (!stats.isFile()) return 'a device, a pipe or a socket';
  return stats.size === 0n ? 'an empty file' : undefined;
};

const readHeader = (path: string): number | undefined => {
  const header = Buffer.alloc(headerBytes);
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    if (readSync(file, header, 0, headerBytes, 0) < headerBytes) return undefined;
  } finally {
    closeSync(file);
  }
  return header.toString('latin1', 0, magic.length) === magic
    ? header.readUInt32BE(applicationIdOffset)
    : undefined;
};

/**
 * The application that made a database; undefined for a file that is not a database.
 *
 * SQLite reads it as an immutable file: without a lock, and without creating a file beside it. Reading the header directly is
 * the last resort: closing its descriptor ends the locks that other connections of this process have on the file.
 */
const readApplicationId = (path: string): number | undefined => {
  if (!takesUris) return readHeader(path);
  try {
    const database = new DatabaseSync(`${pathToFileURL(path).href}?mode=ro&immutable=1`, { readOnly: true });
    try {
      return Number(database.prepare('PRAGMA application_id').get()?.application_id);
    } finally {
      database.close();
    }
  } catch (error) {
    if (isCorrupt(error)) return readHeader(path);
    throw error;
  }
};

/**
 * Looks at what a path names, and changes nothing.
 *
 * @returns undefined when there is no file
 * @throws SqliteStoreError for anything but a database that restkin made
 */
export const inspect = (path: string): BigIntStats | undefined => {
  const stats = identify(path);
  if (stats === undefined) return undefined;
  const kind = kindOf(stats);
  if (kind !== undefined) throw refusal(path, kind);
  const id = readApplicationId(path);
  if (id === undefined) throw refusal(path, 'a file of another format');
  if (id !== applicationId) throw refusal(path, 'the SQLite database of another application');
  return stats;
};
