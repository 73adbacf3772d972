import { collection, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { declare, send } from './calls.ts';

const Item = resource({ name: z.string(), quantity: z.int().check(z.positive()) });

const api = declare({
  items: collection('items', Item, { bulk: { maxItems: 3, maxBytes: 200 }, accepts: ['create'] }),
  single: collection('single', Item),
});

const create = (options = {}) => {
  const mock = createMock(api, { data: { items: [{ id: 9, name: 'i', quantity: 9 }] }, ...options });
  const write = (method: string, body: unknown, path = '/v1/items') => send(mock, path, { method, body });
  return { mock, write };
};

const item = (name: string, id?: number) => ({ name, quantity: 1, ...(id !== undefined && { id }) });
const [a, b, c, d] = [item('a'), item('b'), item('c'), item('d')];

test('§8 a bulk request with more than the declared items gets 413', async () => {
  const { mock, write } = create();
  expect((await write('POST', [a, b, c, d])).status).toBe(413);
  expect(mock.state.rows('items')).toHaveLength(1);
});

test('§8 a bulk request with more than the declared bytes gets 413', async () => {
  const { mock, write } = create();
  expect((await write('POST', [item('x'.repeat(300))])).status).toBe(413);
  expect(mock.state.rows('items')).toHaveLength(1);
});

test('a collection without `bulk` refuses a list', async () => {
  expect((await create().write('POST', [a], '/v1/single')).status).toBe(400);
});

test('§4.2 PATCH of a list is not allowed', async () => {
  const { status, headers } = await create().write('PATCH', [item('j', 9)]);
  expect(status).toBe(405);
  expect(headers.get('allow')).toBe('GET, POST, OPTIONS');
});

test('§8 one invalid item refuses all of them, and is named by its index', async () => {
  const { mock, write } = create();
  const { status, json } = await write('POST', [a, { name: 'b', quantity: 0 }, 'c']);
  const fields = json.errors.map(({ field }: { field: string }) => field);
  expect([status, fields]).toEqual([400, ['1.quantity', '2']]);
  const twice = await write('POST', [item('a', 4), item('b', 4), item('c', 9)]);
  expect([twice.status, twice.json.errors[0].field]).toEqual([400, '2.id']);
  expect(mock.state.rows('items')).toHaveLength(1);
});

test('§8 two items with one id refuse all of them, and the second is named', async () => {
  const { mock, write } = create();
  const { status, json } = await write('POST', [item('a', 4), item('b', 5), item('c', 4)]);
  expect([status, json.errors]).toMatchObject([400, [{ field: '2.id', code: 'invalid' }]]);
  expect(mock.state.rows('items')).toHaveLength(1);
});

test('§2.1 an item without an id gets one that no later item of the bulk request has', async () => {
  const { json } = await create().write('POST', [a, item('b', 10)]);
  expect(json.map(({ id }: { id: number }) => id)).toEqual([11, 10]);
});

test('§4.2 a bulk request may get 202', async () => {
  const { mock, write } = create({ accepted: true });
  expect((await write('POST', [a, b])).status).toBe(202);
  expect(mock.state.rows('items')).toMatchObject([{ name: 'i' }, { name: 'a' }, { name: 'b' }]);
});

test('§4.2 `accepted` may name the methods that get 202', async () => {
  const { write } = create({ accepted: ['DELETE', 'PATCH'] });
  expect((await write('POST', a)).status).toBe(201);
  expect((await write('PATCH', { name: 'j' }, '/v1/items/9')).status).toBe(202);
  expect((await write('DELETE', undefined, '/v1/items/9')).status).toBe(202);
});

test('of several concurrent requests that create the same id, one succeeds', async () => {
  const { write } = create();
  const answers = await Promise.all(Array.from({ length: 8 }, () => write('POST', item('a', 4))));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array(7).fill(400)]);
});
