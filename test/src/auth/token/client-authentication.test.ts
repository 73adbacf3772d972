import {
  createClient,
  type Fetch,
  InvalidCredentialsError,
  InvalidRequestError,
  memoryStore,
  type TokenAuthOptions,
  TokenRequestError,
  tokenAuth,
} from 'restkin';
import { describe, expect, test } from 'vitest';
import { rejectionOf } from '../../../support/shop.ts';

const login = { authUrl: 'https://auth.test', username: 'ada', password: 'lovelace' };

interface Sent {
  readonly url: string;
  readonly authorization: string | null;
  readonly form: Readonly<Record<string, string>>;
}

/** A client, and the token requests that it sent. `isRefused` says whether the token of a call is refused. */
const connect = (given: Partial<TokenAuthOptions>, respond?: (form: Sent['form']) => Response) => {
  const sent: Sent[] = [];
  const server = { isRefused: false };
  const fetch: Fetch = async (input, init) => {
    const url = String(input);
    if (url.startsWith('https://api.test')) {
      const status = server.isRefused ? 401 : 200;
      return Response.json([], { status });
    }
    const form = Object.fromEntries(new URLSearchParams(String(init?.body)));
    sent.push({ url, authorization: new Headers(init?.headers).get('authorization'), form });
    server.isRefused = false;
    const tokens = {
      access_token: `a${sent.length}`,
      refresh_token: `r${sent.length}`,
      token_type: 'Bearer',
    };
    return respond?.(form) ?? Response.json(tokens);
  };
  const auth = tokenAuth({ ...login, ...given } as TokenAuthOptions);
  const client = createClient({ baseUrl: 'https://api.test', auth, fetch, retry: false });
  const call = () => Promise.resolve(client.request({ method: 'GET', path: 'things' }));
  return { call, sent, server };
};

const password = { grant_type: 'password', username: 'ada', password: 'lovelace' };

describe('a token request', () => {
  test.each<[string, Partial<TokenAuthOptions>, Sent['form'], string | null]>([
    ['a public client by its id in the form', { client: { id: 'app' } }, { client_id: 'app' }, null],
    ['a secret in Authorization', { client: { id: 'app', secret: 's3cret' } }, {}, 'app:s3cret'],
    [
      'both encoded as in a form, RFC 6749 §2.3.1',
      { client: { id: 'my app:1', secret: 'ä/b+c%' } },
      {},
      'my+app%3A1:%C3%A4%2Fb%2Bc%25',
    ],
    [
      'a secret in the form',
      { client: { id: 'app', secret: 's3cret', authentication: 'body' } },
      { client_id: 'app', client_secret: 's3cret' },
      null,
    ],
    ['a scope', { scope: 'orders offline_access' }, { scope: 'orders offline_access' }, null],
    ['parameters', { params: { audience: 'orders' } }, { audience: 'orders' }, null],
  ])('sends %s', async (_what, options, form, basic) => {
    const { call, sent } = connect(options);
    await call();
    const authorization = basic === null ? null : `Basic ${btoa(basic)}`;
    expect(sent).toMatchObject([{ authorization, form: { ...password, ...form } }]);
    expect(Object.keys(sent[0]?.form ?? {})).toHaveLength(3 + Object.keys(form).length);
  });

  test('sends the client and the parameters with a refresh, too, and goes to `tokenPath`', async () => {
    const options = { client: { id: 'app' }, scope: 'a', params: { x: '1' }, tokenPath: '/oauth/token' };
    const { call, sent, server } = connect(options);
    await call();
    server.isRefused = true;
    await call();
    expect(sent.map(({ url }) => url)).toEqual(Array(2).fill('https://auth.test/oauth/token'));
    const refresh = { grant_type: 'refresh_token', refresh_token: 'r1' };
    expect(sent[1]?.form).toEqual({ ...refresh, client_id: 'app', x: '1' });
  });

  test.each<[unknown, string]>([
    [{ client: { id: 'a', authentication: 'jwt' } }, "client.authentication must be 'basic' or 'body'"],
    [{ client: { id: 'a', name: 'b' } }, 'client has no option "name"'],
    [{ client: { secret: 'a secret' } }, 'client.id is missing'],
    [{ client: {} }, 'client.id is missing'],
    [{ client: { id: undefined, secret: 'a secret' } }, 'client.id is missing'],
    [{ params: { a: 1 } }, 'params must be an object with strings'],
    [{ scope: '' }, 'scope must be a string'],
  ])('%j is refused', (options, message) => {
    const given = { ...login, ...(options as Partial<TokenAuthOptions>) } as TokenAuthOptions;
    expect(() => tokenAuth(given)).toThrow(InvalidRequestError);
    expect(() => tokenAuth(given)).toThrow(message);
  });

  test('has a chain for each client, scope, parameters and path, whatever the secret is', async () => {
    const inner = memoryStore();
    const names = new Set<string>();
    const store = { read: (name: string) => inner.read(String(names.add(name) && name)), swap: inner.swap };
    const options: readonly Partial<TokenAuthOptions>[] = [
      {},
      { client: { id: 'a', secret: 'one' } },
      { client: { id: 'a', secret: 'two' } },
      { client: { id: 'b' } },
      { scope: 'a' },
      { params: { a: 'b' } },
      { tokenPath: 'oauth/token' },
    ];
    for (const given of options) await connect({ ...given, store }).call();
    expect(names.size).toBe(options.length - 1);
    // The name of a chain without them is that of every version before.
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('https://auth.test\nada'));
    expect([...names][0]).toBe(Buffer.from(digest).toString('hex'));
  });
});

