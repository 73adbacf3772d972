import {
  createClient,
  type Fetch,
  memoryStore,
  ReauthenticationRequiredError,
  type TokenEvent,
  type TokenStore,
  tokenAuth,
} from 'restkin';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createFaultyStore } from '../../../faults/faulty-store.ts';
import { rejectionOf } from '../../../support/shop.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** An API with its token endpoint; it tells which refresh tokens it was given. */
const createServer = () => {
  const presented: (string | null)[] = [];
  let refused = 0;
  const fetch: Fetch = async (input, init) => {
    if (String(input).endsWith('/auth/token')) {
      presented.push(new URLSearchParams(String(init?.body)).get('refresh_token'));
      const count = presented.length;
      return Response.json({ access_token: `a${count}`, token_type: 'bearer', refresh_token: `r${count}` });
    }
    const token = new Headers(init?.headers).get('authorization') ?? '';
    return Number(token.slice('Bearer a'.length)) > refused
      ? Response.json([])
      : Response.json({ message: 'Expired' }, { status: 401 });
  };
  return {
    fetch,
    presented,
    /** Refuses the access tokens of so far. */
    expireAll: () => {
      refused = presented.length;
    },
    /** A process that was given the refresh token of a person's login. */
    connect: (store: TokenStore) => {
      const auth = tokenAuth({
        authUrl: 'https://auth.test',
        tokens: { refreshToken: 'r0' },
        store,
        leaseMs: 50,
      });
      const reasons: string[] = [];
      const on = {
        token: ({ reason, isRemote }: TokenEvent) =>
          reasons.push(isRemote === true ? `${reason} remote` : reason),
      };
      const client = createClient({ baseUrl: 'https://api.test', auth, fetch, retry: false, on });
      return {
        auth,
        reasons,
        call: () => Promise.resolve(client.request({ method: 'GET', path: 'things' })),
      };
    },
  };
};

describe('a login with tokens alone', () => {
  test('reports a sign-out in another tab once, and nothing where there was none', async () => {
    const { connect } = createServer();
    const inner = createFaultyStore(memoryStore());
    const watching: (() => void)[] = [];
    const watch = (_chain: string, changed: () => void): void => void watching.push(changed);
    const store: TokenStore = { read: inner.read, swap: inner.swap, watch };
    const [tab, other] = [connect(store), connect(store)];
    await tab.call();
    await other.call();
    watching[0]?.();
    await tab.call();
    expect(tab.reasons).toEqual(['first']);
    await other.auth.signOut();
    inner.fault = () => 'throw';
    watching[0]?.();
    await tab.call();
    inner.fault = () => undefined;
    watching[0]?.();
    await expect.poll(() => tab.reasons).toEqual(['first', 'signedOut remote']);
    watching[0]?.();
    await rejectionOf(tab.call());
    expect(tab.reasons).toEqual(['first', 'signedOut remote']);
  });

  test('sends no token after signOut(), although the token was claimed before', async () => {
    const { connect, expireAll, presented } = createServer();
    const inner = memoryStore();
    let release: (() => void) | undefined;
    let isHeld = false;
    const store: TokenStore = {
      read: inner.read,
      swap: async (...all) => {
        const swapped = await inner.swap(...all);
        if (isHeld && release === undefined) await new Promise<void>((resolve) => (release = resolve));
        return swapped;
      },
    };
    const { auth, call } = connect(store);
    await call();
    expireAll();
    isHeld = true;
    const calling = rejectionOf(call());
    await expect.poll(() => release).toBeDefined();
    await auth.signOut();
    release?.();
    expect(await calling).toBeInstanceOf(ReauthenticationRequiredError);
    expect(presented).toEqual(['r0']);
  });
});

test.each([
  ['30', 30],
  ['"30"', 30],
  ['"soon"', 600],
  ['1e999', 600],
  ['null', 600],
  ['""', 600],
  ['[30]', 600],
  ['true', 600],
  ['0', 5],
  ['-1', 5],
  ['1e306', 366 * 86_400],
])('§2.2 expires_in of %s is read as %i seconds', async (written, seconds) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const inner = memoryStore();
  const ends: number[] = [];
  const store: TokenStore = {
    read: inner.read,
    swap: (chain, version, record) => {
      ends.push(JSON.parse(record).accessExpiresAt);
      return inner.swap(chain, version, record);
    },
  };
  const fetch: Fetch = async (input) =>
    String(input).endsWith('/auth/token')
      ? new Response(`{"access_token":"a","token_type":"bearer","expires_in":${written}}`)
      : Response.json([]);
  const auth = tokenAuth({ authUrl: 'https://auth.test', username: 'ada', password: 'lovelace', store });
  await createClient({ baseUrl: 'https://api.test', auth, fetch }).request({ method: 'GET', path: 'things' });
  expect(ends.at(-1)).toBe(Date.now() + seconds * 1_000);
});

test('others wait for a token request two seconds longer than it may take', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const inner = memoryStore();
  const waits: number[] = [];
  const store: TokenStore = {
    read: inner.read,
    swap: (chain, version, record) => {
      const { claim } = JSON.parse(record);
      if (claim !== undefined) waits.push(claim.until - Date.now());
      return inner.swap(chain, version, record);
    },
  };
  const { fetch } = createServer();
  const auth = tokenAuth({
    ...{ authUrl: 'https://auth.test', username: 'ada', password: 'lovelace', store },
    timeoutMs: 700,
  });
  await createClient({ baseUrl: 'https://api.test', auth, fetch }).request({ method: 'GET', path: 'things' });
  expect(waits).toEqual([2_700]);
});
