import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createClient, customAuth, defineApi, type Fetch, tokenAuth, waitFor } from 'restkin';
import { describe, expect, test } from 'vitest';
import { basicOrdering, connect, login, order } from '../../support/basic-ordering.ts';
import { type Fault, type FaultServer, startFaultServer } from '../../support/fault-server.ts';
import { ordering } from '../../support/ordering.ts';
import { json } from '../../support/recording-server.ts';
import { isFullRun } from '../../support/runs.ts';

const pauseOf = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A wait that takes long, and how many requests may have arrived when it is over. */
interface Waiting {
  readonly start: (server: FaultServer, signal: AbortSignal) => Promise<unknown>;
  readonly answer: Fault;
  readonly arrived: number;
}

const slow = { retry: { baseDelayMs: 1e9, maxDelayMs: 1e9 }, deadlineMs: 1e12 } as const;
const custom = defineApi({ ...basicOrdering, auth: 'custom' });
const never = () => new Promise<never>(() => undefined);

const get = (url: string, signal: AbortSignal, options = {}) =>
  Promise.resolve(connect(url, options).orders.get(7, { signal }));

const waits: Readonly<Record<string, Waiting>> = {
  backoff: {
    answer: { status: 503 },
    arrived: 1,
    start: ({ url }, signal) => get(url, signal, slow),
  },
  'Retry-After': {
    answer: { status: 503, headers: { 'retry-after': '30' } },
    arrived: 1,
    start: ({ url }, signal) => get(url, signal, { retry: {} }),
  },
  'the pause after a 429': {
    answer: { status: 429, headers: { 'retry-after': '30' } },
    arrived: 1,
    start: async ({ url }, signal) => {
      const { orders } = connect(url);
      await orders.get(1).catch(() => undefined);
      return orders.get(7, { signal });
    },
  },
  'the queue of a concurrency limit': {
    answer: 'silence',
    arrived: 1,
    start: async ({ url }, signal) => {
      const { orders } = connect(url, { concurrency: 1, timeoutMs: 3_000 });
      void orders.get(1).catch(() => undefined);
      return orders.get(7, { signal });
    },
  },
  'a token request': {
    answer: 'silence',
    arrived: 1,
    start: ({ url }, signal) => {
      const auth = tokenAuth({ authUrl: url, ...login, timeoutMs: 3_000 });
      return Promise.resolve(createClient({ baseUrl: url, auth }).api(ordering).orders.get(7, { signal }));
    },
  },
  'credentials from a vault': {
    answer: 'silence',
    arrived: 0,
    start: ({ url }, signal) => {
      const auth = tokenAuth({ authUrl: url, credentials: never, username: 'ada' });
      return Promise.resolve(createClient({ baseUrl: url, auth }).api(ordering).orders.get(7, { signal }));
    },
  },
  'customAuth that does not answer': {
    answer: 'silence',
    arrived: 0,
    start: ({ url }, signal) => {
      const { orders } = createClient({ baseUrl: url, auth: customAuth(never) }).api(custom);
      return Promise.resolve(orders.get(7, { signal }));
    },
  },
  'a response': { answer: 'silence', arrived: 1, start: ({ url }, signal) => get(url, signal) },
  'the rest of a response': { answer: 'drip', arrived: 1, start: ({ url }, signal) => get(url, signal) },
  'waitFor between two looks': {
    answer: json(order(7)),
    arrived: 1,
    start: ({ url }, signal) =>
      waitFor(
        () => connect(url).orders.get(7),
        () => false,
        { everyMs: 60_000, timeoutMs: 1e6, signal },
      ),
  },
};

/** Aborts in the middle of a wait. */
const measure = async ({ start, answer }: Waiting) => {
  await using server = await startFaultServer({ respond: () => answer });
  const controller = new AbortController();
  const reason = { why: 'enough' };
  let abortedAt = 0;
  const call = start(server, controller.signal).then(
    () => ({ end: 'no rejection' as unknown, ms: 0 }),
    (end: unknown) => ({ end, ms: performance.now() - abortedAt }),
  );
  await pauseOf(120);
  abortedAt = performance.now();
  controller.abort(reason);
  const { end, ms } = await Promise.race([
    call,
    pauseOf(1_500).then(() => ({ end: 'still waiting', ms: 1_500 })),
  ]);
  return {
    isReason: end === reason,
    ms,
    arrived: server.requests.length,
    listeners: getEventListeners(controller.signal, 'abort').length,
  };
};

describe.each(Object.entries(waits))('an abort ends %s', (_name, waiting) => {
  test('within 50 ms, with the reason of the signal, and leaves no listener', async () => {
    let result = await measure(waiting);
    // The time is measured on a machine that does other things too.
    for (let tries = 0; tries < 2 && result.isReason && result.ms > 50; tries++)
      result = await measure(waiting);
    expect(result).toMatchObject({ isReason: true, arrived: waiting.arrived, listeners: 0 });
    expect(result.ms).toBeLessThan(50);
  });
});

describe('one long-lived signal', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heapMb = async (): Promise<number> => {
    // What is held weakly goes in the turn after.
    for (let turn = 0; turn < 2; turn++) {
      await pauseOf(20);
      collect();
    }
    return process.memoryUsage().heapUsed / 1024 / 1024;
  };
  const answers: readonly [string, () => Response | Promise<never>][] = [
    ['success', () => Response.json(order(7))],
    ['an error', () => Response.json({ message: 'no' }, { status: 404 })],
    ['a failure that is retried', () => new Response(null, { status: 503 })],
    ['a lost connection', () => Promise.reject(new TypeError('fetch failed'))],
  ];

  const calls = isFullRun ? 10_000 : 5_000;

  test.each(answers)(
    `gathers no listener over ${calls} calls: %s`,
    async (_name, answer) => {
      const { signal } = new AbortController();
      const fetch: Fetch = async () => answer();
      const { orders } = connect('http://127.0.0.1:9', {
        fetch,
        concurrency: 20,
        retry: { attempts: 2, baseDelayMs: 0.001 },
      });
      const many = async (count: number): Promise<number> => {
        let most = 0;
        for (let at = 0; at < count; at += 50) {
          await Promise.allSettled(Array.from({ length: 50 }, () => orders.get(7, { signal })));
          most = Math.max(most, getEventListeners(signal, 'abort').length);
        }
        return most;
      };
      await many(1_000);
      const before = await heapMb();
      expect(await many(calls)).toBe(0);
      // Each call leaves less than two kilobytes.
      expect((await heapMb()) - before).toBeLessThan((calls * 1.6) / 1_000);
    },
    60_000,
  );
});
