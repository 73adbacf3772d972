import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteStoreError, sqliteStore } from 'restkin/sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../faults/fleet.ts';
import { rejectionOf } from '../../support/shop.ts';
import { makeStore, refusedPaths, refusedPathsOfRoot, snapshot } from '../../support/store-paths.ts';

const expectRefusal = async (folder: string, path: string, reason: RegExp) => {
  const before = snapshot(folder);
  const store = sqliteStore({ path });
  onTestFinished(() => store.close());
  const error = await rejectionOf(store.swap('chain', 0, 'record'));
  store.close();
  expect(error).toBeInstanceOf(SqliteStoreError);
  expect(error).toMatchObject({ path });
  expect(String(error)).toContain(path);
  expect(String(error)).toMatch(reason);
  expect(String(error)).toMatch(/choose another path/);
  expect(snapshot(folder)).toEqual(before);
};

test.each([...refusedPaths, ...refusedPathsOfRoot])(
  '$what is no store of restkin: it is refused and left as it is',
  async ({ make, reason }) => {
    const folder = temporaryFolder();
    await expectRefusal(folder, await make(folder), reason);
  },
);

describe.runIf(process.getuid?.() === 0)('without permission, the store is refused and left as it is', () => {
  const asNobody = (): void => {
    process.seteuid?.(65_534);
    onTestFinished(() => process.seteuid?.(0));
  };

  test.each<[string, (folder: string) => Promise<string>]>([
    ['a store of another user', (folder) => makeStore(join(folder, 'tokens.db'))],
    [
      'a folder that may not be searched',
      async (folder) => {
        mkdirSync(join(folder, 'private'), { mode: 0o700 });
        return join(folder, 'private', 'tokens.db');
      },
    ],
    ['a folder that may not be written', async (folder) => join(folder, 'tokens.db')],
  ])('%s', async (_what, make) => {
    const folder = temporaryFolder();
    const path = await make(folder);
    chmodSync(folder, 0o755);
    const before = snapshot(folder);
    asNobody();
    const error = await rejectionOf(sqliteStore({ path }).swap('chain', 0, 'record'));
    process.seteuid?.(0);
    expect(error).toBeInstanceOf(SqliteStoreError);
    expect(String(error)).toContain(path);
    expect(snapshot(folder)).toEqual(before);
  });
});
