import { createClient, type Events, memoryStore, type TokenStore, tokenAuth } from 'restkin';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createTestClient } from '../../../faults/clients.ts';
import { createFaultyStore } from '../../../faults/faulty-store.ts';
import { startTokenServer } from '../../../faults/token-server.ts';
import { login, order } from '../../../support/basic-ordering.ts';
import { ordering } from '../../../support/ordering.ts';
import { json } from '../../../support/recording-server.ts';
import { rejectionOf } from '../../../support/shop.ts';
import { serveTokens } from '../../../support/token-server.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** A store that cannot be written, and says so with the record that it was given. */
const readOnly = (fields: object): TokenStore => ({
  ...memoryStore(),
  swap: async (_chain, _version, record) => {
    throw Object.assign(new Error(`READONLY cannot write ${record}`), fields);
  },
});

const callTwice = async (store: TokenStore, onToken?: (event: Events['token']) => void) => {
  await using server = await serveTokens({ api: () => json(order(7)) });
  for (let client = 0; client < 2; client++) {
    const auth = tokenAuth({ authUrl: server.url, ...login, store });
    const on = onToken === undefined ? {} : { token: onToken };
    const { orders } = createClient({ baseUrl: server.url, auth, on }).api(ordering);
    expect((await orders.get(7)).id).toBe(7);
  }
};

describe('a store that fails', () => {
  test.each([
    ['a system', { code: 'ENOSPC', syscall: 'write' }, 'ENOSPC'],
    ['PostgreSQL', { name: 'DatabaseError', code: '42P01' }, 'DatabaseError 42P01'],
    [
      'SQLite',
      { code: 'ERR_SQLITE_ERROR', errstr: 'a readonly database' },
      'Error ERR_SQLITE_ERROR: a readonly database',
    ],
  ])('is reported with the reason of %s, and nothing of the record', async (_what, fields, reason) => {
    const events: Events['token'][] = [];
    await callTwice(readOnly(fields), (event) => events.push(event));
    const failures = events.filter((event) => event.reason === 'storeFailed');
    expect(failures.length).toBeGreaterThan(0);
    for (const { failure, callId } of failures) {
      expect(failure).toContain(reason);
      expect(callId).not.toBe('');
    }
    expect(JSON.stringify(events)).not.toContain('generation');
  });

  test('is one whose `swap` forgets to return whether it wrote', async () => {
    await using server = await startTokenServer();
    const inner = memoryStore();
    const swap = async (...given: Parameters<TokenStore['swap']>) => void (await inner.swap(...given));
    const client = createTestClient(server, { store: { ...inner, swap } as unknown as TokenStore });
    expect(await client.call()).toEqual([]);
    const failures = client.events.filter(({ reason }) => reason === 'storeFailed');
    expect(failures.map(({ failure }) => failure)).toEqual(['swap returned neither true nor false']);
  });

  test('is one whose `read` gives the record as an object, as a column of JSON does', async () => {
    await using server = await startTokenServer();
    const inner = memoryStore();
    const read = async (chain: string) => {
      const stored = await inner.read(chain);
      return stored && { ...stored, record: JSON.parse(stored.record) };
    };
    const store = { ...inner, read };
    expect(await createTestClient(server, { store }).call()).toEqual([]);
    const second = createTestClient(server, { store });
    expect(await second.call()).toEqual([]);
    const failures = second.events.filter(({ reason }) => reason === 'storeFailed');
    expect(failures.map(({ failure }) => failure)).toEqual(['read returned a record that is not a string']);
  });

  test('is one whose `swap` always returns false', async () => {
    await using server = await startTokenServer();
    const swap = async () => false;
    const client = createTestClient(server, { store: { ...memoryStore(), swap } });
    expect(await client.call()).toEqual([]);
    const failures = client.events.filter(({ reason }) => reason === 'storeFailed');
    expect(failures.map(({ failure }) => failure)).toEqual([
      'swap returned false, and no other version is stored',
    ]);
  });

  test('is reported for each failure, also where others renew the login meanwhile', async () => {
    await using server = await startTokenServer();
    const inner = memoryStore();
    const store = createFaultyStore(inner);
    const [own, other] = [createTestClient(server, { store }), createTestClient(server, { store: inner })];
    for (const fault of ['throw', undefined, 'throw', undefined] as const) {
      store.fault = () => fault;
      server.expireAll();
      if (fault === undefined) await other.call();
      expect(await own.call()).toEqual([]);
    }
    expect(own.events.filter(({ reason }) => reason === 'storeFailed')).toHaveLength(2);
  });

  test('is reported once on the console without an observer', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await callTwice(readOnly({}));
    const warning = 'restkin: the token store failed (Error); only a password login continues';
    // Once for each login.
    expect(warn.mock.calls).toEqual([[warning], [warning]]);
  });
});

test('without a password, a store that fails is named with the class and the code of its error', async () => {
  const error = Object.assign(new Error('cannot read a-token-of-ada'), {
    name: 'DatabaseError',
    code: '42P01',
  });
  const auth = tokenAuth({
    authUrl: 'http://127.0.0.1:9',
    tokens: { refreshToken: 'a-token-of-ada' },
    store: { ...memoryStore(), read: () => Promise.reject(error) },
  });
  const client = createClient({ baseUrl: 'http://127.0.0.1:9', auth, on: { token: () => undefined } });
  const thrown = await rejectionOf(client.request({ method: 'GET', path: 'v1/things' }));
  expect(String(thrown)).toBe(
    'TokenRequestError: POST http://127.0.0.1:9/auth/token: the token store failed (DatabaseError 42P01); its message is not shown: log it in the store',
  );
});

test('a long wait for another process is a warning without an observer, and a deadline in it says so', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined);
  const { promise: until, resolve } = Promise.withResolvers<void>();
  await using server = await startTokenServer({ behave: () => ({ until }) });
  const store = memoryStore();
  const leaseMs = 30_000;
  const renewing = createTestClient(server, { store, leaseMs }).call();
  await expect.poll(() => server.tokenRequests.length).toBe(1);
  const auth = tokenAuth({ authUrl: server.url, ...login, store, leaseMs });
  const client = createClient({ baseUrl: server.url, auth, deadlineMs: 3_000 });
  const waiting = Promise.resolve(client.request({ method: 'GET', path: 'v1/things' }));
  await expect(waiting).rejects.toThrow(
    /`deadlineMs` passed while the request waited for another process to renew the token \(\d+ ms\)$/,
  );
  expect(warn.mock.calls).toEqual([['restkin: waiting for another process to renew the token']]);
  resolve();
  await renewing;
});
