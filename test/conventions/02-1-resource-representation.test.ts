import { expect } from 'vitest';
import { check, mockOf } from '../support/conformance.ts';
import { data, newOrder, shop } from '../support/conformance-data.ts';
import { idsOf, type Row, rowsOf, textOf } from '../support/conformance-send.ts';
import { Company } from '../support/ordering.ts';
import { rejectionOf } from '../support/shop.ts';

const filled = mockOf(shop, { data });

check(filled, '§2.1 id is a number on every resource and nested resource', {
  fetch: async ({ send }) => {
    const [order] = rowsOf(await send('/v1/orders'));
    expect(order).toMatchObject({ id: 1, lines: [{ id: 1 }], company: { id: 1 } });
  },
  client: async ({ api }) => {
    const [order] = await api.orders.list().toArray();
    expect(order).toMatchObject({ id: 1, lines: [{ id: 1 }], company: { id: 1 } });
  },
});

check(filled, '§2.1 id is returned under field limiting, at every level that is kept', {
  fetch: async ({ send }) => {
    const { json } = await send('/v1/orders/2?fields=lines.sku,company');
    expect(json).toMatchObject({
      id: 2,
      lines: [{ id: expect.any(Number), sku: 'sku-2' }],
      company: { id: 2 },
    });
    expect(json).not.toHaveProperty('status');
  },
  client: async ({ api }) => {
    const order = await api.orders.get(2, { fields: ['lines.sku', 'company'] });
    expect(order).toMatchObject({
      id: 2,
      lines: [{ id: expect.any(Number), sku: 'sku-2' }],
      company: { id: 2 },
    });
    expect(order).not.toHaveProperty('status');
  },
});

check(filled, '§2.1 self is the absolute URI of the resource, also under field limiting', {
  fetch: async ({ send, url }) => {
    const { json } = await send('/v1/orders/2?fields=status');
    expect(json).toEqual({ id: 2, self: `${url}/v1/orders/2`, status: 'shipped' });
    expect((await send(`${url}/v1/orders/2`)).json).toMatchObject({ id: 2, device: { model: 'M1' } });
  },
  client: async ({ api, client, url }) => {
    const order = await api.orders.get(2, { fields: ['status'] });
    expect(order).toEqual({ id: 2, self: `${url}/v1/orders/2`, status: 'shipped' });
    expect(await client.follow(shop.collections.orders.resource, order)).toMatchObject({
      id: 2,
      device: { model: 'M1' },
    });
  },
});

check(filled, '§2.1 self is absent where a nested resource cannot be fetched on its own', {
  fetch: async ({ send }) => {
    expect((await send('/v1/orders/1')).json).toMatchObject({
      lines: [{ id: 1, sku: 'sku-1', quantity: 1 }],
    });
    expect(((await send('/v1/orders/1')).json as { lines: readonly Row[] }).lines[0]).not.toHaveProperty(
      'self',
    );
  },
  client: async ({ api }) => {
    const { lines } = await api.orders.get(1);
    expect(lines).toEqual([{ id: 1, sku: 'sku-1', quantity: 1 }]);
  },
});

check(filled, '§2.1 nested resource is id and self alone until its expansion is requested', {
  fetch: async ({ send, url }) => {
    const stub = { id: 3, self: `${url}/v1/companies/3` };
    expect(((await send('/v1/orders/3')).json as Row).company).toEqual(stub);
    const expanded = (await send('/v1/orders/3?expand=company')).json as Row;
    expect(expanded.company).toEqual({ ...stub, name: 'Mira', city: 'Oslo' });
    expect((await send(stub.self)).json).toEqual(expanded.company);
  },
  client: async ({ api, client, url }) => {
    const stub = { id: 3, self: `${url}/v1/companies/3` };
    expect((await api.orders.get(3)).company).toEqual(stub);
    const { company } = await api.orders.get(3, { expand: ['company'] });
    expect(company).toEqual({ ...stub, name: 'Mira', city: 'Oslo' });
    expect(await client.follow(Company, stub)).toEqual(company);
  },
});

const namesIn = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
};

const camelCase = /^[a-z][A-Za-z0-9]*$/;

check(filled, '§2.1 field names are camelCase, and a nested path has dots', {
  fetch: async ({ send }) => {
    const whole = namesIn((await send('/v1/orders?expand=company')).json);
    expect(whole).toContain('createdAt');
    expect(whole.filter((name) => !camelCase.test(name))).toEqual([]);
    const sorted = rowsOf(await send('/v1/orders?sort=device.model&fields=device.model&perPage=1'));
    expect(sorted).toEqual([expect.objectContaining({ id: 2, device: { model: 'M1' } })]);
  },
  client: async ({ api }) => {
    const whole = namesIn(await api.orders.list({ expand: ['company'] }).toArray());
    expect(whole).toContain('createdAt');
    expect(whole.filter((name) => !camelCase.test(name))).toEqual([]);
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

const linkNames = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(linkNames);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string' && URL.canParse(inner) && /^https?:/.test(inner) ? [name] : linkNames(inner),
  );
};

check(filled, '§2.1 links in a representation are self alone', {
  fetch: async ({ send }) => {
    const { json } = await send('/v1/orders?expand=company');
    expect(new Set(linkNames(json))).toEqual(new Set(['self']));
  },
  client: async ({ api }) => {
    const orders = await api.orders.list({ expand: ['company'] }).toArray();
    expect(new Set(linkNames(orders))).toEqual(new Set(['self']));
  },
});
