import { memoryStore, ReauthenticationRequiredError, type TokenStore } from 'restkin';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createTestClient } from '../../../faults/clients.ts';
import { startTokenServer, type TokenServer } from '../../../faults/token-server.ts';
import { rejectionOf } from '../../../support/shop.ts';

/** Tells the users of a store of each other's changes, as `restkin/indexeddb` does for tabs. */
const createTabs = () => {
  const inner = memoryStore();
  const listeners = new Map<TokenStore, [string, () => void][]>();
  return (): TokenStore => {
    const store: TokenStore = {
      read: inner.read,
      swap: async (chain, version, record) => {
        const swapped = await inner.swap(chain, version, record);
        for (const [tab, all] of swapped ? listeners : [])
          for (const [name, changed] of all) if (tab !== store && name === chain) changed();
        return swapped;
      },
      watch: (chain, changed) => void listeners.get(store)?.push([chain, changed]),
    };
    listeners.set(store, []);
    return store;
  };
};

describe('the other tabs of a store with `watch`', () => {
  const openTabs = (server: TokenServer, count: number) => {
    const open = createTabs();
    return Array.from({ length: count }, () => createTestClient(server, { store: open() }));
  };

  test('use at once what one of them renewed', async () => {
    await using server = await startTokenServer();
    const [first, second] = openTabs(server, 2);
    await second?.call();
    await first?.call();
    server.expireAll();
    await first?.call();
    const { refused } = server.api;
    expect(await second?.call()).toEqual([]);
    expect(server.api.refused).toBe(refused);
    expect(second?.events).toMatchObject([{ reason: 'first', grant: 'password' }]);
  });

  test('end with the login at their next call, and use the login after it', async () => {
    await using server = await startTokenServer();
    const open = createTabs();
    const [first, second, third] = [0, 1, 2].map(() => createTestClient(server, { store: open() }));
    await first?.call();
    await second?.call();
    const { accepted } = server.api;
    await first?.auth.signOut();
    for (let count = 0; count < 2; count++) {
      const failure = await rejectionOf(second?.call() ?? Promise.resolve());
      expect(failure).toBeInstanceOf(ReauthenticationRequiredError);
    }
    expect(second?.events).toMatchObject([{ reason: 'reauthenticationRequired' }]);
    expect([server.api.accepted, server.tokenRequests]).toEqual([accepted, ['password']]);
    await third?.call();
    expect(await second?.call()).toEqual([]);
    expect(server.tokenRequests).toEqual(['password', 'password']);
  });

  test('send the old token no more, also while a renewal of their own is in flight', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    await using server = await startTokenServer({
      behave: (grant) => (grant === 'refresh_token' ? { delayMs: 1_000 } : undefined),
    });
    const [first, second] = openTabs(server, 2);
    await first?.call();
    await second?.call();
    vi.setSystemTime(Date.now() + 580_000);
    // It begins an early renewal, and uses the token that is still valid.
    expect(await second?.call()).toEqual([]);
    expect(server.tokenRequests).toEqual(['password', 'refresh_token']);
    await first?.auth.signOut();
    const sent = server.credentials.length;
    for (let count = 0; count < 10; count++) {
      const failure = await rejectionOf(second?.call() ?? Promise.resolve());
      expect(failure).toBeInstanceOf(ReauthenticationRequiredError);
    }
    expect(server.credentials).toHaveLength(sent);
  });
});
