import { collection, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ordering } from '../support/ordering.ts';
import { declare, order, origin, send, signedIn } from './calls.ts';

describe('data', () => {
  test.each([
    [{ status: 'lost' }, /data\.orders\[1\].*status/],
    [{ device: { model: 'x' } }, /data\.orders\[1\].*device\.serial/],
    [{ company: 'x' }, /data\.orders\[1\].*company\.id/],
    [{ id: 3 }, /data\.orders\[1\].*id: 3 is a duplicate/],
  ])('a row that does not fit is an error with collection, index and path: %j', (changes, message) => {
    const orders = [order(0, { id: 3 }), order(1, changes)];
    expect(() => createMock(ordering, { data: { orders } })).toThrow(message);
  });

  test('several APIs share tokens, and each has its rows', async () => {
    const next = { ...ordering, version: 2 };
    const mock = createMock([ordering, next], { data: { companies: [{ name: 'a', city: 'b' }] } });
    const call = await signedIn(mock);
    await call('/v1/companies/1', { method: 'DELETE' });
    expect((await call('/v1/companies')).json).toEqual([]);
    expect((await call('/v2/companies')).json).toHaveLength(1);
  });
});

test('an id that fits its schema is made, or asked for', () => {
  const create = (id: z.ZodType) =>
    createMock(declare({ things: collection('things', resource({ id })) }), { data: { things: [{}] } });
  expect(create(z.uuid()).state.rows('things')).toMatchObject([{ id: expect.any(String) }]);
  expect(() => create(z.string().regex(/^(a)\1$/))).toThrow(
    /^no id can be made for a resource of the collection "things": no value can be made for a string that .*; declare/,
  );
  // A loop of empty parts would not end.
  expect(() => create(z.string().regex(/^(?:){200000}a$/))).toThrow('{200000} of the pattern');
  const mock = create(z.literal('only'));
  expect(() => mock.state.setRows('things', [{}, {}])).toThrow(
    'other rows have all that were tried; declare an `id`',
  );
});

test.each<[string, z.ZodType]>([
  ['negative', z.int().negative()],
  ['from a minimum', z.int().min(1000)],
  ['of 24 hexadecimal digits', z.string().regex(/^[0-9a-f]{24}$/)],
  ['of a certain length', z.string().length(8)],
  ['ULIDs', z.ulid()],
  [
    'BigInts that go over the wire as strings',
    z.codec(z.string(), z.bigint(), { decode: BigInt, encode: String }),
  ],
])('a POST gives each resource an id of its own, also where ids are %s', async (_name, id) => {
  const Thing = resource({ id, name: z.string() });
  const mock = createMock(declare({ things: collection('things', Thing) }), { generate: 3 });
  for (const name of ['a', 'b', 'c', 'd']) {
    const { status, json } = await send(mock, '/v1/things', { method: 'POST', body: { name } });
    expect(status).toBe(201);
    expect(z.safeParse(id, json.id).error).toBeUndefined();
  }
  expect(new Set(mock.state.rows('things').map((row) => row.id)).size).toBe(7);
});

const Firm = resource({ name: z.string() });
const firms = declare({ firms: collection('firms', Firm) });

test.each([`${origin}/rest`, 'HTTPS://API.example.com:443/rest/'])(
  'with the base URL %s, self and Location are below it, and nothing else is served',
  async (baseUrl) => {
    const mock = createMock(firms, { baseUrl, data: { firms: [{ name: 'a' }] } });
    expect((await send(mock, '/rest/v1/firms/1')).json.self).toBe(`${origin}/rest/v1/firms/1`);
    const made = await send(mock, '/rest/v1/firms', { method: 'POST', body: { name: 'b' } });
    expect(made.headers.get('location')).toBe(`${origin}/rest/v1/firms/2`);
    expect((await send(mock, '/v1/firms/1')).status).toBe(404);
    const elsewhere = new Request('https://elsewhere.example.com/rest/v1/firms/1');
    expect((await mock.respond(elsewhere)).status).toBe(404);
  },
);

test('two collections at one path are refused, with both named, but not in two majors', () => {
  const notes = declare({ a: collection('firms/:firm/notes', Firm), b: collection('firms/:id/notes', Firm) });
  expect(() => createMock(notes)).toThrow(
    '"a" of "some" and "b" of "some" are both at /v1/firms/:id/notes; declare the operations of one of them as endpoint()',
  );
  expect(() => createMock([firms, { ...firms, name: 'other' }])).toThrow(
    '"firms" of "some" and "firms" of "other" are both at /v1/firms; make a mock for each API',
  );
  expect(() => createMock([firms, { ...firms, version: 2 }])).not.toThrow();
});
