import { InvalidCredentialsError, memoryStore, ReauthenticationRequiredError } from 'restkin';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { rejectionOf } from '../support/shop.ts';
import { callInTurn, createTestClient, successes } from './clients.ts';
import { createFaultyStore } from './faulty-store.ts';
import { mostPresented, startTokenServer } from './token-server.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('a client that was given tokens and no password', () => {
  test('continues with the refresh token', async () => {
    await using server = await startTokenServer({ revokeOnReuse: true });
    const { refreshToken } = server.login();
    const tested = createTestClient(server, { tokens: { refreshToken } });
    for (let time = 0; time < 5; time++) {
      expect(await callInTurn(tested, 3)).toEqual(successes(3));
      server.expireAll();
    }
    expect(server.granted).toEqual({ password: 0, refresh_token: 5 });
    expect(mostPresented(server)).toBe(1);
  });

  test('whose chain is dead sends nothing more until it gets new tokens', async () => {
    await using server = await startTokenServer({ revokeOnReuse: true });
    const { auth, call } = createTestClient(server, { tokens: server.login() });
    await call();
    server.revokeAll();
    expect(await rejectionOf(call())).toBeInstanceOf(ReauthenticationRequiredError);
    const errors = await Promise.all(Array.from({ length: 100 }, () => rejectionOf(call())));
    expect(errors.filter((error) => error instanceof ReauthenticationRequiredError)).toHaveLength(100);
    expect(server.tokenRequests).toEqual(['refresh_token']);
    auth.useTokens(server.login());
    expect(await call()).toEqual([]);
    server.expireAll();
    expect(await call()).toEqual([]);
    expect(server.tokenRequests).toEqual(['refresh_token', 'refresh_token']);
    expect(mostPresented(server)).toBe(1);
  });

  test('and gets new ones while the old ones are not stored yet uses the new ones', async () => {
    await using server = await startTokenServer();
    const store = createFaultyStore(memoryStore());
    const { refreshToken } = server.login();
    const { auth, call } = createTestClient(server, { store, tokens: { refreshToken } });
    store.fault = (step) => (step === 'commit' ? 'throw' : undefined);
    expect(await rejectionOf(call())).toMatchObject({ code: 'token_request_failed' });
    store.fault = () => undefined;
    auth.useTokens({ refreshToken: server.login().refreshToken });
    expect(await call()).toEqual([]);
    expect(server.tokenRequests).toEqual(['refresh_token', 'refresh_token']);
  });

  test('two clients that were given the same tokens share one store and one chain', async () => {
    await using server = await startTokenServer({ revokeOnReuse: true });
    const store = memoryStore();
    const { refreshToken } = server.login();
    const clients = [0, 1].map(() => createTestClient(server, { store, tokens: { refreshToken } }));
    expect(await Promise.all(clients.map(({ call }) => call()))).toEqual(successes(2));
    expect(server.tokenRequests).toEqual(['refresh_token']);
  });
});

describe('a wrong password', () => {
  test('is sent once, however many calls arrive', async () => {
    await using server = await startTokenServer();
    server.refusePassword = true;
    const { call } = createTestClient(server);
    expect(await rejectionOf(call())).toBeInstanceOf(InvalidCredentialsError);
    const together = await Promise.all(Array.from({ length: 50 }, () => rejectionOf(call())));
    for (let count = 0; count < 50; count++) together.push(await rejectionOf(call()));
    expect(together.filter((error) => error instanceof InvalidCredentialsError)).toHaveLength(100);
    expect(server.tokenRequests).toEqual(['password']);
  });

  test('after a refresh token that is dead too is sent once', async () => {
    await using server = await startTokenServer({ revokeOnReuse: true });
    const { call } = createTestClient(server);
    await call();
    server.revokeAll();
    server.refusePassword = true;
    for (let count = 0; count < 20; count++) {
      expect(await rejectionOf(call())).toBeInstanceOf(InvalidCredentialsError);
    }
    expect(server.tokenRequests).toEqual(['password', 'refresh_token', 'password']);
  });
});
