import { memoryStore, type TokenStore } from 'restkin';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { callInTurn, createTestClient, successes } from './clients.ts';
import { type Behaviour, mostPresented, startTokenServer } from './token-server.ts';

const lifetimeS = 600;
const dayMs = 24 * 3_600_000;

afterEach(() => {
  vi.useRealTimers();
});

/** From here on the wall clock moves by hand; timers and the monotonic clock continue. */
const moveWallClock = (ms: number): void => {
  if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + ms);
};

describe('a lifetime that makes no sense is no hot loop', () => {
  const values: readonly unknown[] = [
    ...['600', '0', '-1', '', 'soon', 'NaN', '1e3', ' 600'],
    ...[0, -1, -1e300, 0.001, 1e300, 2 ** 31, Number.MAX_SAFE_INTEGER],
    ...[undefined, null, Number.NaN, true, [], {}, [600]],
  ];

  test.each(values.map((value) => [JSON.stringify(value) ?? 'missing', value]))(
    'expires_in and refresh_expires_in %s: one token request for 50 calls',
    async (_name, value) => {
      await using server = await startTokenServer({
        behave: () => ({ body: { expires_in: value, refresh_expires_in: value } }),
      });
      const tested = createTestClient(server);
      expect(await callInTurn(tested, 50)).toEqual(successes(50));
      expect(server.tokenRequests).toEqual(['password']);
    },
  );

  test('a refresh token without a lifetime is used, and none without a refresh token', async () => {
    await using server = await startTokenServer({
      behave: (_grant, index) => ({
        body: index === 0 ? { refresh_expires_in: undefined } : { refresh_token: undefined },
      }),
    });
    const tested = createTestClient(server);
    for (let time = 0; time < 4; time++) {
      await tested.call();
      server.expireAll();
    }
    expect(server.tokenRequests).toEqual(['password', 'refresh_token', 'password', 'password']);
  });
});

test.each([1, 2, 3, 4.5])('a lifetime of %d seconds is believed', async (seconds) => {
  await using server = await startTokenServer({ behave: () => ({ body: { expires_in: seconds } }) });
  const tested = createTestClient(server);
  await tested.call();
  moveWallClock(seconds * 500);
  await tested.call();
  expect(server.tokenRequests).toEqual(['password']);
  moveWallClock(seconds * 500);
  await tested.call();
  expect(server.tokenRequests).toEqual(['password', 'refresh_token']);
  expect(tested.events.map(({ reason }) => reason)).toEqual(['first', 'expired']);
});

describe('the wall clock jumps', () => {
  test.each([
    ['forward a day', dayMs, ['password', 'refresh_token']],
    ['forward two months', 60 * dayMs, ['password', 'password']],
    ['back a day', -dayMs, ['password']],
    ['back to 1970', -Date.now() + 1_000, ['password']],
  ])('%s: no error and no hot loop', async (_name, jumpMs, requests) => {
    await using server = await startTokenServer({ revokeOnReuse: true });
    const tested = createTestClient(server);
    await callInTurn(tested, 5);
    moveWallClock(jumpMs);
    expect(await callInTurn(tested, 50)).toEqual(successes(50));
    expect(server.tokenRequests).toEqual(requests);
  });
});

describe('early renewal', () => {
  const at = (share: number): void => moveWallClock(lifetimeS * 1_000 * share);

  test.each([0.901, 0.95, 0.99])('at %d of the lifetime one renewal happens', async (share) => {
    await using server = await startTokenServer({ revokeOnReuse: true });
    const tested = createTestClient(server);
    await tested.call();
    at(share);
    expect(await Promise.all(Array.from({ length: 50 }, () => tested.call()))).toEqual(successes(50));
    await callInTurn(tested, 10);
    expect(server.tokenRequests).toEqual(['password', 'refresh_token']);
    expect(tested.events.map(({ reason }) => reason)).toEqual(['first', 'early']);
  });

  test.each([
    ['ten minutes, at the beginning', lifetimeS, 0.1],
    ['ten minutes, with a fifth of it left', lifetimeS, 0.79],
    ['an hour, with three minutes left', 3_600, 0.95],
    ['a minute, with half of it left', 60, 0.5],
  ])('of a token for %s: not yet', async (_what, seconds, share) => {
    await using server = await startTokenServer({ behave: () => ({ body: { expires_in: seconds } }) });
    const tested = createTestClient(server);
    await tested.call();
    moveWallClock(seconds * 1_000 * share);
    await callInTurn(tested, 20);
    expect(server.tokenRequests).toEqual(['password']);
  });

  test.each<[string, Behaviour]>([
    ['503', { status: 503 }],
    ['400', { status: 400 }],
    ['a lost connection', { drop: 'before' }],
  ])('that fails with %s leaves the old token in use, and the endpoint alone', async (_name, behaviour) => {
    await using server = await startTokenServer({
      behave: (_grant, index) => (index === 0 ? undefined : behaviour),
    });
    const tested = createTestClient(server);
    await tested.call();
    at(0.95);
    expect(await callInTurn(tested, 50)).toEqual(successes(50));
    expect(new Set(server.credentials).size).toBe(1);
    expect(mostPresented(server)).toBe(1);
    // A token endpoint in trouble is not asked again with every call.
    expect(server.tokenRequests.length).toBeLessThanOrEqual(5);
  });
});

