import { ApiError, type TooManyRequestsError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { connect, failureOf, order } from '../../support/basic-ordering.ts';
import { startFaultServer } from '../../support/fault-server.ts';
import { json } from '../../support/recording-server.ts';

const serve = (status: number, retryAfter: string | undefined, times = 1) =>
  startFaultServer({
    respond: (_request, index) =>
      index < times
        ? { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } }
        : json(order(7)),
  });

/** So many milliseconds from now, on a whole second. */
const inMs = (ms: number): Date => new Date(Math.ceil((Date.now() + ms) / 1_000) * 1_000);

describe.concurrent.each([429, 503])('%d', (status) => {
  test.for(['1', '0.5'])('%s seconds are waited for', async (seconds, { expect }) => {
    await using server = await serve(status, seconds);
    const { response } = await connect(server.url, { retry: { baseDelayMs: 1 } })
      .orders.get(7)
      .withResponse();
    const [first = 0, second = 0] = server.requests.map(({ at }) => at);
    expect(response.attempts).toHaveLength(2);
    expect(second - first).toBeGreaterThanOrEqual(Number(seconds) * 1_000 - 1);
  });

  test('a date is waited for', async ({ expect }) => {
    const until = inMs(100);
    await using server = await serve(status, until.toUTCString());
    await connect(server.url, { retry: { baseDelayMs: 1 } }).orders.get(7);
    expect(server.requests).toHaveLength(2);
    expect(performance.timeOrigin + (server.requests[1]?.at ?? 0)).toBeGreaterThanOrEqual(
      until.getTime() - 5,
    );
  });

  const tooLong: readonly [string, () => string, number][] = [
    ['61 s', () => '61', 61_000],
    ['more than a timer holds', () => '2147484', 2_147_484_000],
    ['400 digits', () => '9'.repeat(400), Number.POSITIVE_INFINITY],
    ['a date in 10 years', () => inMs(10 * 365 * 86_400_000).toUTCString(), 10 * 365 * 86_400_000],
  ];
  test.each(tooLong)('%s: the error at once, and one request', async (_name, format, expected) => {
    await using server = await serve(status, format(), 9);
    const error = await failureOf(connect(server.url, { retry: {} }).orders.get(7), ApiError);
    const { retryAfterMs } = error as TooManyRequestsError;
    expect([error.status, error.attempts.length]).toEqual([status, 1]);
    // A date is to the second, and some time has passed.
    expect(retryAfterMs).toBeGreaterThanOrEqual(expected - 5_000);
    expect(retryAfterMs).toBeLessThanOrEqual(expected + 5_000);
    expect(server.requests).toHaveLength(1);
  });

  test.each(['-1', 'soon', '', '2026-11-01', '1, 2', 'Sun, 06 Nov 1994 08:49:37 GMT'])(
    '%j is none: the usual backoff',
    async (value) => {
      await using server = await serve(status, value);
      const { response } = await connect(server.url, { retry: { baseDelayMs: 1 } })
        .orders.get(7)
        .withResponse();
      expect(response.attempts[0]?.waitedMs).toBeLessThan(2);
      expect(server.requests).toHaveLength(2);
    },
  );

  test.each([
    ['the cap', { retry: { maxRetryAfterMs: 1_000 } }],
    ['the deadline', { deadlineMs: 1_500 }],
  ])('beyond %s of the call: the error at once', async (_name, options) => {
    await using server = await serve(status, '2', 9);
    const call = connect(server.url, { retry: {} }).orders.get(7, options);
    expect(await call.catch((error: unknown) => error)).toMatchObject({ status, retryAfterMs: 2_000 });
    expect(server.requests).toHaveLength(1);
  });
});
