import { createClient, type Fetch, memoryStore, type TokenStore, tokenAuth } from 'restkin';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkTokenStore } from '../../../support/token-store-rules.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Written {
  readonly accessExpiresAt: number;
  readonly claim?: { readonly until: number };
}

/** What a login writes to its store whose token response has these lifetimes. */
const recordsOf = async (expiresIn: string, timeoutMs?: number): Promise<readonly Written[]> => {
  const inner = memoryStore();
  const records: Written[] = [];
  const store: TokenStore = {
    read: inner.read,
    swap: (chain, version, record) => {
      records.push(JSON.parse(record));
      return inner.swap(chain, version, record);
    },
  };
  const fetch: Fetch = async (input) =>
    String(input).endsWith('/auth/token')
      ? new Response(`{"access_token":"a","token_type":"bearer","expires_in":${expiresIn}}`)
      : Response.json([]);
  const login = { authUrl: 'https://auth.test', username: 'ada', password: 'lovelace' };
  const auth = tokenAuth({ ...login, store, timeoutMs });
  await createClient({ baseUrl: 'https://api.test', auth, fetch }).request({ method: 'GET', path: 'things' });
  return records;
};

test.each([
  ['30', 30],
  ['"30"', 30],
  ['"30.5"', 30.5],
  ['"soon"', 600],
  ['"2026-11-29T12:00:00Z"', 600],
  ['1e999', 600],
  ['null', 600],
  ['0', 5],
  ['1e306', 600],
  // An object that cannot be a string.
  ['{"toString":null}', 600],
])('§2.2 expires_in of %s is read as %d seconds', async (written, seconds) => {
  const records = await recordsOf(written);
  expect(records.at(-1)?.accessExpiresAt).toBe(Date.now() + seconds * 1_000);
});

test('others wait for a token request two seconds longer than it may take', async () => {
  const [claimed, granted] = await recordsOf('600', 700);
  expect(claimed?.claim?.until).toBe(Date.now() + 2_700);
  expect(granted?.claim).toBeUndefined();
});

test('the store in memory is a token store', async () => {
  const store = memoryStore();
  await expect(checkTokenStore(() => store)).resolves.toBeUndefined();
});

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('no BroadcastChannel');
    },
  ],
  ['rejects', () => Promise.reject(new Error('no BroadcastChannel'))],
])('a store whose watch %s serves a login all the same', async (_how, watch) => {
  const store: TokenStore = { ...memoryStore(), watch };
  const sent: string[] = [];
  const fetch: Fetch = async (input) => {
    sent.push(new URL(input).pathname);
    return Response.json(input.endsWith('/auth/token') ? { access_token: 'a', token_type: 'bearer' } : []);
  };
  const auth = tokenAuth({ authUrl: 'https://auth.test', username: 'ada', password: 'lovelace', store });
  const client = createClient({ baseUrl: 'https://api.test', auth, fetch });
  for (let call = 0; call < 2; call++) await client.request({ method: 'GET', path: 'things' });
  expect(sent).toEqual(['/auth/token', '/things', '/things']);
});
