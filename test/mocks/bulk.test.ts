import {
  basicAuth,
  collection,
  createClient,
  defineApi,
  isAccepted,
  resource,
  ValidationError,
} from 'restkin';
import { createMock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import * as z from 'zod';

const Item = resource({ name: z.string(), quantity: z.int().check(z.positive()) });
const stock = defineApi({
  name: 'stock',
  version: 1,
  auth: 'basic',
  collections: {
    items: collection('items', Item, {
      paging: true,
      accepts: ['create'],
      bulk: { maxItems: 3, maxBytes: 400 },
    }),
    plain: collection('plain', Item),
  },
});

const open = (options: Parameters<typeof createMock>[1] = {}) => {
  const mock = createMock(stock, options);
  const client = createClient({
    baseUrl: 'https://api.example.com',
    auth: basicAuth({ username: 'ada', password: 'lovelace' }),
    fetch: mock.fetch,
  });
  return { mock, ...client.api(stock) };
};
const named = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ name: `Item ${i}`, quantity: i + 1 }));

test('§8 a bulk request creates its items in order', async () => {
  const { items, mock } = open();
  const created = await items.createMany(named(3));
  expect(created).toMatchObject(named(3).map(({ name }, i) => ({ id: i + 1, name })));
  expect(mock.requests.map(({ status }) => status)).toEqual([201]);
});

test('§8 a field error names the item, and nothing is created', async () => {
  const { items } = open();
  const wrong = named(3).map((item, i) => (i === 1 ? { ...item, quantity: -1 } : item));
  const error: unknown = await items.createMany(wrong).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ValidationError);
  expect(Object.keys((error as ValidationError).fieldErrors)).toEqual(['1.quantity']);
  expect((await items.list()).totalCount).toBe(0);
});

test('§8 more than the declared bytes or items get 413', async () => {
  const { mock } = open();
  const post = async (body: unknown) => {
    const headers = { authorization: `Basic ${btoa('ada:lovelace')}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await mock.respond(new Request('https://api.example.com/v1/items', init))).status;
  };
  expect(await post(named(4))).toBe(413);
  expect(await post([{ name: 'x'.repeat(400), quantity: 1 }])).toBe(413);
  expect(await post(named(3))).toBe(201);
});

test('a collection without `bulk` refuses a list', async () => {
  const { plain, mock } = open();
  expect('createMany' in plain).toBe(false);
  const headers = { authorization: `Basic ${btoa('ada:lovelace')}`, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: '[]' };
  expect((await mock.respond(new Request('https://api.example.com/v1/plain', init))).status).toBe(400);
});

test('§4.2 a bulk request may get 202', async () => {
  const { items } = open({ accepted: ['POST'] });
  expect(isAccepted(await items.createMany(named(2)))).toBe(true);
});

test('§8 a duplicate id in a bulk request gets 400, and nothing is created', async () => {
  const { mock } = open();
  const headers = { authorization: `Basic ${btoa('ada:lovelace')}`, 'content-type': 'application/json' };
  const body = JSON.stringify(named(2).map((item) => ({ ...item, id: 5 })));
  const init = { method: 'POST', headers, body };
  const response = await mock.respond(new Request('https://api.example.com/v1/items', init));
  expect([response.status, (await response.json()).errors[0].field]).toEqual([400, '1.id']);
  expect(mock.state.rows('items')).toEqual([]);
});

test('§2.1 an item without an id gets one that no later item of the bulk request has', async () => {
  const { mock } = open();
  const body = JSON.stringify([
    { name: 'counted', quantity: 1 },
    { id: 1, name: 'given', quantity: 2 },
  ]);
  const headers = { authorization: `Basic ${btoa('ada:lovelace')}`, 'content-type': 'application/json' };
  const url = 'https://api.example.com/v1/items';
  expect((await mock.fetch(url, { method: 'POST', headers, body })).status).toBe(201);
  expect(mock.state.rows('items').map(({ id, name }) => [id, name])).toEqual([
    [2, 'counted'],
    [1, 'given'],
  ]);
});

test('§7.2.3 an item of a bulk request that is not an object is named by its index', async () => {
  const { mock } = open();
  const headers = { authorization: `Basic ${btoa('ada:lovelace')}`, 'content-type': 'application/json' };
  const body = JSON.stringify([...named(1), null, { name: 5 }]);
  const response = await mock.respond(
    new Request('https://api.example.com/v1/items', { method: 'POST', headers, body }),
  );
  const { errors } = await response.json();
  expect(response.status).toBe(400);
  expect(errors).toContainEqual({
    field: '1',
    code: 'invalid',
    message: 'The request body must be a JSON object',
  });
  expect(errors.map(({ field }: { field: string }) => field)).toEqual(['1', '2.name', '2.quantity']);
});
