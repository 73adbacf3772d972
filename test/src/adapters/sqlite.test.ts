import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkTokenStore } from 'restkin/mocks';
import { type SqliteStoreOptions, sqliteStore } from 'restkin/sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createTestClient } from '../../faults/clients.ts';
import { temporaryFolder } from '../../faults/fleet.ts';
import { startTokenServer } from '../../faults/token-server.ts';

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
    const path = join(temporaryFolder(), 'tokens.db');
    writeFileSync(path, '', { mode: 0o644 });
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

describe('a file that is no database', () => {
  const garbage = `not a database\n${'x'.repeat(5_000)}`;

  test('is set aside, told, and kept as it was', async () => {
    const path = join(temporaryFolder(), 'tokens.db');
    writeFileSync(path, garbage);
    const onCorrupt = vi.fn<(setAside: string) => void>();
    const store = open(path, { onCorrupt });
    expect(await store.read('chain')).toBeUndefined();
    expect(await store.swap('chain', 0, 'record')).toBe(true);
    expect(onCorrupt).toHaveBeenCalledOnce();
    const aside = onCorrupt.mock.calls[0]?.[0] ?? '';
    expect(readFileSync(aside, 'utf8')).toBe(garbage);
    expect(dirname(aside)).toBe(dirname(path));
  });

  test('is told with a process warning when nobody asks to be', async () => {
    const path = join(temporaryFolder(), 'tokens.db');
    writeFileSync(path, garbage);
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    onTestFinished(() => warn.mockRestore());
    await open(path).read('chain');
    expect(warn.mock.calls.filter(([text]) => String(text).includes('.corrupt-'))).toHaveLength(1);
  });

  test('is set aside once by two handles', async () => {
    const path = join(temporaryFolder(), 'tokens.db');
    writeFileSync(path, garbage);
    const onCorrupt = vi.fn<(setAside: string) => void>();
    const [first, second] = [open(path, { onCorrupt }), open(path, { onCorrupt })];
    await first.swap('chain', 0, 'record');
    expect(await second.read('chain')).toEqual({ version: 1, record: 'record' });
    expect(onCorrupt).toHaveBeenCalledOnce();
  });

  test('that was one until a handle had opened it is set aside too', async () => {
    const path = join(temporaryFolder(), 'tokens.db');
    const store = open(path);
    for (let count = 0; count < 50; count++) await store.swap(`chain-${count}`, 0, 'x'.repeat(2_000));
    store.close();
    const bytes = readFileSync(path);
    writeFileSync(path, Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(bytes.length - 100, 0xff)]));
    const onCorrupt = vi.fn<(setAside: string) => void>();
    const again = open(path, { onCorrupt });
    expect(await again.read('chain-1')).toBeUndefined();
    expect(onCorrupt).toHaveBeenCalledOnce();
  });

  test('costs a login and nothing else', async () => {
    await using server = await startTokenServer();
    const path = join(temporaryFolder(), 'tokens.db');
    writeFileSync(path, garbage);
    const { call, events } = createTestClient(server, { store: open(path, { onCorrupt: () => undefined }) });
    expect(await call()).toEqual([]);
    expect(events).toEqual([{ reason: 'first', grant: 'password' }]);
  });
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
