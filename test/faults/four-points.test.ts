// A process dies at each of the four points of claim, act, commit. The next one works within the lease plus a
// second, and what it needs for that is exact: the password only where the refresh token may have been used.
import { join } from 'node:path';
import { createClient, tokenAuth } from 'restkin';
import { expect, onTestFinished, test } from 'vitest';
import { openStore, type StorePlace } from '../support/open-store.ts';
import { isFullRun, temporaryFolder } from '../support/runs.ts';
import { createFleet } from './fleet.ts';
import { mostPresented, startTokenServer } from './token-server.ts';
import type { KillPoint } from './token-worker.ts';

const times = isFullRun ? 50 : 6;
const leaseMs = 150;

/** The process that lives on: this one, with a handle and a client of its own. */
const createSurvivor = async (url: string, place: StorePlace) => {
  const { store, close } = await openStore(place);
  onTestFinished(close);
  const auth = tokenAuth({ authUrl: url, username: 'ada', password: 'lovelace', leaseMs, store });
  return createClient({ baseUrl: url, auth });
};

test.each<[KillPoint, number]>([
  ['beforeClaim', 1],
  ['afterClaim', 1 + times],
  ['afterSending', 1 + times],
  ['afterCommit', 1],
])(`killed ${times} times %s: %i password grants in all`, { timeout: 120_000 }, async (killAt, passwords) => {
  await using server = await startTokenServer({ revokeOnReuse: true });
  const place: StorePlace = { kind: 'sqlite', path: join(temporaryFolder(), 'tokens.db') };
  const fleet = createFleet();
  const start = () => fleet.start({ url: server.url, place, leaseMs, killAt });
  const survivor = await createSurvivor(server.url, place);
  const call = () => survivor.request({ method: 'GET', path: 'v1/things' });
  await call();
  const waits: number[] = [];
  const ends: unknown[] = [];
  let next = start();
  for (let time = 0; time < times; time++) {
    const victim = next;
    next = start();
    await victim.ready;
    server.expireAll();
    victim.order({ calls: 1 });
    ends.push((await victim.ended).end);
    const diedAt = performance.now();
    expect(await call()).toEqual([]);
    waits.push(performance.now() - diedAt);
  }
  next.kill();
  await next.ended;
  process.stdout.write(`killed ${killAt}: longest wait ${Math.max(...waits).toFixed(0)} ms\n`);
  expect(ends).toEqual(Array.from({ length: times }, () => 'SIGKILL'));
  expect(Math.max(...waits)).toBeLessThan(leaseMs + 1_000);
  expect(mostPresented(server)).toBeLessThanOrEqual(1);
  expect(server.granted.password).toBe(passwords);
});
