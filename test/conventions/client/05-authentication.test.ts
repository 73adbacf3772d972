import { setupServer } from 'msw/node';
import {
  basicAuth,
  createClient,
  customAuth,
  defineApi,
  ForbiddenError,
  InvalidRequestError,
  tokenAuth,
  UnauthorizedError,
} from 'restkin';
import { createMock } from 'restkin/mocks';
import { handlers } from 'restkin/msw';
import { describe, expect, test } from 'vitest';
import { ordering } from '../../support/ordering.ts';
import { json, record } from '../../support/recording-server.ts';
import { connect, rejectionOf, shopAt } from '../../support/shop.ts';
import { credentialsOf, grantsOf, serveTokens, unauthorized } from '../../support/token-server.ts';

const login = { username: 'ada', password: 'lovelace' };

describe('§5.1 Basic', () => {
  test.each([
    ['ada', 'lovelace', 'YWRhOmxvdmVsYWNl'],
    ['Aladdin', 'open sesame', 'QWxhZGRpbjpvcGVuIHNlc2FtZQ=='],
    ['ada', 'a:b:', 'YWRhOmE6Yjo='],
    ['ada', '', 'YWRhOg=='],
    ['test', '123£', 'dGVzdDoxMjPCow=='],
    ['jürg', '€😀', 'asO8cmc64oKs8J+YgA=='],
  ])('§5.1 %s:%s is base64 of UTF-8', async (username, password, base64) => {
    await using server = await record(() => json([]));
    const auth = basicAuth({ username, password });
    await shopAt(server, { auth }).orders.list();
    await shopAt(server, { auth }).companies.list();
    expect(credentialsOf(server.requests)).toEqual([`Basic ${base64}`, `Basic ${base64}`]);
  });

  test.each([
    ['a colon in the username', { username: 'a:b', password: 'c' }],
    ['no username', { username: '', password: 'c' }],
    ['a line break', { username: 'a', password: 'c\r\nx: y' }],
  ])('§5.1 %s is refused before use', (_what, credentials) => {
    expect(() => basicAuth(credentials)).toThrow(InvalidRequestError);
  });

  test('§5.1 Basic that is refused is not resent', async () => {
    await using server = await record(() => unauthorized);
    expect(await rejectionOf(shopAt(server).orders.list())).toBeInstanceOf(UnauthorizedError);
    expect(server.requests).toHaveLength(1);
  });

  test('§5.1 the mock knows the user by it', async () => {
    const user = { username: 'jürg', password: 'a:€' };
    const mock = createMock(defineApi({ ...ordering, auth: 'basic' }), { users: [user] });
    const client = createClient({
      baseUrl: 'https://api.example.com',
      auth: basicAuth(user),
      fetch: mock.fetch,
    });
    const { items } = await client.api(defineApi({ ...ordering, auth: 'basic' })).orders.list();
    expect([items, mock.requests.map(({ status }) => status)]).toEqual([[], [200]]);
  });
});

describe("§5 an API's own style", () => {
  const custom = defineApi({ ...ordering, name: 'custom', auth: 'custom' });

  test('§5 customAuth gives the header fields of each request', async () => {
    await using server = await record(() => json([]));
    let count = 0;
    const auth = customAuth(({ method, url, refused }) => {
      count += 1;
      return { 'X-Signature': `${method} ${new URL(url).pathname} ${refused} ${count}` };
    });
    const { orders } = connect(server, { auth }).api(custom);
    await orders.list();
    await orders.list();
    expect(server.requests.map(({ headers }) => headers['x-signature'])).toEqual([
      'GET /v1/orders false 1',
      'GET /v1/orders false 2',
    ]);
  });

  test.each([
    ['other fields', () => ({ 'x-key': 'new' }), ['old', 'new']],
    ['nothing', () => undefined, ['old']],
  ])('§5 customAuth is asked once more after a 401, and may give %s', async (_what, renew, keys) => {
    await using server = await record(() => unauthorized);
    const auth = customAuth(({ refused }) => (refused ? renew() : { 'x-key': 'old' }));
    expect(await rejectionOf(connect(server, { auth }).api(custom).orders.list())).toBeInstanceOf(
      UnauthorizedError,
    );
    expect(server.requests.map(({ headers }) => headers['x-key'])).toEqual(keys);
  });
});

describe('§5.2.9 permission', () => {
  test('§5.2.9 a valid token without permission is a 403, with msw between', async () => {
    const user = { ...login, permissions: ({ method }: { method: string }) => method !== 'DELETE' };
    const mock = createMock(ordering, {
      users: [user],
      data: { companies: [{ name: 'a', city: 'b' }] },
      baseUrl: 'https://api.example.com',
      authUrl: 'https://auth.example.com',
    });
    const server = setupServer(...handlers(mock));
    server.listen();
    try {
      const { companies } = createClient({
        baseUrl: 'https://api.example.com',
        auth: tokenAuth({ authUrl: 'https://auth.example.com', ...login }),
      }).api(ordering);
      expect((await companies.get(1)).self).toBe('https://api.example.com/v1/companies/1');
      expect(await rejectionOf(companies.delete(1))).toBeInstanceOf(ForbiddenError);
      expect(mock.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
        'POST https://auth.example.com/auth/token',
        'GET https://api.example.com/v1/companies/1',
        'DELETE https://api.example.com/v1/companies/1',
      ]);
    } finally {
      server.close();
    }
  });

  test('§5.2.9 a 403 never gets a new token', async () => {
    await using server = await serveTokens({ api: () => json({ message: 'no' }, 403) });
    const client = connect(server, { auth: tokenAuth({ authUrl: server.url, ...login }) });
    expect(await rejectionOf(client.request({ method: 'GET', path: 'x' }))).toBeInstanceOf(ForbiddenError);
    expect([server.calls.length, grantsOf(server)]).toEqual([1, ['password']]);
  });
});
