// A 401 leads to one renewal, or to the newer token that is there, and to one replay, whoever got the refused
// token. In one process no call ends with 401 while a password is right; of several processes, the one that
// loses a race may see one 401.
import { createClient, memoryStore, tokenAuth, UnauthorizedError } from 'restkin';
import { describe, expect, onTestFinished, test } from 'vitest';
import { json } from '../support/recording-server.ts';
import { rejectionOf } from '../support/shop.ts';
import { createTestClient, successes } from './clients.ts';
import { type Grant, mostPresented, startTokenServer, type TokenServer } from './token-server.ts';

const times = 20;

/** Calls again after one 401, which a race between processes may cost. */
const withOneMore = (call: () => Promise<unknown>) => (): Promise<unknown> =>
  call().catch((error: unknown) => {
    expect(error).toBeInstanceOf(UnauthorizedError);
    return call();
  });

/** Clients of one login, each with a token of its own in memory. */
const twoProcesses = (server: TokenServer) => {
  const store = memoryStore();
  return [0, 1].map(() => withOneMore(createTestClient(server, { store }).call));
};

const twoClients = (server: TokenServer) => {
  const auth = tokenAuth({ authUrl: server.url, username: 'ada', password: 'lovelace' });
  return [0, 1].map(() => {
    const client = createClient({ baseUrl: server.url, auth, retry: false });
    return () => Promise.resolve(client.request({ method: 'GET', path: 'v1/things' }));
  });
};

describe.each([
  ['two processes with one store', twoProcesses],
  ['two clients that share one tokenAuth value', twoClients],
])('%s', (_who, connect) => {
  test.each([
    ['every access token', (server: TokenServer) => server.expireAll()],
    ['every chain', (server: TokenServer) => server.revokeAll()],
  ])('when the server revokes %s repeatedly, no further call fails', async (_what, revoke) => {
    await using server = await startTokenServer({ revokeOnReuse: true, oneSession: true });
    const [first, second] = connect(server);
    for (let time = 0; time < times; time++) {
      // The token of the second one is older than the one that the first one renewed, and both are refused.
      expect(await first?.()).toEqual([]);
      revoke(server);
      expect(await first?.()).toEqual([]);
      revoke(server);
      expect(await second?.()).toEqual([]);
    }
    expect(mostPresented(server)).toBeLessThanOrEqual(1);
  });

  test('when a login elsewhere ends the session repeatedly, no further call fails', async () => {
    await using server = await startTokenServer({ revokeOnReuse: true, oneSession: true });
    const [first, second] = connect(server);
    for (let time = 0; time < times; time++) {
      expect(await Promise.all([first?.(), second?.()])).toEqual(successes(2));
      server.login();
      expect(await first?.()).toEqual([]);
      server.login();
      expect(await Promise.all([second?.(), first?.()])).toEqual(successes(2));
    }
    expect(mostPresented(server)).toBeLessThanOrEqual(1);
  });
});

/** The renewal of a process that was stopped for half a second. The response comes after its lease. */
describe('a refresh that is late, with one session per user', () => {
  const race = async (ofLogin: { readonly delayMs?: number; readonly lateMs?: number }) => {
    const behave = (_grant: Grant, index: number) => [undefined, { lateMs: 500 }, ofLogin][index];
    await using server = await startTokenServer({ revokeOnReuse: true, oneSession: true, behave });
    const store = memoryStore();
    const [late, quick] = [0, 1].map(() =>
      withOneMore(createTestClient(server, { store, leaseMs: 150 }).call),
    );
    await late?.();
    server.expireAll();
    const stopped = late?.();
    await expect.poll(() => server.tokenRequests.length).toBe(2);
    const results = await Promise.all([stopped, quick?.()]);
    for (let time = 0; time < 3; time++) results.push(await quick?.(), await late?.());
    return {
      results,
      requests: server.tokenRequests,
      granted: server.granted.password,
      most: mostPresented(server),
    };
  };

  test('does not replace the tokens of the login that took over', async () => {
    // The refresh is committed over the claim of the login, which the server decides later, and which wins.
    const { results, requests, most } = await race({ delayMs: 600 });
    expect(results).toEqual(successes(8));
    expect(requests).toEqual(['password', 'refresh_token', 'password']);
    expect(most).toBe(1);
  });

  test('and gets tokens that the login has ended already, costs its call one 401', async () => {
    const { results, granted, most } = await race({ lateMs: 600 });
    expect(results).toEqual(successes(8));
    expect(granted).toBeLessThanOrEqual(3);
    expect(most).toBe(1);
  });
});

