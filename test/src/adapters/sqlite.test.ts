import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
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
import { SqliteStoreError, type SqliteStoreOptions, sqliteStore } from 'restkin/sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTestClient } from '../../faults/clients.ts';
import { startTokenServer } from '../../faults/token-server.ts';
import { temporaryFolder } from '../../support/runs.ts';
import { rejectionOf } from '../../support/shop.ts';
import { fillDisk, makeStore, mountDisk } from '../../support/store-paths.ts';
import { checkTokenStore } from '../../support/token-store-rules.ts';

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

  test.each([
    [undefined, ': path is missing'],
    [{}, ': path is missing'],
    [{ path: undefined }, ': path is missing'],
    [{ path: '' }, ': path must be a string that is not empty'],
    [{ path: new URL('file:///tokens.db') }, ': path must be a string that is not empty'],
    [{ path: 'x', busyTimeoutMs: Number.NaN }, ': busyTimeoutMs must be a number from 0'],
    [{ path: 'x', busyTimeout: 1 }, ' has no option "busyTimeout"; its options are path, busyTimeoutMs'],
  ])('refuses options that cannot work, by its name: %o', (options, message) => {
    const make = () => sqliteStore(options as unknown as SqliteStoreOptions);
    expect(make).toThrow(new InvalidRequestError(`sqliteStore${message}`));
  });

  test('keeps its files to their owner, whatever the umask', async () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const path = join(temporaryFolder(), 'deep', 'state', 'tokens.db');
    await open(path).swap('chain', 0, 'record');
    const folder = dirname(path);
    for (const name of readdirSync(folder)) expect(modeOf(join(folder, name))).toBe('600');
    expect([modeOf(path), modeOf(folder), modeOf(dirname(folder))]).toEqual(['600', '700', '700']);
  });

  test('takes the file away from others that could read it', async () => {
    const path = await makeStore(join(temporaryFolder(), 'tokens.db'));
    chmodSync(path, 0o644);
    await open(path).read('chain');
    expect(modeOf(path)).toBe('600');
  });

  test('creates nothing when it is only read', async () => {
    const folder = temporaryFolder();
    expect(await open(join(folder, 'state', 'tokens.db')).read('chain')).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('keeps records in one file when it is closed, and opens again by itself', async () => {
    const path = join(temporaryFolder(), 'tokens.db');
    const store = open(path);
    await store.swap('chain', 0, 'record');
    store.close();
    store.close();
    expect(readdirSync(dirname(path))).toEqual(['tokens.db']);
    expect(await store.read('chain')).toEqual({ version: 1, record: 'record' });
    expect(await open(path).read('chain')).toEqual({ version: 1, record: 'record' });
  });

  const countsDescriptors = existsSync('/proc/self/fd') && !/^22\.1[34]\./.test(process.versions.node);
  test.runIf(countsDescriptors)('leaves no descriptor when it is closed', async () => {
    const folder = temporaryFolder();
    const descriptors = () => readdirSync('/proc/self/fd').length;
    await makeStore(join(folder, 'first.db'));
    const before = descriptors();
    for (let count = 0; count < 20; count++) await makeStore(join(folder, `${count}.db`));
    expect(descriptors()).toBe(before);
  });

  test('has a path that means something else in a URL', async () => {
    const path = join(temporaryFolder(), 'a b?mode=memory#c%20d.db');
    await open(path).swap('chain', 0, 'record');
    expect(await open(path).read('chain')).toEqual({ version: 1, record: 'record' });
    expect(readdirSync(dirname(path))).toEqual(['a b?mode=memory#c%20d.db']);
  });
});

test('a store that is damaged is left as it is, and costs a login', async () => {
  await using server = await startTokenServer();
  const path = await makeStore(join(temporaryFolder(), 'tokens.db'), 50);
  const bytes = readFileSync(path).fill(0xff, 100);
  writeFileSync(path, bytes);
  const store = open(path);
  expect(await rejectionOf(store.read('chain-1'))).toBeInstanceOf(SqliteStoreError);
  const { call } = createTestClient(server, { store });
  expect(await call()).toEqual([]);
  expect(server.tokenRequests).toEqual(['password']);
  expect(readFileSync(path).equals(bytes)).toBe(true);
});

describe('a store that is deleted or replaced while it is open', () => {
  const replacements: readonly [string, (path: string) => void | Promise<void>][] = [
    ['deleted', (path) => rmSync(path)],
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
    expect(await first.read('chain')).toEqual({ version: 2, record: 'newer' });
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

  test('stays when another store is opened in its process', async () => {
    const path = await makeStore(join(temporaryFolder(), 'tokens.db'));
    const program = new DatabaseSync(path);
    onTestFinished(() => program.close());
    program.exec('BEGIN IMMEDIATE');
    await open(path).read('chain-0');
    const other = `new (require('node:sqlite').DatabaseSync)(${JSON.stringify(path)}).exec('BEGIN IMMEDIATE')`;
    expect(() => execFileSync(process.execPath, ['-e', other], { stdio: 'pipe' })).toThrow('is locked');
  });

  test('that does not end fails by name, and the store works when it is gone', async () => {
    const path = await makeStore(join(temporaryFolder(), 'tokens.db'));
    const program = new DatabaseSync(path);
    onTestFinished(() => program.close());
    program.exec('BEGIN IMMEDIATE');
    const store = open(path, { busyTimeoutMs: 20 });
    const error = await rejectionOf(store.swap('chain', 0, 'record'));
    expect(String(error)).toContain(`${path} is locked by another program, for 20 ms now`);
    expect(error).toHaveProperty('errstr', 'the file is locked by another program');
    expect(await store.read('chain-0')).toMatchObject({ version: 1 });
    program.exec('COMMIT');
    expect(await store.swap('chain', 0, 'record')).toBe(true);
  });
});

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
