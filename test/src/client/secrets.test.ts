import {
  basicAuth,
  type ClientOptions,
  createClient,
  customAuth,
  defineApi,
  isRestkinError,
  memoryStore,
  tokenAuth,
} from 'restkin';
import { describe, expect, test } from 'vitest';
import { failureOf, order, orderBody } from '../../support/basic-ordering.ts';
import {
  accessToken,
  basic,
  leaksIn,
  password,
  refreshToken,
  textsOf,
  username,
} from '../../support/canaries.ts';
import { ordering } from '../../support/ordering.ts';
import { type Reply, type Responder, startRawServer } from '../../support/raw-server.ts';

const both = defineApi({ ...ordering, auth: ['token', 'basic'] });
const tokenReply: Reply = {
  body: JSON.stringify({
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'bearer',
    expires_in: 600,
    refresh_expires_in: 9_000,
  }),
};

type Answer = Reply | Responder;

const destroy: Responder = (_request, response) => void response.destroy();
const found: Reply = { body: JSON.stringify(order(7)) };

const connect = async (kind: string, api: Answer, token: Answer, options?: Partial<ClientOptions>) => {
  const server = await startRawServer((request, response) => {
    const answer = request.url === '/auth/token' ? token : api;
    return typeof answer === 'function' ? answer(request, response) : answer;
  });
  const login = { username, password };
  const auth = kind === 'token' ? tokenAuth({ authUrl: server.url, ...login }) : basicAuth(login);
  const client = createClient({ baseUrl: server.url, auth, retry: false, ...options });
  return { server, auth, client, orders: client.api(both).orders };
};

describe.each(['token', 'basic'])('errors of a client with %s', (kind) => {
  test.each<[string, Answer, Partial<ClientOptions>?]>([
    ['UnexpectedResponseError', { body: '{"id":' }],
    ['ResponseTooLargeError', { body: 'x'.repeat(3_000) }, { maxResponseBytes: 2_000 }],
    ['RedirectRefusedError', { status: 307, headers: { location: 'http://127.0.0.2/' } }],
    ['AmbiguousOutcomeError', destroy],
    ['AmbiguousOutcomeError', () => undefined, { timeoutMs: 200 }],
  ])('%s holds no secret', async (name, answer, options) => {
    const { server, orders } = await connect(kind, answer, tokenReply, options);
    const error = await failureOf<Error>(orders.create(orderBody), Error);
    const sent = server.requests.at(-1)?.headers.authorization;
    expect(sent).toBe(kind === 'token' ? `Bearer ${accessToken}` : `Basic ${basic}`);
    expect([error.name, leaksIn(error)]).toEqual([name, []]);
  });
});

test.each<[string, Answer]>([
  ['InvalidCredentialsError', { status: 401, body: '{"message":"no"}' }],
  ['TokenRequestError', { status: 307, headers: { location: 'http://127.0.0.2/' } }],
  ['TokenRequestError', destroy],
  ['TokenRequestError', { body: `{"access_token":"${accessToken}","token_type":"mac"}` }],
  ['TokenRequestError', { body: `{"access_token":"${accessToken}","refresh_token":"${refreshToken}` }],
])('%s of the token endpoint holds no secret', async (name, answer) => {
  const { server, orders } = await connect('token', found, answer);
  const error = await failureOf<Error>(orders.get(7), Error);
  const form = new URLSearchParams(server.requests[0]?.body);
  expect([form.get('password'), error.name, leaksIn(error)]).toEqual([password, name, []]);
});

test.each(['token', 'basic'])('what an application holds shows no secret: %s', async (kind) => {
  const { client, auth, orders } = await connect(kind, found, tokenReply);
  const { response } = await orders.get(7).withResponse();
  expect(leaksIn([client, auth, orders, response, orders.list(), orders.query()])).toEqual([]);
});

test.each(Object.entries({ basic, refreshToken }))(
  'a client that shares the login of another one masks its %s, too',
  async (_name, secret) => {
    const message = JSON.stringify({ message: `You sent ${secret} to us` });
    const { server, auth, orders } = await connect('token', { status: 404, body: message }, tokenReply);
    await failureOf(orders.get(7), Error);
    const other = createClient({ baseUrl: server.url, auth }).api(both);
    const error = await failureOf<Error>(other.orders.get(7), Error);
    expect(error.message).toContain('You sent *** to us');
    expect(leaksIn(error)).toEqual([]);
  },
);

