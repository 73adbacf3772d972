import {
  createClient,
  InvalidRequestError,
  memoryStore,
  TokenRequestError,
  type TokenStore,
  tokenAuth,
} from 'restkin';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { json, record } from '../../../support/recording-server.ts';
import { rejectionOf } from '../../../support/shop.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A JWT as a server would sign it; its claims are read, its signature is not. */
const jwt = (claims: string): string =>
  ['{"alg":"none"}', claims, 'x'].map((part) => Buffer.from(part).toString('base64url')).join('.');

describe('a refresh token that was handed in', () => {
  test.concurrent.each(['"soon"', '-1'])(
    'with exp %s is kept when the endpoint cannot be reached, and is used when it can',
    async (exp) => {
      const sent: unknown[] = [];
      const fetch: typeof globalThis.fetch = async (input, init) => {
        if (!String(input).endsWith('/auth/token')) return Response.json({});
        sent.push(new URLSearchParams(String(init?.body)).get('refresh_token'));
        if (sent.length === 1) throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
        return Response.json({ access_token: 'a', token_type: 'bearer', expires_in: 600 });
      };
      const refreshToken = jwt(`{"exp":${exp}}`);
      const auth = tokenAuth({ authUrl: 'https://auth.test', tokens: { refreshToken } });
      const client = createClient({ baseUrl: 'https://api.test', auth, fetch });
      const call = () => Promise.resolve(client.request({ method: 'GET', path: 'me' }));
      const failed = client.request({ method: 'GET', path: 'me', retry: false });
      expect(await rejectionOf(failed)).toBeInstanceOf(TokenRequestError);
      expect(await call()).toEqual({});
      expect(sent).toEqual([refreshToken, refreshToken]);
    },
  );
});

test('an access token that was handed in alone, and is refused, says so', async () => {
  await using server = await record(() => json({ message: 'Unauthorized' }, 401));
  const auth = tokenAuth({ authUrl: server.url, tokens: { accessToken: 'wrong' } });
  const client = createClient({ baseUrl: server.url, auth });
  const error = await rejectionOf(client.request({ method: 'GET', path: 'me' }));
  expect(String(error)).toContain(
    'the access token was refused or has expired, there is no unused refresh token, and there is no password; log in again',
  );
  expect(server.requests.map(({ url }) => url)).toEqual(['/me']);
});

describe('an access token that was handed in alone, and looks expired by the clock of this machine', () => {
  const accessToken = jwt('{"exp":1000000000}');

  test('is used, because there is nothing else', async () => {
    await using server = await record(() => json({ ok: true }));
    const inner = memoryStore();
    const read = vi.fn<TokenStore['read']>(inner.read);
    const store: TokenStore = { read, swap: inner.swap };
    const auth = tokenAuth({ authUrl: server.url, tokens: { accessToken }, store });
    const client = createClient({ baseUrl: server.url, auth });
    for (let count = 0; count < 3; count++) {
      expect(await client.request({ method: 'GET', path: 'me' })).toEqual({ ok: true });
    }
    expect(server.requests.map(({ url }) => url)).toEqual(['/me', '/me', '/me']);
    expect(read).toHaveBeenCalledTimes(1);
  });
});

test('tokens can be handed in on a page without crypto.subtle, and a refresh token that was used is not resent', async () => {
  // A page over plain HTTP has no more than this.
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const sent: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (!String(input).endsWith('/auth/token')) return Response.json({});
    sent.push(new URLSearchParams(String(init?.body)).get('refresh_token'));
    return Response.json({ access_token: 'a', token_type: 'bearer', refresh_token: 'second' });
  };
  const tokens = { refreshToken: 'first' };
  const auth = tokenAuth({ authUrl: 'https://auth.test', tokens });
  const client = createClient({ baseUrl: 'https://api.test', auth, fetch });
  expect(await client.request({ method: 'GET', path: 'me' })).toEqual({});
  auth.useTokens(tokens);
  expect(await client.request({ method: 'GET', path: 'me' })).toEqual({});
  expect(sent).toEqual(['first']);
});

