import { collection, defineApi, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createOrdering, requestTokens, send, signedIn } from './calls.ts';

const collections = { items: collection('items', resource({ name: z.string() })) };
const basicApi = defineApi({ name: 'old', version: 2, auth: 'basic', collections });
const eitherApi = defineApi({ name: 'either', version: 1, auth: ['token', 'basic'], collections });
const ownApi = defineApi({ name: 'own', version: 1, auth: 'signature', collections });

const basic = (pair: string) => ({
  authorization: `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(pair)))}`,
});

test('§5.2.9 a missing token gets 401 with a Bearer challenge and an error body', async () => {
  const { status, headers, json } = await send(createOrdering(), '/v1/orders');
  expect(status).toBe(401);
  expect(headers.get('www-authenticate')).toMatch(/^Bearer realm="ordering"$/);
  expect(Object.keys(json)).toEqual(['message']);
});

test('§5.2.9 an invalid token gets 401', async () => {
  const headers = { authorization: 'Bearer nonsense' };
  const answer = await send(createOrdering(), '/v1/orders', { headers });
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
});

test('§5.1 Basic credentials are base64 of UTF-8, split at the first colon', async () => {
  const mock = createMock(basicApi, { users: [{ username: 'josé', password: 'pa:ss€' }] });
  expect((await send(mock, '/v2/items', { headers: basic('josé:pa:ss€') })).status).toBe(200);
  const refused = await send(mock, '/v2/items', { headers: basic('josé:pa') });
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toMatch(/^Basic realm="old"/);
  const latin1 = { authorization: `Basic ${btoa('jos\u00e9:pa:ss')}` };
  expect((await send(mock, '/v2/items', { headers: latin1 })).status).toBe(401);
  const noColon = basic('josé');
  expect((await send(mock, '/v2/items', { headers: noColon })).status).toBe(401);
});

test('§5.2.2 the header has the scheme, in upper or lower case, and one token', async () => {
  const mock = createOrdering();
  const token = (await requestTokens(mock)).json.access_token;
  const statusOf = async (authorization: string) =>
    (await send(mock, '/v1/orders', { headers: { authorization } })).status;
  expect(await statusOf(`bearer ${token}`)).toBe(200);
  expect(await statusOf(`Bearer ${token} more`)).toBe(401);
  expect(await statusOf(token)).toBe(401);
});

test('§5 an API that takes Basic does not take a token', async () => {
  const mock = createMock([basicApi, eitherApi]);
  const { json } = await requestTokens(mock);
  const headers = { authorization: `Bearer ${json.access_token}` };
  expect((await send(mock, '/v2/items', { headers })).status).toBe(401);
  expect((await send(mock, '/v1/items', { headers })).status).toBe(200);
  expect((await send(mock, '/v1/items', { headers: basic('a:b') })).status).toBe(200);
});

test('§5 an API that takes either names both in its challenge', async () => {
  const { headers } = await send(createMock(eitherApi), '/v1/items');
  expect(headers.get('www-authenticate')).toMatch(/^Bearer .*, Basic /);
});

test("§5 an API's own style is checked by the mock's authorize, and accepted without it", async () => {
  expect((await send(createMock(ownApi), '/v1/items')).status).toBe(200);
  const mock = createMock(ownApi, { authorize: (request) => request.headers.get('x-signature') === 'ok' });
  expect((await send(mock, '/v1/items')).status).toBe(401);
  expect((await send(mock, '/v1/items', { headers: { 'x-signature': 'ok' } })).status).toBe(200);
});

test('§5.2.9 a valid token without permission for the operation gets 403', async () => {
  const asked: unknown[] = [];
  const mock = createOrdering({
    users: [
      {
        username: 'ann',
        password: 'secret',
        permissions: (request) => {
          asked.push(request);
          return request.method === 'GET';
        },
      },
    ],
  });
  const call = await signedIn(mock);
  expect((await call('/v1/orders')).status).toBe(200);
  const refused = await call('/v1/orders/1', { method: 'DELETE' });
  expect([refused.status, typeof refused.json.message]).toEqual([403, 'string']);
  expect((await call('/v1/orders/1')).status).toBe(200);
  expect(asked[1]).toEqual({ method: 'DELETE', collection: 'orders', user: 'ann' });
});

test('permissions and authorize may be asynchronous', async () => {
  const users = [{ username: 'ann', password: 'secret', permissions: async () => false }];
  const call = await signedIn(createOrdering({ users }));
  expect((await call('/v1/orders')).status).toBe(403);
  const never = createMock(ownApi, { authorize: async () => false });
  expect((await send(never, '/v1/items')).status).toBe(401);
  const always = createMock(ownApi, { authorize: async () => true });
  expect((await send(always, '/v1/items')).status).toBe(200);
});
