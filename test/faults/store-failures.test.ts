import { join } from 'node:path';
import { createClient, type Fetch, memoryStore, tokenAuth } from 'restkin';
import { sqliteStore } from 'restkin/sqlite';
import { describe, expect, test } from 'vitest';
import { rejectionOf } from '../support/shop.ts';
import { callInTurn, createTestClient, successes } from './clients.ts';
import { createFaultyStore, type StoreFault, type StoreStep } from './faulty-store.ts';
import { temporaryFolder } from './fleet.ts';
import { mostPresented, startTokenServer } from './token-server.ts';

const only =
  (failing: StoreStep | 'swap', fault: StoreFault) =>
  (step: StoreStep): StoreFault =>
    step === failing || (failing === 'swap' && step !== 'read') ? fault : undefined;

const renewals = 5;

describe('a store that fails', () => {
  test.each<[string, StoreStep | 'swap', StoreFault]>([
    ['cannot be read', 'read', 'throw'],
    ['cannot be written', 'swap', 'throw'],
    ['fails at the claim', 'claim', 'throw'],
    ['fails at the commit', 'commit', 'throw'],
    ['loses its response to the claim', 'claim', 'lost'],
    ['loses its response to the commit', 'commit', 'lost'],
  ])('because it %s: calls succeed, with a warning, and nothing loops', async (_what, failing, fault) => {
    await using server = await startTokenServer({ revokeOnReuse: true });
    const store = createFaultyStore(memoryStore());
    const tested = createTestClient(server, { store, leaseMs: 100 });
    store.fault = only(failing, fault);
    for (let time = 0; time < renewals; time++) {
      expect(await callInTurn(tested, 10)).toEqual(successes(10));
      server.expireAll();
    }
    expect(tested.events).toContainEqual(
      expect.objectContaining({ reason: 'storeFailed', failure: expect.any(String) }),
    );
    expect(mostPresented(server)).toBeLessThanOrEqual(1);
    expect(server.tokenRequests.length).toBeLessThanOrEqual(2 * renewals);
    expect(store.steps.length).toBeLessThanOrEqual(30 * renewals);
  });

  test('at the release of its claim is reported, and the chain continues', async () => {
    await using server = await startTokenServer({
      revokeOnReuse: true,
      behave: (_grant, index) => (index === 0 ? { status: 400 } : undefined),
    });
    const store = createFaultyStore(memoryStore());
    store.fault = only('release', 'throw');
    const { call, events } = createTestClient(server, { store, leaseMs: 100 });
    expect(await rejectionOf(call())).toMatchObject({ code: 'token_request_failed' });
    expect(events).toMatchObject([{ reason: 'storeFailed', failure: expect.any(String) }]);
    await expect.poll(() => call().catch(() => undefined), { timeout: 2_000 }).toEqual([]);
    expect(server.tokenRequests).toEqual(['password', 'password']);
  });

  test.each<[string, StoreStep | 'swap']>([
    ['cannot be written', 'swap'],
    ['cannot be read', 'read'],
    ['fails at each commit', 'commit'],
  ])(
    'because it %s costs one password, is reported once, and gets the tokens when it works',
    async (_what, failing) => {
      await using server = await startTokenServer({ revokeOnReuse: true, oneSession: true });
      const inner = memoryStore();
      const store = createFaultyStore(inner);
      const { call, events } = createTestClient(server, { store, leaseMs: 100 });
      store.fault = only(failing, 'throw');
      for (let time = 0; time < renewals; time++) {
        expect(await call()).toEqual([]);
        server.expireAll();
      }
      expect(server.granted).toEqual({ password: 1, refresh_token: renewals - 1 });
      expect(events.filter(({ reason }) => reason === 'storeFailed')).toHaveLength(1);
      store.fault = () => undefined;
      expect(await call()).toEqual([]);
      const requests = server.tokenRequests.length;
      expect(await createTestClient(server, { store: inner, leaseMs: 100 }).call()).toEqual([]);
      expect(server.tokenRequests).toHaveLength(requests);
      expect(server.granted.password).toBe(1);
      expect(mostPresented(server)).toBe(1);
    },
  );

  test('and cannot be used without the password either is not called by every call', async () => {
    await using server = await startTokenServer();
    const store = createFaultyStore(memoryStore());
    store.fault = () => 'throw';
    const auth = tokenAuth({ authUrl: server.url, tokens: { refreshToken: 'given' }, store });
    const client = createClient({ baseUrl: server.url, auth, retry: false });
    for (let count = 0; count < 100; count++) {
      const error = await rejectionOf(client.request({ method: 'GET', path: 'v1/things' }));
      expect(error).toMatchObject({ code: 'token_request_failed', temporary: true });
    }
    expect(store.steps.length).toBeLessThan(10);
    expect(server.tokenRequests).toEqual([]);
  });

  test.each<StoreStep>(['read', 'commit'])(
    'and hangs for ever at the %s is not waited for',
    { timeout: 30_000 },
    async (failing) => {
      await using server = await startTokenServer({ revokeOnReuse: true });
      const store = createFaultyStore(memoryStore());
      store.fault = only(failing, 'hang');
      const tested = createTestClient(server, { store, leaseMs: 100 });
      expect(await callInTurn(tested, 10)).toEqual(successes(10));
      expect(tested.events.map(({ reason }) => reason)).toEqual(['storeFailed', 'first']);
      expect(server.tokenRequests).toEqual(['password']);
      expect(store.steps.length).toBeLessThanOrEqual(3);
    },
  );

  test('because its path cannot be a file lets calls succeed', async () => {
    await using server = await startTokenServer();
    const store = sqliteStore({ path: '/dev/null/tokens.db' });
    const tested = createTestClient(server, { store });
    expect(await callInTurn(tested, 10)).toEqual(successes(10));
    expect(tested.events.map(({ reason }) => reason)).toEqual(['storeFailed', 'first']);
    expect(server.tokenRequests).toEqual(['password']);
  });

  test('gets what a login without it returned, also after earlier tokens', async () => {
    await using server = await startTokenServer({ revokeOnReuse: true, oneSession: true });
    const store = createFaultyStore(memoryStore());
    const { call } = createTestClient(server, { store, leaseMs: 100 });
    await call();
    server.expireAll();
    store.fault = only('read', 'throw');
    await call();
    server.expireAll();
    store.fault = () => undefined;
    expect(await call()).toEqual([]);
    expect(server.tokenRequests).toEqual(['password', 'password', 'refresh_token']);
  });

  test('keeps a refresh token that it never received, if nothing listens for it', async () => {
    await using server = await startTokenServer({ revokeOnReuse: true });
    let isGone = false;
    const fetch: Fetch = async (input, init) => {
      if (isGone && String(input).endsWith('/auth/token'))
        throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
      return globalThis.fetch(input, init);
    };
    const store = createFaultyStore(memoryStore());
    store.fault = () => 'throw';
    const { call } = createTestClient(server, { store, fetch });
    await call();
    server.expireAll();
    isGone = true;
    expect(String(await rejectionOf(call()))).toContain('ECONNREFUSED');
    isGone = false;
    await expect.poll(() => call().catch(() => 'not yet')).toEqual([]);
    expect(server.tokenRequests).toEqual(['password', 'refresh_token']);
  });

  test('lets an access token that was handed in be used, and keeps its refresh token for later', async () => {
    await using server = await startTokenServer({ revokeOnReuse: true });
    const store = createFaultyStore(memoryStore());
    store.fault = () => 'throw';
    const { call } = createTestClient(server, { store, tokens: server.login() });
    expect(await call()).toEqual([]);
    server.expireAll();
    expect(await rejectionOf(call())).toMatchObject({ code: 'token_request_failed', temporary: true });
    store.fault = () => undefined;
    await expect.poll(() => call().catch(() => 'not yet'), { timeout: 5_000 }).toEqual([]);
    expect(server.tokenRequests).toEqual(['refresh_token']);
  });

  test('and never takes a swap is not called in a hot loop', { timeout: 20_000 }, async () => {
    await using server = await startTokenServer();
    let reads = 0;
    const store = {
      read: async () => {
        reads++;
        return undefined;
      },
      swap: async () => false,
    };
    await rejectionOf(createTestClient(server, { store, leaseMs: 50 }).call());
    expect(reads).toBeLessThan(100);
    expect(server.tokenRequests).toEqual([]);
  });
});