describe('two spellings of one token request are one login', () => {
  const chainOf = async (given: Partial<TokenAuthOptions>): Promise<string> => {
    const inner = memoryStore();
    const names: string[] = [];
    const read = (name: string) => {
      names.push(name);
      return inner.read(name);
    };
    await connect({ ...given, store: { read, swap: inner.swap } }).call();
    return names[0] ?? '';
  };

  test('whatever the order of `params` is', async () => {
    const one = await chainOf({ params: { audience: 'orders', resource: 'a' } });
    expect(await chainOf({ params: { resource: 'a', audience: 'orders' } })).toBe(one);
    expect(await chainOf({ params: { resource: 'orders', audience: 'a' } })).not.toBe(one);
  });

  test('whether `params` is empty or absent, and with or without slashes around the paths', async () => {
    const plain = await chainOf({});
    expect(await chainOf({ params: {} })).toBe(plain);
    expect(await chainOf({ tokenPath: '/auth/token' })).toBe(plain);
    expect(await chainOf({ authUrl: 'https://auth.test/' })).toBe(plain);
    expect(await chainOf({ tokenPath: '/oauth/token' })).toBe(await chainOf({ tokenPath: 'oauth/token' }));
  });
});

describe('an error of RFC 6749 §5.2', () => {
  const refuse =
    (error: string, status = 400) =>
    () =>
      Response.json({ error, error_description: 'Why' }, { status });

  test('invalid_grant for a password is a refused password, sent once', async () => {
    const { call, sent } = connect({ client: { id: 'app' } }, refuse('invalid_grant'));
    for (let count = 0; count < 20; count++) {
      const error = await rejectionOf(call());
      expect(error).toBeInstanceOf(InvalidCredentialsError);
      const expected = '400 Bad Request: the username or password was refused: invalid_grant: Why';
      expect(String(error)).toContain(expected);
    }
    expect(sent).toHaveLength(1);
  });

  test.each([
    ['invalid_client', 401],
    ['unauthorized_client', 400],
    ['unsupported_grant_type', 400],
  ])('%s with %d says that the client is refused, not the password', async (code, status) => {
    const { call } = connect({ client: { id: 'app', secret: 'a secret of it' } }, refuse(code, status));
    const error = await rejectionOf(call());
    expect(error).toBeInstanceOf(TokenRequestError);
    expect(error).not.toBeInstanceOf(InvalidCredentialsError);
    const expected = `the client was refused, not the password; check \`client\`: ${code}: Why`;
    expect(String(error)).toContain(expected);
  });

  test('shows no client secret that the server echoes', async () => {
    const secret = 'a secret+of/it';
    const echo = [secret, encodeURIComponent(secret), btoa(secret)].join(' ');
    const { call } = connect({ client: { id: 'app', secret } }, () =>
      Response.json({ error: 'invalid_client', error_description: echo }, { status: 401 }),
    );
    const error = (await rejectionOf(call())) as Error;
    for (const form of echo.split(' ').slice(-2)) expect(JSON.stringify(error)).not.toContain(form);
    expect(error.message).not.toContain(secret);
  });

  test('shows no assertion of `params` that the server echoes, and the other parameters', async () => {
    const params = { client_assertion: 'eyJhbGciOi.an.assertion', audience: 'ordering' };
    const { call } = connect({ params }, (form) =>
      Response.json({ error: 'invalid_client', error_description: JSON.stringify(form) }, { status: 401 }),
    );
    const { message } = (await rejectionOf(call())) as Error;
    expect(message).not.toContain('an.assertion');
    expect(message).toContain('ordering');
  });
});
