// 8 processes demand many renewals each of one chain. An access token is good for one API request of each
// worker (the server counts by `x-worker`): its next call gets 401 and demands a renewal, and the replay
// after that never gets one, whoever renewed. A worker adopts what another one just got, as the protocol
// wants: refreshes are one to eight times as many.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { StorePlace } from '../support/open-store.ts';
import { skipRedis, startRedis } from '../support/redis-server.ts';
import { isFullRun, temporaryFolder } from '../support/runs.ts';
import { createFleet } from './fleet.ts';
import { mostPresented, startTokenServer } from './token-server.ts';

const processes = 8;
const renewals = isFullRun ? 1_000 : 50;
const timeoutMs = 180_000;

const race = async (places: readonly StorePlace[]) => {
  await using server = await startTokenServer({ revokeOnReuse: true, usesPerWorker: 1 });
  const fleet = createFleet();
  const workers = Array.from({ length: processes }, (_, index) =>
    fleet.start({ url: server.url, place: places[index % places.length] as StorePlace, leaseMs: 10_000 }),
  );
  await Promise.all(workers.map(({ ready }) => ready));
  const startedAt = performance.now();
  // The first call of a worker needs no renewal of what another one just got.
  for (const worker of workers) worker.order({ calls: renewals + 1 });
  const results = await Promise.all(workers.map(({ ended }) => ended));
  return {
    seconds: ((performance.now() - startedAt) / 1_000).toFixed(1),
    calls: results.map(({ calls }) => calls),
    ends: results.map(({ end }) => end),
    failures: results.flatMap(({ failures }) => failures),
    storeFailures: results.reduce((sum, { storeFailures }) => sum + storeFailures, 0),
    granted: { ...server.granted },
    api: { ...server.api },
    presented: server.presented.size,
    mostPresented: mostPresented(server),
  };
};

describe(`8 processes renew ${renewals} times each on one store`, () => {
  test('SQLite', { timeout: timeoutMs }, async () => {
    const result = await race([{ kind: 'sqlite', path: join(temporaryFolder(), 'tokens.db') }]);
    process.stdout.write(`8 x ${renewals} on SQLite: ${JSON.stringify(result)}\n`);
    expect(result).toMatchObject({ failures: [], storeFailures: 0, mostPresented: 1 });
    expect(result.calls).toEqual(Array.from({ length: processes }, () => renewals + 1));
    expect(result.granted.password).toBe(1);
  });

  test.skipIf(skipRedis)('Redis', { timeout: timeoutMs }, async () => {
    await using redis = await startRedis();
    const { port } = redis;
    const result = await race([
      { kind: 'redis', port },
      { kind: 'ioredis', port },
    ]);
    process.stdout.write(`8 x ${renewals} on Redis: ${JSON.stringify(result)}\n`);
    expect(result).toMatchObject({ failures: [], storeFailures: 0, mostPresented: 1 });
    expect(result.calls).toEqual(Array.from({ length: processes }, () => renewals + 1));
    expect(result.granted.password).toBe(1);
  });
});
