import {
  collection,
  createClient,
  defineApi,
  InvalidCredentialsError,
  memoryStore,
  ReauthenticationRequiredError,
  resource,
  TokenRequestError,
  type TokenStore,
  tokenAuth,
} from 'restkin';
import { createMock } from 'restkin/mocks';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { createTestClient } from '../../../faults/clients.ts';
import { createFaultyStore } from '../../../faults/faulty-store.ts';
import { mostPresented, startTokenServer, type TokenServer } from '../../../faults/token-server.ts';
import { rejectionOf } from '../../../support/shop.ts';

/** Everything that a store was ever given, and what it holds in the end. */
const createWatchedStore = () => {
  const inner = memoryStore();
  const last = new Map<string, string>();
  const store: TokenStore = {
    read: inner.read,
    swap: async (chain, version, record) => {
      const swapped = await inner.swap(chain, version, record);
      if (swapped) last.set(chain, record);
      return swapped;
    },
  };
  return { store, held: () => [...last.values()].join('\n') };
};

const secretsOf = (server: TokenServer): readonly string[] => [
  ...server.presented.keys(),
  ...server.credentials.map((value) => value.slice('Bearer '.length)),
];

describe('signOut()', () => {
  test('ends the login of every client of the store: none of them logs in again, though they have the password', async () => {
    await using server = await startTokenServer();
    const { store, held } = createWatchedStore();
    const [first, second] = [createTestClient(server, { store }), createTestClient(server, { store })];
    await first.call();
    await second.call();
    expect(secretsOf(server).some((secret) => held().includes(secret))).toBe(true);
    await first.auth.signOut();
    expect(secretsOf(server).filter((secret) => held().includes(secret))).toEqual([]);
    expect(first.events.map(({ reason }) => reason)).toEqual(['first']);
    for (let count = 0; count < 2; count++)
      expect(await rejectionOf(first.call())).toBeInstanceOf(ReauthenticationRequiredError);
    // Once, at the next call, as in every other client.
    expect(first.events.map(({ reason }) => reason)).toEqual(['first', 'reauthenticationRequired']);
    server.expireAll();
    expect(await rejectionOf(second.call())).toBeInstanceOf(ReauthenticationRequiredError);
    expect(server.tokenRequests).toEqual(['password']);
  });

  test('ends a login that no call has used yet', async () => {
    await using server = await startTokenServer();
    const { auth, call } = createTestClient(server);
    await auth.signOut();
    expect(await rejectionOf(call())).toBeInstanceOf(ReauthenticationRequiredError);
    expect(server.tokenRequests).toEqual([]);
  });

  test('is followed by a new login, which the clients of the one before share', async () => {
    await using server = await startTokenServer();
    const store = memoryStore();
    const [before, again] = [createTestClient(server, { store }), createTestClient(server, { store })];
    await before.call();
    await before.auth.signOut();
    expect(await again.call()).toEqual([]);
    expect(again.events).toMatchObject([{ reason: 'first', grant: 'password' }]);
    expect(await before.call()).toEqual([]);
    expect(server.tokenRequests).toEqual(['password', 'password']);
  });

  test.each([
    ['refresh', 1],
    ['password login', 0],
  ] as const)('while another client waits for a %s wins over what that returns', async (_what, at) => {
    await using server = await startTokenServer({
      revokeOnReuse: true,
      behave: (_grant, index) => (index === at ? { lateMs: 150 } : undefined),
    });
    const { store, held } = createWatchedStore();
    const [waiting, other] = [createTestClient(server, { store }), createTestClient(server, { store })];
    for (let call = 0; call < at; call++) await waiting.call();
    server.expireAll();
    const late = rejectionOf(waiting.call());
    await expect.poll(() => server.tokenRequests.length).toBe(at + 1);
    await other.auth.signOut();
    expect(await late).toBeInstanceOf(ReauthenticationRequiredError);
    expect(secretsOf(server).filter((secret) => held().includes(secret))).toEqual([]);
    expect(server.tokenRequests).toHaveLength(at + 1);
    expect(mostPresented(server)).toBe(at);
  });

  /** Renews so often that a process which begins now knows nothing older. */
  const renew = async (server: TokenServer, call: () => Promise<unknown>) => {
    for (let renewal = 0; renewal < 3; renewal++) {
      server.expireAll();
      await call();
    }
  };

  test('ends the login of all, although others have renewed it since', async () => {
    await using server = await startTokenServer();
    const store = memoryStore();
    const [first, second, third] = [0, 1, 2].map(() => createTestClient(server, { store }));
    await first?.call();
    await second?.call();
    await renew(server, second?.call as () => Promise<unknown>);
    await third?.call();
    const requests = server.tokenRequests.length;
    await first?.auth.signOut();
    server.expireAll();
    for (const client of [second, third]) {
      const failure = await rejectionOf(client?.call() as Promise<unknown>);
      expect(failure).toBeInstanceOf(ReauthenticationRequiredError);
    }
    expect(server.tokenRequests).toHaveLength(requests);
  });

  test('removes the tokens that another process stores at the same moment', async () => {
    await using server = await startTokenServer();
    const { store: inner, held } = createWatchedStore();
    let meanwhile: (() => Promise<unknown>) | undefined;
    const store: TokenStore = {
      read: async (chain) => {
        const stored = await inner.read(chain);
        const happens = meanwhile;
        meanwhile = undefined;
        await happens?.();
        return stored;
      },
      swap: inner.swap,
    };
    const [leaving, other] = [
      createTestClient(server, { store }),
      createTestClient(server, { store: inner }),
    ];
    await leaving.call();
    server.expireAll();
    meanwhile = other.call;
    await leaving.auth.signOut();
    expect(server.tokenRequests).toEqual(['password', 'refresh_token']);
    expect(secretsOf(server).filter((secret) => held().includes(secret))).toEqual([]);
    expect(JSON.parse(held())).toMatchObject({ accessToken: '', isSignedOut: true });
  });

  test('on a store that fails ends the login of this client, and rejects until the tokens are removed', async () => {
    await using server = await startTokenServer();
    const { store: inner, held } = createWatchedStore();
    const store = createFaultyStore(inner);
    const { auth, call } = createTestClient(server, { store });
    await call();
    store.fault = () => 'throw';
    const error = await rejectionOf(auth.signOut());
    expect(error).toBeInstanceOf(TokenRequestError);
    expect(error).toMatchObject({ temporary: true });
    expect(String(error)).toBe(
      'TokenRequestError: signOut(): the token store failed (Error), and the tokens may still be in it. Call signOut() again',
    );
    expect(await rejectionOf(call())).toBeInstanceOf(ReauthenticationRequiredError);
    store.fault = () => undefined;
    // Until the store is called again.
    const { length } = store.steps;
    await vi.waitUntil(async () => {
      expect(await rejectionOf(call())).toBeInstanceOf(ReauthenticationRequiredError);
      return store.steps.length > length;
    }, 10_000);
    await auth.signOut();
    expect(secretsOf(server).filter((secret) => held().includes(secret))).toEqual([]);
    expect(server.tokenRequests).toEqual(['password']);
  });

  test('sends no token afterwards, although it was claimed before', async () => {
    await using server = await startTokenServer();
    const inner = memoryStore();
    let release: (() => void) | undefined;
    const swap: TokenStore['swap'] = async (...all) => {
      const swapped = await inner.swap(...all);
      if (release === undefined) await new Promise<void>((resolve) => (release = resolve));
      return swapped;
    };
    const { refreshToken } = server.login();
    const store = { read: inner.read, swap };
    const { auth, call } = createTestClient(server, { store, tokens: { refreshToken } });
    const calling = rejectionOf(call());
    await expect.poll(() => release).toBeDefined();
    await auth.signOut();
    release?.();
    expect(await calling).toBeInstanceOf(ReauthenticationRequiredError);
    expect(server.tokenRequests).toEqual([]);
  });

  test('of tokens that were handed in: they are not used again, and useTokens begins another login', async () => {
    await using server = await startTokenServer({ revokeOnReuse: true });
    const store = memoryStore();
    const tokens = { refreshToken: server.login().refreshToken };
    const { auth, call } = createTestClient(server, { store, tokens });
    await call();
    await auth.signOut();
    // As a page does that is loaded again.
    const reloaded = createTestClient(server, { store, tokens });
    expect(await rejectionOf(reloaded.call())).toBeInstanceOf(ReauthenticationRequiredError);
    expect(mostPresented(server)).toBe(1);
    auth.useTokens(server.login());
    expect(await call()).toEqual([]);
  });
});

