import { getEventListeners } from 'node:events';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { backoffMs, tooLate, wait, waitUpTo } from '../../../src/http/timing.ts';
import fc from '../../support/random.ts';

const fakeTimers = (): void => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
};

test.each([2 ** 31, 2 ** 40, Number.POSITIVE_INFINITY])('%d ms do not overflow the timer', async (ms) => {
  fakeTimers();
  let done = false;
  const waiting = wait(ms, undefined).then(() => {
    done = true;
  });
  await vi.advanceTimersByTimeAsync(2 ** 31 - 2);
  expect(done).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(done).toBe(true);
});

test('backoff is between one and two steps of its retry, and never above the maximum', () => {
  fc.assert(
    fc.property(fc.nat({ max: 40 }), fc.nat({ max: 1_000 }), fc.nat({ max: 10_000 }), (retry, base, max) => {
      const ms = backoffMs(retry, base, max);
      expect(ms).toBeGreaterThanOrEqual(Math.min(max, base * 2 ** retry));
      expect(ms).toBeLessThanOrEqual(Math.min(max, 2 * base * 2 ** retry));
    }),
  );
});

describe('waitUpTo', () => {
  const longMs = Number.POSITIVE_INFINITY;

  test('a caller leaves with its reason or at its deadline, the promise continues for the others', async () => {
    let resolve: (token: string) => void = () => undefined;
    const shared = new Promise<string>((done) => {
      resolve = done;
    });
    const controller = new AbortController();
    const leaving = waitUpTo(shared, longMs, controller.signal);
    const late = waitUpTo(shared, 5);
    const staying = waitUpTo(shared, longMs, new AbortController().signal);
    controller.abort('mine');
    await expect(leaving).rejects.toBe('mine');
    expect(await late).toBe(tooLate);
    resolve('token');
    expect(await staying).toBe('token');
  });

  test('leaves no timer and no listener behind', async () => {
    fakeTimers();
    const { signal } = new AbortController();
    await waitUpTo(Promise.resolve(), longMs, signal);
    const late = wait(5, signal);
    await vi.advanceTimersByTimeAsync(5);
    expect(await late).toBe(tooLate);
    expect([vi.getTimerCount(), getEventListeners(signal, 'abort')]).toEqual([0, []]);
  });
});
