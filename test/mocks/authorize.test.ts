import { type ApiDeclaration, collection, defineApi, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createOrdering, send, signedIn } from './calls.ts';

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
