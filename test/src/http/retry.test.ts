import {
  AmbiguousOutcomeError,
  ApiError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  RedirectRefusedError,
  ServiceUnavailableError,
  TokenRequestError,
} from 'restkin';
import { describe, expect, test } from 'vitest';
import { toApiError } from '../../../src/errors/api-error.ts';
import { isRetryable } from '../../../src/http/after-failure.ts';
import type { ApiResponse, Send } from '../../../src/http/message.ts';
import { createRetryBudget, defaultRetryPolicy, withRetry } from '../../../src/http/retry.ts';
import { failureOf } from '../../support/basic-ordering.ts';
import { requestOf, responseOf, silent } from './requests.ts';

const context = { method: 'GET', url: 'https://a.test/', callId: 'call-1' };
const answer = (status: number, retryAfterMs?: number) => toApiError({ ...context, status, retryAfterMs });
const lost = (sent: boolean) => new ConnectionError({ ...context, message: 'lost', sent });
const retry = { ...defaultRetryPolicy, baseDelayMs: 1 };

/** A pipeline whose attempts have these outcomes, one after the other. */
const having = (...outcomes: (ApiResponse | Error)[]) => {
  const left = [...outcomes];
  const send: Send = async () => {
    const outcome = left.shift() ?? responseOf(200);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const budget = createRetryBudget();
  return { deliver: withRetry(send, budget, silent), left, budget };
};

const methods = ['GET', 'OPTIONS', 'PUT', 'DELETE', 'POST', 'PATCH'] as const;
const retriedBy = (error: unknown, options = {}) =>
  methods.filter((method) =>
    isRetryable({ method, headers: {}, retry: { ...defaultRetryPolicy, ...options } }, error),
  );

test('a request whose body is a stream is sent once, even where nothing was done', async () => {
  const { deliver, left } = having(answer(429), responseOf(200));
  const request = requestOf({ method: 'PUT', body: new Blob(['a']).stream(), retry });
  await failureOf(deliver(request), ApiError);
  expect(left).toHaveLength(1);
});

describe('the table of what is resent', () => {
  const safe = ['GET', 'OPTIONS'];
  const idempotent = [...safe, 'PUT', 'DELETE'];
  const statuses = (retried: readonly string[], ...codes: number[]) =>
    codes.map((code): [string, unknown, readonly string[]] => [String(code), answer(code), retried]);

  test.each<[string, unknown, readonly string[]]>([
    ['proof that nothing was sent', lost(false), methods],
    ['connection lost after sending', lost(true), safe],
    ['token endpoint: later', new TokenRequestError('x', { status: 503, temporary: true }), methods],
    ['token endpoint: refused', new TokenRequestError('x', { status: 400 }), []],
    ...statuses(methods, 429),
    ...statuses(idempotent, 503),
    ...statuses(safe, 500, 502, 504, 507, 520),
    ...statuses([], 400, 401, 403, 404, 405, 406, 409, 413, 415, 501, 505),
    ['a redirect', new RedirectRefusedError({ ...context, message: 'x', status: 302 }), []],
    ['refused before sending', new InvalidRequestError('x'), []],
    ['an error of the application', new TypeError('fetch failed'), []],
    ['an abort', new DOMException('x', 'AbortError'), []],
  ])('%s', (_name, error, expected) => {
    expect(retriedBy(error)).toEqual(expected);
  });
});

describe('attempts', () => {
  test('until one succeeds, and the ledger has each', async () => {
    const { deliver } = having(answer(503), lost(true));
    const request = requestOf({ retry });
    const { status } = await deliver(request);
    const times = { durationMs: expect.any(Number), waitedMs: expect.any(Number) };
    expect(status).toBe(200);
    expect(request.attempts).toEqual([
      { status: 503, error: 'service_unavailable', ...times },
      { error: 'connection_failed', ...times },
      { status: 200, ...times, waitedMs: 0 },
    ]);
    const waits = request.attempts.map(({ waitedMs }) => waitedMs > 0);
    expect(waits).toEqual([true, true, false]);
  });

  test('after a 429 use neither the attempts nor the budget', async () => {
    const { deliver, budget } = having(...Array.from({ length: 9 }, () => answer(429)));
    budget.left = 0;
    const request = requestOf({ retry });
    await deliver(request);
    expect(request.attempts).toHaveLength(10);
  });
});

describe('the outcome of a write', () => {
  const repeating = { ...retry, idempotentWrites: true };

  test.each(['PUT', 'DELETE'] as const)(
    'a %s that was lost and then refused is ambiguous',
    async (method) => {
      // The last attempt did not arrive, the first one may have.
      const { deliver } = having(lost(true), lost(false), lost(false), lost(false));
      const request = requestOf({ method, retry: repeating });
      const error = await failureOf(deliver(request), AmbiguousOutcomeError);
      expect([error.sent, request.attempts.length]).toEqual([true, 4]);
    },
  );

  test.each([502, 504, 507, 511, 520, 522, 524, 599])(
    'is unknown after a %d: the server behind the gateway may have processed it',
    async (status) => {
      for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'] as const) {
        const { deliver, left } = having(answer(status), responseOf(200));
        const error = await failureOf(deliver(requestOf({ method, retry })), AmbiguousOutcomeError);
        expect(error.message).toContain('read the resource before you resend it');
        expect(left).toHaveLength(1);
      }
      const { deliver } = having(answer(status), responseOf(204));
      expect((await deliver(requestOf({ method: 'PUT', retry: repeating }))).status).toBe(204);
    },
  );

  test.each([500, 501, 503, 505])('is known after a %d', async (status) => {
    const { deliver } = having(answer(status));
    const error = await failureOf(deliver(requestOf({ method: 'POST', retry })), ApiError);
    expect(error.status).toBe(status);
  });

  test.each([
    ['without a call', undefined],
    ['of another call', 'call-2'],
  ])('is not unknown because a function of the application throws an error %s', async (_whose, callId) => {
    const failure = new ConnectionError({ ...context, callId, message: 'lost', sent: true });
    const { deliver, left } = having(failure, responseOf(200));
    const request = requestOf({ method: 'POST', retry });
    await expect(deliver(request)).rejects.toBe(failure);
    expect([left.length, request.attempts.length]).toEqual([1, 0]);
  });

  test('that no attempt could send is known, and so is that of a GET', async () => {
    for (const [method, sent] of [['PUT', false] as const, ['GET', true] as const]) {
      const { deliver } = having(...Array.from({ length: 4 }, () => lost(sent)));
      const error = await failureOf(deliver(requestOf({ method, retry: repeating })), ConnectionError);
      expect(error).not.toBeInstanceOf(AmbiguousOutcomeError);
    }
  });

  test('a DELETE that was resent and gets 404 may have deleted the resource itself', async () => {
    const remove = requestOf({ method: 'DELETE', retry: repeating });
    const call = having(lost(true), answer(404)).deliver(remove);
    expect((await failureOf(call, AmbiguousOutcomeError)).message).toContain('may have deleted');
    await failureOf(having(answer(404)).deliver(remove), NotFoundError);
  });
});

test('the budget: 100 retries in an outage, and one more for each five successes', async () => {
  const budget = createRetryBudget();
  const often = { ...retry, baseDelayMs: 0, attempts: 1_000 };
  const succeed = withRetry(async () => responseOf(200), budget, silent);
  const retriesInOutage = async (): Promise<number> => {
    const request = requestOf({ retry: often });
    const fail: Send = async () => Promise.reject(answer(503));
    await failureOf(withRetry(fail, budget, silent)(request), ServiceUnavailableError);
    return request.attempts.length - 1;
  };
  expect(await retriesInOutage()).toBe(100);
  for (let i = 0; i < 4; i++) await succeed(requestOf({ retry: often }));
  expect(await retriesInOutage()).toBe(0);
  await succeed(requestOf({ retry: often }));
  expect(await retriesInOutage()).toBe(1);
  for (let i = 0; i < 1_000; i++) await succeed(requestOf({ retry: often }));
  expect(await retriesInOutage()).toBe(100);
});
