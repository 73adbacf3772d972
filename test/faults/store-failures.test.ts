import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createClient, memoryStore, tokenAuth } from 'restkin';
import { sqliteStore } from 'restkin/sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../support/runs.ts';
import { rejectionOf } from '../support/shop.ts';
import { callInTurn, createTestClient, successes, unwarned } from './clients.ts';
import { createFaultyStore, type StoreFault, type StoreStep } from './faulty-store.ts';
import { mostPresented, startTokenServer } from './token-server.ts';

const only =
  (failing: StoreStep | 'swap', fault: StoreFault) =>
  (step: StoreStep): StoreFault =>
    step === failing || (failing === 'swap' && step !== 'read') ? fault : undefined;

/** Before the claim: nothing that was taken out of the store is at stake. */
const beforeClaim: readonly [string, StoreStep | 'swap', StoreFault][] = [
  ['cannot be read', 'read', 'throw'],
  ['cannot be written', 'swap', 'throw'],
  ['fails at the claim', 'claim', 'throw'],
  ['loses its response to the claim', 'claim', 'lost'],
];

describe.concurrent('a store that fails before the claim', () => {
  test.for(beforeClaim)(
    'because it %s: the password logs in, in memory, once for each access token, with one warning',
    async ([_what, failing, fault], { expect }) => {
      await using server = await startTokenServer({ revokeOnReuse: true });
      const store = createFaultyStore(memoryStore());
      const tested = createTestClient(server, { store, leaseMs: 100 });
      store.fault = only(failing, fault);
      for (let time = 0; time < 3; time++) {
        expect(await callInTurn(tested, 10)).toEqual(successes(10));
        server.expireAll();
      }
      expect(server.tokenRequests).toEqual(['password', 'password', 'password']);
      expect(tested.events.filter(({ reason }) => reason === 'storeFailed')).toEqual([
        expect.objectContaining({ failure: expect.any(String) }),
      ]);
      expect(store.steps.length).toBeLessThanOrEqual(9);
      store.fault = () => undefined;
      expect(await callInTurn(tested, 10)).toEqual(successes(10));
      server.expireAll();
      expect(await callInTurn(tested, 10)).toEqual(successes(10));
      expect(server.tokenRequests.slice(3)).toEqual(['password', 'refresh_token']);
    },
  );

  test.for(beforeClaim)(
    'because it %s: without a password calls get a temporary error, and nothing is sent until it works',
    async ([_what, failing, fault], { expect }) => {
      await using server = await startTokenServer({ revokeOnReuse: true });
      const store = createFaultyStore(memoryStore());
      const { refreshToken } = server.login();
      const auth = tokenAuth({ authUrl: server.url, tokens: { refreshToken }, store });
      const client = createClient({ baseUrl: server.url, auth, retry: false, on: unwarned });
      const call = () => Promise.resolve(client.request({ method: 'GET', path: 'v1/things' }));
      let failures = 0;
      store.fault = (step) => {
        const isFailing = failing === step || (failing === 'swap' && step !== 'read');
        return isFailing && failures++ < 3 ? fault : undefined;
      };
      const error = await rejectionOf(call());
      expect(error).toMatchObject({ code: 'token_request_failed', temporary: true });
      expect(String(error)).toContain('the token store failed');
      expect(server.tokenRequests).toEqual([]);
      await expect.poll(() => call().catch(() => 'not yet'), { timeout: 10_000 }).toEqual([]);
      expect(server.tokenRequests).toEqual(['refresh_token']);
    },
  );

  test('and cannot be used without the password either is not called by every call', async ({ expect }) => {
    await using server = await startTokenServer();
    const store = createFaultyStore(memoryStore());
    store.fault = () => 'throw';
    const auth = tokenAuth({ authUrl: server.url, tokens: { refreshToken: 'given' }, store });
    const client = createClient({ baseUrl: server.url, auth, retry: false, on: unwarned });
    for (let count = 0; count < 100; count++) {
      const error = await rejectionOf(client.request({ method: 'GET', path: 'v1/things' }));
      expect(error).toMatchObject({ code: 'token_request_failed', temporary: true });
    }
    expect(store.steps.length).toBeLessThan(10);
    expect(server.tokenRequests).toEqual([]);
  });

  test('and hangs for ever at the read is not waited for', { timeout: 30_000 }, async ({ expect }) => {
    await using server = await startTokenServer({ revokeOnReuse: true });
    const store = createFaultyStore(memoryStore());
    store.fault = only('read', 'hang');
    const tested = createTestClient(server, { store, leaseMs: 100 });
    expect(await callInTurn(tested, 10)).toEqual(successes(10));
    expect(tested.events.map(({ reason }) => reason)).toEqual(['storeFailed', 'first']);
    expect(server.tokenRequests).toEqual(['password']);
    expect(store.steps).toEqual(['read']);
  });

  test('because its path cannot be a file lets calls succeed', async ({ expect }) => {
    await using server = await startTokenServer();
    const store = sqliteStore({ path: '/dev/null/tokens.db' });
    const tested = createTestClient(server, { store });
    expect(await callInTurn(tested, 10)).toEqual(successes(10));
    expect(tested.events.map(({ reason }) => reason)).toEqual(['storeFailed', 'first']);
    expect(server.tokenRequests).toEqual(['password']);
  });

  test('lets an access token that was handed in be used, and keeps its refresh token for later', async ({
    expect,
  }) => {
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

  test('and never takes a swap is not called in a hot loop', { timeout: 20_000 }, async ({ expect }) => {
    await using server = await startTokenServer();
    let reads = 0;
    const store = {
      read: async () => {
        reads++;
        return undefined;
      },
      swap: async () => false,
    };
    // As with any store that fails, the password continues the login.
    expect(await createTestClient(server, { store, leaseMs: 50 }).call()).toEqual([]);
    expect(reads).toBeLessThan(10);
    expect(server.tokenRequests).toHaveLength(1);
  });
});

describe('a commit that fails', () => {
  test.concurrent.for<[string, StoreFault, 'password' | 'tokens']>([
    ['throws, after a password', 'throw', 'password'],
    ['loses its response, after a password', 'lost', 'password'],
    ['throws, after a refresh', 'throw', 'tokens'],
    ['loses its response, after a refresh', 'lost', 'tokens'],
  ])(
    'because it %s: calls get a temporary error until it is stored',
    async ([_what, fault, login], { expect }) => {
      await using server = await startTokenServer({ revokeOnReuse: true, oneSession: true });
      const inner = memoryStore();
      const store = createFaultyStore(inner);
      const tokens = { refreshToken: server.login().refreshToken };
      const options = { leaseMs: 100, ...(login === 'tokens' ? { tokens } : {}) };
      const { auth, events } = createTestClient(server, { ...options, store });
      const client = createClient({ baseUrl: server.url, auth, retry: false, on: unwarned });
      const call = () => Promise.resolve(client.request({ method: 'GET', path: 'v1/things' }));
      store.fault = only('commit', fault);
      const first = await rejectionOf(call());
      expect(first).toMatchObject({ code: 'token_request_failed', temporary: true });
      for (let count = 0; count < 50; count++) {
        const error = await rejectionOf(call());
        if (fault === 'lost') break;
        expect(error).toMatchObject({ code: 'token_request_failed', temporary: true });
      }
      expect(store.steps.length).toBeLessThan(10);
      expect(server.credentials).toEqual([]);
      store.fault = () => undefined;
      await expect.poll(() => call().catch(() => 'not yet'), { timeout: 5_000 }).toEqual([]);
      // Another process uses what was stored.
      expect(await createTestClient(server, { ...options, store: inner }).call()).toEqual([]);
      expect(server.tokenRequests).toEqual([login === 'tokens' ? 'refresh_token' : 'password']);
      expect(mostPresented(server)).toBe(login === 'tokens' ? 1 : 0);
      expect(events).toEqual([]);
    },
  );

  test('gives way to another process that logged in meanwhile', async () => {
    await using server = await startTokenServer({ revokeOnReuse: true, oneSession: true });
    const inner = memoryStore();
    const store = createFaultyStore(inner);
    const { call } = createTestClient(server, { store, leaseMs: 100 });
    store.fault = only('commit', 'throw');
    expect(await rejectionOf(call())).toMatchObject({ code: 'token_request_failed' });
    const other = createTestClient(server, { store: inner, leaseMs: 100 });
    expect(await other.call()).toEqual([]);
    server.expireAll();
    expect(await other.call()).toEqual([]);
    store.fault = () => undefined;
    await expect.poll(() => call().catch(() => 'not yet'), { timeout: 5_000 }).toEqual([]);
    expect(server.tokenRequests).toEqual(['password', 'password', 'refresh_token']);
    expect(mostPresented(server)).toBe(1);
  });

  test('does not hold up a call whose token is still valid', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    await using server = await startTokenServer({ revokeOnReuse: true });
    const store = createFaultyStore(memoryStore());
    const tested = createTestClient(server, { store });
    await tested.call();
    store.fault = only('commit', 'throw');
    vi.setSystemTime(Date.now() + 580_000);
    expect(await callInTurn(tested, 10)).toEqual(successes(10));
    store.fault = () => undefined;
    vi.setSystemTime(Date.now() + 30_000);
    expect(await callInTurn(tested, 10)).toEqual(successes(10));
    expect(server.tokenRequests).toEqual(['password', 'refresh_token']);
  });
});

test('a store that stops to respond during a commit holds a call for seconds once', {
  timeout: 60_000,
}, async () => {
  await using server = await startTokenServer({ revokeOnReuse: true });
  const store = createFaultyStore(memoryStore());
  const { call } = createTestClient(server, { store, leaseMs: 100 });
  store.fault = only('commit', 'hang');
  const timed = async () => {
    const start = performance.now();
    expect(await rejectionOf(call())).toMatchObject({ code: 'token_request_failed', temporary: true });
    return performance.now() - start;
  };
  expect(await timed()).toBeLessThan(12_000);
  expect(await timed()).toBeLessThan(6_000);
  store.fault = () => undefined;
  expect(await call()).toEqual([]);
  expect(server.tokenRequests).toEqual(['password']);
});

test('a store that was slow once is given its time again when it responds', { timeout: 30_000 }, async () => {
  await using server = await startTokenServer({ revokeOnReuse: true });
  const inner = memoryStore();
  let delayMs = 6_000;
  const read = async (chain: string) => {
    await setTimeout(delayMs);
    return inner.read(chain);
  };
  const tested = createTestClient(server, { store: { read, swap: inner.swap }, leaseMs: 100 });
  // In memory, because the store takes too long.
  expect(await tested.call()).toEqual([]);
  await setTimeout(1_500);
  delayMs = 1_000;
  server.expireAll();
  expect(await tested.call()).toEqual([]);
  expect(tested.events.map(({ reason }) => reason)).toEqual(['storeFailed', 'first', 'refused']);
  expect(await createTestClient(server, { store: inner }).call()).toEqual([]);
  expect(server.tokenRequests).toEqual(['password', 'password']);
});

test('a release that fails is reported, and the chain continues', async () => {
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

// The store holds the tokens, another process refreshes them; whoever was cut off must not send them too.
test.each<StoreStep | 'swap'>(['commit', 'swap'])(
  'a store that took the tokens when its response to %s was lost: nothing is sent twice',
  async (failing) => {
    await using server = await startTokenServer({ revokeOnReuse: true });
    const inner = sqliteStore({ path: join(temporaryFolder(), 'tokens.db') });
    const store = createFaultyStore(inner);
    const cutOff = createTestClient(server, { store, leaseMs: 100 });
    const other = createTestClient(server, { store: inner, leaseMs: 100 });
    await cutOff.call();
    server.expireAll();
    store.fault = only(failing, 'lost');
    await cutOff.call().catch(() => undefined);
    store.fault = () => 'throw';
    await other.call();
    server.expireAll();
    await other.call();
    server.expireAll();
    await cutOff.call().catch(() => undefined);
    store.fault = () => undefined;
    await expect.poll(() => cutOff.call().catch(() => 'not yet'), { timeout: 5_000 }).toEqual([]);
    expect(mostPresented(server)).toBe(1);
    inner.close();
  },
);
