import { collection, createClient, customAuth, defineApi, expandable, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { origin, send } from './calls.ts';

const Line = resource({ sku: z.string() });
const Firm = resource({ name: z.string() });
const Order = resource({ lines: z.array(Line), seller: z.optional(expandable(Firm)) });

const api = defineApi({
  name: 'links',
  version: 1,
  auth: 'open',
  collections: {
    orders: collection('orders', Order, { expand: ['seller'] }),
    archive: collection('archive', Order, { operations: ['list'] }),
    lines: collection('lines', Line),
    firms: collection('firms', Firm),
    partners: collection('partners', Firm),
    prospects: collection('prospects', Firm, { operations: ['list'] }),
  },
});

const start = () =>
  createMock(api, {
    data: {
      orders: [
        {
          id: 1,
          lines: [
            { id: 1, sku: 'own' },
            { id: 2, sku: 'B' },
          ],
          seller: 7,
        },
      ],
      archive: [
        { id: 1, lines: [{ id: 1, sku: 'old' }] },
        { id: 9, lines: [] },
      ],
      lines: [
        { id: 1, sku: 'A' },
        { id: 2, sku: 'B' },
      ],
      firms: [{ id: 1, name: 'One' }],
      partners: [{ id: 7, name: 'Seven' }],
      prospects: [
        { id: 1, name: 'One' },
        { id: 2, name: 'Two' },
      ],
    },
  });

test('§2.1 a collection that can only be listed does not link to the rows of another one', async () => {
  const { json } = await send(start(), '/v1/archive');
  expect(json.map(({ self }: { self?: string }) => self)).toEqual([undefined, undefined]);
});

test('§2.1 a listed row has a self if the same resource can be fetched elsewhere', async () => {
  const { json } = await send(start(), '/v1/prospects');
  expect(json).toEqual([
    { id: 1, self: `${origin}/v1/firms/1`, name: 'One' },
    { id: 2, name: 'Two' },
  ]);
});

test('§2.1 a nested resource has a self only if its collection has the same resource', async () => {
  const mock = start();
  const linesOf = async () => (await send(mock, '/v1/orders/1')).json.lines;
  expect(await linesOf()).toEqual([
    { id: 1, sku: 'own' },
    { id: 2, self: `${origin}/v1/lines/2`, sku: 'B' },
  ]);
  await send(mock, '/v1/lines/2', { method: 'DELETE' });
  expect(await linesOf()).toEqual([
    { id: 1, sku: 'own' },
    { id: 2, sku: 'B' },
  ]);
});

test('§2.1 a relation links to the collection of its schema that has the row', async () => {
  const mock = start();
  const { seller } = (await send(mock, '/v1/orders/1?expand=seller')).json;
  expect(seller).toEqual({ id: 7, self: `${origin}/v1/partners/7`, name: 'Seven' });
  const to = (id: number) => send(mock, '/v1/orders/1', { method: 'PATCH', body: { seller: { id } } });
  expect([(await to(1)).status, (await to(2)).status]).toEqual([204, 400]);
  expect((await send(mock, '/v1/orders/1')).json.seller.self).toBe(`${origin}/v1/firms/1`);
});

test('§2.1 every self of every list fetches its own resource', async () => {
  const mock = start();
  const found: { readonly id: number; readonly self: string }[] = [];
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('id' in value && 'self' in value) found.push(value as (typeof found)[number]);
    Object.values(value).forEach(collect);
  };
  for (const key of Object.keys(api.collections)) collect((await send(mock, `/v1/${key}`)).json);
  expect(found).toHaveLength(8);
  for (const { id, self } of found) {
    expect((await send(mock, self.slice(origin.length))).json).toMatchObject({ id, self });
  }
});

describe('§2.1 a relation to a resource that nothing serves has the self that its declaration promises', () => {
  const Buyer = resource({ name: z.string(), friends: z.array(expandable(Firm)) });
  const Sale = resource({ buyer: expandable(Buyer) });
  const sales = collection('sales', Sale, { expand: ['buyer'] });
  const friends = [{ id: 2 }];

  test.each<[string, Parameters<typeof defineApi>[0]['collections']]>([
    ['no collection has it', {}],
    ['its collection can only be listed', { buyers: collection('buyers', Buyer, { operations: ['list'] }) }],
    ['its collection has path parameters', { buyers: collection('shops/:shopId/buyers', Buyer) }],
  ])('%s', async (_title, more) => {
    const declared = defineApi({
      name: 'sales',
      version: 1,
      auth: 'custom',
      collections: { sales, ...more },
    });
    const mock = createMock(declared, {
      data: { sales: [{ buyer: { id: 7, name: 'Ann', friends } }] },
      generate: { sales: 2, ...('buyers' in more && { buyers: 2 }) },
    });
    const client = createClient({
      baseUrl: origin,
      auth: customAuth(() => ({})),
      fetch: mock.fetch,
    }).api(declared).sales;
    await client.create({ buyer: { id: 2 } });
    // The client checks what arrives against the declaration.
    expect(await client.list().toArray()).toHaveLength(4);
    expect((await client.get(1)).buyer).toEqual({ id: 7, self: 'urn:buyer:7' });
    expect(await client.get(1, { expand: ['buyer'] })).toMatchObject({
      buyer: { id: 7, self: 'urn:buyer:7', name: 'Ann', friends: [{ id: 2, self: 'urn:friends:2' }] },
    });
    expect((await client.get(4)).buyer).toEqual({ id: 2, self: 'urn:buyer:2' });
  });
});
