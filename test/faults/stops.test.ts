// Processes of one login are stopped at any moment, for longer than others wait for them, and resumed. The server has one
// session per user: whoever logs in ends what the others have.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFleet, temporaryFolder } from './fleet.ts';
import { mostPresented, startTokenServer } from './token-server.ts';

const processes = 3;
const stops = 20;
const leaseMs = 600;
const endless = 1_000_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test(`${stops} stops: no call fails, and no refresh token arrives twice`, { timeout: 120_000 }, async () => {
  await using server = await startTokenServer({
    revokeOnReuse: true,
    oneSession: true,
    usesPerWorker: 1,
    behave: () => ({ delayMs: Math.random() * 20, lateMs: Math.random() * 20 }),
  });
  const place = { kind: 'sqlite', path: join(temporaryFolder(), 'tokens.db') } as const;
  const fleet = createFleet();
  const workers = Array.from({ length: processes }, () => fleet.start({ url: server.url, place, leaseMs }));
  await Promise.all(workers.map(({ ready }) => ready));
  for (const worker of workers) worker.order({ calls: endless });
  await Promise.all(workers.map(({ called }) => called));
  for (let count = 0; count < stops; count++) {
    const victim = workers[count % processes];
    await pause(Math.random() * 50);
    victim?.stop();
    await pause(leaseMs * (0.5 + Math.random() * 2));
    victim?.resume();
  }
  await pause(leaseMs * 2);
  for (const worker of workers) worker.kill();
  const results = await Promise.all(workers.map(({ ended }) => ended));
  const { granted, api } = server;
  process.stdout.write(`${stops} stops: ${JSON.stringify({ granted, api })}\n`);
  expect(results.flatMap(({ failures }) => failures)).toEqual([]);
  expect(granted.password).toBeGreaterThan(1);
  expect(mostPresented(server)).toBe(1);
});
