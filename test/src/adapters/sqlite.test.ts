import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { InvalidRequestError } from 'restkin';
import { checkTokenStore } from 'restkin/mocks';
import { SqliteStoreError, type SqliteStoreOptions, sqliteStore } from 'restkin/sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isBusy, isCorrupt } from '../../../src/adapters/sqlite/inspect.ts';
import { openStore } from '../../../src/adapters/sqlite/open.ts';
import { createTestClient } from '../../faults/clients.ts';
import { temporaryFolder } from '../../faults/fleet.ts';
import { startTokenServer } from '../../faults/token-server.ts';
import { rejectionOf } from '../../support/shop.ts';
import { fillDisk, makeStore, mountDisk } from '../../support/store-paths.ts';

const open = (path: string, options: Partial<SqliteStoreOptions> = {}) => {
  const store = sqliteStore({ path, ...options });
  onTestFinished(() => store.close());
  return store;
};

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('sqliteStore', () => {
  test('is a token store, with two handles on one file', async () => {
    const path = join(temporaryFolder(), 'tokens.db');
    await expect(checkTokenStore(() => open(path))).resolves.toBeUndefined();
  });

  test.each<[string, unknown, string]>([
    ['no path', {}, 'path must be a string that is not empty'],
    ['a path that is empty', { path: '' }, 'path must be a string that is not empty'],
    ['busyTimeoutMs: NaN', { busyTimeoutMs: Number.NaN }, 'busyTimeoutMs must be a number from 0'],
    ["busyTimeoutMs: '4000'", { busyTimeoutMs: '4000' }, 'busyTimeoutMs must be a number from 0'],
    ['onCorrupt: true', { onCorrupt: true }, 'onCorrupt must be a function'],
    [
      'busyTimeout',
      { busyTimeout: 1 },
      'sqliteStore has no option "busyTimeout"; its options are path, busyTimeoutMs, onCorrupt',
    ],
  ])('refuses options that cannot work: %s', (_what, options, message) => {
    expect(() => sqliteStore(options as SqliteStoreOptions)).toThrow(new InvalidRequestError(message));
  });

  test('keeps its files to their owner, whatever the umask', async () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const path = join(temporaryFolder(), 'deep', 'state', 'tokens.db');
    await open(path).swap('chain', 0, 'record');
    expect(readdirSync(dirname(path)).map((name) => modeOf(join(dirname(path), name)))).toEqual(
      readdirSync(dirname(path)).map(() => '600'),
    );
    expect([modeOf(path), modeOf(dirname(path)), modeOf(dirname(dirname(path)))]).toEqual([
      '600',
      '700',
      '700',
    ]);
  });

  test('takes the file away from others that could read it', async () => {
    const path = await makeStore(join(temporaryFolder(), 'tokens.db'));
    chmodSync(path, 0o644);
    await open(path).read('chain');
    expect(modeOf(path)).toBe('600');
  });

  test('leaves a folder that exists as it is', async () => {
    const folder = join(temporaryFolder(), 'state');
    mkdirSync(folder, { mode: 0o750 });
    await open(join(folder, 'tokens.db')).read('chain');
    expect(modeOf(folder)).toBe('750');
  });

  test('creates nothing before it is used', () => {
    const path = join(temporaryFolder(), 'tokens.db');
    open(path);
    expect(existsSync(path)).toBe(false);
  });

  test('creates nothing when it is only read', async () => {
    const folder = temporaryFolder();
    expect(await open(join(folder, 'state', 'tokens.db')).read('chain')).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('creates nothing for an impossible version', async () => {
    const folder = temporaryFolder();
    expect(await open(join(folder, 'tokens.db')).swap('chain', 3, 'record')).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    ['empty', Buffer.alloc(0)],
    ['of this order of bytes', Buffer.from('377f0682', 'hex')],
    ['of the other order of bytes', Buffer.from('377f0683', 'hex')],
  ])('is made beside the log of another one, which it moves away: %s', async (_what, log) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'tokens.db-wal'), log);
    expect(await open(join(folder, 'tokens.db')).swap('chain', 0, 'record')).toBe(true);
    expect(readdirSync(folder).filter((name) => /^tokens\.db\.deleted-\d+-wal$/.test(name))).toHaveLength(1);
  });

  test('writes each record to the disk before it goes on', async () => {
    const path = await makeStore(join(temporaryFolder(), 'tokens.db'));
    const opened = openStore(path);
    onTestFinished(() => opened?.database.close());
    expect(opened?.database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
  });

  test('leaves nothing beside the file when it is closed', async () => {
    const folder = temporaryFolder();
    await makeStore(join(folder, 'tokens.db'));
    expect(readdirSync(folder)).toEqual(['tokens.db']);
  });

  test('keeps records when it is closed, and opens again by itself', async () => {
    const path = join(temporaryFolder(), 'tokens.db');
    const store = open(path);
    await store.swap('chain', 0, 'record');
    store.close();
    store.close();
    expect(await store.read('chain')).toEqual({ version: 1, record: 'record' });
    expect(await open(path).read('chain')).toEqual({ version: 1, record: 'record' });
  });
});

