import { collection, defineApi, expandable, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { $ZodType } from 'zod/v4/core';
import { createOrdering, origin, send, signedIn } from './calls.ts';

describe('§2.1 representation', () => {
  test('ids are assigned from 1, past the ones that are given', async () => {
    const Thing = resource({ n: z.number() });
    const api = defineApi({
      name: 'ids',
      version: 1,
      auth: 'open',
      collections: { things: collection('things', Thing) },
    });
    const mock = createMock(api, { data: { things: [{ n: 1 }, { id: 5, n: 2 }, { n: 3 }] } });
    const { json } = await send(mock, '/v1/things');
    expect(json.map(({ id }: { id: number }) => id)).toEqual([6, 5, 7]);
    const made = await send(mock, '/v1/things', { method: 'POST', body: { n: 4 } });
    expect(made.json.id).toBe(8);
    const own = await send(mock, '/v1/things', { method: 'POST', body: { id: 20, n: 4 } });
    expect(own.json.id).toBe(20);
    const taken = await send(mock, '/v1/things', { method: 'POST', body: { id: 5, n: 4 } });
    expect([taken.status, taken.json.errors[0].field]).toEqual([400, 'id']);
    const other = await send(mock, '/v1/things/5', { method: 'PUT', body: { id: 6, n: 4 } });
    expect([other.status, other.json.errors[0].field]).toEqual([400, 'id']);
  });

  test('a resource in a list without get has the self of a collection with get', async () => {
    const { json } = await (await signedIn(createOrdering()))('/v1/feed');
    expect(json[0].self).toBe(`${origin}/v1/companies/1`);
  });

  test('with a baseUrl, self and Location are below it, and other origins are not served', async () => {
    const mock = createOrdering({ baseUrl: 'https://api.example.com/rest/' });
    const call = await signedIn(mock);
    expect((await call('/rest/v1/companies/1')).json.self).toBe(`${origin}/rest/v1/companies/1`);
    const made = await call('/rest/v1/companies', { method: 'POST', body: { name: 'a', city: 'b' } });
    expect(made.headers.get('location')).toBe(`${origin}/rest/v1/companies/4`);
    expect((await call('/v1/companies/1')).status).toBe(404);
    const elsewhere = new Request('https://elsewhere.example.com/rest/v1/companies/1');
    expect((await mock.respond(elsewhere)).status).toBe(404);
  });

  test('a row may give a nested resource by its id, as an object, or in full', async () => {
    const mock = createMock(
      defineApi({
        name: 'links',
        version: 1,
        auth: 'open',
        collections: {
          orders: collection('orders', resource({ company: expandable(Firm) }), { expand: ['company'] }),
          firms: collection('firms', Firm),
        },
      }),
      {
        data: {
          firms: [{ name: 'One' }],
          orders: [
            { company: 1 },
            { company: { id: 1 } },
            { company: { id: 1, name: 'Old' } },
            { company: { id: 9, name: 'Nine' } },
          ],
        },
      },
    );
    const { json } = await send(mock, '/v1/orders?expand=company');
    expect(json.map(({ company }: { company: { name: string } }) => company.name)).toEqual([
      'One',
      'One',
      'One',
      'Nine',
    ]);
    expect((await send(mock, '/v1/orders/4')).json.company).toEqual({ id: 9, self: `${origin}/v1/firms/9` });
  });
});

const Firm = resource({ name: z.string() });

test('a resource that contains itself is read, checked and expanded', async () => {
  const Person = resource({
    name: z.string(),
    get boss(): $ZodType {
      return z.optional(expandable(Person));
    },
  });
  const api = defineApi({
    name: 'people',
    version: 1,
    auth: 'open',
    // The compiler cannot look behind a getter that is typed as any schema.
    collections: {
      people: collection('people', Person, { sort: true, fields: true, expand: ['boss'] as never[] }),
    },
  });
  const mock = createMock(api, { data: { people: [{ name: 'Ann' }, { name: 'Bob', boss: 1 }] } });
  const { json } = await send(mock, '/v1/people?expand=boss&sort=-boss.name&fields=boss');
  const ann = { id: 1, self: `${origin}/v1/people/1` };
  expect(json).toEqual([{ id: 2, self: `${origin}/v1/people/2`, boss: { ...ann, name: 'Ann' } }, ann]);
  const loop = { method: 'PATCH', body: { boss: { id: 2 } } };
  expect((await send(mock, '/v1/people/1', loop)).status).toBe(204);
  expect((await send(mock, '/v1/people/1', { method: 'PATCH', body: { boss: { id: 3 } } })).status).toBe(400);
});

test('a relation to a resource that no collection holds is kept as given, and replaced as a whole', async () => {
  const api = defineApi({
    name: 'loose',
    version: 1,
    auth: 'open',
    collections: {
      orders: collection('orders', resource({ company: expandable(Firm) }), { expand: ['company'] }),
    },
  });
  const mock = createMock(api, { data: { orders: [{ company: { id: 9, self: 'urn:9', name: 'Nine' } }] } });
  const company = async () => (await send(mock, '/v1/orders/1?expand=company')).json.company;
  expect(await company()).toEqual({ id: 9, self: 'urn:9', name: 'Nine' });
  await send(mock, '/v1/orders/1', { method: 'PATCH', body: { company: { id: 8 } } });
  expect(await company()).toEqual({ id: 8, self: 'urn:company:8' });
});

describe('a collection with path parameters', () => {
  test('without data of its own shows the rows of the collection of its resource', async () => {
    const call = await signedIn(createOrdering());
    const { json, headers } = await call('/v1/companies/2/orders');
    expect(json.map(({ id }: { id: number }) => id)).toEqual([2, 5]);
    expect(headers.get('x-pagination-total-count')).toBe('2');
    expect(json[0].self).toBe(`${origin}/v1/orders/2`);
    expect((await call('/v1/companies/2/orders/5')).status).toBe(200);
    expect((await call('/v1/companies/2/orders/4')).status).toBe(404);
    expect((await call('/v1/companies/77/orders')).json).toEqual([]);
  });

  test('with data of its own has its own rows', async () => {
    const Note = resource({ companyId: z.number(), text: z.string() });
    const api = defineApi({
      name: 'notes',
      version: 1,
      auth: 'open',
      collections: { notes: collection('companies/:companyId/notes', Note) },
    });
    const mock = createMock(api, {
      data: {
        notes: [
          { companyId: 1, text: 'a' },
          { companyId: 2, text: 'b' },
        ],
      },
    });
    const self = `${origin}/v1/companies/2/notes/2`;
    const note = { id: 2, self, companyId: 2, text: 'b' };
    expect((await send(mock, '/v1/companies/2/notes')).json).toEqual([note]);
    expect((await send(mock, '/v1/companies/2/notes/2')).json).toEqual(note);
    const made = await send(mock, '/v1/companies/3/notes', { method: 'POST', body: { text: 'c' } });
    expect(made.headers.get('location')).toBe(`${origin}/v1/companies/3/notes/3`);
    expect(made.json).toEqual({ id: 3, self: made.headers.get('location'), companyId: 3, text: 'c' });
  });
});

test('a resource without a field for the path parameter stays where it was created', async () => {
  const api = defineApi({
    name: 'notes',
    version: 1,
    auth: 'open',
    collections: { notes: collection('companies/:company/notes', resource({ text: z.string() })) },
  });
  const mock = createMock(api, { data: { notes: [{ text: 'of all' }] } });
  await send(mock, '/v1/companies/1/notes', { method: 'POST', body: { text: 'of 1' } });
  await send(mock, '/v1/companies/1/notes/2', { method: 'PATCH', body: { text: 'still of 1' } });
  const texts = async (company: number) =>
    (await send(mock, `/v1/companies/${company}/notes`)).json.map(({ text }: { text: string }) => text);
  expect([await texts(1), await texts(2)]).toEqual([['of all', 'still of 1'], ['of all']]);
  expect((await send(mock, '/v1/companies/2/notes/2')).status).toBe(404);
  expect((await send(mock, '/v1/companies/2/notes/2', { method: 'DELETE' })).status).toBe(404);
});

describe('§7.1 304', () => {
  test('Modified-Since is compared with the last change, but for a resource that shows others', async () => {
    const call = await signedIn(createOrdering());
    const since = (await call('/v1/orders/1')).headers.get('last-modified') ?? '';
    const again = (field: string, query = '') =>
      call(`/v1/orders/1${query}`, { headers: { 'modified-since': field } });
    expect((await again(since)).status).toBe(304);
    expect((await again(new Date(Date.parse(since) - 1000).toUTCString())).status).toBe(200);
    expect((await again('yesterday')).status).toBe(200);
    expect((await again(since, '?expand=company')).status).toBe(200);
  });
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