test('useTokens ends the watch of the login before it', async () => {
  await using server = await startTokenServer();
  const watching = new Set<() => void>();
  const inner = memoryStore();
  const watch = (_chain: string, changed: () => void) => {
    watching.add(changed);
    return () => void watching.delete(changed);
  };
  const { auth, call } = createTestClient(server, { store: { ...inner, watch } });
  for (let time = 0; time < 5; time++) {
    expect(await call()).toEqual([]);
    expect(watching.size).toBe(1);
    // biome-ignore lint/correctness/useHookAtTopLevel: it is no hook of React
    auth.useTokens(server.login());
  }
});

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('closed');
    },
  ],
  // Vitest fails where nobody handles the rejection.
  ['rejects', () => Promise.reject(new Error('closed'))],
])('useTokens continues the login where the function that ends a watch %s', async (_how, stop) => {
  await using server = await startTokenServer();
  const { auth, call } = createTestClient(server, { store: { ...memoryStore(), watch: () => stop } });
  await call();
  auth.useTokens(server.login());
  expect(await call()).toEqual([]);
});

describe('a browser that is offline', () => {
  test('sends and claims no refresh token: the login continues when it is online again', async () => {
    const navigator = { onLine: true };
    vi.stubGlobal('navigator', navigator);
    onTestFinished(() => void vi.unstubAllGlobals());
    await using server = await startTokenServer({ revokeOnReuse: true });
    const { store, held } = createWatchedStore();
    const { call } = createTestClient(server, {
      store,
      tokens: { refreshToken: server.login().refreshToken },
    });
    await call();
    server.expireAll();
    navigator.onLine = false;
    const before = held();
    expect(await rejectionOf(call())).toMatchObject({ code: 'token_request_failed', temporary: true });
    expect(held()).toBe(before);
    navigator.onLine = true;
    expect(await call()).toEqual([]);
    expect(server.tokenRequests).toEqual(['refresh_token', 'refresh_token']);
    expect(mostPresented(server)).toBe(1);
  });
});