/** Keeps the header, and with it whose database it is. */
const damage = (path: string): Buffer => {
  const bytes = readFileSync(path);
  const damaged = Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(bytes.length - 100, 0xff)]);
  writeFileSync(path, damaged);
  return damaged;
};

describe('a store of restkin that is damaged', () => {
  test('is set aside, reported, and kept as it was', async () => {
    const path = await makeStore(join(temporaryFolder(), 'tokens.db'), 50);
    const damaged = damage(path);
    const onCorrupt = vi.fn<(setAside: string) => void>();
    const store = open(path, { onCorrupt });
    expect(await store.read('chain-1')).toBeUndefined();
    expect(await store.swap('chain-1', 0, 'record')).toBe(true);
    expect(onCorrupt).toHaveBeenCalledOnce();
    const aside = onCorrupt.mock.calls[0]?.[0] ?? '';
    expect(readFileSync(aside).equals(damaged)).toBe(true);
    expect(dirname(aside)).toBe(dirname(path));
  });

  test('is set aside also where SQLite cannot read its header', async () => {
    const path = await makeStore(join(temporaryFolder(), 'tokens.db'));
    const bytes = readFileSync(path);
    bytes.fill(0xff, 16, 32); // the size of a page, and what follows it
    writeFileSync(path, bytes);
    const onCorrupt = vi.fn<(setAside: string) => void>();
    expect(await open(path, { onCorrupt }).swap('chain', 0, 'record')).toBe(true);
    expect(onCorrupt).toHaveBeenCalledOnce();
  });

  test('is reported with a process warning by default', async () => {
    const path = await makeStore(join(temporaryFolder(), 'tokens.db'));
    damage(path);
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    onTestFinished(() => warn.mockRestore());
    await open(path).read('chain');
    expect(warn.mock.calls.filter(([text]) => String(text).includes('.corrupt-'))).toHaveLength(1);
  });

  test('is set aside once by two handles', async () => {
    const path = await makeStore(join(temporaryFolder(), 'tokens.db'));
    damage(path);
    const onCorrupt = vi.fn<(setAside: string) => void>();
    const [first, second] = [open(path, { onCorrupt }), open(path, { onCorrupt })];
    await first.swap('chain', 0, 'record');
    expect(await second.read('chain')).toEqual({ version: 1, record: 'record' });
    expect(onCorrupt).toHaveBeenCalledOnce();
  });

  test('costs a login and nothing else', async () => {
    await using server = await startTokenServer();
    const path = await makeStore(join(temporaryFolder(), 'tokens.db'));
    damage(path);
    const { call, events } = createTestClient(server, { store: open(path, { onCorrupt: () => undefined }) });
    expect(await call()).toEqual([]);
    expect(events).toMatchObject([{ reason: 'first', grant: 'password' }]);
  });
});

describe('a store that is deleted or replaced while it is open', () => {
  const replacements: readonly [string, (path: string) => void | Promise<void>][] = [
    ['deleted', (path) => rmSync(path)],
    [
      'deleted with its logs',
      (path) => {
        for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix);
      },
    ],
    ['deleted with its folder', (path) => rmSync(dirname(path), { recursive: true })],
    ['replaced by another store', async (path) => renameSync(await makeStore(`${path}-other`), path)],
  ];

  test.each(replacements)('and is %s: every handle continues with the new one', async (_what, replace) => {
    const path = join(temporaryFolder(), 'tokens.db');
    const [first, second] = [open(path), open(path)];
    await first.swap('chain', 0, 'old');
    expect(await second.read('chain')).toEqual({ version: 1, record: 'old' });
    await replace(path);
    expect(await first.read('chain')).toBeUndefined();
    expect(await first.swap('chain', 1, 'lost')).toBe(false);
    expect(await first.swap('chain', 0, 'new')).toBe(true);
    expect(await second.swap('chain', 0, 'newer')).toBe(false);
    expect(await second.swap('chain', 1, 'newer')).toBe(true);
    second.close();
    expect(await first.read('chain')).toEqual({ version: 2, record: 'newer' });
    first.close();
    expect(await open(path).read('chain')).toEqual({ version: 2, record: 'newer' });
  });

  test("keeps the old log's records out of the new store", async () => {
    const path = join(temporaryFolder(), 'tokens.db');
    const first = open(path);
    await first.swap('chain', 0, 'old');
    rmSync(path);
    const second = open(path);
    await second.swap('other', 0, 'new');
    expect(await second.read('chain')).toBeUndefined();
    first.close();
    expect(await open(path).read('other')).toEqual({ version: 1, record: 'new' });
  });

  test('and whose log alone is deleted loses no write after that', async () => {
    const path = join(temporaryFolder(), 'tokens.db');
    const first = open(path);
    await first.swap('chain', 0, 'old');
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix);
    expect(await first.swap('chain', (await first.read('chain'))?.version ?? 0, 'new')).toBe(true);
    expect((await open(path).read('chain'))?.record).toBe('new');
  });

  test('and replaced by a file of another application is refused', async () => {
    const path = join(temporaryFolder(), 'tokens.db');
    const store = open(path);
    await store.swap('chain', 0, 'record');
    writeFileSync(`${path}-mine`, 'notes of my own');
    renameSync(`${path}-mine`, path);
    expect(await rejectionOf(store.read('chain'))).toBeInstanceOf(SqliteStoreError);
    expect(readFileSync(path, 'utf8')).toBe('notes of my own');
  });
});

