import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  applicationId,
  type Identity,
  identify,
  inspect,
  isSame,
  logOf,
  SqliteStoreError,
} from './inspect.ts';
import type { OpenStore } from './open.ts';

// The database goes last: without it, no process takes the others for those of a new one.
const logSuffixes = ['-wal', '-shm'] as const;

/** Runs `work` while no other process makes or moves the store. A lock of SQLite ends with the process that holds it. */
const alone = <T>(path: string, work: () => T): T => {
  const lock = `${path}.restkin-lock`;
  const database = new DatabaseSync(lock);
  try {
    // It writes nothing, so that a full disk is found by the work itself.
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

/** An empty store appears at the path as a whole, or not at all: what a crash leaves is no store. */
const linkNewStore = (path: string): void => {
  const fresh = `${path}.new-${crypto.randomUUID()}`;
  try {
    const database = new DatabaseSync(fresh);
    try {
      database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA journal_mode = WAL`);
    } finally {
      database.close();
    }
    chmodSync(fresh, 0o600);
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
 * @throws SqliteStoreError for what restkin did not make
 */
export const setStoreAside = (path: string, damaged: Identity): string | undefined =>
  alone(path, () => {
    const found = inspect(path);
    if (found === undefined || !isSame(damaged, found)) return undefined;
    const aside = `${path}.corrupt-${Date.now()}`;
    moveAll(path, aside, [...logSuffixes, '']);
    return aside;
  });
