// A server that does not rotate refresh tokens: a refresh returns none, and the old one stays valid.
import { join } from 'node:path';
import { createClient, memoryStore, ReauthenticationRequiredError, tokenAuth } from 'restkin';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore, type StorePlace } from '../support/open-store.ts';
import { temporaryFolder } from '../support/runs.ts';
import { rejectionOf } from '../support/shop.ts';
import { createTestClient, successes, type TestClient } from './clients.ts';
import { createFaultyStore } from './faulty-store.ts';
import { createFleet } from './fleet.ts';
import { type Behaviour, type Grant, mostPresented, startTokenServer } from './token-server.ts';
import type { KillPoint } from './token-worker.ts';

const refreshTokenRotation = false;

/** A server without rotation; the behaviour is that of its refresh requests, in order. */
const startServer = (...behaviours: readonly (Behaviour | undefined)[]) => {
  const left = [...behaviours];
  const behave = (grant: Grant) => (grant === 'refresh_token' ? left.shift() : undefined);
  return startTokenServer({ rotates: false, behave });
};

/** Calls until the pause after a failure is over. */
const callAgain = async (call: () => Promise<unknown>): Promise<unknown> => {
  for (let tries = 0; tries < 50; tries++) {
    const result = await call().catch(() => undefined);
    if (result !== undefined) return result;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return 'the login was lost';
};

describe('a refresh token that works more than once', () => {
  test('renews the access token again and again, without a password', async () => {
    await using server = await startServer();
    const { refreshToken } = server.login();
    const { call } = createTestClient(server, { tokens: { refreshToken }, refreshTokenRotation });
    const results: unknown[] = [];
    for (let time = 0; time < 4; time++) {
      results.push(await call());
      server.expireAll();
    }
    expect(results).toEqual(successes(4));
    expect(server.granted).toEqual({ password: 0, refresh_token: 4 });
    expect(mostPresented(server)).toBe(4);
  });

  test('of a password login is used in place of the password', async () => {
    await using server = await startServer();
    const { call } = createTestClient(server, { refreshTokenRotation });
    for (let time = 0; time < 3; time++) {
      await call();
      server.expireAll();
    }
    expect(server.granted).toEqual({ password: 1, refresh_token: 2 });
  });

  test('is replaced by one that the server returns all the same', async () => {
    const replacement = 'another-refresh-token';
    await using server = await startServer({ body: { refresh_token: replacement } });
    const { refreshToken } = server.login();
    const { call } = createTestClient(server, { tokens: { refreshToken }, refreshTokenRotation });
    await call();
    server.expireAll();
    await rejectionOf(call());
    expect([...server.presented.keys()]).toEqual([refreshToken, replacement]);
  });

  test.each<[string, Behaviour]>([
    ['whose response was lost', { drop: 'after' }],
    ['whose response was 503', { status: 503 }],
  ])('is sent again after a request %s', async (_, behaviour) => {
    await using server = await startServer(behaviour);
    const { refreshToken } = server.login();
    const { call } = createTestClient(server, { tokens: { refreshToken }, refreshTokenRotation });
    expect(await callAgain(call)).toEqual([]);
    expect(server.tokenRequests).toEqual(['refresh_token', 'refresh_token']);
  });

  test.each<[string, Behaviour]>([
    ['by the page of a proxy', { body: { access_token: 7 } }],
    ['with 404', { status: 404 }],
    ['with 408', { status: 408 }],
  ])('is kept after a request that ended %s', async (_, behaviour) => {
    await using server = await startServer(behaviour);
    const { refreshToken } = server.login();
    const { call } = createTestClient(server, { tokens: { refreshToken }, refreshTokenRotation });
    expect(await callAgain(call)).toEqual([]);
    expect(server.tokenRequests).toEqual(['refresh_token', 'refresh_token']);
  });

  test('gives way to the password after a failure that lasts', async () => {
    await using server = await startServer({ status: 404 });
    const { call } = createTestClient(server, { refreshTokenRotation });
    await call();
    server.expireAll();
    expect(await call()).toEqual([]);
    expect(server.tokenRequests).toEqual(['password', 'refresh_token', 'password']);
  });

  test('that the server refuses ends the login, and is sent no more', async () => {
    await using server = await startServer();
    const { call } = createTestClient(server, { tokens: server.login(), refreshTokenRotation });
    await call();
    server.revokeAll();
    expect(await rejectionOf(call())).toBeInstanceOf(ReauthenticationRequiredError);
    expect(await rejectionOf(call())).toBeInstanceOf(ReauthenticationRequiredError);
    expect(server.tokenRequests).toEqual(['refresh_token']);
  });

  test('that the server refuses is followed by the password, where there is one', async () => {
    await using server = await startServer();
    const { call } = createTestClient(server, { refreshTokenRotation });
    await call();
    server.revokeAll();
    expect(await call()).toEqual([]);
    expect(server.tokenRequests).toEqual(['password', 'refresh_token', 'password']);
  });

  test('is kept when the store fails at the commit of what it was granted', async () => {
    await using server = await startServer();
    const store = createFaultyStore(memoryStore());
    const { refreshToken } = server.login();
    const { call } = createTestClient(server, { store, tokens: { refreshToken }, refreshTokenRotation });
    store.fault = (step) => (step === 'commit' ? 'throw' : undefined);
    await rejectionOf(call());
    store.fault = () => undefined;
    expect(await callAgain(call)).toEqual([]);
    server.expireAll();
    expect(await callAgain(call)).toEqual([]);
    expect(server.granted).toEqual({ password: 0, refresh_token: 2 });
  });

  type LogIn = (before: TestClient, create: () => TestClient, tokens: { refreshToken: string }) => TestClient;

  test.each<[string, LogIn]>([
    [
      'useTokens',
      (before, _create, tokens) => {
        before.auth.useTokens(tokens);
        return before;
      },
    ],
    ['a new tokenAuth', (_before, create) => create()],
  ])('logs in again after signOut(), by %s', async (_by, logIn) => {
    await using server = await startServer();
    const store = memoryStore();
    const { refreshToken } = server.login();
    const create = () => createTestClient(server, { store, tokens: { refreshToken }, refreshTokenRotation });
    const before = create();
    const other = create();
    await before.call();
    await other.call();
    await before.auth.signOut();
    server.expireAll();
    expect(await rejectionOf(other.call())).toBeInstanceOf(ReauthenticationRequiredError);
    const again = logIn(before, create, { refreshToken });
    expect(await again.call()).toEqual([]);
    // Whoever shares the store has the new login too.
    expect(await other.call()).toEqual([]);
    await again.auth.signOut();
    expect(await rejectionOf(again.call())).toBeInstanceOf(ReauthenticationRequiredError);
    expect(server.granted).toEqual({ password: 0, refresh_token: 2 });
  });

  test('is sent once by many callers at a time', async () => {
    await using server = await startServer();
    const { call } = createTestClient(server, { tokens: server.login(), refreshTokenRotation });
    await call();
    server.expireAll();
    expect(await Promise.all(Array.from({ length: 50 }, () => call()))).toEqual(successes(50));
    expect(server.granted.refresh_token).toBe(1);
  });
});

test.each<KillPoint>(['beforeClaim', 'afterClaim', 'afterSending', 'afterCommit'])(
  'a process that is killed %s leaves the refresh token to the next one',
  { timeout: 60_000 },
  async (killAt) => {
    await using server = await startServer();
    const place: StorePlace = { kind: 'sqlite', path: join(temporaryFolder(), 'tokens.db') };
    const { store, close } = await openStore(place);
    onTestFinished(close);
    const leaseMs = 150;
    const login = { username: 'ada', password: 'lovelace', leaseMs, store, refreshTokenRotation };
    const client = createClient({ baseUrl: server.url, auth: tokenAuth({ authUrl: server.url, ...login }) });
    const call = () => client.request({ method: 'GET', path: 'v1/things' });
    await call();
    const victim = createFleet().start({ url: server.url, place, leaseMs, killAt, refreshTokenRotation });
    await victim.ready;
    server.expireAll();
    victim.order({ calls: 1 });
    expect((await victim.ended).end).toBe('SIGKILL');
    expect(await call()).toEqual([]);
    expect(server.granted.password).toBe(1);
  },
);
