import { collection, createClient, customAuth, expandable, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ordering } from '../support/ordering.ts';
import { companies, declare, order, origin, send, signedIn } from './calls.ts';

const Line = resource({ sku: z.string() });
const Firm = resource({ name: z.string() });
const Order = resource({ lines: z.array(Line), seller: z.optional(expandable(Firm)) });

const api = declare({
  orders: collection('orders', Order, { expand: ['seller'] }),
  archive: collection('archive', Order, { operations: ['list'] }),
  lines: collection('lines', Line),
  firms: collection('firms', Firm),
  partners: collection('partners', Firm),
  prospects: collection('prospects', Firm, { operations: ['list'] }),
});
const own = { id: 1, sku: 'own' };
const [a, b] = [
  { id: 1, sku: 'A' },
  { id: 2, sku: 'B' },
];
const [one, two] = [
  { id: 1, name: 'One' },
  { id: 2, name: 'Two' },
];

const start = () =>
  createMock(api, {
    data: {
      orders: [{ id: 1, lines: [own, b], seller: 7 }],
      archive: [
        { id: 1, lines: [{ id: 1, sku: 'old' }] },
        { id: 9, lines: [] },
      ],
      lines: [a, b],
      firms: [one],
      partners: [{ id: 7, name: 'Seven' }],
      prospects: [one, two],
    },
  });

describe('§2.1 self', () => {
  test('of a row that can only be listed leads to the same resource elsewhere, and to no other', async () => {
    const mock = start();
    const { json: archive } = await send(mock, '/v1/archive');
    expect(archive.map(({ self }: { self?: string }) => self)).toEqual([undefined, undefined]);
    const { json } = await send(mock, '/v1/prospects');
    expect(json).toEqual([{ ...one, self: `${origin}/v1/firms/1` }, two]);
  });

  test('of a nested resource is there only if its collection has the same resource', async () => {
    const mock = start();
    const linesOf = async () => (await send(mock, '/v1/orders/1')).json.lines;
    expect(await linesOf()).toEqual([own, { ...b, self: `${origin}/v1/lines/2` }]);
    await send(mock, '/v1/lines/2', { method: 'DELETE' });
    expect(await linesOf()).toEqual([own, b]);
  });

  test('of a relation leads to the collection of its schema that has the row', async () => {
    const mock = start();
    const { seller } = (await send(mock, '/v1/orders/1?expand=seller')).json;
    expect(seller).toEqual({ id: 7, self: `${origin}/v1/partners/7`, name: 'Seven' });
    const to = (id: number) => send(mock, '/v1/orders/1', { method: 'PATCH', body: { seller: { id } } });
    expect([(await to(1)).status, (await to(2)).status]).toEqual([204, 400]);
    expect((await send(mock, '/v1/orders/1')).json.seller.self).toBe(`${origin}/v1/firms/1`);
  });

  test('of rows of a nested collection is that of the collection whose rows it shows', async () => {
    const companyOrders = [order(1, { company: 1 }), order(2, { id: 7, company: 2 })];
    const mock = createMock(ordering, { data: { companies, orders: [order(0)], companyOrders } });
    expect(mock.state.rows('orders').map(({ id }) => id)).toEqual([8, 9, 7]);
    const { json } = await (await signedIn(mock))('/v1/companies/1/orders');
    const selves = json.map(({ self }: { self: string }) => self);
    expect(selves).toEqual([`${origin}/v1/orders/8`, `${origin}/v1/orders/9`]);
  });

  test('of rows that only a path with parameters reaches is below that path', async () => {
    const mock = createMock(
      declare({
        firms: collection('firms', Firm),
        members: collection('clubs/:club/members', Firm),
        lists: collection('lists/:list/members', Line, { operations: ['list'] }),
      }),
      { data: { firms: [one], members: [two], lists: [a] } },
    );
    for (const club of ['7', 'a%20b']) {
      const self = `${origin}/v1/clubs/${club}/members/2`;
      expect((await send(mock, `/v1/clubs/${club}/members`)).json).toEqual([{ ...two, self }]);
      expect((await send(mock, new URL(self).pathname)).json).toEqual({ ...two, self });
    }
    const made = await send(mock, '/v1/clubs/7/members', { method: 'POST', body: { name: 'Joan' } });
    expect(made.headers.get('location')).toBe(`${origin}/v1/clubs/7/members/3`);
    expect((await send(mock, '/v1/lists/7/members')).json).toEqual([a]);
  });

  test('of rows that their own collection only lists is that of the nested one', async () => {
    const Note = resource({ club: expandable(Firm) });
    const notes = declare({
      clubs: collection('clubs', Firm),
      notes: collection('notes', Note, { operations: ['list'] }),
      clubNotes: collection('clubs/:clubId/notes', Note),
    });
    const mock = createMock(notes, { data: { clubs: [one], notes: [{ club: 1 }] } });
    const { json } = await send(mock, '/v1/clubs/1/notes');
    expect(json[0].self).toBe(`${origin}/v1/clubs/1/notes/1`);
    expect((await send(mock, '/v1/clubs/1/notes/1')).status).toBe(200);
  });
});

describe('§2.1 a relation to a resource that nothing serves has the self that its declaration promises', () => {
  const Buyer = resource({ name: z.string(), friends: z.array(expandable(Firm)) });
  const sales = collection('sales', resource({ buyer: expandable(Buyer) }), { expand: ['buyer'] });

  test.each<[string, Parameters<typeof declare>[0]]>([
    ['no collection has it', {}],
    ['its collection can only be listed', { buyers: collection('buyers', Buyer, { operations: ['list'] }) }],
    ['its collection has path parameters', { buyers: collection('shops/:shopId/buyers', Buyer) }],
  ])('%s', async (_title, more) => {
    const declared = declare({ sales, ...more });
    const mock = createMock(declared, {
      data: { sales: [{ buyer: { id: 7, name: 'Ann', friends: [{ id: 2 }] } }] },
      generate: { sales: 2, ...('buyers' in more && { buyers: 2 }) },
    });
    const auth = { open: customAuth(() => ({})) };
    const client = createClient({ baseUrl: origin, auth, fetch: mock.fetch }).api(declared).sales;
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
