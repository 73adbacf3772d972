/**
 * A token store for the tabs of a browser.
 *
 * @module restkin/indexeddb
 */

import type { StoredRecord, TokenStore } from '../auth/token/store.ts';
import { checkName, createReader } from '../options.ts';
import { createNotices } from './indexeddb/notices.ts';
import type { WebCryptoKey } from './sealed.ts';

/** Options of {@link indexedDbStore}. */
export interface IndexedDbStoreOptions {
  /** The name of the database, and of the `BroadcastChannel` between the tabs; `restkin` by default. */
  readonly name?: string | undefined;
}

const readOptions = createReader<IndexedDbStoreOptions>({ name: checkName });

/** A token store in IndexedDB, made by {@link indexedDbStore}. */
export interface IndexedDbStore extends TokenStore {
  /**
   * Calls `changed` after another tab renewed or ended a login, and when that may have been missed. Returns a
   * function that ends it.
   */
  readonly watch: (chain: string, changed: () => void) => () => void;
  /**
   * A key for `sealed`, made by the first tab that asks and kept in the database. No script can export it.
   * That is no defence against a script in the page: it can use the key, and every request carries the access
   * token.
   */
  key(): Promise<WebCryptoKey>;
  /** Closes the database until the next operation, and ends the notices between the tabs. */
  close(): void;
}

/** A row of the database. */
interface Row extends StoredRecord {
  readonly chain: string;
}

/** Shorter than a client waits for its store, so that the error says what happened. */
const openTimeoutMs = 4_000;

const openDatabase = (name: string): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    const timer = setTimeout(() => {
      request.onsuccess = () => request.result.close();
      reject(new DOMException('Not opened in time', 'TimeoutError'));
    }, openTimeoutMs);
    request.onupgradeneeded = () => {
      const chains = request.result.createObjectStore('chains', { keyPath: ['chain', 'version'] });
      // One version of each chain.
      chains.createIndex('chain', 'chain', { unique: true });
      request.result.createObjectStore('keys');
    };
    request.onsuccess = () => {
      clearTimeout(timer);
      resolve(request.result);
    };
    request.onerror = () => {
      clearTimeout(timer);
      reject(request.error);
    };
  });

const foreign = 'belongs to another program; choose another name';

/** What the names of failures mean here. */
const problems: ReadonlyMap<string, string> = new Map([
  ['VersionError', foreign],
  ['NotFoundError', foreign],
  ['TimeoutError', 'cannot be opened: another page keeps it open while it is being deleted. Close that page'],
]);

/** Names the database in a failure of the browser, whose own messages name none. */
const nameDatabase = (database: string, error: unknown): DOMException => {
  const { name, message } = error as Error;
  const unknown = `cannot be used: ${message.replace(/\.$/, '')}. Check that this page may store data`;
  return new DOMException(`The database ${JSON.stringify(database)} ${problems.get(name) ?? unknown}`, name);
};

/**
 * Runs requests to the end of their transaction. It is committed without waiting for their results: a page
 * that is frozen or stopped meanwhile holds no lock that the other tabs wait for.
 */
const run = <T>(
  database: IDBDatabase,
  name: 'chains' | 'keys',
  mode: IDBTransactionMode,
  queue: (objects: IDBObjectStore) => IDBRequest<T>,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const transaction = database.transaction(name, mode, { durability: 'strict' });
    const request = queue(transaction.objectStore(name));
    transaction.commit();
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error ?? new DOMException('Aborted', 'AbortError'));
  });

/** False when another row is in the way, which aborts the transaction. */
const isAdded = (adding: Promise<unknown>): Promise<boolean> =>
  adding.then(
    () => true,
    (error: unknown) => {
      if (error instanceof DOMException && error.name === 'ConstraintError') return false;
      throw error;
    },
  );

