import {
  type ClientOptions,
  createClient,
  type Fetch,
  memoryStore,
  ReauthenticationRequiredError,
  type TokenLogin,
  TokenRequestError,
  tokenAuth,
} from 'restkin';
import { describe, expect, test } from 'vitest';
import { json } from '../../../support/recording-server.ts';
import { rejectionOf } from '../../../support/shop.ts';
import { grantsOf, serveTokens } from '../../../support/token-server.ts';

const login = { username: 'ada', password: 'lovelace' };

const isTokenRequest = (input: Parameters<Fetch>[0]): boolean => String(input).endsWith('/auth/token');

/** Calls of a client with this `fetch`. */
const connect = (fetch: Fetch, who: TokenLogin = login, options: Partial<ClientOptions> = {}) => {
  const auth = tokenAuth({ authUrl: 'https://auth.test', ...who });
  const client = createClient({ baseUrl: 'https://api.test', auth, fetch, retry: false, ...options });
  return () => Promise.resolve(client.request({ method: 'GET', path: 'me' }));
};

/** What a call fails with when its token request gets this response. */
const failureOf = async (response: Response, who?: TokenLogin): Promise<TokenRequestError> => {
  const error = await rejectionOf(connect(async () => response, who)());
  if (error instanceof TokenRequestError) return error;
  throw error;
};

describe('the error of a token request says what the server said', () => {
  const where = 'POST https://auth.test/auth/token: ';

  test.each<[number, unknown, string]>([
    [401, {}, '401 Unauthorized: the username or password was refused'],
    [401, { message: 'Locked' }, '401 Unauthorized: the username or password was refused: Locked'],
    [400, {}, '400 Bad Request'],
    [400, { message: 'No such user' }, '400 Bad Request: No such user'],
    [429, { message: 'Slowly' }, '429 Too Many Requests: Slowly'],
  ])('%d %j', async (status, body, message) => {
    const error = await failureOf(Response.json(body, { status, headers: { 'x-request-id': 'r-1' } }));
    expect(error.message).toBe(where + message);
    expect(error).toMatchObject({
      method: 'POST',
      url: 'https://auth.test/auth/token',
      status,
      headers: { 'x-request-id': 'r-1' },
    });
    expect(error.detail).toBe((body as { readonly message?: string }).message);
  });

  test('and where a response without a token came from', async () => {
    const error = await failureOf(Response.json({}, { headers: { 'x-request-id': 'r-1' } }));
    expect(error.message).toBe(`${where}200: the response has no access_token`);
    expect(error.headers).toEqual({ 'x-request-id': 'r-1' });
  });

  test('or that there was none', async () => {
    const lost = new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
    const error = await rejectionOf(connect(() => Promise.reject(lost))());
    expect(error).toMatchObject({ method: 'POST', url: 'https://auth.test/auth/token', temporary: true });
    expect(String(error)).toContain('ECONNRESET');
  });
});

describe('a token endpoint that echoes', () => {
  const basic = btoa(`${login.username}:${login.password}`);

  test('a login as Basic sends it: nothing of it is shown', async () => {
    const error = await failureOf(Response.json({ message: `Not Basic ${basic}` }, { status: 400 }));
    expect(error.detail).toBe('Not Basic ***');
  });

  test('a password in the title of a page that does not escape it: nothing of it is shown', async () => {
    const password = 'love</lace>';
    const page = `<html><title>Not ${password}</title></html>`;
    const error = await failureOf(new Response(page, { status: 400 }), { username: 'ada', password });
    expect(error.detail).toBe('Not ***');
  });

  test('a refresh token that another process got: nothing of it is shown', async () => {
    await using server = await serveTokens({
      token: (form, index) =>
        index === 1
          ? json({ message: `Not ${form.get('refresh_token')}` }, 503, { 'retry-after': '9' })
          : undefined,
    });
    const store = memoryStore();
    const [first, second] = [0, 1].map(() => {
      const auth = tokenAuth({ authUrl: server.url, ...login, store });
      const client = createClient({ baseUrl: server.url, auth, retry: false });
      return () => Promise.resolve(client.request({ method: 'GET', path: 'me' }));
    });
    await first?.();
    server.expire();
    expect(await rejectionOf(second?.() ?? Promise.resolve())).toMatchObject({ detail: 'Not ***' });
    expect(server.forms[1]?.get('refresh_token')).toBe('refresh-1');
  });

  test('a token that another client of the login got: nothing of it is shown', async () => {
    await using server = await serveTokens({
      api: ({ headers }, index) => (index === 0 ? json({}) : json({ message: headers.authorization }, 403)),
    });
    const auth = tokenAuth({ authUrl: server.url, ...login });
    const [first, second] = [0, 1].map(() => createClient({ baseUrl: server.url, auth, retry: false }));
    await first?.request({ method: 'GET', path: 'me' });
    const error = await rejectionOf(second?.request({ method: 'GET', path: 'me' }) ?? Promise.resolve());
    expect(error).toMatchObject({ detail: 'Bearer ***' });
  });

  test('the password after a hundred renewals: nothing of it is shown', async () => {
    let renewals = 0;
    const used = new Set<string | null>();
    const call = connect(async (input, init) => {
      if (isTokenRequest(input)) {
        renewals++;
        const tokens = { access_token: `a${renewals}`, refresh_token: `r${renewals}` };
        return Response.json({ ...tokens, token_type: 'bearer' });
      }
      if (renewals > 101) return Response.json({ message: `Never ${login.password}` }, { status: 403 });
      // Each token is good for one request.
      const token = new Headers(init?.headers).get('authorization');
      const status = used.has(token) ? 401 : 200;
      used.add(token);
      return Response.json({}, { status });
    });
    for (let calls = 0; calls < 101; calls++) await call();
    expect(String(await rejectionOf(call()))).toContain('Never ***');
  });
});

describe('a mistake in the `fetch` of an application', () => {
  test('is thrown as it is, and the refresh token that it was given is not resent', async () => {
    const sent: (string | null)[] = [];
    const mistake = new ReferenceError('token is not defined');
    const call = connect(
      async (input, init) => {
        if (!isTokenRequest(input)) return Response.json({});
        sent.push(new URLSearchParams(String(init?.body)).get('refresh_token'));
        throw mistake;
      },
      { tokens: { refreshToken: 'of-ann' } },
    );
    expect(await rejectionOf(call())).toBe(mistake);
    expect(await rejectionOf(call())).toBeInstanceOf(ReauthenticationRequiredError);
    expect(sent).toEqual(['of-ann']);
  });
});

describe('a response with a token', () => {
  test.each([
    ['a refresh token that is empty', ''],
    ['a refresh token with a space', 'r 1'],
    ['a refresh token that is no string', 5],
  ])('and %s leads to the password', async (_what, refreshToken) => {
    await using server = await serveTokens({
      token: () => json({ access_token: 'a', token_type: 'bearer', refresh_token: refreshToken }),
    });
    const auth = tokenAuth({ authUrl: server.url, ...login });
    const client = createClient({ baseUrl: server.url, auth, retry: false });
    for (let call = 0; call < 2; call++) await rejectionOf(client.request({ method: 'GET', path: 'me' }));
    expect(new Set(grantsOf(server))).toEqual(new Set(['password']));
    expect(server.forms.length).toBeGreaterThan(1);
  });
});