describe('a store that holds a login', () => {
  const Thing = resource({ name: z.string() });
  const api = defineApi({
    name: 'shop',
    version: 1,
    auth: 'token',
    collections: { things: collection('things', Thing) },
  });

  /** Opens clients of one store, each with the password that a form was given. */
  const createForm = () => {
    const mock = createMock(api, {
      users: [{ username: 'ada', password: 'lovelace' }],
      data: { things: [{ id: 1, name: 'a' }] },
    });
    const store = memoryStore();
    return (session: string, password?: string) => {
      const credentials = () => {
        if (password === undefined) throw new ReauthenticationRequiredError('nobody is logged in');
        return { username: 'ada', password };
      };
      const auth = tokenAuth({ authUrl: 'https://auth.test', username: session, credentials, store });
      const { fetch } = mock;
      const { things } = createClient({ baseUrl: 'https://api.test', auth, fetch }).api(api);
      return { auth, read: async () => (await things.get(1)).id };
    };
  };

  test('continues it whatever the password, until a form signs out first', async () => {
    const open = createForm();
    await open('ada', 'lovelace').read();
    expect(await open('ada', 'wrong').read()).toBe(1);
    await open('ada').auth.signOut();
    expect(await rejectionOf(open('ada', 'wrong').read())).toBeInstanceOf(InvalidCredentialsError);
    expect(await open('ada', 'lovelace').read()).toBe(1);
  });

  test('is no login of another session of the same person', async () => {
    const open = createForm();
    await open('one', 'lovelace').read();
    expect(await rejectionOf(open('two', 'wrong').read())).toBeInstanceOf(InvalidCredentialsError);
    expect(await open('one').read()).toBe(1);
  });
});
