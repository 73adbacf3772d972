import { TooManyRequestsError } from 'restkin';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Send } from '../../../src/http/message.ts';
import { createThrottle, withThrottle } from '../../../src/http/throttle.ts';
import { failureOf } from '../../support/basic-ordering.ts';
import { requestOf, responseOf } from './requests.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A client that was told to wait, and what arrives after that. */
const after429 = async (retryAfter: string) => {
  const throttle = createThrottle(Number.POSITIVE_INFINITY);
  const refusing = withThrottle(async () => responseOf(429, { 'retry-after': retryAfter }), throttle);
  await refusing(requestOf());
  const arrivals: number[] = [];
  const send: Send = async () => {
    arrivals.push(performance.now());
    return responseOf(200);
  };
  return { throttled: withThrottle(send, throttle), arrivals, throttle };
};

const absurd = ['9'.repeat(400), String(10 * 365 * 86_400), 'Fri, 31 Dec 9999 23:59:59 GMT', '3601'];

test.each(absurd)(
  'the pause does not last for ever: after an hour requests go out again: %s',
  async (value) => {
    const { throttled, arrivals } = await after429(value);
    await vi.advanceTimersByTimeAsync(3_599_000 - 60_000);
    await failureOf(throttled(requestOf()), TooManyRequestsError);
    expect(arrivals).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(61_001);
    expect((await throttled(requestOf())).status).toBe(200);
    expect(arrivals).toHaveLength(1);
  },
);

test('within the last minute of a pause a request waits for its end', async () => {
  const { throttled, arrivals } = await after429('120');
  await vi.advanceTimersByTimeAsync(61_000);
  const start = performance.now();
  const call = throttled(requestOf());
  await vi.advanceTimersByTimeAsync(58_999);
  expect(arrivals).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(251);
  await call;
  expect((arrivals[0] ?? 0) - start).toBeGreaterThanOrEqual(59_000);
});

test('a shorter Retry-After does not end a longer pause', async () => {
  const { throttled, arrivals, throttle } = await after429('1');
  await vi.advanceTimersByTimeAsync(1_000);
  const seconds = ['30', '1'];
  const refuse: Send = async () => responseOf(429, { 'retry-after': seconds.shift() ?? '' });
  const refusing = withThrottle(refuse, throttle);
  // Both are on the way before the first response arrives.
  await Promise.all([refusing(requestOf()), refusing(requestOf())]);
  const call = throttled(requestOf());
  await vi.advanceTimersByTimeAsync(29_999);
  expect(arrivals).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(252);
  await call;
  expect(arrivals).toHaveLength(1);
});

test('a pause that is made longer while a request waits is waited for to its end', async () => {
  const { throttled, arrivals, throttle } = await after429('1');
  const call = throttled(requestOf());
  await vi.advanceTimersByTimeAsync(500);
  // Another request was on the way already, and has got a 429 as well.
  throttle.pausedUntil = performance.now() + 10_000;
  await vi.advanceTimersByTimeAsync(9_999);
  expect(arrivals).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(252);
  await call;
  expect(arrivals).toHaveLength(1);
});

test('those that waited come spread over a quarter of a second', async () => {
  const { throttled, arrivals } = await after429('5');
  const calls = Array.from({ length: 200 }, () => throttled(requestOf()));
  await vi.advanceTimersByTimeAsync(5_251);
  await Promise.all(calls);
  const from = Math.min(...arrivals);
  const perTenth = Array.from(
    { length: 10 },
    (_, tenth) => arrivals.filter((at) => at - from >= tenth * 25 && at - from < (tenth + 1) * 25).length,
  );
  expect(Math.max(...perTenth)).toBeLessThan(60);
  expect(perTenth.filter((count) => count > 0).length).toBeGreaterThanOrEqual(9);
});