test('an access token that was handed in is not sent after its `exp`, but renewed before', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const sent: (string | null)[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    sent.push(new Headers(init?.headers).get('authorization') ?? String(init?.body));
    return String(input).endsWith('/auth/token')
      ? Response.json({ access_token: 'a', token_type: 'bearer' })
      : Response.json({});
  };
  const accessToken = jwt(`{"exp":${Math.floor(Date.now() / 1_000) + 100}}`);
  const auth = tokenAuth({ authUrl: 'https://auth.test', tokens: { accessToken, refreshToken: 'first' } });
  const client = createClient({ baseUrl: 'https://api.test', auth, fetch });
  await client.request({ method: 'GET', path: 'me' });
  vi.setSystemTime(Date.now() + 200_000);
  await client.request({ method: 'GET', path: 'me' });
  expect(sent).toEqual([`Bearer ${accessToken}`, 'grant_type=refresh_token&refresh_token=first', 'Bearer a']);
});

describe('tokens that are handed to a login with a password', () => {
  const start = () => {
    const sent: unknown[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const form = new URLSearchParams(String(init?.body));
      if (!String(input).endsWith('/auth/token')) sent.push(new Headers(init?.headers).get('authorization'));
      else sent.push(form.get('refresh_token') ?? form.get('password'));
      return Response.json({ access_token: `a${sent.length}`, token_type: 'bearer' });
    };
    const store = memoryStore();
    const auth = tokenAuth({ authUrl: 'https://auth.test', username: 'ada', password: 'lovelace', store });
    const client = createClient({ baseUrl: 'https://api.test', auth, fetch });
    return { auth, sent, call: () => client.request({ method: 'GET', path: 'me' }) };
  };

  test('replace its stored tokens', async () => {
    const { auth, call, sent } = start();
    await call();
    auth.useTokens({ accessToken: 'of-bob' });
    await call();
    expect(sent).toEqual(['lovelace', 'Bearer a1', 'Bearer of-bob']);
  });

  test.each([
    ['is sent before the password', 'of-bob', 'of-bob'],
    ['is not sent after its `exp`', jwt('{"exp":1000000000}'), 'lovelace'],
  ])('a refresh token %s', async (_what, refreshToken, first) => {
    const { auth, call, sent } = start();
    auth.useTokens({ refreshToken });
    await call();
    expect(sent).toEqual([first, 'Bearer a1']);
  });
});

test('a refresh token that was handed in is masked before it is sent', async () => {
  const fetch = async () => Response.json({ message: 'handed-over' }, { status: 400 });
  const tokens = { accessToken: 'a', refreshToken: 'handed-over' };
  const auth = tokenAuth({ authUrl: 'https://a.test', tokens });
  const client = createClient({ baseUrl: 'https://a.test', auth, fetch });
  const error = await rejectionOf(client.request({ method: 'GET', path: 'me' }));
  expect(error).toMatchObject({ message: 'GET https://a.test/me: 400 Bad Request: ***' });
});

test.each([{}, { accessToken: '' }, { accessToken: 'two\nlines' }, { refreshToken: 5 as never }])(
  '%j cannot be handed in',
  (tokens) => {
    expect(() => tokenAuth({ authUrl: 'https://auth.test', tokens })).toThrow(InvalidRequestError);
  },
);

test('the end of a login is not reported once useTokens() has begun another one', async () => {
  const requested = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const reasons: string[] = [];
  const auth = tokenAuth({ authUrl: 'https://auth.test', tokens: { refreshToken: 'of-the-old-login' } });
  const client = createClient({
    baseUrl: 'https://api.test',
    auth,
    on: { token: ({ reason }) => reasons.push(reason) },
    fetch: async (url) => {
      if (!url.endsWith('/auth/token')) return Response.json({});
      requested.resolve();
      await answered.promise;
      return Response.json({ error: 'invalid_grant' }, { status: 400 });
    },
  });
  const call = () => Promise.resolve(client.request({ method: 'GET', path: 'me' }));
  const failure = rejectionOf(call());
  await requested.promise;
  auth.useTokens({ accessToken: 'of-the-new-login' });
  answered.resolve();
  expect(await failure).toBeInstanceOf(TokenRequestError);
  expect(await call()).toEqual({});
  expect(reasons).toEqual([]);
});