describe('two processes with one store', () => {
  test('the second one takes over the tokens of the first one without a request', async () => {
    await using server = await startTokenServer({ revokeOnReuse: true, oneSession: true });
    const store = memoryStore();
    const [first, second] = [createTestClient(server, { store }), createTestClient(server, { store })];
    await first.call();
    await second.call();
    server.expireAll();
    await first.call();
    await second.call();
    moveWallClock(0.95 * lifetimeS * 1_000);
    await second.call();
    await first.call();
    expect(server.tokenRequests).toEqual(['password', 'refresh_token', 'refresh_token']);
    expect([first.events.length, second.events.length]).toEqual([2, 1]);
    expect(mostPresented(server)).toBe(1);
  });

  test('who is slower than its lease throws away what it got, and uses what the other one has', async () => {
    await using server = await startTokenServer({
      revokeOnReuse: true,
      behave: (grant) => (grant === 'refresh_token' ? { delayMs: 500 } : undefined),
    });
    const store = memoryStore();
    const [slow, quick] = [0, 1].map(() => createTestClient(server, { store, leaseMs: 100 }));
    await slow?.call();
    server.expireAll();
    const late = slow?.call();
    await expect.poll(() => server.tokenRequests.length).toBe(2);
    expect(await quick?.call()).toEqual([]);
    const committed = server.credentials.at(-1);
    expect(await late).toEqual([]);
    expect(server.credentials.at(-1)).toBe(committed);
    expect(server.tokenRequests).toEqual(['password', 'refresh_token', 'password']);
    expect(slow?.events.map(({ reason }) => reason)).toEqual(['first']);
  });

  /** A store in which another process can claim the tokens. */
  const createClaimedStore = () => {
    const inner = memoryStore();
    let chain = '';
    const store: TokenStore = {
      read: (name) => {
        chain = name;
        return inner.read(name);
      },
      swap: inner.swap,
    };
    const read = async () => JSON.parse((await inner.read(chain))?.record ?? '');
    const claim = async (until: number): Promise<void> => {
      const { version = 0 } = (await inner.read(chain)) ?? {};
      const record = { ...(await read()), refreshToken: undefined, claim: { by: 'another', until } };
      await inner.swap(chain, version, JSON.stringify(record));
    };
    return { store, read, claim };
  };

  test('a live claim of another one does not hold up who has a valid token', async () => {
    await using server = await startTokenServer();
    const { store, claim } = createClaimedStore();
    const { call } = createTestClient(server, { store, leaseMs: 1_500 });
    await call();
    moveWallClock(0.95 * lifetimeS * 1_000);
    await claim(Date.now() + 60_000);
    expect(await call()).toEqual([]);
    expect(server.tokenRequests).toEqual(['password']);
  });

  test('a claim that has ended by the clock is not waited for', async () => {
    await using server = await startTokenServer();
    const { store, claim } = createClaimedStore();
    const { call } = createTestClient(server, { store, leaseMs: 3_600_000 });
    await call();
    server.expireAll();
    await claim(Date.now() - 1);
    expect(await call()).toEqual([]);
    expect(server.tokenRequests).toEqual(['password', 'password']);
  });

  test.each([
    ['forward', dayMs],
    ['back', -dayMs],
  ])('a clock that jumps %s during a renewal ends no wait for it', async (_where, ms) => {
    await using server = await startTokenServer({
      revokeOnReuse: true,
      behave: (grant) => (grant === 'refresh_token' ? { delayMs: 500 } : undefined),
    });
    const store = memoryStore();
    let reads = 0;
    const watched: TokenStore = {
      read: (chain) => {
        reads++;
        return store.read(chain);
      },
      swap: store.swap,
    };
    const [renewing, waiting] = [
      createTestClient(server, { store }),
      createTestClient(server, { store: watched }),
    ];
    await renewing.call();
    server.expireAll();
    const renewal = renewing.call();
    await expect.poll(() => server.tokenRequests.length).toBe(2);
    const wait = waiting.call();
    await expect.poll(() => reads).toBeGreaterThan(1);
    moveWallClock(ms);
    expect(await Promise.all([renewal, wait])).toEqual(successes(2));
    expect(server.tokenRequests.slice(0, 2)).toEqual(['password', 'refresh_token']);
    expect(server.granted.password).toBe(1);
  });

  test('a login that fails leaves no claim behind, also none of a process before', async () => {
    await using server = await startTokenServer({
      behave: (_grant, index) => (index === 1 ? { status: 400 } : undefined),
    });
    const { store, claim, read } = createClaimedStore();
    const { call } = createTestClient(server, { store });
    await call();
    server.expireAll();
    await claim(Date.now() - 1);
    await call().catch(() => undefined);
    expect(server.tokenRequests).toEqual(['password', 'password']);
    expect((await read()).claim).toBeUndefined();
  });

  test('a claim that ends in the year 9999 is waited for one lease', { timeout: 20_000 }, async () => {
    await using server = await startTokenServer();
    const inner = memoryStore();
    const record = { generation: 3, accessToken: 'x', accessExpiresAt: 0, refreshExpiresAt: 0 };
    const claim = { by: 'another', until: Date.UTC(9999, 0) };
    const store = {
      read: async (name: string) =>
        (await inner.read(name)) ?? { version: 0, record: JSON.stringify({ ...record, claim }) },
      swap: (...given: Parameters<typeof inner.swap>) => inner.swap(...given),
    };
    const { call } = createTestClient(server, { store, leaseMs: 200 });
    const startedAt = performance.now();
    expect(await call()).toEqual([]);
    expect(performance.now() - startedAt).toBeLessThan(1_200);
    expect(server.tokenRequests).toEqual(['password']);
  });
});
