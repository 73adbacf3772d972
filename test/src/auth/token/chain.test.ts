import type { Fetch } from 'restkin';
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
    const { promise: until, resolve } = Promise.withResolvers<void>();
    await using server = await startTokenServer({ behave: () => ({ until }) });
    const { call } = createTestClient(server);
    const reason = new Error('The caller gave up');
    const controller = new AbortController();
    const given = rejectionOf(call(controller.signal));
    const others = [call(), call()];
    await expect.poll(() => server.tokenRequests.length).toBe(1);
    controller.abort(reason);
    expect(await given).toBe(reason);
    expect(server.granted.password).toBe(0);
    resolve();
    expect(await Promise.all(others)).toEqual(successes(2));
    expect(server.tokenRequests).toEqual(['password']);
  });

  test('during a refresh does not spend the chain', async () => {
    const { promise: until, resolve } = Promise.withResolvers<void>();
    await using server = await startTokenServer({
      revokeOnReuse: true,
      behave: (grant) => (grant === 'refresh_token' ? { until } : undefined),
    });
    const { call } = createTestClient(server);
    await call();
    server.expireAll();
    const controllers = Array.from({ length: 10 }, () => new AbortController());
    const given = controllers.map(({ signal }) => rejectionOf(call(signal)));
    await expect.poll(() => server.tokenRequests.length).toBe(2);
    for (const controller of controllers) controller.abort();
    await Promise.all(given);
    resolve();
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
});

test('an early renewal that takes long keeps no call waiting whose token is still good', async () => {
  await using server = await startTokenServer();
  const { promise: held, resolve: renew } = Promise.withResolvers<void>();
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

test('without a password a refresh token is tried whose time is over by the clock of this machine', async () => {
  await using server = await startTokenServer();
  const { call } = createTestClient(server, { tokens: server.login() });
  server.expireAll();
  await call();
  later(3 * 365 * 86_400_000);
  expect(await call()).toEqual([]);
  expect(server.tokenRequests).toEqual(['refresh_token', 'refresh_token']);
});