test('a client that finds its login in a store masks the refresh token', async () => {
  const message = JSON.stringify({ message: `You sent ${refreshToken} to us` });
  const store = memoryStore();
  const first = await connect('token', { status: 404, body: message }, tokenReply);
  const login = () => tokenAuth({ authUrl: first.server.url, username, password, store });
  for (const auth of [login(), login()]) {
    const client = createClient({ baseUrl: first.server.url, auth });
    const error = await failureOf<Error>(client.api(both).orders.get(7), Error);
    expect(error.message).toContain('You sent *** to us');
  }
  expect(first.server.requests.filter(({ url }) => url === '/auth/token')).toHaveLength(1);
});

describe('customAuth', () => {
  const failing = (fields: () => Record<string, string>, message: (sent: Headers) => string) => {
    const fetch = async (_url: unknown, init?: RequestInit) =>
      Response.json({ message: message(new Headers(init?.headers)) }, { status: 404 });
    const auth = { basic: customAuth(fields) };
    return createClient({ baseUrl: 'https://api.test', auth, fetch }).api({ ...ordering, auth: 'basic' });
  };

  test('a key stays masked beside a value that changes with each of 250 requests', async () => {
    const key = 'k3y-0f-the-application';
    let now = 1_700_000_000_000;
    const api = failing(
      () => ({ 'x-api-key': key, 'x-timestamp': String(now++) }),
      (sent) => `no order for ${sent.get('x-api-key')}`,
    );
    for (let call = 0; call < 250; call++) {
      expect(textsOf(await failureOf<Error>(api.orders.get(7), Error))).not.toContain(key);
    }
  });

  test('a key is masked in the response to a request with another scheme', async () => {
    const key = 'k3y-0f-the-application';
    const fetch = async () => Response.json({ message: `the key in use is ${key}` }, { status: 404 });
    const auth = {
      reading: customAuth(() => ({ 'x-api-key': key })),
      writing: customAuth(() => ({ 'x-api-key': 'another-k3y-entirely' })),
    };
    const client = createClient({ baseUrl: 'https://api.test', auth, fetch });
    const call = (name: 'reading' | 'writing') => client.request({ method: 'GET', path: 'x', auth: name });
    await failureOf<Error>(call('reading'), Error);
    expect(textsOf(await failureOf<Error>(call('writing'), Error))).not.toContain(key);
  });

  test('values below eight characters are no secrets: an ordinary word stays readable', async () => {
    const api = failing(
      () => ({ 'x-tenant': 'orders', authorization: 'Token 0123456789abcdef' }),
      (sent) => `orders not found for ${sent.get('authorization')?.slice('Token '.length)}`,
    );
    await expect(api.orders.get(7)).rejects.toMatchObject({ detail: 'orders not found for ***' });
  });

  test.each([
    ['plain', (token: string) => token],
    ['in base64', (token: string) => Buffer.from(token).toString('base64')],
  ])('a token with equals signs is masked whole: %s', async (_what, write) => {
    const token = 'sk_live_ABC/def+ghi=1234';
    const api = failing(
      () => ({ authorization: `Bearer ${token}` }),
      () => `bad token ${write(token)}`,
    );
    await expect(api.orders.get(7)).rejects.toMatchObject({ detail: 'bad token ***' });
  });

  test('the key behind a name and a colon is masked alone, as Tastypie has it', async () => {
    const api = failing(
      () => ({ authorization: 'ApiKey ada:204db7bcfafb2deb7506b89e' }),
      () => 'unknown key 204db7bcfafb2deb7506b89e',
    );
    await expect(api.orders.get(7)).rejects.toMatchObject({ detail: 'unknown key ***' });
  });

  test.each(['https://api.test', 'https://other.test'])('a key in a link to %s is masked', async (origin) => {
    const key = 'k3y-0f-the-application';
    const link = origin === 'https://api.test' ? `${origin}/v1/orders/${key}` : `https://${key}.test/`;
    const fetch = async () => Response.json([order(1)], { headers: { link: `<${link}>; rel="next"` } });
    const auth = { basic: customAuth(() => ({ 'x-api-key': key })) };
    const client = createClient({ baseUrl: 'https://api.test', auth, fetch });
    const { orders } = client.api({ ...ordering, auth: 'basic' });
    const error: unknown = await orders
      .list()
      .toArray()
      .catch((thrown: unknown) => thrown);
    expect(isRestkinError(error)).toBe(true);
    expect(textsOf(error)).not.toContain(key);
  });
});
