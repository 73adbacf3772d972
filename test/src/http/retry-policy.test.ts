import { ConnectionError, InvalidRequestError, RedirectRefusedError, TokenRequestError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { toApiError } from '../../../src/errors/api-error.ts';
import { defaultRetryPolicy, isRetryable, retryAfterOf } from '../../../src/http/retry.ts';

const context = { method: 'GET', url: 'https://a.test/' };
const answer = (status: number, retryAfterMs?: number) => toApiError({ ...context, status, retryAfterMs });
const lost = (sent: boolean) => new ConnectionError({ ...context, message: 'lost', sent });

const methods = ['GET', 'OPTIONS', 'PUT', 'DELETE', 'POST', 'PATCH'] as const;
const retriedBy = (error: unknown, policy = {}) =>
  methods.filter((method) => isRetryable(method, error, { ...defaultRetryPolicy, ...policy }));

describe('the table of DESIGN §4', () => {
  const safe = ['GET', 'OPTIONS'];
  const idempotent = [...safe, 'PUT', 'DELETE'];

  test.each<[string, unknown, readonly string[]]>([
    ['proof that nothing was sent', lost(false), methods],
    ['connection lost after sending', lost(true), safe],
    ['429', answer(429), methods],
    ['503', answer(503), idempotent],
    ['500', answer(500), safe],
    [
      'temporary failure of the token endpoint',
      new TokenRequestError('x', { status: 503, temporary: true }),
      methods,
    ],
    ['refused by the token endpoint', new TokenRequestError('x', { status: 400 }), []],
    ...[502, 504, 507, 520].map((status): [string, unknown, readonly string[]] => [
      String(status),
      answer(status),
      safe,
    ]),
    ...[400, 401, 403, 404, 405, 406, 409, 413, 415, 501, 505].map(
      (status): [string, unknown, readonly string[]] => [String(status), answer(status), []],
    ),
    ['a redirect', new RedirectRefusedError({ ...context, message: 'x', status: 302 }), []],
    ['refused before sending', new InvalidRequestError('x'), []],
    ['an error of somebody else', new TypeError('fetch failed'), []],
    ['an abort', new DOMException('x', 'AbortError'), []],
  ])('%s', (_name, error, expected) => {
    expect(retriedBy(error)).toEqual(expected);
  });

  test('idempotentWrites: PUT and DELETE also after a lost connection, a 500, a 502 and a 504', () => {
    const policy = { idempotentWrites: true };
    for (const error of [lost(true), answer(500), answer(502), answer(504)])
      expect(retriedBy(error, policy)).toEqual(idempotent);
  });

  test('writesAfterUnavailable: POST and PATCH after a 503, and after nothing else', () => {
    const policy = { writesAfterUnavailable: true };
    expect(retriedBy(answer(503), policy)).toEqual(methods);
    expect(retriedBy(answer(500), policy)).toEqual(safe);
    expect(retriedBy(lost(true), policy)).toEqual(safe);
  });
});

test('Retry-After counts on 429 and 503 alone', () => {
  expect([429, 503, 500, 400].map((status) => retryAfterOf(answer(status, 5)))).toEqual([
    5,
    5,
    undefined,
    undefined,
  ]);
  expect(retryAfterOf(new Error('x'))).toBeUndefined();
});

test('Retry-After of the token endpoint counts as well', () => {
  expect(retryAfterOf(new TokenRequestError('x', { status: 429, temporary: true, retryAfterMs: 5 }))).toBe(5);
  expect(retryAfterOf(new TokenRequestError('x', { status: 500, temporary: true }))).toBeUndefined();
});