test('a token that was renewed because of the call, and is refused too, ends it', async () => {
  await using server = await startTokenServer({ usesPerWorker: 0 });
  const store = memoryStore();
  const [first, second] = [0, 1].map(() => createTestClient(server, { store }).call);
  expect(await rejectionOf(first?.() ?? Promise.resolve())).toBeInstanceOf(UnauthorizedError);
  expect(server.api.refused).toBe(2);
  expect(server.tokenRequests).toEqual(['password', 'refresh_token']);
  // The second one has the token of the first one to begin with.
  expect(await rejectionOf(second?.() ?? Promise.resolve())).toBeInstanceOf(UnauthorizedError);
  expect(server.api.refused).toBe(4);
  expect(server.tokenRequests).toHaveLength(3);
});

describe('an endpoint that answers 401 to every request', () => {
  const connectTo = (server: TokenServer, path: string) => {
    const auth = tokenAuth({ authUrl: server.url, username: 'ada', password: 'lovelace' });
    const client = createClient({ baseUrl: server.url, auth, retry: false });
    return (where = path) => Promise.resolve(client.request({ method: 'GET', path: where }));
  };

  test('renews the token once, not with each call', async () => {
    await using server = await startTokenServer({ usesPerWorker: 0 });
    const call = connectTo(server, 'v1/things');
    for (let time = 0; time < 5; time++) expect(await rejectionOf(call())).toBeInstanceOf(UnauthorizedError);
    expect(server.tokenRequests).toEqual(['password', 'refresh_token']);
    // Two for the first call, and one for each other.
    expect(server.api.refused).toBe(6);
  });

  test('beside others that accept the token: those succeed', async () => {
    const files = { '/v1/refused': json({ message: 'Never' }, 401) };
    await using server = await startTokenServer({ files });
    const call = connectTo(server, 'v1/refused');
    for (let time = 0; time < 5; time++) {
      expect(await call('v1/things')).toEqual([]);
      const failures = await Promise.all([rejectionOf(call()), rejectionOf(call())]);
      for (const failure of failures) expect(failure).toBeInstanceOf(UnauthorizedError);
    }
    expect(server.tokenRequests).toEqual(['password', 'refresh_token']);
  });

  test('leads to the newer token of another process, and to another renewal after ten seconds', async () => {
    const files = { '/v1/refused': json({ message: 'Never' }, 401) };
    await using server = await startTokenServer({ files, revokeOnReuse: true });
    const store = memoryStore();
    const [first, second] = [0, 1].map(() => createTestClient(server, { store }));
    const refused = () =>
      rejectionOf(first?.client.request({ method: 'GET', path: 'v1/refused' }) ?? Promise.resolve());
    expect(await refused()).toBeInstanceOf(UnauthorizedError);
    server.expireAll();
    expect(await second?.call()).toEqual([]);
    expect(await first?.call()).toEqual([]);
    expect(server.tokenRequests).toEqual(['password', 'refresh_token', 'refresh_token']);
    expect(await refused()).toBeInstanceOf(UnauthorizedError);
    // A refusal says nothing about the token any more after ten seconds.
    const { now } = performance;
    performance.now = () => now.call(performance) + 10_000;
    onTestFinished(() => {
      performance.now = now;
    });
    expect(await refused()).toBeInstanceOf(UnauthorizedError);
    expect(server.tokenRequests).toHaveLength(5);
    expect(mostPresented(server)).toBe(1);
  });
});