const readRow = async (database: IDBDatabase, chain: string): Promise<StoredRecord | undefined> => {
  const row = await run<Row | undefined>(database, 'chains', 'readonly', (chains) =>
    chains.index('chain').get(chain),
  );
  return row && { version: row.version, record: row.record };
};

/**
 * One transaction compares and swaps: it removes the expected version and adds the next one. If the chain has
 * another version, the unique index refuses the addition and the transaction is undone.
 */
const swapRow = async (database: IDBDatabase, expectedVersion: number, next: Row): Promise<boolean> => {
  const { chain } = next;
  const isNew = expectedVersion === 0;
  // The index refuses another version, but not a chain without a row. Rows are replaced, never removed.
  if (!isNew && (await readRow(database, chain)) === undefined) return false;
  return isAdded(
    run(database, 'chains', 'readwrite', (chains) => {
      if (!isNew) chains.delete([chain, expectedVersion]);
      return chains.add(next);
    }),
  );
};

const keyName = 'sealed';

const readKey = async (database: IDBDatabase): Promise<WebCryptoKey> => {
  const find = (): Promise<WebCryptoKey | undefined> =>
    run(database, 'keys', 'readonly', (keys) => keys.get(keyName));
  const found = await find();
  if (found !== undefined) return found;
  const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  const isFirst = await isAdded(run(database, 'keys', 'readwrite', (keys) => keys.add(made, keyName)));
  return isFirst ? made : ((await find()) ?? made);
};

/**
 * Keeps token chains in IndexedDB, for the tabs of a browser. Writes are durable before they return.
 *
 * The database is closed while the page is frozen or in the back/forward cache, and when another page deletes
 * it; the next operation opens it again. Storage that is blocked or full behaves like any store that fails:
 * with a password, each tab logs in for itself.
 *
 * @throws `InvalidRequestError` for invalid options
 * @example
 * ```ts
 * const auth = tokenAuth({ authUrl, username, password, store: indexedDbStore() });
 * ```
 */
export const indexedDbStore = (options?: IndexedDbStoreOptions): IndexedDbStore => {
  const { name = 'restkin' } = readOptions(options, 'indexedDbStore');
  const tabs = createNotices(name);
  let opening: Promise<IDBDatabase> | undefined;

  const disconnect = (): void => {
    opening?.then((database) => database.close()).catch(() => undefined);
    opening = undefined;
  };

  const connect = (): Promise<IDBDatabase> => {
    opening ??= openDatabase(name).then((database) => {
      // Another page deletes the database, or upgrades it.
      database.onversionchange = () => database.close();
      return database;
    });
    return opening;
  };

  /** A failure leads to a new connection, because a browser may close one without an event. */
  const perform = async <T>(operation: (database: IDBDatabase) => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      const used = connect();
      try {
        return await operation(await used);
      } catch (error) {
        if (opening === used) disconnect();
        // The connection was closed, so nothing was begun, and the operation can be repeated.
        const isClosed = error instanceof DOMException && error.name === 'InvalidStateError';
        if (!isClosed || tries > 1) throw nameDatabase(name, error);
      }
    }
  };

  const suspend = (): void => {
    tabs.close();
    disconnect();
  };
  const stop = new AbortController();
  const lifecycle = { pagehide: suspend, freeze: suspend, pageshow: tabs.resume, resume: tabs.resume };
  for (const [type, listener] of Object.entries(lifecycle)) {
    // Only a page has these events.
    globalThis.addEventListener?.(type, listener, { capture: true, signal: stop.signal });
  }

  return {
    read: (chain) => perform((database) => readRow(database, chain)),
    swap: async (chain, expectedVersion, record) => {
      const next = { chain, version: expectedVersion + 1, record };
      const swapped = await perform((database) => swapRow(database, expectedVersion, next));
      if (swapped) tabs.send(chain);
      return swapped;
    },
    watch: tabs.watch,
    key: () => perform(readKey),
    close: () => {
      stop.abort();
      suspend();
    },
  };
};
