import { TooManyRequestsError } from 'restkin';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ApiResponse, Send } from '../../../src/http/message.ts';
import { createThrottle, withThrottle } from '../../../src/http/throttle.ts';
import { failureOf } from '../../support/basic-ordering.ts';
import { requestOf, responseOf } from './requests.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A step that answers when it is told to. */
const held = () => {
  const waiting: { readonly url: string; readonly answer: (response: ApiResponse) => void }[] = [];
  const send: Send = ({ url }) => new Promise((answer) => waiting.push({ url, answer }));
  return { send, waiting };
};
const tick = () => vi.advanceTimersByTimeAsync(0);
const urlOf = (name: string) => `https://a.test/${name}`;

describe('concurrency', () => {
  test('at most so many are in flight; the others follow in order', async () => {
    const { send, waiting } = held();
    const throttled = withThrottle(send, createThrottle(2, {}));
    const all = ['a', 'b', 'c', 'd'].map((name) => throttled(requestOf({ url: urlOf(name) })));
    await tick();
    expect(waiting.map(({ url }) => url)).toEqual(['a', 'b'].map(urlOf));
    waiting[1]?.answer(responseOf(200));
    await tick();
    expect(waiting.map(({ url }) => url)).toEqual(['a', 'b', 'c'].map(urlOf));
    waiting[0]?.answer(responseOf(200));
    await tick();
    for (const { answer } of waiting) answer(responseOf(200));
    expect(await Promise.all(all)).toHaveLength(4);
  });

  test('an abort leaves the queue with its reason and does not take a place', async () => {
    const { send, waiting } = held();
    const throttled = withThrottle(send, createThrottle(1, {}));
    const controller = new AbortController();
    const first = throttled(requestOf({ url: urlOf('a') }));
    const leaving = throttled(requestOf({ url: urlOf('b'), signal: controller.signal }));
    const last = throttled(requestOf({ url: urlOf('c') }));
    controller.abort('enough');
    await expect(leaving).rejects.toBe('enough');
    await expect(throttled(requestOf({ signal: AbortSignal.abort('before') }))).rejects.toBe('before');
    waiting[0]?.answer(responseOf(200));
    await tick();
    waiting[1]?.answer(responseOf(200));
    await Promise.all([first, last]);
    expect(waiting.map(({ url }) => url)).toEqual(['a', 'c'].map(urlOf));
  });

  test('a request in the queue is not sent after its deadline', async () => {
    const { send, waiting } = held();
    const throttled = withThrottle(send, createThrottle(1, {}));
    const first = throttled(requestOf());
    const late = throttled(requestOf({ deadline: performance.now() + 100 })).catch(() => 'refused');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await late).toBe('refused');
    waiting[0]?.answer(responseOf(200));
    await first;
    await tick();
    expect(waiting).toHaveLength(1);
  });
});

describe('§7.1 429', () => {
  const paused = async (seconds: number) => {
    const throttle = createThrottle(Number.POSITIVE_INFINITY, {});
    const refusing = withThrottle(async () => responseOf(429, { 'retry-after': String(seconds) }), throttle);
    await refusing(requestOf());
    return throttle;
  };

  test('a pause beyond the deadline is refused, and nothing is sent', async () => {
    const { send, waiting } = held();
    const call = withThrottle(send, await paused(10))(requestOf({ deadline: performance.now() + 9_000 }));
    const error = await failureOf(call, TooManyRequestsError);
    expect(error.retryAfterMs).toBe(10_000);
    expect(waiting).toHaveLength(0);
  });

  test.each(['', 'soon', '-1', '0'])('without a time to wait there is a short pause: %j', async (value) => {
    const throttle = createThrottle(1, {});
    await withThrottle(async () => responseOf(429, { 'retry-after': value }), throttle)(requestOf());
    const { send, waiting } = held();
    void withThrottle(send, throttle)(requestOf());
    await vi.advanceTimersByTimeAsync(249);
    expect(waiting).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(502);
    expect(waiting).toHaveLength(1);
  });

  test('the pauses grow while nothing gets through, and are short again after one', async () => {
    const throttle = createThrottle(Number.POSITIVE_INFINITY, {});
    const refusing = withThrottle(async () => responseOf(429), throttle);
    const pauses: number[] = [];
    const refuse = async () => {
      // Those of one burst are one pause.
      const burst = Promise.all([refusing(requestOf()), refusing(requestOf())]);
      await vi.advanceTimersByTimeAsync(6_000);
      await burst;
      pauses.push(throttle.pausedUntil - throttle.pausedFrom);
    };
    for (let times = 0; times < 5; times++) await refuse();
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    expect(pauses[0]).toBeLessThanOrEqual(500);
    // 4 to 8 s at random, and at most 5 s.
    expect(pauses[4]).toBeGreaterThanOrEqual(4_000);
    expect(pauses[4]).toBeLessThanOrEqual(5_000);
    await withThrottle(async () => responseOf(200), throttle)(requestOf());
    await refuse();
    expect(pauses.at(-1)).toBeLessThanOrEqual(500);
  });

  test('a request that waits for a pause holds no place', async () => {
    const throttle = createThrottle(1, {});
    await withThrottle(async () => responseOf(429, { 'retry-after': '10' }), throttle)(requestOf());
    const { send, waiting } = held();
    const throttled = withThrottle(send, throttle);
    const calls = [throttled(requestOf()), throttled(requestOf())];
    await vi.advanceTimersByTimeAsync(5_000);
    await throttle.places.enter(requestOf());
    throttle.places.leave();
    await vi.advanceTimersByTimeAsync(6_000);
    expect(waiting).toHaveLength(1);
    waiting[0]?.answer(responseOf(200));
    await tick();
    waiting[1]?.answer(responseOf(200));
    expect(await Promise.all(calls)).toHaveLength(2);
  });
});

/** A client that was told to wait, and what arrives after that. */
const after429 = async (retryAfter: string) => {
  const throttle = createThrottle(Number.POSITIVE_INFINITY, {});
  const refusing = withThrottle(async () => responseOf(429, { 'retry-after': retryAfter }), throttle);
  await refusing(requestOf());
  const arrivals: number[] = [];
  const send: Send = async () => {
    arrivals.push(performance.now());
    return responseOf(200);
  };
  return { throttled: withThrottle(send, throttle), arrivals, throttle };
};

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
