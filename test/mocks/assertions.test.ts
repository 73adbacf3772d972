import {
  assertNothingUnhandled,
  assertRequests,
  assertTokenGrants,
  type ExpectedRequest,
  type Mock,
} from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import { createOrdering, requestTokens, send, signedIn } from './calls.ts';

const used = async (): Promise<Mock> => {
  const mock = createOrdering();
  const call = await signedIn(mock);
  await call('/v1/orders?sort=-createdAt&page=1');
  await call('/v1/orders/1');
  await call('/v1/orders/99', { method: 'DELETE' });
  return mock;
};

const failureOf = (assert: () => void): Error => {
  try {
    assert();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('It was expected to throw');
};

describe('assertRequests', () => {
  test('compares method, path, collection, status, query and the number of requests', async () => {
    const mock = await used();
    const expected: readonly ExpectedRequest[] = [
      { method: 'delete', path: '/v1/orders/99', times: 1 },
      { path: /^\/v1\/orders/g, times: 3 },
      { collection: 'orders', status: 404 },
      { query: { sort: '-createdAt' }, times: 1 },
      { collection: 'companies', times: 0 },
      {},
    ];
    expect(() => assertRequests(mock, expected)).not.toThrow();
    // Each of them can fail.
    for (const one of expected)
      expect(() => assertRequests(mock, [{ ...one, times: 9 }])).toThrow('Expected 9');
  });

  test('fails with what was expected and what came instead', async () => {
    const mock = await used();
    const error = failureOf(() =>
      assertRequests(mock, [{ path: '/v1/orders' }, { method: 'POST', path: '/v1/orders' }]),
    );
    expect(error.name).toBe('AssertionError');
    expect(error.message).toBe(
      'Expected one or more of POST /v1/orders, there were 0. The requests were:\n' +
        '  POST /auth/token -> 200\n  GET /v1/orders -> 200\n  GET /v1/orders/1 -> 200\n  DELETE /v1/orders/99 -> 404',
    );
    expect(error).toMatchObject({ actual: 0, expected: 'one or more' });
    const twice = { collection: 'orders', status: 200, query: { sort: '-createdAt' }, times: 2 };
    expect(failureOf(() => assertRequests(mock, [twice])).message).toContain(
      'Expected 2 of orders sort 200, there were 1.',
    );
  });
});

describe('assertTokenGrants', () => {
  test('counts the token requests of each grant', async () => {
    const mock = createOrdering();
    assertTokenGrants(mock, {});
    const { json } = await requestTokens(mock);
    await requestTokens(mock, { grant_type: 'refresh_token', refresh_token: json.refresh_token });
    assertTokenGrants(mock, { password: 1, refresh: 1 });
    expect(failureOf(() => assertTokenGrants(mock, { password: 1 })).message).toBe(
      'Expected 1 password and 0 refresh grants, there were 1 and 1',
    );
  });
});

describe('assertNothingUnhandled', () => {
  test('fails for an unknown path, and names no query', async () => {
    const mock = await used();
    assertNothingUnhandled(mock);
    await send(mock, '/v1/reports?key=hunter2');
    expect(failureOf(() => assertNothingUnhandled(mock)).message).toBe(
      'Requests to paths that this mock does not serve: 1\n  GET /v1/reports -> 404',
    );
  });
});

describe('a log that discarded requests', () => {
  const trimmed = async () => {
    const mock = createOrdering({ keepRequests: 2 });
    await requestTokens(mock);
    await send(mock, '/nowhere');
    for (let id = 1; id <= 3; id += 1) await send(mock, `/v1/orders/${id}`);
    return mock;
  };

  test('fails for an exact number', async () => {
    const mock = await trimmed();
    expect(mock.requests).toHaveLength(2);
    expect(() => assertRequests(mock, [{ method: 'DELETE', times: 0 }])).toThrow(
      'The exact number is unknown: 3 requests were discarded; raise keepRequests',
    );
    expect(() => assertTokenGrants(mock, { password: 1 })).toThrow('raise keepRequests');
    expect(() => assertNothingUnhandled(mock)).toThrow('raise keepRequests');
    expect(failureOf(() => assertRequests(mock, [{ times: 5 }])).name).toBe('AssertionError');
  });

  test('compares the requests that are left', async () => {
    const mock = await trimmed();
    expect(() => assertRequests(mock, [{ path: '/v1/orders/3' }])).not.toThrow();
    expect(() => assertRequests(mock, [{ path: '/v1/orders/1' }])).toThrow('there were 0');
  });
});
