import { getResponse } from 'msw';
import { type Mock, serve } from 'restkin/mocks';
import { handlers } from 'restkin/msw';
import { describe, expect, test } from 'vitest';
import { createOrdering, origin, requestTokens } from './calls.ts';

const page = { origin: 'https://app.example.com' };
const preflight = {
  ...page,
  'access-control-request-method': 'PATCH',
  'access-control-request-headers': 'authorization, X-Tenant',
};

const listOf = (response: Response, name: string) => (response.headers.get(name) ?? '').split(', ');

describe('CORS of a server', () => {
  test('a preflight gets a response, for a method of the conventions and the fields that it names', async () => {
    const mock = createOrdering();
    await using server = await serve(mock);
    const response = await fetch(`${server.url}/v1/orders`, { method: 'OPTIONS', headers: preflight });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
    expect(listOf(response, 'access-control-allow-methods')).toEqual(expect.arrayContaining(methods));
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization, X-Tenant');
    expect(response.headers.has('accept')).toBe(false);
    expect(mock.requests).toEqual([]);
  });

  test('§4.2 OPTIONS that is not a preflight lists the methods in Accept', async () => {
    const mock = createOrdering();
    await using server = await serve(mock);
    const { json } = await requestTokens(mock);
    const headers = { ...page, authorization: `Bearer ${json.access_token}` };
    const response = await fetch(`${server.url}/v1/orders`, { method: 'OPTIONS', headers });
    expect([response.status, response.headers.get('accept')]).toEqual([200, 'GET, POST, OPTIONS']);
    expect(listOf(response, 'access-control-expose-headers')).toContain('accept');
  });
});

describe('CORS of the handlers', () => {
  const ask = (mock: Mock, path: string, init: RequestInit) =>
    getResponse([...handlers(mock)], new Request(`${origin}${path}`, init));

  test('a fault that hides the fields of a response keeps them hidden', async () => {
    const mock = createOrdering();
    mock.faults.next({ headers: { 'access-control-expose-headers': 'x-nothing' } });
    const read = await ask(mock, '/v1/orders', { headers: page });
    expect(read?.headers.get('access-control-expose-headers')).toBe('x-nothing');
  });

  test('a preflight, or any request, for what the mock does not serve stays unhandled', async () => {
    expect(await ask(createOrdering(), '/v1/orders', {})).toMatchObject({ status: 401 });
    for (const init of [{}, { method: 'OPTIONS', headers: preflight }])
      expect(await ask(createOrdering(), '/v1/reports', init)).toBeUndefined();
  });
});
