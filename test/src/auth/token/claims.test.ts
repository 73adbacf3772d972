import {
  createClient,
  type Fetch,
  memoryStore,
  ReauthenticationRequiredError,
  type StoredRecord,
  type TokenStore,
  tokenAuth,
} from 'restkin';
import { describe, expect, test, vi } from 'vitest';
import { createTestClient, successes, unwarned } from '../../../faults/clients.ts';
import { createFaultyStore } from '../../../faults/faulty-store.ts';
import { mostPresented, startTokenServer } from '../../../faults/token-server.ts';
import { login } from '../../../support/basic-ordering.ts';
import { fakeClocks } from '../../../support/conformance-clocks.ts';
import { rejectionOf } from '../../../support/shop.ts';

const once = <T>(first: T) => {
  let times = 0;
  return (): T | undefined => (times++ === 0 ? first : undefined);
};

/** A store that can be set back to what it held. */
const createBackup = () => {
  let rows = new Map<string, StoredRecord>();
  const store: TokenStore = {
    read: async (chain) => rows.get(chain),
    swap: async (chain, expectedVersion, record) => {
      if ((rows.get(chain)?.version ?? 0) !== expectedVersion) return false;
      rows.set(chain, { version: expectedVersion + 1, record });
      return true;
    },
  };
  const save = (): (() => void) => {
    const saved = new Map(rows);
    return () => {
      rows = new Map(saved);
    };
  };
  return { store, save };
};

/** As a client of a store does that sends a command again when its response was lost. */
const answeringTwice = (inner: TokenStore): TokenStore => {
  const isFirst = once(true);
  return {
    read: inner.read,
    swap: async (...swap) => (await inner.swap(...swap)) && isFirst() !== true,
  };
};

describe.concurrent('a claim that the store took without saying so', () => {
  test('keeps its refresh token: the command was sent twice, and refused the second time', async () => {
    await using server = await startTokenServer({ revokeOnReuse: true });
    const { refreshToken } = server.login();
    const store = answeringTwice(memoryStore());
    const { call } = createTestClient(server, { store, leaseMs: 5_000, tokens: { refreshToken } });
    expect(await call()).toEqual([]);
    expect(server.tokenRequests).toEqual(['refresh_token']);
  });

  test('keeps its refresh token: the store did it late, before the claim that followed', async () => {
    await using server = await startTokenServer({ revokeOnReuse: true });
    const inner = memoryStore();
    let late: (() => Promise<boolean>) | undefined;
    let swaps = 0;
    const store: TokenStore = {
      read: inner.read,
      swap: async (...swap) => {
        if (swaps++ === 0) {
          late = () => inner.swap(...swap);
          throw new Error('No answer');
        }
        await late?.();
        late = undefined;
        return inner.swap(...swap);
      },
    };
    const { refreshToken } = server.login();
    const { call } = createTestClient(server, { store, leaseMs: 5_000, tokens: { refreshToken } });
    expect(await call()).toEqual([]);
    expect(server.tokenRequests).toEqual(['refresh_token']);
  });

  test('is not waited for by its own process, which has logged in without the store meanwhile', async () => {
    await using server = await startTokenServer({ revokeOnReuse: true });
    const store = createFaultyStore(memoryStore());
    const { call } = createTestClient(server, { store, leaseMs: 60_000 });
    const fails = once('lost' as const);
    store.fault = (step) => (step === 'claim' ? fails() : undefined);
    await call();
    server.expireAll();
    expect(await call()).toEqual([]);
    expect(server.tokenRequests).toEqual(['password', 'password']);
  });

  test('and is of somebody else leaves that one its token', async () => {
    await using server = await startTokenServer({ revokeOnReuse: true, behave: () => ({ delayMs: 150 }) });
    const inner = memoryStore();
    const store = createFaultyStore(inner);
    const { refreshToken } = server.login();
    const tokens = { refreshToken };
    const doubting = createTestClient(server, { store, leaseMs: 2_000, tokens });
    const other = createTestClient(server, { store: inner, leaseMs: 2_000, tokens });
    const fails = once('throw' as const);
    store.fault = (step) => (step === 'claim' ? fails() : undefined);
    expect(await Promise.all([doubting.call(), other.call()])).toEqual(successes(2));
    expect(server.tokenRequests).toEqual(['refresh_token']);
  });
});

test.concurrent('a refresh token that was not sent is kept when its claim cannot be given back', async () => {
  await using server = await startTokenServer({ revokeOnReuse: true });
  const store = createFaultyStore(memoryStore());
  const refused = once(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }));
  const fetch: Fetch = async (input, init) => {
    const error = String(input).endsWith('/auth/token') ? refused() : undefined;
    if (error !== undefined) throw error;
    return globalThis.fetch(input, init);
  };
  const { refreshToken } = server.login();
  const { call } = createTestClient(server, { store, leaseMs: 5_000, tokens: { refreshToken }, fetch });
  const fails = once('throw' as const);
  store.fault = (step) => (step === 'release' ? fails() : undefined);
  expect(await call()).toEqual([]);
  expect(server.tokenRequests).toEqual(['refresh_token']);
});

