import { createClient, tokenAuth } from 'restkin';
import { createMock } from 'restkin/mocks';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ordering } from '../support/ordering.ts';
import { createOrdering, origin, requestTokens, send } from './calls.ts';

const users = [{ username: 'ann', password: 'secret' }];

const claims = (token: string) =>
  JSON.parse(atob((token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/')));

const refresh = (token: string) => ({ grant_type: 'refresh_token', refresh_token: token });

describe('the token endpoint', () => {
  test('§2.2 the response to a password grant has two JWTs and their lifetimes', async () => {
    const { status, json } = await requestTokens(createOrdering({ users }));
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual([
      'access_token',
      'expires_in',
      'token_type',
      'refresh_expires_in',
      'refresh_token',
    ]);
    expect(json).toMatchObject({ expires_in: 600, token_type: 'bearer', refresh_expires_in: 2_592_000 });
    const { sub, iat, exp } = claims(json.access_token);
    expect([sub, exp - iat]).toEqual(['ann', 600]);
    expect(claims(json.refresh_token).exp - claims(json.refresh_token).iat).toBe(2_592_000);
  });

  test('a login needs no real time, so that the first call of a test may have fake timers', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const mock = createOrdering();
    const auth = tokenAuth({ authUrl: origin, username: 'ann', password: 'secret' });
    const { orders } = createClient({ baseUrl: origin, auth, fetch: mock.fetch }).api(ordering);
    mock.faults.next({ status: 503, retryAfterS: 20 });
    let id: number | undefined;
    void orders.get(1).then((order) => {
      id = order.id;
    });
    await vi.advanceTimersByTimeAsync(25_000);
    expect(id).toBe(1);
  });

  test('§4.1 only a form is taken', async () => {
    const { status, json } = await send(createOrdering(), '/auth/token', {
      method: 'POST',
      body: { grant_type: 'password', username: 'ann', password: 'secret' },
    });
    expect([status, typeof json.message]).toEqual([415, 'string']);
  });

  test('§4.2 a method other than POST gets 405', async () => {
    expect((await send(createOrdering(), '/auth/token')).status).toBe(405);
  });

  test.each([
    [{}, [{ field: 'grant_type', code: 'missingField' }]],
    [
      { grant_type: 'password' },
      [
        { field: 'username', code: 'missingField' },
        { field: 'password', code: 'missingField' },
      ],
    ],
    [{ grant_type: 'refresh_token' }, [{ field: 'refresh_token', code: 'missingField' }]],
    [{ grant_type: 'client_credentials' }, [{ field: 'grant_type', code: 'invalid' }]],
  ])('§7.2.5 missing and invalid parameters get 400, one item each: %j', async (form, errors) => {
    const { status, json } = await requestTokens(createOrdering(), form);
    expect(status).toBe(400);
    expect(json.errors).toMatchObject(errors);
    expect(json.errors).toHaveLength(errors.length);
  });

  test('§7.1 a wrong username or password gets 401', async () => {
    const mock = createOrdering({ users });
    const wrong = { grant_type: 'password', username: 'ann', password: 'other' };
    expect((await requestTokens(mock, wrong)).status).toBe(401);
    expect((await requestTokens(mock, { ...wrong, username: 'bob', password: 'secret' })).status).toBe(401);
  });

  test('§5.2.3 an access token is valid for 10 minutes', async () => {
    const mock = createOrdering();
    const { json } = await requestTokens(mock);
    const headers = { authorization: `Bearer ${json.access_token}` };
    mock.clock.advance({ minutes: 9, seconds: 55 });
    expect((await send(mock, '/v1/orders', { headers })).status).toBe(200);
    mock.clock.advance({ seconds: 5 });
    expect((await send(mock, '/v1/orders', { headers })).status).toBe(401);
  });

  test('§5.2.6 a refresh gets a new pair of tokens', async () => {
    const mock = createOrdering();
    const first = (await requestTokens(mock)).json;
    const second = await requestTokens(mock, refresh(first.refresh_token));
    expect(second.status).toBe(200);
    expect(second.json.access_token).not.toBe(first.access_token);
    expect(second.json.refresh_token).not.toBe(first.refresh_token);
    const headers = { authorization: `Bearer ${second.json.access_token}` };
    expect((await send(mock, '/v1/orders', { headers })).status).toBe(200);
  });

  test('§5.2.7 of two requests with one refresh token, one succeeds', async () => {
    const mock = createOrdering();
    const form = refresh((await requestTokens(mock)).json.refresh_token);
    const both = await Promise.all([requestTokens(mock, form), requestTokens(mock, form)]);
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 401]);
  });

  test.each([
    [true, 401],
    [false, 200],
  ])(
    'a used refresh token revokes its login when reuseRevokesChain is %s',
    async (reuseRevokesChain, status) => {
      const mock = createOrdering({ tokens: { reuseRevokesChain } });
      const first = (await requestTokens(mock)).json;
      const second = (await requestTokens(mock, refresh(first.refresh_token))).json;
      expect((await requestTokens(mock, refresh(first.refresh_token))).status).toBe(401);
      const headers = { authorization: `Bearer ${second.access_token}` };
      expect((await send(mock, '/v1/orders', { headers })).status).toBe(status);
      expect((await requestTokens(mock, refresh(second.refresh_token))).status).toBe(status);
    },
  );

  test('§5.2.5 a refresh token is valid for 30 days', async () => {
    const mock = createOrdering();
    const form = refresh((await requestTokens(mock)).json.refresh_token);
    mock.clock.advance({ days: 30 });
    expect((await requestTokens(mock, form)).status).toBe(401);
  });

  test('an access token is not accepted as a refresh token, and the reverse', async () => {
    const mock = createOrdering();
    const { json } = await requestTokens(mock);
    expect((await requestTokens(mock, refresh(json.access_token))).status).toBe(401);
    const headers = { authorization: `Bearer ${json.refresh_token}` };
    expect((await send(mock, '/v1/orders', { headers })).status).toBe(401);
  });

  test('with singleSession a login ends the earlier ones of that user', async () => {
    const mock = createOrdering({ tokens: { singleSession: true } });
    const first = (await requestTokens(mock)).json;
    await requestTokens(mock, { grant_type: 'password', username: 'bob', password: 'x' });
    const headers = { authorization: `Bearer ${first.access_token}` };
    expect((await send(mock, '/v1/orders', { headers })).status).toBe(200);
    await requestTokens(mock);
    expect((await send(mock, '/v1/orders', { headers })).status).toBe(401);
  });

  test('lifetimes can be set', async () => {
    const mock = createOrdering({ tokens: { accessLifetimeS: 5, refreshLifetimeS: 50 } });
    expect((await requestTokens(mock)).json).toMatchObject({ expires_in: 5, refresh_expires_in: 50 });
  });

  test('§5.2.8 with an authUrl the endpoint is only there', async () => {
    const mock = createMock(ordering, { authUrl: 'https://auth.example.com/test/' });
    const init = {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'password', username: 'a', password: 'b' }),
    };
    expect((await mock.respond(new Request('https://auth.example.com/test/auth/token', init))).status).toBe(
      200,
    );
    expect((await mock.respond(new Request(`${origin}/auth/token`, init))).status).toBe(404);
  });
});
