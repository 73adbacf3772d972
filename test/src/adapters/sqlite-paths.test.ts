import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteStoreError, sqliteStore } from 'restkin/sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { createTestClient } from '../../faults/clients.ts';
import { startTokenServer } from '../../faults/token-server.ts';
import { temporaryFolder } from '../../support/runs.ts';
import { rejectionOf } from '../../support/shop.ts';
import { makeStore, refusedPaths, snapshot } from '../../support/store-paths.ts';

test.each(refusedPaths)(
  '%s is no store of restkin: it is refused and left as it is',
  async (_what, make, reason) => {
    const folder = temporaryFolder();
    const path = await make(folder);
    const before = snapshot(folder);
    const store = sqliteStore({ path });
    onTestFinished(() => store.close());
    const error = await rejectionOf(store.swap('chain', 0, 'record'));
    store.close();
    expect(error).toBeInstanceOf(SqliteStoreError);
    expect(error).toMatchObject({ path, errstr: expect.not.stringContaining(folder) });
    expect(String(error)).toContain(path);
    expect(String(error)).toMatch(reason);
    expect(String(error)).toMatch(/choose another path/);
    expect(snapshot(folder)).toEqual(before);
  },
);

test.each([
  ['a config.json', 'SqliteStoreError: the file was refused: it is a file of another format'],
  [
    "another application's database",
    'SqliteStoreError: the file was refused: it is the SQLite database of another application',
  ],
  ['a file below a file', 'Error ENOTDIR: the file cannot be used: not a directory'],
  [
    'nothing, with a file in the place of its journal',
    'SqliteStoreError: the file cannot be made: another database left a file there',
  ],
])('%s is a store that fails, which is reported as %s', async (what, failure) => {
  await using server = await startTokenServer();
  const [, make] = refusedPaths.find(([name]) => name === what) ?? [];
  const path = (await make?.(temporaryFolder())) ?? '';
  const { call, events } = createTestClient(server, { store: sqliteStore({ path }) });
  expect(await call()).toEqual([]);
  expect(events[0]).toMatchObject({ reason: 'storeFailed', failure });
});

test.runIf(process.getuid?.() === 0)('a store of another user is refused and left as it is', async () => {
  const folder = temporaryFolder();
  const path = await makeStore(join(folder, 'tokens.db'));
  chmodSync(folder, 0o755);
  const before = snapshot(folder);
  process.seteuid?.(65_534);
  onTestFinished(() => process.seteuid?.(0));
  const error = await rejectionOf(sqliteStore({ path }).swap('chain', 0, 'record'));
  process.seteuid?.(0);
  expect(error).toBeInstanceOf(SqliteStoreError);
  expect(String(error)).toContain(path);
  expect(snapshot(folder)).toEqual(before);
});

test.runIf(existsSync('/proc/self'))('a folder that the system refuses to make is an error at once', () => {
  const module = new URL('../../../src/adapters/sqlite.ts', import.meta.url).href;
  const program = `import { sqliteStore } from '${module}';
    const store = sqliteStore({ path: '/proc/missing/state/tokens.db' });
    await store.swap('chain', 0, 'record').catch((error) => console.log(error.message));`;
  // In a process of its own, which ends: what blocks a thread blocks the time limit of a test too.
  const run = () =>
    execFileSync(process.execPath, ['--input-type=module', '--eval', program], { timeout: 10_000 });
  const said = String(run());
  expect(said).toContain(
    "/proc/missing/state/tokens.db cannot be used: ENOENT: no such file or directory, mkdir '/proc/missing'",
  );
  expect(said).toMatch(/choose another path/);
});