test.concurrent('tokens that were passed in are not used again when the store has lost their successors', async () => {
  await using server = await startTokenServer({ revokeOnReuse: true });
  const { store, save } = createBackup();
  const lose = save();
  const auth = tokenAuth({ authUrl: server.url, tokens: server.login(), store });
  const callOf = () => {
    const client = createClient({ baseUrl: server.url, auth, retry: false, on: unwarned });
    return () => Promise.resolve(client.request({ method: 'GET', path: 'v1/things' }));
  };
  const [call, another] = [callOf(), callOf()];
  server.expireAll();
  expect(await call()).toEqual([]);
  lose();
  server.expireAll();
  expect(await rejectionOf(another())).toBeInstanceOf(ReauthenticationRequiredError);
  expect(await rejectionOf(call())).toBeInstanceOf(ReauthenticationRequiredError);
  expect(mostPresented(server)).toBe(1);
});

test.concurrent('tokens that were passed in are not sent after another process has claimed them', async ({
  expect,
}) => {
  await using server = await startTokenServer({
    revokeOnReuse: true,
    behave: () => ({ delayMs: 1_000 }),
  });
  const { store, save } = createBackup();
  const lose = save();
  const watched = createFaultyStore(store);
  const { refreshToken } = server.login();
  const options = { leaseMs: 5_000, tokens: { refreshToken } };
  const claiming = createTestClient(server, { ...options, store }).call();
  await expect.poll(() => server.tokenRequests.length).toBe(1);
  const waiting = rejectionOf(createTestClient(server, { ...options, store: watched }).call());
  await expect.poll(() => watched.steps.length).toBeGreaterThan(1);
  // The store loses the claim.
  lose();
  expect(await waiting).toBeInstanceOf(ReauthenticationRequiredError);
  expect(await claiming).toEqual([]);
  expect(server.tokenRequests).toEqual(['refresh_token']);
});

test.concurrent('others wait for a claim without a time limit', async ({ expect }) => {
  await using server = await startTokenServer({ behave: () => ({ delayMs: 300 }) });
  const store = memoryStore();
  const options = { store, leaseMs: Infinity, tokens: server.login() };
  const clients = [createTestClient(server, options), createTestClient(server, options)];
  server.expireAll();
  expect(await Promise.all(clients.map(({ call }) => call()))).toEqual([[], []]);
  expect(server.tokenRequests).toEqual(['refresh_token']);
});

describe.concurrent('a call that waits for the claim of another process', () => {
  test('is reported once, with its longest wait, to on.token and the log', async ({ expect }) => {
    const { promise: until, resolve } = Promise.withResolvers<void>();
    await using server = await startTokenServer({ behave: () => ({ until }) });
    const inner = memoryStore();
    let reads = 0;
    const store: TokenStore = {
      read: (chain) => {
        reads++;
        return inner.read(chain);
      },
      swap: inner.swap,
    };
    const leaseMs = 30_000;
    const renewing = createTestClient(server, { store, leaseMs }).call();
    await expect.poll(() => server.tokenRequests.length).toBe(1);
    const events: unknown[] = [];
    const lines: unknown[] = [];
    const ignore = () => undefined;
    const logger = {
      debug: ignore,
      info: ignore,
      error: ignore,
      warn: (fields: object) => lines.push(fields),
    };
    const client = createClient({
      baseUrl: server.url,
      auth: tokenAuth({ authUrl: server.url, ...login, store, leaseMs }),
      on: { token: (event) => events.push(event) },
      logger,
    });
    const waiting = Promise.resolve(client.request({ method: 'GET', path: 'v1/things', callId: 'the-call' }));
    await expect.poll(() => events).toHaveLength(1);
    const event = { callId: 'the-call', reason: 'waiting', waitMs: expect.any(Number) };
    expect(events).toEqual([event]);
    const { waitMs } = events[0] as { waitMs: number };
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThan(leaseMs);
    const reported = reads;
    await expect.poll(() => reads).toBeGreaterThan(2 * reported);
    resolve();
    expect(await Promise.all([renewing, waiting])).toEqual(successes(2));
    expect(events).toEqual([event]);
    expect(lines).toEqual([{ event: 'token', ...event }]);
  });

  test('is not reported where the other one needs a moment', async ({ expect }) => {
    await using server = await startTokenServer({ behave: () => ({ delayMs: 50 }) });
    const store = memoryStore();
    const clients = [createTestClient(server, { store }), createTestClient(server, { store })];
    expect(await Promise.all(clients.map(({ call }) => call()))).toEqual(successes(2));
    expect(server.tokenRequests).toEqual(['password']);
    expect(clients.flatMap(({ events }) => events)).toMatchObject([{ reason: 'first' }]);
  });
});

