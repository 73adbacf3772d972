// The database is deleted under running processes, and others are started. With one session per user, two files of the
// same login would log each other out with every renewal.
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeStore } from '../support/store-paths.ts';
import { createFleet, temporaryFolder } from './fleet.ts';
import { mostPresented, startTokenServer } from './token-server.ts';

const early = 2;
const late = 2;
const calls = 40;

const removals: readonly [string, (path: string) => void | Promise<void>][] = [
  ['deleted', (path) => rmSync(path)],
  [
    'deleted with its logs',
    (path) => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix);
    },
  ],
  ['replaced by an empty store', async (path) => renameSync(await makeStore(`${path}-other`), path)],
];

test.each(removals)(
  'a database that is %s costs a login, once',
  { timeout: 60_000 },
  async (_what, remove) => {
    await using server = await startTokenServer({ oneSession: true, revokeOnReuse: true, usesPerWorker: 1 });
    const path = join(temporaryFolder(), 'tokens.db');
    const fleet = createFleet();
    const start = () => fleet.start({ url: server.url, place: { kind: 'sqlite', path }, leaseMs: 10_000 });
    const workers = Array.from({ length: early + late }, start);
    await Promise.all(workers.map(({ ready }) => ready));
    for (const worker of workers.slice(0, early)) worker.order({ calls });
    await Promise.all(workers.slice(0, early).map(({ called }) => called));
    await remove(path);
    for (const worker of workers.slice(early)) worker.order({ calls });
    const results = await Promise.all(workers.map(({ ended }) => ended));
    expect(results.map(({ failures, storeFailures }) => ({ failures, storeFailures }))).toEqual(
      workers.map(() => ({ failures: [], storeFailures: 0 })),
    );
    expect(mostPresented(server)).toBe(1);
    // The first login, and one for the new file; another where a renewal was on its way.
    expect(server.granted.password).toBeLessThanOrEqual(3);
  },
);
