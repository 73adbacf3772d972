import {
  basicAuth,
  type ClientOptions,
  createClient,
  customAuth,
  defineApi,
  isRestkinError,
  tokenAuth,
} from 'restkin';
import { describe, expect, test } from 'vitest';
import { order, orderBody } from '../../support/basic-ordering.ts';
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

interface Case {
  readonly name: string;
  readonly api?: Reply | Responder;
  readonly token?: Reply | Responder;
  readonly options?: Partial<ClientOptions>;
  readonly write?: boolean;
}

const destroy: Responder = (_request, response) => void response.destroy();
const cases: readonly Case[] = [
  {
    name: 'ValidationError',
    api: { status: 400, body: '{"message":"no","errors":[{"field":"a","code":"invalid"}]}' },
  },
  { name: 'UnexpectedResponseError', api: { body: '{"id":"x"}' } },
  { name: 'UnexpectedResponseError', api: { body: '{"id":' } },
  { name: 'ResponseTooLargeError', api: { body: 'x'.repeat(3_000) }, options: { maxResponseBytes: 2_000 } },
  { name: 'RedirectRefusedError', api: { status: 307, headers: { location: 'http://127.0.0.2/' } } },
  { name: 'ConnectionError', api: destroy },
  { name: 'AmbiguousOutcomeError', api: destroy, write: true },
  { name: 'TimeoutError', api: () => undefined, options: { timeoutMs: 200 } },
];
const tokenCases: readonly Case[] = [
  { name: 'InvalidCredentialsError', token: { status: 401, body: '{"message":"no"}' } },
  { name: 'TokenRequestError', token: { status: 500 } },
  { name: 'TokenRequestError', token: { status: 307, headers: { location: 'http://127.0.0.2/' } } },
  { name: 'TokenRequestError', token: destroy },
  { name: 'TokenRequestError', token: { body: `{"access_token":"${accessToken}","token_type":"mac"}` } },
  {
    name: 'TokenRequestError',
    token: { body: `{"access_token":"${accessToken}","refresh_token":"${refreshToken}` },
  },
  { name: 'TokenRequestError', token: { ...tokenReply, headers: { 'content-encoding': 'gzip' } } },
];

const run = async (
  { api = { body: JSON.stringify(order(7)) }, token = tokenReply, options, write }: Case,
  kind: string,
) => {
  const server = await startRawServer((request, response) => {
    const answer = request.url === '/auth/token' ? token : api;
    return typeof answer === 'function' ? answer(request, response) : answer;
  });
  const login = { username, password };
  const auth = kind === 'token' ? tokenAuth({ authUrl: server.url, ...login }) : basicAuth(login);
  const client = createClient({ baseUrl: server.url, auth, retry: false, ...options });
  const { orders } = client.api(both);
  const call = write ? orders.create(orderBody) : orders.get(7);
  const error: unknown = await Promise.resolve(call).then(
    () => 'the call succeeded',
    (thrown: unknown) => thrown,
  );
  return { error, client, auth, orders, server };
};

describe.each(['token', 'basic'])('errors of a client with %s', (kind) => {
  test.each(cases)('$name holds no secret', async (given) => {
    const { error, server } = await run(given, kind);
    const sent = server.requests.at(-1)?.headers.authorization;
    expect(sent).toBe(kind === 'token' ? `Bearer ${accessToken}` : `Basic ${basic}`);
    expect(isRestkinError(error)).toBe(true);
    expect(leaksIn(error)).toEqual([]);
  });
});

describe('errors of the token endpoint', () => {
  test.each(tokenCases)('$name holds no secret', async (given) => {
    const { error, server } = await run(given, 'token');
    const form = new URLSearchParams(server.requests[0]?.body);
    expect([form.get('password'), (error as Error).name]).toEqual([password, given.name]);
    expect(leaksIn(error)).toEqual([]);
  });
});

test.each(['token', 'basic'])('what an application holds shows no secret: %s', async (kind) => {
  const { client, auth, orders } = await run({ name: 'none' }, kind);
  const { response } = await orders.get(7).withResponse();
  const shown = [client, auth, orders, response, orders.list(), orders.query()];
  expect(leaksIn(shown)).toEqual([]);
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
      const error: unknown = await api.orders.get(7).catch((thrown: unknown) => thrown);
      expect(textsOf(error)).not.toContain(key);
    }
  });

  test('values below eight characters are no secrets: an ordinary word stays readable', async () => {
    const api = failing(
      () => ({ 'x-tenant': 'orders', authorization: 'Token 0123456789abcdef' }),
      (sent) => `orders not found for ${sent.get('authorization')?.slice('Token '.length)}`,
    );
    await expect(api.orders.get(7)).rejects.toMatchObject({ detail: 'orders not found for ***' });
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
