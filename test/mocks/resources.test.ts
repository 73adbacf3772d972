import { collection, expandable, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { $ZodType } from 'zod/v4/core';
import { createOrdering, declare, order, origin, send, signedIn } from './calls.ts';

const Firm = resource({ name: z.string() });

describe('§2.1 ids', () => {
  const createFirms = () => {
    const api = declare({ firms: collection('firms', Firm) });
    return createMock(api, { data: { firms: [{ name: 'a' }, { id: 5, name: 'b' }, { name: 'c' }] } });
  };
  const write = (method: string, path: string, body: object) =>
    send(createFirms(), path, { method, body: { name: 'd', ...body } });

  test('are assigned past the ones that are given', async () => {
    expect(
      createFirms()
        .state.rows('firms')
        .map(({ id }) => id),
    ).toEqual([6, 5, 7]);
  });

  test('are assigned by POST past all of them', async () => {
    expect(await write('POST', '/v1/firms', {})).toMatchObject({ status: 201, json: { id: 8 } });
  });

  test('may be given to POST', async () => {
    expect(await write('POST', '/v1/firms', { id: 20 })).toMatchObject({ status: 201, json: { id: 20 } });
  });

  test.each([
    { problem: 'that of another resource', method: 'POST', path: '/v1/firms', id: 5 },
    { problem: 'another one than in the path', method: 'PUT', path: '/v1/firms/5', id: 6 },
    { problem: 'one of another type', method: 'PATCH', path: '/v1/firms/5', id: '5' },
  ])('of the body of $method $path is refused where it is $problem', async ({ method, path, id }) => {
    const refused = { status: 400, json: { errors: [{ field: 'id' }] } };
    expect(await write(method, path, { id })).toMatchObject(refused);
  });
});

test.each([
  ['', z.string()],
  ['ord_', z.string().startsWith('ord_')],
])('§2.1 an assigned id differs from the given ones where ids are strings, too: %s', async (prefix, id) => {
  const Part = resource({ id, name: z.string() });
  const mock = createMock(declare({ parts: collection('parts', Part) }), {
    data: { parts: [{ id: `${prefix}1`, name: 'a' }, { name: 'b' }] },
  });
  const { json } = await send(mock, '/v1/parts', { method: 'POST', body: { name: 'c' } });
  expect(json.id).toBe(`${prefix}3`);
  expect(mock.state.rows('parts').map((row) => row.id)).toEqual([1, 2, 3].map((each) => prefix + each));
});

test('§2.1 a row may give a nested resource by its id, as an object, or in full', async () => {
  const Order = resource({ firm: expandable(Firm) });
  const api = declare({
    orders: collection('orders', Order, { expand: ['firm'] }),
    firms: collection('firms', Firm),
  });
  const given = [1, { id: 1 }, { id: 1, name: 'Old' }, { id: 9, name: 'Nine' }];
  const mock = createMock(api, {
    data: { firms: [{ name: 'One' }], orders: given.map((firm) => ({ firm })) },
  });
  const { json } = await send(mock, '/v1/orders?expand=firm');
  const names = json.map(({ firm }: { firm: { name: string } }) => firm.name);
  expect(names).toEqual(['One', 'One', 'One', 'Nine']);
  expect((await send(mock, '/v1/orders/4')).json.firm).toEqual({ id: 9, self: `${origin}/v1/firms/9` });
});

test('a resource that contains itself is read, checked and expanded', async () => {
  const Person = resource({
    name: z.string(),
    get boss(): $ZodType {
      return z.optional(expandable(Person));
    },
  });
  // The compiler cannot look behind a getter that is typed as any schema.
  const options = { sort: true, fields: true, expand: ['boss'] as never[] } as const;
  const mock = createMock(declare({ people: collection('people', Person, options) }), {
    data: { people: [{ name: 'Ann' }, { name: 'Bob', boss: 1 }] },
  });
  const { json } = await send(mock, '/v1/people?expand=boss&sort=-boss.name&fields=boss');
  const ann = { id: 1, self: `${origin}/v1/people/1` };
  expect(json).toEqual([{ id: 2, self: `${origin}/v1/people/2`, boss: { ...ann, name: 'Ann' } }, ann]);
  const setBoss = async (id: number) =>
    (await send(mock, '/v1/people/1', { method: 'PATCH', body: { boss: { id } } })).status;
  expect(await setBoss(2)).toBe(204);
  expect(await setBoss(3)).toBe(400);
});

describe('a collection with path parameters', () => {
  test('shows the rows of the collection of its resource', async () => {
    const call = await signedIn(createOrdering());
    const { json, headers } = await call('/v1/companies/2/orders');
    expect(json.map(({ id }: { id: number }) => id)).toEqual([2, 5]);
    expect(headers.get('x-pagination-total-count')).toBe('2');
    expect(json[0].self).toBe(`${origin}/v1/orders/2`);
    expect((await call('/v1/companies/2/orders/5')).status).toBe(200);
    expect((await call('/v1/companies/2/orders/4')).status).toBe(404);
  });

  test.each(['GET', 'POST'])('responds to %s below an unknown parent with 404', async (method) => {
    const call = await signedIn(createOrdering());
    const body = method === 'POST' ? order(0) : undefined;
    const { status, json } = await call('/v1/companies/77/orders', { method, body });
    expect(status).toBe(404);
    expect(json.message).toBe('There is no companies resource with the id "77"');
  });

  test('has rows of its own where no other one has its resource', async () => {
    const Note = resource({ companyId: z.number(), text: z.string() });
    const mock = createMock(declare({ notes: collection('companies/:companyId/notes', Note) }), {
      data: {
        notes: [
          { companyId: 1, text: 'a' },
          { companyId: 2, text: 'b' },
        ],
      },
    });
    const note = { id: 2, self: `${origin}/v1/companies/2/notes/2`, companyId: 2, text: 'b' };
    expect((await send(mock, '/v1/companies/2/notes')).json).toEqual([note]);
    expect((await send(mock, '/v1/companies/2/notes/2')).json).toEqual(note);
    const made = await send(mock, '/v1/companies/3/notes', { method: 'POST', body: { text: 'c' } });
    const self = `${origin}/v1/companies/3/notes/3`;
    expect(made.headers.get('location')).toBe(self);
    expect(made.json).toEqual({ id: 3, self, companyId: 3, text: 'c' });
  });

  test('selects by a nested resource in full, and creates below it', async () => {
    const Order = resource({ firm: Firm });
    const api = declare({
      orders: collection('firms/:firmId/orders', Order),
      firms: collection('firms', Firm),
    });
    const mock = createMock(api, { generate: 2 });
    const path = '/v1/firms/2/orders';
    const made = await send(mock, path, { method: 'POST', body: { firm: { id: 2, name: 'Two' } } });
    expect([made.status, made.json.firm]).toMatchObject([201, { id: 2, name: 'Two' }]);
    const orders = (await send(mock, path)).json;
    expect(orders.map(({ firm }: { firm: { id: number } }) => firm.id)).toEqual([2, 2]);
  });

  test.each(['company', 'id'])(
    'keeps a resource without a field for :%s where it was created',
    async (name) => {
      const Note = resource({ text: z.string() });
      const mock = createMock(declare({ notes: collection(`companies/:${name}/notes`, Note) }), {
        data: { notes: [{ text: 'of all' }] },
      });
      await send(mock, '/v1/companies/1/notes', { method: 'POST', body: { text: 'of 1' } });
      await send(mock, '/v1/companies/1/notes/2', { method: 'PATCH', body: { text: 'still of 1' } });
      const texts = async (company: number) =>
        (await send(mock, `/v1/companies/${company}/notes`)).json.map(({ text }: { text: string }) => text);
      expect([await texts(1), await texts(2)]).toEqual([['of all', 'still of 1'], ['of all']]);
      expect((await send(mock, '/v1/companies/2/notes/2', { method: 'DELETE' })).status).toBe(404);
    },
  );
});

describe('§7.1 Modified-Since of the last change', () => {
  const statusOf = async (query: string, toField: (lastModified: string) => string) => {
    const call = await signedIn(createOrdering());
    const lastModified = (await call('/v1/orders/1')).headers.get('last-modified') ?? '';
    const headers = { 'modified-since': toField(lastModified) };
    return (await call(`/v1/orders/1${query}`, { headers })).status;
  };
  const same = (lastModified: string) => lastModified;

  test('gets 304', async () => {
    expect(await statusOf('', same)).toBe(304);
  });

  test('gets 200 for a representation that shows other resources', async () => {
    expect(await statusOf('?expand=company', same)).toBe(200);
  });

  test('gets 200 when it is a second earlier', async () => {
    expect(await statusOf('', (date) => new Date(Date.parse(date) - 1000).toUTCString())).toBe(200);
  });

  test('gets 200 when it is not a date', async () => {
    expect(await statusOf('', () => 'x')).toBe(200);
  });
});

const Ticket = resource({ title: z.string(), note: z.optional(z.string()), createdAt: z.iso.datetime() });
const body = z.object({ title: z.string(), note: z.optional(z.string()) });
const ticketing = declare({
  tickets: collection('tickets', Ticket, { bodies: { create: body, replace: body } }),
});

test('§4.2 POST with a body of its own generates the required fields that it lacks, and no others', async () => {
  const mock = createMock(ticketing);
  for (const title of ['a', 'b']) await send(mock, '/v1/tickets', { method: 'POST', body: { title } });
  const row = { id: 1, title: 'a', createdAt: expect.any(String) };
  expect(mock.state.rows('tickets')).toEqual([row, { ...row, id: 2, title: 'b' }]);
});

test('§4.2 PUT with a body of its own keeps the fields that only the server sets', async () => {
  const createdAt = '2026-01-01T00:00:00Z';
  const mock = createMock(ticketing, { data: { tickets: [{ title: 'a', note: 'b', createdAt }] } });
  await send(mock, '/v1/tickets/1', { method: 'PUT', body: { title: 'c', note: 'd' } });
  expect(mock.state.row('tickets', 1)).toEqual({ id: 1, title: 'c', note: 'd', createdAt });
  await send(mock, '/v1/tickets/1', { method: 'PUT', body: { title: 'e' } });
  expect(mock.state.row('tickets', 1)).toEqual({ id: 1, title: 'e', createdAt });
});

test('§4.2 PATCH updates part of a resource: objects merge, lists are replaced', async () => {
  const call = await signedIn(createOrdering());
  const body = { device: { model: 'New' }, lines: [{ sku: 'b', quantity: 3 }], company: { id: 3 } };
  expect((await call('/v1/orders/1', { method: 'PATCH', body })).status).toBe(204);
  expect((await call('/v1/orders/1')).json).toEqual({
    id: 1,
    self: `${origin}/v1/orders/1`,
    status: 'open',
    createdAt: '2026-01-01T00:00:00.000Z',
    device: { model: 'New', serial: 'S0' },
    lines: [{ id: 8, sku: 'b', quantity: 3 }],
    company: { id: 3, self: `${origin}/v1/companies/3` },
  });
});

describe('§4.2 a body of its own may name a relation by its id', () => {
  const Order = resource({ note: z.string(), firm: expandable(Firm) });
  const byId = z.object({ note: z.optional(z.string()), firmId: z.int() });
  const bodies = { create: byId, replace: byId, update: byId };
  const start = () =>
    createMock(
      declare({ firms: collection('firms', Firm), orders: collection('orders', Order, { bodies }) }),
      {
        data: {
          firms: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
          orders: [{ id: 9, note: '', firm: 1 }],
        },
      },
    );

  test.each([1, 2, 3])('POST of the firm %i', async (firmId) => {
    const { json } = await send(start(), '/v1/orders', { method: 'POST', body: { firmId } });
    expect(json.firm).toEqual({ id: firmId, self: `${origin}/v1/firms/${firmId}` });
  });

  test.each(['PUT', 'PATCH'])('%s', async (method) => {
    const mock = start();
    expect((await send(mock, '/v1/orders/9', { method, body: { firmId: 3 } })).status).toBe(204);
    expect(mock.state.row('orders', 9)).toEqual({ id: 9, note: '', firm: { id: 3 } });
  });

  test('and is refused where there is no such resource', async () => {
    const { status, json } = await send(start(), '/v1/orders', { method: 'POST', body: { firmId: 7 } });
    expect(status).toBe(400);
    expect(json.errors[0].code).toBe('invalid');
  });
});