describe('a store that works again', () => {
  test.each<StoreStep | 'swap'>(['read', 'swap', 'commit'])(
    'after %s failed gets the tokens, and another process uses them',
    async (failing) => {
      await using server = await startTokenServer({ revokeOnReuse: true, oneSession: true });
      const inner = memoryStore();
      const store = createFaultyStore(inner);
      const first = createTestClient(server, { store, leaseMs: 100 });
      store.fault = only(failing, 'throw');
      await first.call();
      store.fault = () => undefined;
      server.expireAll();
      await first.call();
      const requests = server.tokenRequests.length;
      const second = createTestClient(server, { store: inner, leaseMs: 100 });
      expect(await second.call()).toEqual([]);
      expect(server.tokenRequests).toHaveLength(requests);
      expect(server.tokenRequests).toEqual(['password', 'refresh_token']);
      expect(mostPresented(server)).toBe(1);
    },
  );

  // The store holds the tokens, another process refreshes them; whoever was cut off must not send them too.
  test.each<StoreStep | 'swap'>(['commit', 'swap'])(
    'had taken the tokens when the response to %s was lost: nothing is sent twice',
    async (failing) => {
      await using server = await startTokenServer({ revokeOnReuse: true });
      const inner = sqliteStore({ path: join(temporaryFolder(), 'tokens.db') });
      const store = createFaultyStore(inner);
      const cutOff = createTestClient(server, { store, leaseMs: 100 });
      const other = createTestClient(server, { store: inner, leaseMs: 100 });
      await cutOff.call();
      server.expireAll();
      store.fault = only(failing, 'lost');
      await cutOff.call();
      store.fault = () => 'throw';
      await other.call();
      server.expireAll();
      await other.call();
      server.expireAll();
      expect(await cutOff.call()).toEqual([]);
      expect(mostPresented(server)).toBe(1);
      inner.close();
    },
  );
});
