import { AmbiguousOutcomeError, ConnectionError, NotFoundError, TimeoutError } from 'restkin';
import { expect, test } from 'vitest';
import { toApiError } from '../../../src/errors/api-error.ts';
import type { Send } from '../../../src/http/message.ts';
import { createRetryBudget, defaultRetryPolicy, withRetry } from '../../../src/http/retry.ts';
import { failureOf } from '../../support/basic-ordering.ts';
import { requestOf, silent } from './requests.ts';

const context = { method: 'PUT', url: 'https://a.test/' };
const lost = (sent: boolean) => new ConnectionError({ ...context, message: 'lost', sent });
const policy = { ...defaultRetryPolicy, baseDelayMs: 1, idempotentWrites: true };

/** Fails with each of these, one after the other. */
const failing = (...errors: Error[]) => {
  const left = [...errors];
  const send: Send = () => Promise.reject(left.shift() ?? new Error('asked too often'));
  return { deliver: withRetry(send, createRetryBudget(), silent), left };
};

test.each(['PUT', 'DELETE'] as const)('a %s that was lost and then refused is ambiguous', async (method) => {
  // The last attempt did not arrive, the first one may have.
  const { deliver, left } = failing(lost(true), lost(false), lost(false), lost(false));
  const error = await failureOf(deliver(requestOf({ method }), policy), AmbiguousOutcomeError);
  expect(error.sent).toBe(true);
  expect([error.attempts.length, left.length]).toEqual([4, 0]);
});

test('a GET that was lost and then refused changes nothing, and is not ambiguous', async () => {
  const { deliver } = failing(lost(true), lost(false), lost(false), lost(false));
  const error = await failureOf(deliver(requestOf(), policy), ConnectionError);
  expect(error).not.toBeInstanceOf(AmbiguousOutcomeError);
});

test('a PUT that no attempt could send is not ambiguous', async () => {
  const { deliver } = failing(lost(false), lost(false), lost(false), lost(false));
  const error = await failureOf(deliver(requestOf({ method: 'PUT' }), policy), ConnectionError);
  expect(error).not.toBeInstanceOf(AmbiguousOutcomeError);
  expect(error.sent).toBe(false);
});

test('a POST that got 429 and is then lost is ambiguous', async () => {
  const { deliver } = failing(toApiError({ ...context, status: 429 }), lost(true));
  const error = await failureOf(deliver(requestOf({ method: 'POST' }), policy), AmbiguousOutcomeError);
  expect(error.attempts).toHaveLength(2);
});

test('a deadline before sending is not retried, whatever time is left', async () => {
  const late = new TimeoutError({ ...context, message: 'late', sent: false });
  const { deliver, left } = failing(late, late, late);
  const error = await failureOf(deliver(requestOf({ method: 'POST' }), policy), TimeoutError);
  expect([error.attempts.length, left.length]).toEqual([1, 2]);
});

test.each([502, 504])('a write that got a %d may have been processed', async (status) => {
  const gateway = toApiError({ ...context, status });
  for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'] as const) {
    const { deliver } = failing(gateway);
    const call = deliver(requestOf({ method }), defaultRetryPolicy);
    const error = await failureOf(call, AmbiguousOutcomeError);
    expect([error.message.includes(String(status)), error.attempts[0]?.status]).toEqual([true, status]);
  }
});

test('a DELETE that was resent and gets 404 may have deleted the resource itself', async () => {
  const missing = toApiError({ ...context, status: 404 });
  const { deliver } = failing(lost(true), missing);
  const error = await failureOf(deliver(requestOf({ method: 'DELETE' }), policy), AmbiguousOutcomeError);
  expect(error.message).toContain('may have deleted');
  await failureOf(failing(missing).deliver(requestOf({ method: 'DELETE' }), policy), NotFoundError);
});
