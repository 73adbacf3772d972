import { basicAuth, customAuth, defineApi } from 'restkin';
import { expect } from 'vitest';
import { check, mockOf } from '../support/conformance.ts';
import { data, ordering } from '../support/conformance-data.ts';
import { basicField, login, requestToken, type Send, textOf } from '../support/conformance-send.ts';
import { rejectionOf } from '../support/shop.ts';

const options = { data, users: [login] } as const;
const byToken = mockOf(ordering, options);
const byBasic = mockOf(defineApi({ ...ordering, auth: 'basic' }), options);
const byEither = mockOf(defineApi({ ...ordering, auth: ['token', 'basic'] }), options);
const own = { method: 'GET', path: 'v1/orders/1' } as const;

/** The status of a GET with these headers alone. */
const statusWith = async (send: Send, headers: Readonly<Record<string, string>>) =>
  (await send('/v1/orders/1', { anonymous: true, headers })).status;

check(byToken, '§5 scheme of an API may be tokens: Basic is refused there', {
  fetch: async ({ send }) => {
    expect((await send('/v1/orders/1')).status).toBe(200);
    expect(await statusWith(send, { authorization: basicField })).toBe(401);
  },
  client: async ({ api, connect, mock }) => {
    await api.orders.get(1);
    expect(mock.requests.at(-1)?.headers.get('authorization')).toBe('Bearer');
    const basic = connect({ auth: basicAuth(login) });
    expect(await rejectionOf(basic.request(own))).toMatchObject({ status: 401 });
    expect(() => basic.api(ordering)).toThrow(/token/);
  },
});

check(byBasic, '§5 scheme of an API may be Basic: a token is refused there', {
  fetch: async ({ send, authUrl }) => {
    expect((await send('/v1/orders/1')).status).toBe(200);
    const token = textOf((await requestToken(authUrl)).json, 'access_token');
    expect(await statusWith(send, { authorization: `Bearer ${token}` })).toBe(401);
  },
  client: async ({ api, mock }) => {
    await api.orders.get(1);
    expect(mock.requests.map(({ headers }) => headers.get('authorization'))).toEqual(['Basic']);
  },
});

check(byEither, '§5 scheme of an API may be either of the two', {
  fetch: async ({ send }) => {
    expect((await send('/v1/orders/1')).status).toBe(200);
    expect(await statusWith(send, { authorization: basicField })).toBe(200);
  },
  client: async ({ client, connect, mock }) => {
    await client.request(own);
    await connect({ auth: basicAuth(login) }).request(own);
    const schemes = mock.requests.map(({ headers }) => headers.get('authorization'));
    expect(schemes).toEqual([null, 'Bearer', 'Basic']);
  },
});

const signed = defineApi({ ...ordering, auth: 'signature' });
const byOwnStyle = mockOf(signed, {
  data,
  authorize: ({ headers, method }) => headers.get('x-signature') === `signed ${method}`,
});

const ownStyle = [
  '§5 scheme of an API may be a style of its own',
  '§1 own rules of an API may be an authentication style',
] as const;

check(byOwnStyle, ownStyle, {
  fetch: async ({ send }) => {
    expect(await statusWith(send, { 'x-signature': 'signed GET' })).toBe(200);
    expect(await statusWith(send, { 'x-signature': 'signed PUT' })).toBe(401);
  },
  client: async ({ connect }) => {
    const signature = customAuth(({ method }) => ({ 'x-signature': `signed ${method}` }));
    const { orders } = connect({ auth: { signature } }).api(signed);
    expect((await orders.get(1)).id).toBe(1);
    const unsigned = connect({ auth: { signature: customAuth(() => ({})) } }).api(signed);
    expect(await rejectionOf(unsigned.orders.get(1))).toMatchObject({ status: 401 });
  },
});

/** A user and what the conventions make of it, written out by hand. */
const users = [
  { username: 'ada', password: 'lovelace', base64: 'YWRhOmxvdmVsYWNl' },
  { username: 'Aladdin', password: 'open sesame', base64: 'QWxhZGRpbjpvcGVuIHNlc2FtZQ==' },
  { username: 'ada', password: 'a:b:', base64: 'YWRhOmE6Yjo=' },
  { username: 'jürg', password: '€😀', base64: 'asO8cmc64oKs8J+YgA==' },
] as const;

const basicApi = defineApi({ ...ordering, auth: 'basic' });

for (const { username, password, base64 } of users) {
  const user = { username, password };
  check(mockOf(basicApi, { data, users: [user] }), `§5.1.2 base64 of ${username}:${password} is ${base64}`, {
    fetch: async ({ send }) => {
      expect(await statusWith(send, { authorization: `Basic ${base64}` })).toBe(200);
      expect(await statusWith(send, { authorization: `Basic ${base64.slice(0, -4)}` })).toBe(401);
    },
    client: async ({ connect }) => {
      const { orders } = connect({ auth: basicAuth(user) }).api(basicApi);
      expect((await orders.get(1)).id).toBe(1);
    },
  });
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

check(byBasic, '§5.1.1 username and password are joined with a single colon', {
  fetch: async ({ send }) => {
    const statusOf = (pair: string) => statusWith(send, { authorization: `Basic ${base64(pair)}` });
    expect(await statusOf('ada:lovelace')).toBe(200);
    for (const pair of ['ada::lovelace', 'adalovelace', 'ada lovelace', ':ada:lovelace']) {
      expect(await statusOf(pair)).toBe(401);
    }
  },
  client: async ({ api }) => {
    expect((await api.orders.get(1)).id).toBe(1);
    expect(() => basicAuth({ username: 'a:b', password: 'c' })).toThrow(/colon/);
  },
});

check(byBasic, '§5.1.3 Authorization holds Basic and the credentials, on every request', {
  fetch: async ({ send }) => {
    expect(await statusWith(send, { authorization: basicField })).toBe(200);
    const bare = { authorization: basicField.replace('Basic ', '') };
    for (const other of [{}, bare, { 'x-authorization': basicField }])
      expect(await statusWith(send, other)).toBe(401);
  },
  client: async ({ api, mock }) => {
    await api.orders.list({ perPage: 2 }).toArray();
    await api.orders.update(1, { status: 'shipped' });
    const fields = mock.requests.map(({ headers, status }) => [headers.get('authorization'), status]);
    expect(fields).toEqual([...Array.from({ length: 3 }, () => ['Basic', 200]), ['Basic', 204]]);
  },
});