test('what SQLite says in an extended code counts, too', () => {
  expect([5, 261, 517, 6].map((errcode) => isBusy({ errcode }))).toEqual([true, true, true, false]);
  expect([11, 779, 26, 8].map((errcode) => isCorrupt({ errcode }))).toEqual([true, true, true, false]);
});

describe("another program's lock", () => {
  test.each(['BEGIN IMMEDIATE', 'BEGIN EXCLUSIVE'])(
    'of %s is waited for without blocking other work',
    async (begin) => {
      const path = await makeStore(join(temporaryFolder(), 'tokens.db'));
      const program = new DatabaseSync(path);
      onTestFinished(() => program.close());
      program.exec(begin);
      const swapped = open(path).swap('chain', 0, 'record');
      // A store that stopped this thread would never let the lock go.
      await new Promise((resolve) => setTimeout(resolve, 100));
      program.exec('COMMIT');
      expect(await swapped).toBe(true);
    },
  );

  test('that does not end fails by name, and the store works when it is gone', async () => {
    const path = await makeStore(join(temporaryFolder(), 'tokens.db'));
    const program = new DatabaseSync(path);
    onTestFinished(() => program.close());
    program.exec('BEGIN IMMEDIATE');
    const store = open(path, { busyTimeoutMs: 20 });
    const error = await rejectionOf(store.swap('chain', 0, 'record'));
    expect(String(error)).toContain(`${path} is locked by another program, for 20 ms now`);
    expect(await store.read('chain-0')).toMatchObject({ version: 1 });
    program.exec('COMMIT');
    expect(await store.swap('chain', 0, 'record')).toBe(true);
  });
});

/** The locks of this process on a file, as the system counts them. */
const locksOn = (path: string): readonly string[] => {
  const own = new RegExp(` ${process.pid} \\S+:${statSync(path).ino} `);
  return (
    readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .filter((lock) => own.test(lock))
      // The number in front counts the locks of the whole system.
      .map((lock) => lock.replace(/^\d+: /, ''))
  );
};

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const opensUris = major > 22 || minor >= 15;

test.runIf(existsSync('/proc/locks') && opensUris)(
  'a second handle of a process does not end the locks of the first',
  async () => {
    const path = join(temporaryFolder(), 'tokens.db');
    const [first, second] = [open(path), open(path)];
    await first.swap('chain', 0, 'one');
    const locks = locksOn(path);
    expect(locks).toHaveLength(1);
    await second.read('chain');
    expect(locksOn(path)).toEqual(locks);
  },
);

test.runIf(process.getuid?.() === 0)('a full disk costs nothing that is stored', async () => {
  const disk = mountDisk(temporaryFolder());
  const path = await makeStore(join(disk, 'tokens.db'));
  const bytes = readFileSync(path);
  fillDisk(disk);
  const store = open(path);
  expect(String(await rejectionOf(store.swap('chain', 0, 'record')))).toContain(`${path} cannot be used: `);
  expect(readFileSync(path).equals(bytes)).toBe(true);
  rmSync(join(disk, 'rest'));
  expect(await store.swap('chain', 0, 'record')).toBe(true);
  expect(await store.read('chain-0')).toMatchObject({ version: 1 });
});

test.each([
  ['no JSON', '{"generation":1'],
  ['another shape', '[1,2,3]'],
  ['null', 'null'],
  ['wrong types', '{"generation":"1","accessToken":7,"accessExpiresAt":"x","refreshExpiresAt":null}'],
])('a record of %s is a new login', async (_name, text) => {
  await using server = await startTokenServer();
  const inner = open(join(temporaryFolder(), 'tokens.db'));
  const store = {
    read: async (chain: string) => (await inner.read(chain)) ?? { version: 0, record: text },
    swap: (...given: Parameters<typeof inner.swap>) => inner.swap(...given),
  };
  expect(await createTestClient(server, { store }).call()).toEqual([]);
  expect(server.tokenRequests).toEqual(['password']);
});
