import { setTimeout } from 'node:timers/promises';
import {
  createClient,
  memoryStore,
  ReauthenticationRequiredError,
  TokenRequestError,
  type TokenStore,
  type TokenStoreEvents,
  tokenAuth,
} from 'restkin';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
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

/** Gives the users of a store an event channel, as `restkin/indexeddb` does for tabs. */
const createTabs = () => {
  const inner = memoryStore();
  const listeners = new Map<TokenStore, [string, (message: unknown) => void][]>();
  return (): TokenStore => {
    const events: TokenStoreEvents = {
      send: (chain, message) => {
        for (const [tab, all] of listeners) {
          for (const [name, receive] of all) if (tab !== store && name === chain) receive(message);
        }
      },
      listen: (chain, receive) => void listeners.get(store)?.push([chain, receive]),
    };
    const store: TokenStore = { ...inner, events };
    listeners.set(store, []);
    return store;
  };
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
    expect(await rejectionOf(first.call())).toBeInstanceOf(ReauthenticationRequiredError);
    // Whoever signs out knows it.
    expect(first.events.map(({ reason }) => reason)).toEqual(['first']);
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

  test('is not undone by a new login with a wrong password', async () => {
    await using server = await startTokenServer();
    const store = memoryStore();
    const [before, again] = [createTestClient(server, { store }), createTestClient(server, { store })];
    await before.call();
    await before.auth.signOut();
    server.refusePassword = true;
    await rejectionOf(again.call());
    server.refusePassword = false;
    expect(await rejectionOf(before.call())).toBeInstanceOf(ReauthenticationRequiredError);
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

  test('wins over the tokens of a client whose store failed', async () => {
    await using server = await startTokenServer({ revokeOnReuse: true });
    const inner = memoryStore();
    const faulty = createFaultyStore(inner);
    const [apart, other] = [
      createTestClient(server, { store: faulty }),
      createTestClient(server, { store: inner }),
    ];
    await apart.call();
    faulty.fault = () => 'throw';
    for (let renewal = 0; renewal < 4; renewal++) {
      server.expireAll();
      await apart.call();
    }
    await other.auth.signOut();
    faulty.fault = () => undefined;
    server.expireAll();
    expect(await rejectionOf(apart.call())).toBeInstanceOf(ReauthenticationRequiredError);
    expect(mostPresented(server)).toBe(0);
  });

  /** Renews so often that a process which begins now knows nothing older. */
  const renew = async (server: TokenServer, call: () => Promise<unknown>) => {
    for (let renewal = 0; renewal < 3; renewal++) {
      server.expireAll();
      await call();
    }
  };

  test('ends the login of all, although the store has lost its tokens', async () => {
    await using server = await startTokenServer();
    let inner = memoryStore();
    const store: TokenStore = { read: (...all) => inner.read(...all), swap: (...all) => inner.swap(...all) };
    const [first, second] = [createTestClient(server, { store }), createTestClient(server, { store })];
    await first.call();
    await renew(server, first.call);
    await second.call();
    const requests = server.tokenRequests.length;
    inner = memoryStore();
    await first.auth.signOut();
    server.expireAll();
    expect(await rejectionOf(second.call())).toBeInstanceOf(ReauthenticationRequiredError);
    expect(server.tokenRequests).toHaveLength(requests);
  });

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
      expect(await rejectionOf(client?.call() as Promise<unknown>)).toBeInstanceOf(
        ReauthenticationRequiredError,
      );
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
    });
    await auth.signOut();
    expect(secretsOf(server).filter((secret) => held().includes(secret))).toEqual([]);
    expect(server.tokenRequests).toEqual(['password']);
  });

  test('ends the login at once, also where the store then takes long', async () => {
    await using server = await startTokenServer();
    const inner = memoryStore();
    let delayMs = 0;
    const store: TokenStore = {
      read: async (chain) => {
        await setTimeout(delayMs);
        return inner.read(chain);
      },
      swap: inner.swap,
    };
    const { auth, call } = createTestClient(server, { store });
    await call();
    await auth.signOut();
    const { length } = server.credentials;
    delayMs = 1_000;
    expect(await rejectionOf(call())).toBeInstanceOf(ReauthenticationRequiredError);
    expect(server.credentials).toHaveLength(length);
  });

  test('that could not reach the store keeps what a renewal returns later out of it', async () => {
    await using server = await startTokenServer({
      behave: (grant) => (grant === 'refresh_token' ? { lateMs: 300 } : undefined),
    });
    const { store: inner, held } = createWatchedStore();
    const store = createFaultyStore(inner);
    const { auth, call } = createTestClient(server, { store });
    await call();
    server.expireAll();
    const late = rejectionOf(call());
    await expect.poll(() => server.tokenRequests.length).toBe(2);
    store.fault = () => 'throw';
    await rejectionOf(auth.signOut());
    store.fault = () => undefined;
    expect(await late).toBeInstanceOf(ReauthenticationRequiredError);
    expect(JSON.parse(held())).toMatchObject({ claim: {} });
  });

  test('that could not reach the store is not undone by the renewals of another process', async () => {
    await using server = await startTokenServer();
    const inner = memoryStore();
    const store = createFaultyStore(inner);
    const [ended, other] = [createTestClient(server, { store }), createTestClient(server, { store: inner })];
    await ended.call();
    store.fault = () => 'throw';
    await rejectionOf(ended.auth.signOut());
    store.fault = () => undefined;
    for (let renewal = 0; renewal < 4; renewal++) {
      server.expireAll();
      await other.call();
    }
    expect(await rejectionOf(ended.call())).toBeInstanceOf(ReauthenticationRequiredError);
    expect(await other.call()).toEqual([]);
  });

  test('that could not reach the store is not undone by the end of an earlier login', async () => {
    await using server = await startTokenServer();
    const inner = memoryStore();
    const store = createFaultyStore(inner);
    const [before, again] = [createTestClient(server, { store: inner }), createTestClient(server, { store })];
    await before.auth.signOut();
    server.refusePassword = true;
    await rejectionOf(again.call());
    server.refusePassword = false;
    store.fault = () => 'throw';
    await rejectionOf(again.auth.signOut());
    store.fault = () => undefined;
    expect(await rejectionOf(again.call())).toBeInstanceOf(ReauthenticationRequiredError);
    expect(server.tokenRequests).toEqual(['password']);
  });

  test.each(['before the renewal', 'during it'])(
    'wins over what a renewal returns later, with a store that fails %s',
    async (when) => {
      await using server = await startTokenServer({
        behave: (_grant, index) => (index === 1 ? { lateMs: 150 } : undefined),
      });
      const store = createFaultyStore(memoryStore());
      const { auth, call } = createTestClient(server, { store });
      await call();
      server.expireAll();
      if (when === 'before the renewal') store.fault = () => 'throw';
      const late = rejectionOf(call());
      await expect.poll(() => server.tokenRequests.length).toBe(2);
      store.fault = () => 'throw';
      await rejectionOf(auth.signOut());
      expect(await late).toBeInstanceOf(ReauthenticationRequiredError);
      expect(await rejectionOf(call())).toBeInstanceOf(ReauthenticationRequiredError);
      expect(server.tokenRequests).toHaveLength(2);
    },
  );

  test.each(['sends a refresh token', 'waits for another process'])(
    'wins over the first call of a process that %s, with a store that fails',
    async (what) => {
      const isWaiting = what === 'waits for another process';
      await using server = await startTokenServer({
        behave: (grant) => (grant === 'refresh_token' ? { lateMs: 800 } : undefined),
      });
      const inner = memoryStore();
      const other = createTestClient(server, { store: inner });
      await other.call();
      server.expireAll();
      await other.call();
      // What the store holds has expired.
      vi.useFakeTimers({ toFake: ['Date'] });
      onTestFinished(() => void vi.useRealTimers());
      vi.setSystemTime(Date.now() + 601_000);
      const renewing = isWaiting ? other.call() : undefined;
      if (isWaiting) await vi.waitUntil(() => server.tokenRequests.length === 3);
      const store = createFaultyStore(inner);
      const { auth, call } = createTestClient(server, { store });
      const late = rejectionOf(call());
      await vi.waitUntil(() => store.steps.length > 1 && server.tokenRequests.length === 3);
      store.fault = () => 'throw';
      await rejectionOf(auth.signOut());
      expect(await late).toBeInstanceOf(ReauthenticationRequiredError);
      expect(await rejectionOf(call())).toBeInstanceOf(ReauthenticationRequiredError);
      expect(server.tokenRequests).toEqual(['password', 'refresh_token', 'refresh_token']);
      await renewing;
    },
  );

  test('wins over tokens that are being stored meanwhile, with a store that cannot be read', async () => {
    await using server = await startTokenServer();
    const inner = memoryStore();
    let commit: (() => void) | undefined;
    let isFailing = false;
    const store: TokenStore = {
      read: (chain) => (isFailing ? Promise.reject(new Error('gone')) : inner.read(chain)),
      swap: async (chain, version, record) => {
        if (JSON.parse(record).claim === undefined) {
          await new Promise<void>((resolve) => {
            commit = resolve;
          });
        }
        return inner.swap(chain, version, record);
      },
    };
    const { auth, call } = createTestClient(server, { store });
    const late = rejectionOf(call());
    await vi.waitFor(() => expect(commit).toBeDefined());
    isFailing = true;
    await rejectionOf(auth.signOut());
    isFailing = false;
    commit?.();
    expect(await late).toBeInstanceOf(ReauthenticationRequiredError);
    expect(await rejectionOf(call())).toBeInstanceOf(ReauthenticationRequiredError);
    expect(server.tokenRequests).toEqual(['password']);
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

describe('on.token in the other tabs', () => {
  test('reports renewals and the end of the login, without tokens, and the next call uses what is stored', async () => {
    await using server = await startTokenServer();
    const open = createTabs();
    const [first, second] = [
      createTestClient(server, { store: open() }),
      createTestClient(server, { store: open() }),
    ];
    await second.call();
    await first.call();
    server.expireAll();
    await first.call();
    expect(second.events).toEqual([
      expect.objectContaining({ reason: 'first', grant: 'password' }),
      { callId: '', reason: 'refused', grant: 'refresh_token', isRemote: true },
    ]);
    const { refused } = server.api;
    expect(await second.call()).toEqual([]);
    expect(server.api.refused).toBe(refused);
    await first.auth.signOut();
    expect(second.events.at(-1)).toEqual({ callId: '', reason: 'signedOut', isRemote: true });
    expect(first.events.at(-1)).toEqual({ callId: '', reason: 'signedOut' });
    expect(await rejectionOf(second.call())).toBeInstanceOf(ReauthenticationRequiredError);
    expect(second.events.at(-1)?.reason).toBe('signedOut');
    expect(server.tokenRequests).toEqual(['password', 'refresh_token']);
  });

  test('reports nothing of a login that another one has replaced', async () => {
    await using server = await startTokenServer();
    const open = createTabs();
    const [first, second] = [
      createTestClient(server, { store: open() }),
      createTestClient(server, { store: open() }),
    ];
    await first.call();
    await second.call();
    second.auth.useTokens(server.login());
    await second.call();
    const { length } = second.events;
    await first.auth.signOut();
    expect(second.events).toHaveLength(length);
  });

  test('is not needed for signOut()', async () => {
    await using server = await startTokenServer();
    const auth = tokenAuth({
      authUrl: server.url,
      username: 'ada',
      password: 'lovelace',
      store: createTabs()(),
    });
    const client = createClient({ baseUrl: server.url, auth });
    await client.request({ method: 'GET', path: 'v1/things' });
    await auth.signOut();
    const error = await rejectionOf(client.request({ method: 'GET', path: 'v1/things' }));
    expect(error).toBeInstanceOf(ReauthenticationRequiredError);
  });

  test('is not needed for the login: a channel that fails changes nothing', async () => {
    await using server = await startTokenServer();
    const fail = (): never => {
      throw new DOMException('Closed', 'InvalidStateError');
    };
    const store: TokenStore = { ...memoryStore(), events: { send: fail, listen: () => undefined } };
    const { auth, call } = createTestClient(server, { store });
    expect(await call()).toEqual([]);
    await auth.signOut();
    expect(await rejectionOf(call())).toBeInstanceOf(ReauthenticationRequiredError);
  });

  test('reports once that a person has to log in, and that somebody did', async () => {
    await using server = await startTokenServer();
    const open = createTabs();
    const tokens = { refreshToken: server.login().refreshToken };
    const tabs = [1, 2, 3].map(() => createTestClient(server, { store: open(), tokens }));
    for (const { call } of tabs) await call();
    server.revokeAll();
    for (const { call } of [...tabs, ...tabs]) {
      expect(await rejectionOf(call())).toBeInstanceOf(ReauthenticationRequiredError);
    }
    const reasons = tabs.map(({ events }) =>
      events.filter(({ reason }) => reason === 'reauthenticationRequired'),
    );
    expect(reasons.map(({ length }) => length)).toEqual([1, 1, 1]);
    expect(reasons.flat().filter(({ isRemote }) => isRemote === true)).toHaveLength(2);
  });
});
