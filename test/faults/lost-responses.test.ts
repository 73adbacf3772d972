import { createClient, memoryStore, TokenRequestError, tokenAuth } from 'restkin';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { rejectionOf } from '../support/shop.ts';
import { createTestClient, successes } from './clients.ts';
import { createFaultyStore } from './faulty-store.ts';
import { type Behaviour, mostPresented, startTokenServer } from './token-server.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** The access token of ten minutes ago. */
const expire = (): void => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + 601_000);
};

const refreshesOnly =
  (behaviour: Behaviour) =>
  (grant: string): Behaviour | undefined =>
    grant === 'refresh_token' ? behaviour : undefined;

describe('1,000 simultaneous calls', () => {
  test('on an expired token make one token request', { timeout: 30_000 }, async () => {
    await using server = await startTokenServer({ revokeOnReuse: true });
    const { call } = createTestClient(server);
    await call();
    expire();
    expect(await Promise.all(Array.from({ length: 1_000 }, () => call()))).toEqual(successes(1_000));
    expect(server.tokenRequests).toEqual(['password', 'refresh_token']);
  });

  test('on a refused token make one token request, and one claim', { timeout: 30_000 }, async () => {
    await using server = await startTokenServer({ revokeOnReuse: true });
    const store = createFaultyStore(memoryStore());
    const { call } = createTestClient(server, { store });
    await call();
    server.expireAll();
    expect(await Promise.all(Array.from({ length: 1_000 }, () => call()))).toEqual(successes(1_000));
    expect(server.tokenRequests).toEqual(['password', 'refresh_token']);
    expect(store.steps).toEqual(['read', 'claim', 'commit', 'read', 'claim', 'commit']);
  });

  test('without a token make one token request', { timeout: 30_000 }, async () => {
    await using server = await startTokenServer({ oneSession: true });
    const { call } = createTestClient(server);
    expect(await Promise.all(Array.from({ length: 1_000 }, () => call()))).toEqual(successes(1_000));
    expect(server.tokenRequests).toEqual(['password']);
  });
});

describe('a refresh without a usable response', () => {
  test.each<[string, Behaviour]>([
    ['dropped after the server committed it', { drop: 'after' }],
    ['dropped before the server committed it', { drop: 'before' }],
    ['500', { status: 500 }],
    ['503', { status: 503 }],
    ['429', { status: 429 }],
    ['400', { status: 400 }],
    ['401', { status: 401 }],
    ['302', { status: 302 }],
    ['without a token', { body: { access_token: undefined } }],
    ['with another token_type', { body: { token_type: 'mac' } }],
    ['with a token that is no header value', { body: { access_token: 'a\r\nb' } }],
  ])('%s: one password grant, and the caller sees success', async (_what, behaviour) => {
    await using server = await startTokenServer({
      revokeOnReuse: true,
      oneSession: true,
      behave: refreshesOnly(behaviour),
    });
    const { call, events } = createTestClient(server);
    await call();
    server.expireAll();
    expect(await Promise.all(Array.from({ length: 20 }, () => call()))).toEqual(successes(20));
    expect(server.tokenRequests).toEqual(['password', 'refresh_token', 'password']);
    expect(mostPresented(server)).toBe(1);
    expect(events.map(({ reason }) => reason)).toEqual(['first', 'recovered']);
  });

  test('a connection that was refused leaves the refresh token alive', async () => {
    await using server = await startTokenServer({ revokeOnReuse: true });
    const { call } = createTestClient(server);
    await call();
    expire();
    await server.stop();
    // Until fetch has seen that its open connections ended: one that is cut in the middle proves nothing.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const error = await rejectionOf(call());
    expect(error).toBeInstanceOf(TokenRequestError);
    expect(error).toMatchObject({ temporary: true });
    await server.start();
    expect(await call()).toEqual([]);
    expect(server.tokenRequests).toEqual(['password', 'refresh_token']);
    expect(mostPresented(server)).toBe(1);
    expect(server.granted).toEqual({ password: 1, refresh_token: 1 });
  });

  test('a refresh whose response is late is not resent', async () => {
    await using server = await startTokenServer({
      behave: refreshesOnly({ delayMs: 60_000, drop: 'after' }),
    });
    const auth = tokenAuth({ authUrl: server.url, username: 'ada', password: 'lovelace', timeoutMs: 300 });
    const client = createClient({ baseUrl: server.url, auth });
    const call = () => client.request({ method: 'GET', path: 'v1/things' });
    await call();
    server.expireAll();
    expect(await call()).toEqual([]);
    expect(server.tokenRequests).toEqual(['password', 'refresh_token', 'password']);
  });
});
