import { expect } from 'vitest';
import { check, mockOf } from '../support/conformance.ts';
import { data, newOrder, shop } from '../support/conformance-data.ts';
import { idsOf, type Row, rowsOf, textOf } from '../support/conformance-send.ts';
import { rejectionOf } from '../support/shop.ts';

const filled = mockOf(shop, { data });

const identity = [
  '§2.1 id is a number on every resource and nested resource',
  '§2.1 self is absent where a nested resource cannot be fetched on its own',
] as const;

const line = { id: 1, sku: 'sku-1', quantity: 1 };

check(filled, identity, {
  fetch: async ({ send }) => {
    const [order] = rowsOf(await send('/v1/orders'));
    expect(order).toMatchObject({ id: 1, company: { id: 1 } });
    expect(order?.lines).toEqual([line]);
  },
  client: async ({ api }) => {
    const [order] = await api.orders.list().toArray();
    expect(order).toMatchObject({ id: 1, company: { id: 1 } });
    expect(order?.lines).toEqual([line]);
  },
});

/** The name of each field at any depth, with its value. */
const fieldsIn = (value: unknown): readonly (readonly [name: string, value: unknown])[] => {
  if (Array.isArray(value)) return value.flatMap(fieldsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap((field) => [field, ...fieldsIn(field[1])]);
};

const namesAndLinks = [
  '§2.1 field names are camelCase, and a nested path has dots',
  '§2.1 links in a representation are self alone',
] as const;

const checkFields = (orders: unknown): void => {
  const fields = fieldsIn(orders);
  const names = fields.map(([name]) => name);
  expect(names).toContain('createdAt');
  expect(names.filter((name) => !/^[a-z][A-Za-z0-9]*$/.test(name))).toEqual([]);
  const links = fields.filter(([, value]) => /^https?:/.test(String(value)));
  expect(new Set(links.map(([name]) => name))).toEqual(new Set(['self']));
};

check(filled, namesAndLinks, {
  fetch: async ({ send }) => {
    checkFields((await send('/v1/orders?expand=company')).json);
    const sorted = rowsOf(await send('/v1/orders?sort=device.model&fields=device.model&perPage=1'));
    expect(sorted).toEqual([expect.objectContaining({ id: 2, device: { model: 'M1' } })]);
  },
  client: async ({ api }) => {
    checkFields(await api.orders.list({ expand: ['company'] }).toArray());
    const sorted = await api.orders.list({ sort: ['device.model'], fields: ['device.model'], perPage: 1 });
    expect(sorted.items).toEqual([expect.objectContaining({ id: 2, device: { model: 'M1' } })]);
  },
});

const created = new Date('2026-03-04T05:06:07.008Z');
const dated = mockOf(shop, {
  data: { ...data, orders: [{ ...newOrder, id: 1, createdAt: created }] },
});

check(dated, '§2.1 timestamps are ISO 8601 strings in UTC, and another string is no timestamp', {
  fetch: async ({ send }) => {
    expect((await send('/v1/orders/1')).json).toMatchObject({ createdAt: '2026-03-04T05:06:07.008Z' });
    const body = { createdAt: '4 March 2026' };
    expect((await send('/v1/orders/1', { method: 'PATCH', body })).json).toMatchObject({
      errors: [{ field: 'createdAt', code: 'invalid' }],
    });
  },
  client: async ({ api }) => {
    expect((await api.orders.get(1)).createdAt).toBe('2026-03-04T05:06:07.008Z');
    expect(await rejectionOf(api.orders.update(1, { createdAt: '4 March 2026' }))).toMatchObject({
      errors: [{ field: 'createdAt', code: 'invalid' }],
    });
  },
});

const lines = [
  { sku: 'a', quantity: 1 },
  { sku: 'b', quantity: 2 },
];

check(filled, '§2.1 arrays of nested objects are written and read in their order', {
  fetch: async ({ send }) => {
    const { json } = await send('/v1/orders', { method: 'POST', body: { ...newOrder, lines } });
    const read = (await send(`/v1/orders/${textOf(json, 'id')}`)).json as { lines: readonly Row[] };
    expect(read.lines).toMatchObject(lines);
    expect(new Set(idsOf(read.lines)).size).toBe(2);
  },
  client: async ({ api }) => {
    const result = await api.orders.create({ ...newOrder, lines });
    const read = await api.orders.get(result.id);
    expect(read.lines).toMatchObject(lines);
    expect(new Set(idsOf(read.lines)).size).toBe(2);
  },
});
