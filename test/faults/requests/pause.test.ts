import { TooManyRequestsError } from 'restkin';
import { expect, test } from 'vitest';
import { connect, failureOf, order } from '../../support/basic-ordering.ts';
import { type FaultyRequest, startFaultServer } from '../../support/fault-server.ts';
import { json } from '../../support/recording-server.ts';

const pauseOf = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const tooMany = { status: 429, headers: { 'retry-after': '1' } };
const isStart = ({ path }: FaultyRequest): boolean => path === '/v1/orders/1';

test('one 429 pauses every request of the client, and they resume spread out', async () => {
  await using server = await startFaultServer({
    respond: (_request, index) => (index === 0 ? tooMany : json(order(7))),
  });
  const { promise: isRefused, resolve: tell } = Promise.withResolvers<void>();
  const on = { retry: () => tell() };
  const { orders, companies } = connect(server.url, { retry: { baseDelayMs: 1 }, on });
  const first = orders.get(1);
  await isRefused;
  const calls = Array.from({ length: 40 }, (_, index) =>
    index % 2 ? orders.get(7) : companies.allowedMethods(),
  );
  await Promise.allSettled([first, ...calls]);
  const [refused, ...others] = server.requests.map(({ at }) => at);
  const after = others.map((at) => at - (refused ?? 0));
  expect(after).toHaveLength(41);
  expect(Math.min(...after)).toBeGreaterThanOrEqual(995);
  // 40 at random times of a quarter of a second.
  expect(Math.max(...after) - Math.min(...after)).toBeGreaterThan(100);
  expect(after.filter((at) => at - Math.min(...after) < 50).length).toBeLessThan(30);
});

test('another client is not paused', async () => {
  await using server = await startFaultServer({
    respond: (request) => (isStart(request) ? tooMany : json(order(7))),
  });
  const paused = connect(server.url);
  await failureOf(paused.orders.get(1), TooManyRequestsError);
  const waiting = paused.orders.get(7);
  await connect(server.url).orders.get(8);
  expect(server.requests.map(({ path }) => path)).toEqual(['/v1/orders/1', '/v1/orders/8']);
  await waiting;
});

test('a second 429 right after the pause pauses those that have not started again', async () => {
  await using server = await startFaultServer({
    respond: (_request, index) => (index < 2 ? tooMany : json(order(7))),
  });
  const { orders } = connect(server.url, { retry: { baseDelayMs: 1 } });
  const first = orders.get(1).catch(() => undefined);
  await pauseOf(100);
  await Promise.allSettled([first, ...Array.from({ length: 30 }, () => orders.get(7))]);
  const second = server.requests[1]?.at ?? 0;
  // The others start within 250 ms of each other. Those in flight when the second 429 arrives go on.
  const tooEarly = server.requests.slice(2).filter(({ at }) => at - second > 200 && at - second < 980);
  expect(tooEarly).toHaveLength(0);
});

test('a pause that is longer than the cap: the others fail at once too, and nothing is sent', async () => {
  await using server = await startFaultServer({
    respond: () => ({ status: 429, headers: { 'retry-after': '9'.repeat(400) } }),
  });
  const { orders } = connect(server.url, { retry: {} });
  expect((await failureOf(orders.get(1), TooManyRequestsError)).retryAfterMs).toBe(Number.POSITIVE_INFINITY);
  const start = performance.now();
  const error = await failureOf(orders.get(7), TooManyRequestsError);
  expect(performance.now() - start).toBeLessThan(500);
  // An hour at the most, whatever was asked.
  expect(error.retryAfterMs).toBeLessThanOrEqual(3_600_000);
  expect(server.requests).toHaveLength(1);
});

test('a 503 with Retry-After makes its own request wait, and no other', async () => {
  await using server = await startFaultServer({
    respond: (_request, index) =>
      index === 0 ? { status: 503, headers: { 'retry-after': '1' } } : json(order(7)),
  });
  const { orders } = connect(server.url, { retry: { baseDelayMs: 1 } });
  const first = orders.get(1);
  await pauseOf(100);
  await orders.get(7);
  expect(server.requests.map(({ path }) => path.at(-1))).toEqual(['1', '7']);
  await first;
});