test.concurrent('a refresh token that was refused is sent by no other process', async () => {
  await using server = await startTokenServer({
    behave: (grant) => (grant === 'refresh_token' ? { status: 500 } : undefined),
  });
  const store = memoryStore();
  const [first, second] = [createTestClient(server, { store }), createTestClient(server, { store })];
  await first.call();
  server.expireAll();
  server.refusePassword = true;
  await rejectionOf(first.call());
  await rejectionOf(second.call());
  expect(server.tokenRequests).toEqual(['password', 'refresh_token', 'password', 'password']);
  expect(mostPresented(server)).toBe(1);
});

test.concurrent('a renewal that takes longer than others wait sends no password if another process has logged in', async ({
  expect,
}) => {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  await using server = await startTokenServer({
    behave: (grant) => (grant === 'refresh_token' ? { until, status: 500 } : undefined),
  });
  const store = memoryStore();
  const [slow, quick] = [0, 1].map(() => createTestClient(server, { store, leaseMs: 100 }));
  await slow?.call();
  server.expireAll();
  const late = slow?.call();
  await expect.poll(() => server.tokenRequests.length).toBe(2);
  expect(await quick?.call()).toEqual([]);
  resolve();
  expect(await late).toEqual([]);
  expect(server.tokenRequests).toEqual(['password', 'refresh_token', 'password']);
});

describe.concurrent('a store that is restored from a backup', () => {
  test('gets a new login from a process that has seen newer tokens, and then works as before', async () => {
    await using server = await startTokenServer({ revokeOnReuse: true });
    const { store, save } = createBackup();
    const [first, second] = [createTestClient(server, { store }), createTestClient(server, { store })];
    await first.call();
    const restore = save();
    for (const { call } of [first, first, first, second]) {
      server.expireAll();
      await call();
    }
    restore();
    for (const { call } of [second, second]) {
      server.expireAll();
      expect(await call()).toEqual([]);
    }
    expect(await first.call()).toEqual([]);
    server.expireAll();
    expect(await first.call()).toEqual([]);
    expect(mostPresented(server)).toBe(1);
    expect(server.granted).toEqual({ password: 2, refresh_token: 6 });
  });

  test.each([
    ['is answered', undefined],
    ['fails', { status: 500 }],
  ])('while a refresh token is sent, does not send it again: the request %s', async (_what, behaviour) => {
    const { store, save } = createBackup();
    let restore: (() => void) | undefined;
    await using server = await startTokenServer({
      revokeOnReuse: true,
      behave: (grant) => {
        if (grant === 'password') return undefined;
        restore?.();
        restore = undefined;
        return behaviour;
      },
    });
    const { call } = createTestClient(server, { store });
    await call();
    restore = save();
    server.expireAll();
    expect(await call()).toEqual([]);
    server.expireAll();
    expect(await call()).toEqual([]);
    expect(mostPresented(server)).toBe(1);
  });

  test('ends a login without a password: what the store holds was used', async () => {
    await using server = await startTokenServer({ revokeOnReuse: true });
    const { store, save } = createBackup();
    const { call } = createTestClient(server, { store, tokens: server.login() });
    server.expireAll();
    await call();
    const restore = save();
    server.expireAll();
    await call();
    restore();
    server.expireAll();
    expect(await rejectionOf(call())).toBeInstanceOf(ReauthenticationRequiredError);
    expect(mostPresented(server)).toBe(1);
  });
});

test.concurrent('a store that fails is no end of a login whose credentials() has none', async () => {
  await using server = await startTokenServer();
  const store = createFaultyStore(memoryStore());
  store.fault = (step) => (step === 'read' ? 'throw' : undefined);
  const credentials = () => Promise.reject(new ReauthenticationRequiredError('The login has ended'));
  const auth = tokenAuth({ authUrl: server.url, username: 'ada', credentials, store });
  const client = createClient({ baseUrl: server.url, auth, retry: false, on: unwarned });
  const error = await rejectionOf(Promise.resolve(client.request({ method: 'GET', path: 'v1/things' })));
  expect(error).toMatchObject({ code: 'token_request_failed', temporary: true });
});

test('a renewal has a lease for each of its requests', async () => {
  fakeClocks();
  await using server = await startTokenServer({
    behave: (grant) => {
      vi.advanceTimersByTime(400);
      // Time for the others to look at the claim.
      return { delayMs: 200, ...(grant === 'refresh_token' ? { status: 500 } : {}) };
    },
  });
  const store = memoryStore();
  const clients = Array.from({ length: 3 }, () => createTestClient(server, { store, leaseMs: 600 }));
  await clients[0]?.call();
  server.expireAll();
  expect(await Promise.all(clients.map(({ call }) => call()))).toEqual(successes(3));
  expect(server.tokenRequests).toEqual(['password', 'refresh_token', 'password']);
});
