import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AmbiguousOutcomeError, basicAuth, createClient } from 'restkin';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freePort, waitForPort } from '../support/ports.ts';
import { isFullRun } from '../support/runs.ts';
import { startHAProxy, startNginx, versionOf } from './gateway.ts';

/** How long a gateway is reloaded. */
const seconds = isFullRun ? 10 : 5;

let folder: string;
let log: string;
let port: number;
let upstream: ChildProcess;

const startUpstream = async (): Promise<void> => {
  const file = fileURLToPath(new URL('upstream.ts', import.meta.url));
  upstream = spawn(process.execPath, [file, String(port), log], { stdio: 'ignore' });
  await waitForPort(port);
};

const killUpstream = async (): Promise<void> => {
  const ended = once(upstream, 'exit');
  upstream.kill('SIGKILL');
  await ended;
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'restkin-interop-'));
  log = join(folder, 'done');
  await writeFile(log, '');
  port = await freePort();
  await startUpstream();
});
afterEach(async () => {
  await killUpstream();
  await rm(folder, { recursive: true });
});

const connect = (baseUrl: string) =>
  createClient({ baseUrl, auth: basicAuth({ username: 'ada', password: 'lovelace' }) });

/** Calls by twenty callers until they are told to stop, and what became of them. */
const keepCalling = (baseUrl: string) => {
  const client = connect(baseUrl);
  let isRunning = true;
  const counts = { gets: 0, failedGets: 0, posts: 0 };
  const lost: { readonly key: string; readonly error: unknown }[] = [];
  const get = async (): Promise<void> => {
    counts.gets++;
    await client.request({ method: 'GET', path: 'v1/notes/1' }).catch(() => counts.failedGets++);
  };
  const post = async (key: string): Promise<void> => {
    counts.posts++;
    const request = {
      method: 'POST',
      path: 'v1/notes',
      body: { text: key },
      headers: { 'x-key': key },
    } as const;
    await client.request(request).catch((error: unknown) => lost.push({ key, error }));
  };
  const callers = Array.from({ length: 20 }, async (_, caller) => {
    for (let turn = 0; isRunning; turn++) await (turn % 4 === 0 ? post(`${caller}-${turn}`) : get());
  });
  return async () => {
    isRunning = false;
    await Promise.all(callers);
    const done = (await readFile(log, 'utf8')).trim().split('\n');
    return { ...counts, lost, done };
  };
};

const expectNothingLost = ({
  gets,
  failedGets,
  posts,
  lost,
  done,
}: Awaited<ReturnType<ReturnType<typeof keepCalling>>>) => {
  expect(gets).toBeGreaterThan(1_000);
  expect(posts).toBeGreaterThan(300);
  expect(failedGets).toBeLessThanOrEqual(gets / 1_000);
  expect(new Set(done).size).toBe(done.length);
  const unknown = lost.filter(
    ({ key, error }) => done.includes(key) && !(error instanceof AmbiguousOutcomeError),
  );
  expect(unknown).toEqual([]);
};

describe.runIf(await versionOf('nginx'))('nginx', () => {
  test('that is reloaded each second ends at most one GET in 1,000, and doubles no POST', async () => {
    await using nginx = await startNginx(port);
    const stop = keepCalling(nginx.url);
    for (let second = 0; second < seconds; second++) {
      await sleep(1_000);
      nginx.reload();
    }
    expectNothingLost(await stop());
  }, 60_000);

  test('whose upstream is killed and restarted ends at most one GET in 1,000, and a POST with an unknown outcome says so', async () => {
    await using nginx = await startNginx(port);
    const stop = keepCalling(nginx.url);
    for (let kill = 0; kill < 5; kill++) {
      await sleep(800);
      await killUpstream();
      await startUpstream();
    }
    expectNothingLost(await stop());
  }, 60_000);

  test('that gives up on a POST (504) makes its outcome unknown', async () => {
    await using nginx = await startNginx(port, 500);
    const call = connect(nginx.url).request({
      method: 'POST',
      path: 'v1/notes',
      body: { text: 'slow' },
      headers: { 'x-key': 'slow', 'x-slow': '1500' },
    });
    await expect(call).rejects.toBeInstanceOf(AmbiguousOutcomeError);
    expect(await readFile(log, 'utf8')).toBe('slow\n');
  });
});

describe.runIf(await versionOf('haproxy'))('HAProxy', () => {
  test('with 429 and no Retry-After above 20 requests a second fails no call of 120', async () => {
    await using proxy = await startHAProxy(port);
    const client = connect(proxy.url);
    const calls = Array.from({ length: 120 }, () => client.request({ method: 'GET', path: 'v1/notes/1' }));
    const results = await Promise.allSettled(calls);
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
  }, 60_000);
});
