import { parseRecord } from '../auth/token/store.ts';
import type { TokenStore } from '../index.ts';
import { UsageError } from './errors.ts';
import type { Io } from './io.ts';

/** The user who is logged in at an auth URL. */
export interface KeptLogin {
  readonly username: string;
  /** The name of its tokens in the store. */
  readonly chain: string;
}

/** The logins in a store, one for each auth URL. */
export type Logins = Awaited<ReturnType<typeof openLogins>>;

// A record beside the chains, whose names are digests and do not say who is logged in where.
const keyOf = (authUrl: string): string => `restkin login ${authUrl}`;

const empty = '';

const parseLogin = (record: string | undefined): KeptLogin | undefined => {
  if (record === undefined || record === empty) return undefined;
  const { username, chain } = JSON.parse(record) as Record<string, unknown>;
  return typeof username === 'string' && typeof chain === 'string' ? { username, chain } : undefined;
};

const write = async (
  store: TokenStore,
  name: string,
  next: (stored: string | undefined) => string,
): Promise<void> => {
  // Another process can renew the tokens meanwhile: the last write wins.
  for (;;) {
    const { version = 0, record } = (await store.read(name)) ?? {};
    if (await store.swap(name, version, next(record))) return;
  }
};

/**
 * Replaces the tokens of a chain, by none where the record is empty. They are newer than those in the store and those of a
 * renewal on the way, so that a process that still uses the previous login continues with them.
 */
const writeTokens = (store: TokenStore, chain: string, record: string): Promise<void> =>
  write(store, chain, (stored = empty) =>
    JSON.stringify({ ...parseRecord(record), generation: parseRecord(stored).generation + 2 }),
  );

/** Erases the old bytes that SQLite leaves in free pages and in its log. */
const compact = async (path: string): Promise<void> => {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA busy_timeout = 4000; PRAGMA secure_delete = ON; VACUUM');
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
};

/** Uses the store. A failure becomes a {@link UsageError} with the path of the store. */
const using = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const isNamed = error instanceof Error && error.name === 'SqliteStoreError';
    throw new UsageError(isNamed ? reason : `The logins in ${path} cannot be used: ${reason}`);
  }
};

/** Opens a store of logins. Its file and folder are created when a login is kept; a store that was damaged is reported. */
export const openLogins = async (path: string, { err }: Io) => {
  const onCorrupt = (setAside: string): void => {
    err.say(`restkin: the store of logins was damaged; it is kept as ${setAside}\n`);
  };
  // Loaded late: a command without a login needs no database.
  const { sqliteStore } = await import('../adapters/sqlite.ts');
  const store = sqliteStore({ path, onCorrupt });
  const find = async (authUrl: string): Promise<KeptLogin | undefined> =>
    parseLogin((await store.read(keyOf(authUrl)))?.record);
  return {
    store,
    find: (authUrl: string) => using(path, () => find(authUrl)),
    /** Replaces the tokens of the login that is kept. */
    keep: (authUrl: string, login: KeptLogin, record: string): Promise<void> =>
      using(path, async () => {
        const before = await find(authUrl);
        if (before !== undefined && before.chain !== login.chain)
          await writeTokens(store, before.chain, empty);
        await writeTokens(store, login.chain, record);
        await write(store, keyOf(authUrl), () => JSON.stringify(login));
      }),
    /** Removes a login; no byte of its tokens is left in the file. */
    forget: (authUrl: string): Promise<KeptLogin | undefined> =>
      using(path, async () => {
        const login = await find(authUrl);
        if (login === undefined) return undefined;
        await write(store, keyOf(authUrl), () => empty);
        await writeTokens(store, login.chain, empty);
        store.close();
        await compact(path);
        return login;
      }),
    close: (): void => store.close(),
  };
};
