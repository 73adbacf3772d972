import {
  type ClientOptions,
  createClient,
  type Fetch,
  InvalidCredentialsError,
  ReauthenticationRequiredError,
  TokenRequestError,
  tokenAuth,
} from 'restkin';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { TokenLogin } from '../../../../src/auth/token/login.ts';
import { json, record } from '../../../support/recording-server.ts';
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

/** Makes a call with a new login, and another one when its access token has expired. */
const callTwice = async (authUrl: string): Promise<void> => {
  await using api = await record(() => json({}));
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const client = createClient({ baseUrl: api.url, auth: tokenAuth({ authUrl, ...login }) });
  for (let call = 0; call < 2; call++) {
    await client.request({ method: 'GET', path: 'me' });
    vi.setSystemTime(Date.now() + 600_000);
  }
};

describe('the error of a token request says what the server said', () => {
  const where = 'POST https://auth.test/auth/token: ';

  test.each<[number, unknown, string]>([
    [401, { message: 'Locked' }, '401 Unauthorized: the username or password was refused: Locked'],
    [400, { message: 'No such user' }, '400 Bad Request: No such user'],
    [
      400,
      { message: 'Invalid', errors: [{ field: 'audience', code: 'missingField' }] },
      '400 Bad Request: Invalid: audience (missingField)',
    ],
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

  test('and a web page that refuses the password, as that of a proxy does', async () => {
    const headers = { 'content-type': 'text/html' };
    const error = await failureOf(new Response('<h1>Who are you?</h1>', { status: 401, headers }));
    expect(error).toBeInstanceOf(InvalidCredentialsError);
    expect(error.message).toContain('the username or password was refused, by a web page: check `authUrl`');
  });

  test('and where a response without a token came from', async () => {
    const error = await failureOf(Response.json({}, { headers: { 'x-request-id': 'r-1' } }));
    expect(error.message).toBe(`${where}200: the response has no access_token`);
    expect(error.headers).toEqual({ 'x-request-id': 'r-1' });
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
  test.each([200, 201, 203])('is one with any status of success (§4.1 names none): %d', async (status) => {
    const sent: string[] = [];
    const call = connect(async (input, init) => {
      if (!isTokenRequest(input)) return Response.json({ authorization: init?.headers.authorization });
      sent.push(input);
      return Response.json({ access_token: 'a', token_type: 'bearer' }, { status });
    });
    expect(await call()).toEqual({ authorization: 'Bearer a' });
    expect(sent).toHaveLength(1);
  });

  test.each([
    [202, '{}', '202: the response has no access_token'],
    [204, null, '204: the response is not JSON'],
  ])('is missing from a %d with %j', async (status, body, message) => {
    const error = await failureOf(new Response(body, { status }));
    expect(error.message).toContain(`: ${message}`);
    expect(error.status).toBe(status);
  });

  test.each([
    ['a refresh token that is empty', ''],
    ['a refresh token that is null', null],
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

  // VSCHAR of RFC 6749, appendix A.17.
  test.each([' r 1 ', 'a+b/c==', '~!"#%&<>{}'])(
    'and the refresh token %j is sent as it is',
    async (given) => {
      const lifetime = { expires_in: 1, token_type: 'bearer' };
      await using server = await serveTokens({
        token: (_form, index) => json({ access_token: `a${index}`, ...lifetime, refresh_token: given }),
      });
      await callTwice(server.url);
      expect(server.forms.map((form) => form.get('refresh_token'))).toEqual([null, given]);
    },
  );

  test.each([
    ['with a line end', 'line-end-token\n'],
    ['beyond ASCII', 'r\u00e9'],
    ['that is a number', 5],
  ])('and a refresh token %s is refused at once', async (_what, given) => {
    const body = { access_token: 'an-access-token', token_type: 'bearer', refresh_token: given };
    const error = await failureOf(Response.json(body));
    expect(error.message).toContain('200: the refresh_token of the response is not visible ASCII');
    expect(JSON.stringify(error)).not.toMatch(/an-access-token|line-end-token|r\u00e9/);
  });

  test.each([
    ['none', undefined, 'has no token_type, which must be bearer'],
    ['another one', 'mac', 'has a token_type other than bearer'],
  ])('and a token_type that is %s is refused', async (_what, given, problem) => {
    const error = await failureOf(Response.json({ access_token: 'a', token_type: given }));
    expect(error.message).toContain(`200: the response ${problem}`);
  });

  test('and a refresh token with the lifetime 0, which does not end, is renewed with it', async () => {
    const body = { access_token: 'a', token_type: 'bearer', refresh_token: 'r', refresh_expires_in: 0 };
    await using server = await serveTokens({ token: () => json(body) });
    await callTwice(server.url);
    expect(grantsOf(server)).toEqual(['password', 'refresh_token']);
  });
});
