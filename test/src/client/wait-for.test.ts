import { InvalidRequestError, NotFoundError, TimeoutError, waitFor } from 'restkin';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connect, failureOf, order } from '../../support/basic-ordering.ts';
import { inOrder, json, record } from '../../support/recording-server.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Looks that give 1, 2, 3, and the times at which they were taken. */
const looks = () => {
  const at: number[] = [];
  const start = performance.now();
  const load = async (): Promise<number> => at.push(Math.round(performance.now() - start));
  return { at, load };
};

test('gives the first value that the condition holds for', async () => {
  const { at, load } = looks();
  const value = waitFor(load, (count) => count === 3, { everyMs: 100 });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await value).toBe(3);
  expect(at).toEqual([0, 100, 200]);
});

test.each([
  [Promise.resolve(1), () => true],
  [async () => 1, undefined],
])('%o and %o are no two functions, and nothing is called', async (load, until) => {
  const call = waitFor(load as () => Promise<number>, until as () => boolean);
  expect((await failureOf(call, InvalidRequestError)).message).toContain('two functions');
});

test('gives up in time, and does not call load after it', async () => {
  const { at, load } = looks();
  const failed = failureOf(
    waitFor(load, () => false, { everyMs: 100, timeoutMs: 500 }),
    TimeoutError,
  );
  await vi.advanceTimersByTimeAsync(5_000);
  const error = await failed;
  expect(error.message).toContain('500 ms');
  // It is about no request of its own.
  expect(error).toMatchObject({ method: '', url: '', sent: false, callId: undefined });
  expect(at).toEqual([0, 100, 200, 300, 400, 500]);
});

test('looks once more when the time is up', async () => {
  const { at, load } = looks();
  const value = waitFor(load, (count) => count === 2, { everyMs: 10_000, timeoutMs: 500 });
  expect((await Promise.all([value, vi.advanceTimersByTimeAsync(500)]))[0]).toBe(2);
  expect(at).toEqual([0, 500]);
});

test.each([
  ['look', () => new Promise<number>(() => undefined), () => true],
  ['condition', async () => 1, () => new Promise<boolean>(() => undefined)],
])('a %s that does not come back does not keep it waiting for ever', async (_what, load, until) => {
  let ended: unknown = 'still waiting';
  const call = waitFor(load, until, { everyMs: 100, timeoutMs: 500 });
  call.catch((error: unknown) => {
    ended = error;
  });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(ended).toBeInstanceOf(TimeoutError);
});

test('an abort ends it between two looks, and before the first one', async () => {
  const { at, load } = looks();
  const controller = new AbortController();
  const failed = waitFor(load, () => false, { everyMs: 100, signal: controller.signal }).catch(
    (reason: unknown) => reason,
  );
  await vi.advanceTimersByTimeAsync(150);
  controller.abort('enough');
  expect([await failed, at.length, vi.getTimerCount()]).toEqual(['enough', 2, 0]);
  await expect(waitFor(load, () => true, { signal: AbortSignal.abort('before') })).rejects.toBe('before');
  expect(at).toHaveLength(2);
});

test('what a look or the condition throws ends it', async () => {
  vi.useRealTimers();
  await using server = await record(inOrder(json(order(7)), { status: 404 }));
  const { orders } = connect(server.url);
  const call = waitFor(
    () => orders.get(7),
    ({ status }) => status === 'shipped',
    { everyMs: 1 },
  );
  expect((await failureOf(call, NotFoundError)).status).toBe(404);
  expect(server.requests).toHaveLength(2);
  const broken = waitFor(
    async () => 1,
    () => Promise.reject(new Error('condition')),
  );
  await expect(broken).rejects.toThrow('condition');
});
