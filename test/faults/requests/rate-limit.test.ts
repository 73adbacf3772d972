import { basicAuth, createClient, defineApi, type Observers, TimeoutError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { basicOrdering, failureOf, login, order } from '../../support/basic-ordering.ts';
import { type Fault, startFaultServer } from '../../support/fault-server.ts';
import { json } from '../../support/recording-server.ts';

const rateLimit = { requests: 5, perMs: 200 };
const limited = defineApi({ ...basicOrdering, rateLimit });
const other = defineApi({ ...basicOrdering, name: 'other' });
// The time between leaving here and arriving there is not always the same.
const toleranceMs = 25;

const clientOf = (baseUrl: string, on: Observers = {}) =>
  createClient({ baseUrl, auth: basicAuth(login), retry: { baseDelayMs: 1 }, on });

/** The most requests that a window of the limit saw. */
const busiestWindow = (times: readonly number[]): number =>
  Math.max(
    ...times.map(
      (start) => times.filter((at) => at >= start && at < start + rateLimit.perMs - toleranceMs).length,
    ),
  );

const serve = (respond: (index: number) => Fault = () => json(order(7))) =>
  startFaultServer({ respond: (_request, index) => respond(index) });

describe('rateLimit', () => {
  /** The arrivals of 23 calls at once, on connections that are open already. */
  const arrivals = async (): Promise<readonly number[]> => {
    await using server = await serve();
    const client = clientOf(server.url);
    await Promise.all(Array.from({ length: 8 }, () => client.api(other).orders.get(1)));
    await Promise.all(Array.from({ length: 23 }, () => client.api(limited).orders.get(7)));
    return server.requests.filter(({ path }) => path.endsWith('/7')).map(({ at }) => at);
  };

  test('no window sees more than it allows, whatever comes at once', async () => {
    let times = await arrivals();
    // Times are those of a machine that does other things too.
    for (let tries = 0; tries < 2 && busiestWindow(times) > 5; tries++) times = await arrivals();
    expect(times).toHaveLength(23);
    expect(busiestWindow(times)).toBe(5);
    // And no slower than it must be: 23 of them are 4 windows and a part.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThan(6 * rateLimit.perMs);
  });

  test('attempts count too, not calls alone', async () => {
    await using server = await serve((index) => (index % 2 === 0 ? { status: 503 } : json(order(7))));
    const { orders } = clientOf(server.url).api(limited);
    await Promise.allSettled(Array.from({ length: 8 }, () => orders.get(7)));
    const times = server.requests.map(({ at }) => at);
    expect(times.length).toBeGreaterThan(8);
    // 12 or more requests with 5 at first and 5 in each window: nobody is faster than that.
    const windows = Math.ceil(times.length / rateLimit.requests) - 1;
    const lasted = (times.at(-1) ?? 0) - (times[0] ?? 0);
    expect(lasted).toBeGreaterThan(windows * rateLimit.perMs - 4 * toleranceMs);
  });

  test('requests that waited for the end of a pause do not start all at once', async () => {
    await using server = await serve((index) =>
      index === 0 ? { status: 429, headers: { 'retry-after': '1' } } : json(order(7)),
    );
    const { orders } = clientOf(server.url).api(limited);
    const first = orders.get(7);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await Promise.all([first, ...Array.from({ length: 20 }, () => orders.get(7))]);
    expect(busiestWindow(server.requests.map(({ at }) => at))).toBeLessThanOrEqual(5);
  });

  test('another API of the client is not limited by it', async () => {
    await using server = await serve();
    const client = clientOf(server.url);
    const { orders } = client.api(other);
    const limitedCalls = Array.from({ length: 10 }, () => client.api(limited).orders.get(7));
    const start = performance.now();
    await Promise.all(Array.from({ length: 20 }, () => orders.get(7)));
    expect(performance.now() - start).toBeLessThan(rateLimit.perMs);
    await Promise.all(limitedCalls);
  });

  test('a wait beyond the deadline: TimeoutError at once, nothing sent, and no attempt after it', async () => {
    await using server = await serve();
    const retries: unknown[] = [];
    const slow = defineApi({ ...basicOrdering, rateLimit: { requests: 1, perMs: 60_000 } });
    const { orders } = clientOf(server.url, { retry: (event) => void retries.push(event) }).api(slow);
    await orders.get(7);
    const error = await failureOf(orders.get(7, { deadlineMs: 2_000 }), TimeoutError);
    expect(error).toMatchObject({ sent: false, code: 'timeout' });
    expect(server.requests).toHaveLength(1);
    // The turn does not come earlier by asking again.
    expect([error.attempts.length, retries.length]).toEqual([1, 0]);
  });

  test('an abort while waiting leaves the others in order', async () => {
    await using server = await serve();
    const { orders } = clientOf(server.url).api(limited);
    const controller = new AbortController();
    const calls = Array.from({ length: 5 }, () => orders.get(7));
    const leaving = orders.get(8, { signal: controller.signal }).catch((reason: unknown) => reason);
    const last = orders.get(9);
    await Promise.all(calls);
    controller.abort('enough');
    expect(await leaving).toBe('enough');
    await last;
    expect(server.requests.map(({ path }) => path.at(-1))).toEqual(['7', '7', '7', '7', '7', '9']);
  });
});
