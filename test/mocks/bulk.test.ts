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

test.each(['POST', 'PATCH'])('§8 %s with more than the declared bytes or items gets 413', async (method) => {
  const { mock, write } = create();
  expect((await write(method, [a, b, c, d])).status).toBe(413);
  expect((await write(method, [item('x'.repeat(300), 9)])).status).toBe(413);
  expect(mock.state.rows('items')).toHaveLength(1);
});

test.each(['POST', 'PATCH'])('a collection without `bulk` refuses %s of a list', async (method) => {
  const { status } = await create().write(method, [a], '/v1/single');
  expect(status).toBe(method === 'POST' ? 400 : 405);
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

test('§2.1 an item without an id gets one that no later item of the bulk request has', async () => {
  const { json } = await create().write('POST', [a, item('b', 10)]);
  expect(json.map(({ id }: { id: number }) => id)).toEqual([11, 10]);
});

test('§4.2 a bulk PATCH changes the part of each resource that its item names, or nothing', async () => {
  const { mock, write } = create();
  await write('POST', [a, b]);
  const parts = [
    { id: 9, quantity: 5 },
    { id: 10, name: 'z' },
  ];
  expect((await write('PATCH', parts)).status).toBe(204);
  expect(mock.state.rows('items')).toEqual([
    { id: 9, name: 'i', quantity: 5 },
    { id: 10, name: 'z', quantity: 1 },
    { id: 11, ...b },
  ]);
  const wrong = await write('PATCH', [{ id: 9, quantity: 7 }, { id: 99, quantity: 1 }, { quantity: 1 }]);
  expect(wrong.json.errors).toMatchObject([
    { field: '1.id', code: 'invalid' },
    { field: '2.id', code: 'missingField' },
  ]);
  expect(mock.state.row('items', 9)).toMatchObject({ quantity: 5 });
});

test('§4.2 a bulk request may get 202', async () => {
  const { mock, write } = create({ accepted: true });
  const [made, changed] = [await write('POST', [a]), await write('PATCH', [item('j', 9)])];
  expect([made.status, changed.status]).toEqual([202, 202]);
  expect(mock.state.rows('items')).toMatchObject([{ name: 'j' }, { name: 'a' }]);
});

test('of several concurrent requests that create the same id, one succeeds', async () => {
  const { write } = create();
  const answers = await Promise.all(Array.from({ length: 8 }, () => write('POST', item('a', 4))));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array(7).fill(400)]);
});
