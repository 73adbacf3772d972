import { createClient, type Fetch, memoryStore, type TokenStore, tokenAuth } from 'restkin';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createTestClient, successes } from '../../../faults/clients.ts';
import { startTokenServer } from '../../../faults/token-server.ts';
import { rejectionOf } from '../../../support/shop.ts';

afterEach(() => {
  vi.useRealTimers();
});

const later = (ms: number): void => {
  if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + ms);
};

describe('a caller that gives up', () => {
  test('leaves the flight to the others', async () => {
    await using server = await startTokenServer({ behave: () => ({ delayMs: 150 }) });
    const { call } = createTestClient(server);
    const reason = new Error('The caller gave up');
    const controller = new AbortController();
    const given = rejectionOf(call(controller.signal));
    const others = [call(), call()];
    setTimeout(() => controller.abort(reason), 30);
    expect(await given).toBe(reason);
    expect(server.granted.password).toBe(0);
    expect(await Promise.all(others)).toEqual(successes(2));
    expect(server.tokenRequests).toEqual(['password']);
  });

  test('alone: the flight still lands, and the next call finds its token', async () => {
    await using server = await startTokenServer({ behave: () => ({ delayMs: 100 }) });
    const { call } = createTestClient(server);
    const controller = new AbortController();
    const given = rejectionOf(call(controller.signal));
    setTimeout(() => controller.abort(), 20);
    expect(await given).toMatchObject({ name: 'AbortError' });
    expect(await call()).toEqual([]);
    expect(server.tokenRequests).toEqual(['password']);
  });

  test('before it began sends nothing', async () => {
    await using server = await startTokenServer();
    const { call } = createTestClient(server);
    await rejectionOf(call(AbortSignal.abort()));
    expect(server.api).toEqual({ accepted: 0, refused: 0 });
  });

  test('during a refresh does not spend the chain', async () => {
    await using server = await startTokenServer({
      revokeOnReuse: true,
      behave: (grant) => (grant === 'refresh_token' ? { delayMs: 100 } : undefined),
    });
    const { call } = createTestClient(server);
    await call();
    server.expireAll();
    const controllers = Array.from({ length: 10 }, () => new AbortController());
    const given = controllers.map(({ signal }) => rejectionOf(call(signal)));
    setTimeout(() => {
      for (const controller of controllers) controller.abort();
    }, 50);
    await Promise.all(given);
    expect(await call()).toEqual([]);
    expect(server.granted).toEqual({ password: 1, refresh_token: 1 });
  });
});

describe('on.token', () => {
  test('reports each reason once, and never a token', async () => {
    await using server = await startTokenServer({
      behave: (_grant, index) => (index === 4 ? { status: 500 } : undefined),
    });
    const { call, events } = createTestClient(server);
    await call();
    later(570_000);
    await call();
    later(601_000);
    await call();
    server.expireAll();
    await call();
    server.expireAll();
    await call();
    expect(events).toMatchObject([
      { reason: 'first', grant: 'password' },
      { reason: 'early', grant: 'refresh_token' },
      { reason: 'expired', grant: 'refresh_token' },
      { reason: 'refused', grant: 'refresh_token' },
      { reason: 'recovered', grant: 'password' },
    ]);
    const secrets = [...server.presented.keys(), ...server.credentials.map((value) => value.slice(7))];
    expect(secrets.filter((secret) => JSON.stringify(events).includes(secret))).toEqual([]);
  });

  test('says nothing of tokens that another process got', async () => {
    await using server = await startTokenServer();
    const store = memoryStore();
    await createTestClient(server, { store }).call();
    const { call, events } = createTestClient(server, { store });
    await call();
    expect(events).toEqual([]);
  });
});

test('late 401s for a token that was replaced meanwhile are replayed and renew nothing', async () => {
  await using server = await startTokenServer();
  let hold: Promise<unknown> | undefined;
  const statuses: number[] = [];
  const slow: Fetch = async (input, init) => {
    const held = hold;
    const response = await fetch(input, init);
    await held;
    statuses.push(response.status);
    return response;
  };
  const { call } = createTestClient(server, { fetch: slow });
  await call();
  server.expireAll();
  let open = (): void => undefined;
  hold = new Promise<void>((resolve) => {
    open = resolve;
  });
  const late = [call(), call(), call()];
  await vi.waitFor(() => expect(server.api.refused).toBe(3));
  hold = undefined;
  expect(await call()).toEqual([]);
  open();
  expect(await Promise.all(late)).toEqual(successes(3));
  expect(statuses.filter((status) => status === 401)).toHaveLength(4);
  expect(server.tokenRequests).toEqual(['password', 'refresh_token']);
});

test('an early renewal that takes long keeps no call waiting whose token is still good', async () => {
  await using server = await startTokenServer();
  let renew = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    renew = resolve;
  });
  const slow: Fetch = async (input, init) => {
    const isRenewal = String(init?.body).includes('grant_type=refresh_token');
    if (isRenewal) await held;
    return fetch(input, init);
  };
  const { call, events } = createTestClient(server, { fetch: slow });
  await call();
  // Its token is good for longer than a test may take.
  later(571_000);
  expect(await call()).toEqual([]);
  expect(await call()).toEqual([]);
  expect(events).toHaveLength(1);
  // It continues by itself, and its token is used when it is there.
  renew();
  await expect
    .poll(() => events)
    .toContainEqual(expect.objectContaining({ reason: 'early', grant: 'refresh_token' }));
  expect(await call()).toEqual([]);
  expect(server.tokenRequests).toEqual(['password', 'refresh_token']);
  expect(new Set(server.credentials).size).toBe(2);
});

test('a call whose token is refused waits for the process that renews it, although an early renewal did not', async () => {
  await using server = await startTokenServer({
    behave: (_grant, index) => (index === 1 ? { delayMs: 800 } : undefined),
  });
  const inner = memoryStore();
  let hold: Promise<void> | undefined;
  const store: TokenStore = {
    read: async (chain) => {
      await hold;
      return inner.read(chain);
    },
    swap: inner.swap,
  };
  const other = createTestClient(server, { store: inner });
  await other.call();
  const auth = tokenAuth({ authUrl: server.url, username: 'ada', password: 'lovelace', store });
  const client = createClient({ baseUrl: server.url, auth, retry: false });
  const call = () => Promise.resolve(client.request({ method: 'GET', path: 'v1/things' }));
  await call();
  later(571_000);
  const renewing = other.call();
  await expect.poll(() => server.tokenRequests.length).toBe(2);
  let read = (): void => undefined;
  hold = new Promise((resolve) => {
    read = resolve;
  });
  server.expireAll();
  const { refused } = server.api;
  const refusedCall = call();
  // Both calls gave up waiting for a better token, and were refused.
  await expect.poll(() => server.api.refused).toBe(refused + 2);
  read();
  expect(await Promise.all([refusedCall, renewing])).toEqual(successes(2));
  expect(server.tokenRequests).toEqual(['password', 'refresh_token']);
});

test('without a password a refresh token is tried whose time is over by the clock of this machine', async () => {
  await using server = await startTokenServer();
  const { call } = createTestClient(server, { tokens: server.login() });
  server.expireAll();
  await call();
  later(3 * 365 * 86_400_000);
  expect(await call()).toEqual([]);
  expect(server.tokenRequests).toEqual(['refresh_token', 'refresh_token']);
});
