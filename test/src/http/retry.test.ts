import {
  AmbiguousOutcomeError,
  ApiError,
  ConnectionError,
  InvalidRequestError,
  ServiceUnavailableError,
  TimeoutError,
  TooManyRequestsError,
  UnexpectedResponseError,
} from 'restkin';
import { describe, expect, test } from 'vitest';
import { toApiError } from '../../../src/errors/api-error.ts';
import type { ApiRequest, ApiResponse, Send } from '../../../src/http/message.ts';
import { createRetryBudget, defaultRetryPolicy, noRetry, withRetry } from '../../../src/http/retry.ts';
import { backoffMs } from '../../../src/http/timing.ts';
import { failureOf } from '../../support/basic-ordering.ts';
import { requestOf, responseOf, silent } from './requests.ts';

const context = { method: 'GET', url: 'https://a.test/' };
const answer = (status: number, retryAfterMs?: number) => toApiError({ ...context, status, retryAfterMs });
const lostCause = { name: 'Error', code: 'ECONNRESET', syscall: 'read', hostname: undefined };
const lost = (sent: boolean) => new ConnectionError({ ...context, message: 'lost', sent, cause: lostCause });
const policy = { ...defaultRetryPolicy, baseDelayMs: 1 };

/** A step that has these outcomes, one after the other. */
const having = (...outcomes: (ApiResponse | Error)[]) => {
  const sent: ApiRequest[] = [];
  const send: Send = async (request) => {
    sent.push(request);
    const outcome = outcomes[sent.length - 1] ?? responseOf(200);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  return { send, sent };
};

describe('attempts', () => {
  test('until one succeeds, and the ledger has each', async () => {
    const { send, sent } = having(answer(503), lost(true));
    const { status, attempts } = await withRetry(send, createRetryBudget(), silent)(requestOf(), policy);
    expect([status, sent.length]).toEqual([200, 3]);
    expect(attempts).toEqual([
      {
        status: 503,
        error: 'service_unavailable',
        durationMs: expect.any(Number),
        waitedMs: expect.any(Number),
      },
      { error: 'connection_failed', durationMs: expect.any(Number), waitedMs: expect.any(Number) },
      { status: 200, durationMs: expect.any(Number), waitedMs: 0 },
    ]);
  });

  test('no more than the policy says, and the error has each', async () => {
    const { send, sent } = having(...Array.from({ length: 5 }, () => answer(503)));
    const call = withRetry(send, createRetryBudget(), silent)(requestOf(), policy);
    const error = await failureOf(call, ServiceUnavailableError);
    expect(sent).toHaveLength(4);
    expect(error.attempts.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    expect(error.attempts.at(-1)?.waitedMs).toBe(0);
  });

  test('one without retry', async () => {
    const { send, sent } = having(answer(503));
    expect(
      (
        await failureOf(
          withRetry(send, createRetryBudget(), silent)(requestOf(), noRetry),
          ServiceUnavailableError,
        )
      ).name,
    ).toBe('ServiceUnavailableError');
    expect(sent).toHaveLength(1);
  });

  test('a response that is no error of the server is not retried', async () => {
    const wrong = new UnexpectedResponseError({ ...context, message: 'x', status: 200 });
    const { send, sent } = having(wrong);
    const error = await failureOf(
      withRetry(send, createRetryBudget(), silent)(requestOf(), policy),
      UnexpectedResponseError,
    );
    expect(error.attempts).toEqual([expect.objectContaining({ error: 'unexpected_response' })]);
    expect(sent).toHaveLength(1);
  });

  test('an outage uses the shared budget up: then each request is sent once', async () => {
    const budget = createRetryBudget();
    while (budget.take());
    const { send, sent } = having(answer(503));
    expect(
      (await failureOf(withRetry(send, budget, silent)(requestOf(), policy), ServiceUnavailableError)).name,
    ).toBe('ServiceUnavailableError');
    expect(sent).toHaveLength(1);
  });
});

describe('writes', () => {
  test.each(['POST', 'PATCH', 'PUT', 'DELETE'] as const)(
    'a lost %s is sent once and is ambiguous',
    async (method) => {
      const { send, sent } = having(lost(true));
      const call = withRetry(send, createRetryBudget(), silent)(requestOf({ method }), policy);
      const error = await failureOf(call, AmbiguousOutcomeError);
      expect(error).toMatchObject({ sent: true, reason: 'ECONNRESET', code: 'ambiguous_outcome' });
      expect(error.attempts).toHaveLength(1);
      expect(sent).toHaveLength(1);
    },
  );

  test('a timeout of a write is ambiguous too', async () => {
    const { send } = having(new TimeoutError({ ...context, message: 'late', sent: true }));
    const call = withRetry(send, createRetryBudget(), silent)(requestOf({ method: 'POST' }), policy);
    expect((await failureOf(call, AmbiguousOutcomeError)).name).toBe('AmbiguousOutcomeError');
  });

  test('a POST is retried when nothing was sent, and is not ambiguous when that fails', async () => {
    const { send, sent } = having(...Array.from({ length: 5 }, () => lost(false)));
    const call = withRetry(send, createRetryBudget(), silent)(requestOf({ method: 'POST' }), policy);
    expect(await failureOf(call, ConnectionError)).not.toBeInstanceOf(AmbiguousOutcomeError);
    expect(sent).toHaveLength(4);
  });

  test('a lost GET is not ambiguous', async () => {
    const { send } = having(lost(true));
    const error = await failureOf(
      withRetry(send, createRetryBudget(), silent)(requestOf(), noRetry),
      ConnectionError,
    );
    expect(error).not.toBeInstanceOf(AmbiguousOutcomeError);
  });
});

describe('waits', () => {
  test('are 200 to 400 ms, then twice as long each: three of them bridge at least 1.4 s', () => {
    for (let times = 0; times < 100; times++) {
      const waits = [0, 1, 2].map((retry) => backoffMs(retry, 200, 5_000));
      expect(waits.every((ms, retry) => ms >= 200 * 2 ** retry && ms <= 400 * 2 ** retry)).toBe(true);
    }
    expect(backoffMs(20, 200, 5_000)).toBe(5_000);
  });

  test('after a 429 use neither the attempts nor the budget', async () => {
    const budget = createRetryBudget();
    while (budget.take());
    const { send, sent } = having(...Array.from({ length: 9 }, () => answer(429)));
    const { attempts } = await withRetry(send, budget, silent)(requestOf(), policy);
    expect([sent.length, attempts.length]).toEqual([10, 10]);
  });
});

describe('Retry-After', () => {
  test('above the cap: the error at once, with the time that Retry-After named', async () => {
    const { send, sent } = having(answer(429, 60_001));
    const error = await failureOf(
      withRetry(send, createRetryBudget(), silent)(requestOf(), policy),
      TooManyRequestsError,
    );
    expect([error.retryAfterMs, sent.length]).toEqual([60_001, 1]);
  });

  test('beyond the deadline: the error at once', async () => {
    const { send, sent } = having(answer(503, 5_000));
    const deadline = performance.now() + 4_000;
    expect(
      (
        await failureOf(
          withRetry(send, createRetryBudget(), silent)(requestOf({ deadline }), policy),
          ServiceUnavailableError,
        )
      ).name,
    ).toBe('ServiceUnavailableError');
    expect(sent).toHaveLength(1);
  });

  test('never earlier than Retry-After', async () => {
    const { send } = having(answer(429, 20));
    const { attempts } = await withRetry(send, createRetryBudget(), silent)(requestOf(), policy);
    expect(attempts[0]?.waitedMs).toBeGreaterThanOrEqual(20);
  });
});

describe('limits and aborts', () => {
  test('no other attempt starts when the deadline leaves no time for it', async () => {
    const { send, sent } = having(answer(503));
    const deadline = performance.now() - 1;
    const call = withRetry(send, createRetryBudget(), silent)(requestOf({ deadline }), policy);
    expect((await failureOf(call, ServiceUnavailableError)).attempts).toHaveLength(1);
    expect(sent).toHaveLength(1);
  });

  test.each([['a text'], [new Error('an error')], [undefined]])(
    'an abort during the wait gives %o',
    async (reason) => {
      const controller = new AbortController();
      const send: Send = async () => {
        setTimeout(() => controller.abort(reason));
        throw answer(429, 30_000);
      };
      const call = withRetry(
        send,
        createRetryBudget(),
        silent,
      )(requestOf({ signal: controller.signal }), policy);
      const error: unknown = await call.catch((thrown: unknown) => thrown);
      expect([error, controller.signal.aborted]).toEqual([controller.signal.reason, true]);
      expect(error).toBe(controller.signal.reason);
    },
  );

  test('a signal that is aborted already sends nothing', async () => {
    const { send, sent } = having();
    const signal = AbortSignal.abort('before');
    await expect(withRetry(send, createRetryBudget(), silent)(requestOf({ signal }), policy)).rejects.toBe(
      'before',
    );
    expect(sent).toEqual([]);
  });

  test('what a step refuses passes as it is', async () => {
    const { send } = having(new InvalidRequestError('no'));
    const error = await failureOf(
      withRetry(send, createRetryBudget(), silent)(requestOf(), policy),
      InvalidRequestError,
    );
    expect(error).not.toBeInstanceOf(ApiError);
  });
});
