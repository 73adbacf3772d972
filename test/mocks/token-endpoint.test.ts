import { createClient, tokenAuth } from 'restkin';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createTokens } from '../../mocks/auth/tokens.ts';
import { createClock } from '../../mocks/clock.ts';
import { ordering } from '../support/ordering.ts';
import { createOrdering, origin, requestTokens, send } from './calls.ts';

const refresh = (token: string) => ({ grant_type: 'refresh_token', refresh_token: token });

describe('the token endpoint', () => {
  test('a login needs no real time, so that the first call of a test may have fake timers', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const mock = createOrdering();
    const auth = tokenAuth({ authUrl: origin, username: 'ann', password: 'secret' });
    const { orders } = createClient({ baseUrl: origin, auth, fetch: mock.fetch }).api(ordering);
    mock.faults.next({ status: 503, headers: { 'retry-after': '20' } });
    let id: number | undefined;
    void orders.get(1).then((order) => {
      id = order.id;
    });
    await vi.advanceTimersByTimeAsync(25_000);
    expect(id).toBe(1);
  });

  test('says in its message what is missing, which the error of a login shows', async () => {
    const mock = createOrdering();
    const auth = tokenAuth({ authUrl: origin, username: 'ann', password: '' });
    const { orders } = createClient({ baseUrl: origin, auth, fetch: mock.fetch }).api(ordering);
    await expect(orders.get(1)).rejects.toThrow('The token request is not valid: password (missingField)');
  });

  test.each([
    ['oauth/token', undefined],
    ['//realms/my shop/token?tenant=a', undefined],
    ['oauth/token', 'https://auth.example.com/tenant/'],
  ])('is at `tokens.path`, %s, where `tokenPath` of the client leads to (%s)', async (tokenPath, authUrl) => {
    const mock = createOrdering({ authUrl, tokens: { path: tokenPath } });
    const user = { username: 'ann', password: 'secret' };
    const auth = tokenAuth({ authUrl: authUrl ?? origin, tokenPath, ...user });
    const { orders } = createClient({ baseUrl: origin, auth, fetch: mock.fetch }).api(ordering);
    expect((await orders.get(1)).id).toBe(1);
    expect((await requestTokens(mock)).status).toBe(404);
    const path = mock.requests[0]?.path.slice(authUrl === undefined ? 0 : '/tenant'.length);
    expect((await send(mock, '/v1/orders')).json.message).toContain(
      `an access token of its own POST ${path},`,
    );
  });

  test('a used refresh token revokes its login', async () => {
    const mock = createOrdering();
    const first = (await requestTokens(mock)).json;
    const second = (await requestTokens(mock, refresh(first.refresh_token))).json;
    expect((await requestTokens(mock, refresh(first.refresh_token))).status).toBe(401);
    const headers = { authorization: `Bearer ${second.access_token}` };
    expect((await send(mock, '/v1/orders', { headers })).status).toBe(401);
    expect((await requestTokens(mock, refresh(second.refresh_token))).status).toBe(401);
  });

  test('without rotation a refresh token stays valid, and a refresh returns no other one', async () => {
    const mock = createOrdering({ tokens: { refreshTokenRotation: false } });
    const first = (await requestTokens(mock)).json;
    const responses = [];
    for (let time = 0; time < 2; time++)
      responses.push(await requestTokens(mock, refresh(first.refresh_token)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(responses.map(({ json }) => json.refresh_token)).toEqual([undefined, undefined]);
    const headers = { authorization: `Bearer ${responses[1]?.json.access_token}` };
    expect((await send(mock, '/v1/orders', { headers })).status).toBe(200);
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

  test('knows the tokens of the latest 10,000 logins', async () => {
    const { grant, userOf } = createTokens(createClock());
    const first = grant('ann').access_token;
    const later = Array.from({ length: 9_999 }, () => grant('ann').access_token);
    expect(userOf(first)).toBe('ann');
    grant('ann');
    expect(userOf(first)).toBeUndefined();
    expect(later.every((token) => userOf(token) === 'ann')).toBe(true);
  });
});
