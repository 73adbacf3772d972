import { collection, defineApi, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createOrdering, send, signedIn } from './calls.ts';

const collections = { items: collection('items', resource({ name: z.string() })) };
const eitherApi = defineApi({ name: 'either', version: 1, auth: ['token', 'basic'], collections });
const ownApi = defineApi({ name: 'own', version: 1, auth: 'signature', collections });

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

test('§5 without authorize, a wrong or expired token is refused beside an own style', async () => {
  const mock = createMock(defineApi({ name: 'mixed', version: 1, auth: ['token', 'apiKey'], collections }));
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
  const never = createMock(ownApi, { authorize: async () => false });
  expect((await send(never, '/v1/items')).status).toBe(401);
  const always = createMock(ownApi, { authorize: async () => true });
  expect((await send(always, '/v1/items')).status).toBe(200);
});
