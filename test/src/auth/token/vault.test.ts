import {
  type Credentials,
  createClient,
  type Fetch,
  InvalidRequestError,
  memoryStore,
  tokenAuth,
} from 'restkin';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createFaultyStore } from '../../../faults/faulty-store.ts';
import { startTokenServer } from '../../../faults/token-server.ts';
import { rejectionOf } from '../../../support/shop.ts';

afterEach(() => {
  vi.useRealTimers();
});

const login = { username: 'ada', password: 'lovelace' };

/** A vault that gives what is next in line, and the login after that. */
const vaultOf = (...given: readonly Promise<Credentials>[]) => {
  const left = [...given];
  return vi.fn<() => Promise<Credentials>>(() => left.shift() ?? Promise.resolve(login));
};

const granting: Fetch = async (input) =>
  String(input).endsWith('/auth/token')
    ? Response.json({ access_token: 'a', token_type: 'bearer', expires_in: 600 })
    : Response.json([]);

describe('credentials()', () => {
  test.each([
    ['with a username', { username: 'ada' }],
    ['without one', {}],
    ['without one, for a store', { store: memoryStore() }],
  ])('that never respond are called again: %s', async (_what, who) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
    const credentials = vaultOf(new Promise(() => undefined));
    const auth = tokenAuth({ authUrl: 'https://auth.test', credentials, ...who });
    const client = createClient({ baseUrl: 'https://api.test', auth, fetch: granting, retry: false });
    const call = () => Promise.resolve(client.request({ method: 'GET', path: 'me' }));
    const failing = rejectionOf(call());
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await failing).toMatchObject({ code: 'token_request_failed', temporary: true });
    expect(await call()).toEqual([]);
  });

  test.each([
    ['nothing', undefined, 'tokenAuth: credentials must return { username, password }'],
    ['a string', 'lovelace', 'tokenAuth: credentials must return { username, password }'],
    [
      'a line end',
      { ...login, password: 'love\nlace' },
      'tokenAuth: credentials: password must not have control characters',
    ],
    ['no password', { username: 'ada' }, 'tokenAuth: credentials: password must be a string, not undefined'],
  ])('that return %s send no request', async (_what, given, message) => {
    const fetch = vi.fn<Fetch>(granting);
    const credentials = () => given as Credentials;
    const auth = tokenAuth({ authUrl: 'https://auth.test', credentials, username: 'ada' });
    const client = createClient({ baseUrl: 'https://api.test', auth, fetch });
    const error = await rejectionOf(Promise.resolve(client.request({ method: 'GET', path: 'me' })));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ message });
    expect(fetch).not.toHaveBeenCalled();
  });

  test('without a username are asked for once by a login in memory', async () => {
    const credentials = vaultOf();
    const auth = tokenAuth({ authUrl: 'https://auth.test', credentials });
    const client = createClient({ baseUrl: 'https://api.test', auth, fetch: granting });
    expect(await client.request({ method: 'GET', path: 'me' })).toEqual([]);
    expect(credentials).toHaveBeenCalledTimes(1);
  });

  test('of two users have a login each, also in one store', async () => {
    const store = memoryStore();
    const users: (string | null)[] = [];
    const fetch: Fetch = async (input, init) => {
      if (!String(input).endsWith('/auth/token'))
        return Response.json(new Headers(init?.headers).get('authorization'));
      const username = new URLSearchParams(String(init?.body)).get('username');
      users.push(username);
      return Response.json({ access_token: `of-${username}`, token_type: 'bearer' });
    };
    for (const username of ['ann', 'bob']) {
      const credentials = async () => ({ username, password: 'lovelace' });
      const auth = tokenAuth({ authUrl: 'https://auth.test', credentials, store });
      const client = createClient({ baseUrl: 'https://api.test', auth, fetch });
      expect(await client.request({ method: 'GET', path: 'me' })).toBe(`Bearer of-${username}`);
    }
    expect(users).toEqual(['ann', 'bob']);
  });
});

test('a wrong password fails calls for 30 s before the store and the vault, and then the vault is asked once', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  await using server = await startTokenServer();
  server.refusePassword = true;
  const inVault = { username: 'ada', password: 'a typo' };
  const credentials = vi.fn<() => Credentials>(() => inVault);
  const store = createFaultyStore(memoryStore());
  const auth = tokenAuth({ authUrl: server.url, credentials, username: 'ada', store });
  const client = createClient({ baseUrl: server.url, auth, retry: false });
  const call = () => Promise.resolve(client.request({ method: 'GET', path: 'v1/things' }));
  const failures = async (count: number) => {
    for (let time = 0; time < count; time++)
      expect(await rejectionOf(call())).toMatchObject({ code: 'invalid_credentials' });
  };
  await failures(1);
  const before = store.steps.length;
  vi.advanceTimersByTime(29_000);
  await failures(20);
  expect(credentials).toHaveBeenCalledTimes(1);
  expect(store.steps).toHaveLength(before);
  vi.advanceTimersByTime(1_001);
  await failures(20);
  expect(credentials).toHaveBeenCalledTimes(2);
  expect(server.tokenRequests).toEqual(['password', 'password']);
  inVault.password = login.password;
  server.refusePassword = false;
  vi.advanceTimersByTime(30_001);
  expect(await call()).toEqual([]);
  expect(credentials).toHaveBeenCalledTimes(3);
});

test('useTokens() ends the wait after a wrong password', async () => {
  await using server = await startTokenServer();
  server.refusePassword = true;
  const auth = tokenAuth({ authUrl: server.url, ...login });
  const client = createClient({ baseUrl: server.url, auth, retry: false });
  const call = () => Promise.resolve(client.request({ method: 'GET', path: 'v1/things' }));
  expect(await rejectionOf(call())).toMatchObject({ code: 'invalid_credentials' });
  auth.useTokens(server.login());
  expect(await call()).toEqual([]);
});
