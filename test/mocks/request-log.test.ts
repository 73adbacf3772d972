import { describe, expect, test } from 'vitest';
import { createOrdering, origin, requestTokens, send, signedIn } from './calls.ts';

describe('mock.requests', () => {
  test('has the collection and the body of a request, also of one that met a fault', async () => {
    const mock = createOrdering();
    const call = await signedIn(mock);
    const body = { name: 'Nova', city: 'Rome' };
    mock.faults.next({ status: 503 });
    await call('/v1/companies', { method: 'POST', body });
    await call('/v1/companies', { method: 'POST', body });
    await call('/v1/companies/4');
    await call('/v1/companies', { method: 'POST', body: '{"name":' });
    const logged = mock.requests.slice(1);
    expect(logged.map(({ collection }) => collection)).toEqual(logged.map(() => 'companies'));
    expect(logged.map(({ status }) => status)).toEqual([503, 201, 200, 400]);
    expect(logged.map(({ body: sent }) => sent)).toEqual([body, body, undefined, undefined]);
  });

  test('says which requests were unhandled', async () => {
    const mock = createOrdering();
    await send(mock, '/v1/nothing');
    await send(mock, '/v1/orders/99');
    await requestTokens(mock);
    expect(mock.requests.map(({ handled, collection }) => [handled, collection])).toEqual([
      [false, undefined],
      [true, 'orders'],
      [true, undefined],
    ]);
  });

  test('holds no secret of a form, a header field or the query of a token request', async () => {
    const mock = createOrdering({ users: [{ username: 'ann', password: 'hunter2' }] });
    const form = { grant_type: 'password', username: 'ann', password: 'hunter2' };
    const { json } = await requestTokens(mock, form);
    await requestTokens(mock, { grant_type: 'refresh_token', refresh_token: json.refresh_token });
    await send(mock, '/auth/token?password=hunter2', { method: 'POST', body: form });
    const secrets = ['authorization', 'proxy-authorization', 'cookie', 'x-api-key', 'x-auth-token'];
    await send(mock, '/v1/orders', {
      headers: Object.fromEntries(secrets.map((name) => [name, `Bearer ${json.access_token} hunter2`])),
    });
    await send(mock, '/login', { method: 'POST', body: { password: 'hunter2' } });
    const written = JSON.stringify(
      mock.requests.map((entry) => [entry, entry.search.toString(), [...entry.headers]]),
    );
    expect(mock.requests).toHaveLength(5);
    expect(mock.requests[3]?.headers.get('cookie')).toBe('masked');
    expect(mock.requests[3]?.headers.get('authorization')).toBe('Bearer');
    for (const secret of ['hunter2', json.access_token, json.refresh_token]) {
      expect(written).not.toContain(secret);
    }
    expect(mock.requests[2]?.url).toBe(`${origin}/auth/token`);
  });

  test('drops the bodies of old requests', async () => {
    const mock = createOrdering();
    const call = await signedIn(mock);
    const body = { name: 'x'.repeat(5_000_000), city: 'y' };
    for (let count = 0; count < 2; count += 1) await call('/v1/companies', { method: 'POST', body });
    expect(mock.requests.slice(1).map(({ body: kept }) => kept)).toEqual([undefined, body]);
  });
});
