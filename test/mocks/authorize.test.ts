import { type ApiDeclaration, collection, defineApi, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createOrdering, origin, send, signedIn } from './calls.ts';

const collections = { items: collection('items', resource({ name: z.string() })) };
const apiOf = (auth: ApiDeclaration['auth']) => defineApi({ name: 'some', version: 1, auth, collections });

test('§5 an API that takes either names both in its challenge', async () => {
  const { headers } = await send(createMock(apiOf(['token', 'basic'])), '/v1/items');
  expect(headers.get('www-authenticate')).toMatch(/^Bearer .*, Basic /);
});

test('§5 without authorize, a wrong or expired token is refused beside an own style', async () => {
  const mock = createMock(apiOf(['token', 'apiKey']));
  const call = await signedIn(mock);
  expect((await call('/v1/items')).status).toBe(200);
  mock.clock.advance({ minutes: 11 });
  expect((await call('/v1/items')).status).toBe(401);
  expect((await send(mock, '/v1/items', { headers: { authorization: 'Bearer a.b.c' } })).status).toBe(401);
  expect((await send(mock, '/v1/items', { headers: { 'x-api-key': 'k' } })).status).toBe(200);
});

test('permissions and authorize may be asynchronous', async () => {
  const users = [{ username: 'ann', password: 'secret', permissions: async () => false }];
  const call = await signedIn(createOrdering({ users }));
  expect((await call('/v1/orders')).status).toBe(403);
  for (const isValid of [true, false]) {
    const mock = createMock(apiOf('signature'), { authorize: async () => isValid });
    expect((await send(mock, '/v1/items')).status).toBe(isValid ? 200 : 401);
  }
});

test('authorize accepts a fixed token where no API has a style of its own', async () => {
  const isFixed = ({ headers }: Request) => headers.get('authorization') === 'Bearer fixed';
  const mock = createMock(apiOf('token'), { authorize: isFixed });
  const statusOf = async (authorization: string) =>
    (await send(mock, '/v1/items', { headers: { authorization } })).status;
  expect(await statusOf('Bearer fixed')).toBe(200);
  expect(await statusOf('Bearer other')).toBe(401);
  expect((await (await signedIn(mock))('/v1/items')).status).toBe(200);
});

test('authorize is for the API with a style of its own, if there is one', async () => {
  const own = { ...apiOf('apiKey'), version: 2 };
  const mock = createMock([apiOf('token'), own], { authorize: () => true });
  const headers = { authorization: 'Bearer a.b.c' };
  expect((await send(mock, '/v1/items', { headers })).status).toBe(401);
  expect((await send(mock, '/v2/items', { headers })).status).toBe(200);
});

const any = 'any username and password that are not empty';
const advice = "pass `authorize` to createMock or --header to `restkin mock`, or declare `auth: 'custom'`";
const token = `an access token of its own POST /auth/token, for ${any}`;

test.each<[string, ApiDeclaration['auth'], Readonly<Record<string, string>>, string]>([
  ['nothing', 'token', {}, `Credentials are required: this mock takes ${token}`],
  [
    'a key of another server',
    'token',
    { authorization: 'Bearer a-secret-key' },
    `The credentials are not valid: this mock takes ${token}; for a fixed key, ${advice}`,
  ],
  [
    'a token',
    'basic',
    { authorization: 'Bearer a-secret-key' },
    `The credentials are not valid: this mock takes Basic credentials of ${any}`,
  ],
  ['nothing', ['token', 'basic'], {}, `this mock takes ${token}, or Basic credentials of ${any}`],
  ['nothing', 'apiKey', {}, 'this mock takes what its option `authorize` accepts'],
])(
  '§7.1 the 401 to %s, where %j is declared, says what the mock takes',
  async (_sent, auth, headers, message) => {
    const mock = createMock(apiOf(auth), auth === 'apiKey' ? { authorize: () => false } : {});
    const { status, json } = await send(mock, '/v1/items', { headers });
    expect(status).toBe(401);
    expect(json.message).toContain(message);
    expect(json.message).not.toContain('secret');
  },
);

test('§7.1 the 401 to a key that `authorize` refused says that this option decides', async () => {
  const mock = createMock(apiOf('token'), { authorize: () => false });
  const { json } = await send(mock, '/v1/items', { headers: { authorization: 'Bearer a-secret-key' } });
  expect(json.message).toBe(
    `The credentials are not valid: this mock takes ${token}, or what its option \`authorize\` accepts`,
  );
});

test('§7.1 a 401 names no user of the mock', async () => {
  const mock = createMock(apiOf(['token', 'basic']), {
    users: [{ username: 'ann-secret', password: 'p-secret' }],
  });
  const refused = await send(mock, '/v1/items', {
    headers: { authorization: `Basic ${btoa('ann-secret:x')}` },
  });
  expect(refused.json.message).toContain('Basic credentials of the users that it was given');
  const body = new URLSearchParams({ grant_type: 'password', username: 'ann-secret', password: 'x' });
  const login = await mock.fetch(`${origin}/auth/token`, { method: 'POST', body });
  const text = JSON.stringify(refused.json) + (await login.text());
  expect(text).toContain('Wrong username and/or password: this mock takes the users that it was given');
  expect(text).not.toContain('secret');
});
