// Workers renew one chain as fast as they can and die by `kill -9` at any moment; new ones take their place.
// A spare worker stands ready for each that dies, so that the run is about the chain and not about the start
// of processes.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { StorePlace } from '../support/open-store.ts';
import { skipRedis, startRedis } from '../support/redis-server.ts';
import { isFullRun, temporaryFolder } from '../support/runs.ts';
import { createFleet, type Worker, type WorkerResult } from './fleet.ts';
import { mostPresented as mostPresentedIn, startTokenServer } from './token-server.ts';

const killsOf = isFullRun ? { sqlite: 300, redis: 100 } : { sqlite: 24, redis: 12 };
const atWork = 4;
const spares = 2;
const leaseMs = 150;
const timeoutMs = 240_000;
const endless = 1_000_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const killAtRandom = async (place: StorePlace, kills: number) => {
  await using server = await startTokenServer({ revokeOnReuse: true, usesPerWorker: 1 });
  const fleet = createFleet();
  const start = (): Worker => fleet.start({ url: server.url, place, leaseMs });
  const waiting = Array.from({ length: spares }, start);
  const working: Worker[] = [];
  const ends: Promise<WorkerResult>[] = [];

  const putToWork = async (): Promise<void> => {
    const worker = waiting.shift() ?? start();
    waiting.push(start());
    await worker.ready;
    worker.order({ calls: endless });
    working.push(worker);
    ends.push(worker.ended);
  };

  const startedAt = performance.now();
  for (let count = 0; count < atWork; count++) await putToWork();
  for (let killed = 0; killed < kills; killed++) {
    const [victim] = working.splice(Math.floor(Math.random() * working.length), 1);
    // Whoever dies has worked: a chain that stands still would end the run here.
    await victim?.called;
    await pause(Math.random() * 20);
    victim?.kill();
    await putToWork();
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  await Promise.all(working.map(({ called }) => called));
  for (const worker of [...working, ...waiting]) worker.kill();
  const results = await Promise.all(ends);
  await Promise.all(waiting.map(({ ended }) => ended));
  return {
    seconds,
    kills: results.filter(({ end }) => end === 'SIGKILL').length,
    failures: results.flatMap(({ failures }) => failures),
    storeFailures: results.reduce((sum, { storeFailures }) => sum + storeFailures, 0),
    granted: { ...server.granted },
    api: { ...server.api },
    mostPresented: mostPresentedIn(server),
  };
};

const allWellAfter = (kills: number) => ({
  failures: [],
  storeFailures: 0,
  kills: kills + atWork,
  mostPresented: 1,
  passwordsWithinKills: true,
});

/** Prints the figures, and gives what must hold of them. */
const judge = (name: string, result: Awaited<ReturnType<typeof killAtRandom>>): unknown => {
  process.stdout.write(`kill -9 on ${name}: ${JSON.stringify(result)}\n`);
  const { failures, storeFailures, granted, mostPresented } = result;
  const passwordsWithinKills = granted.password <= result.kills + 1;
  return { failures, storeFailures, kills: result.kills, mostPresented, passwordsWithinKills };
};

describe('a random worker is killed repeatedly', () => {
  test(`${killsOf.sqlite} times on SQLite`, { timeout: timeoutMs }, async () => {
    const path = join(temporaryFolder(), 'tokens.db');
    const result = await killAtRandom({ kind: 'sqlite', path }, killsOf.sqlite);
    expect(judge('SQLite', result)).toEqual(allWellAfter(killsOf.sqlite));
  });

  test.skipIf(skipRedis)(`${killsOf.redis} times on Redis`, { timeout: timeoutMs }, async () => {
    await using redis = await startRedis();
    const { port } = redis;
    const result = await killAtRandom({ kind: 'ioredis', port }, killsOf.redis);
    expect(judge('Redis', result)).toEqual(allWellAfter(killsOf.redis));
  });
});
