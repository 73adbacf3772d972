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
  expect(() => create(z.ulid())).toThrow('no id can be made for this schema');
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
  expect(() => createMock(notes)).toThrow('"a" of "some" and "b" of "some" are both at /v1/firms/:id/notes');
  expect(() => createMock([firms, { ...firms, name: 'other' }])).toThrow('are both at /v1/firms');
  expect(() => createMock([firms, { ...firms, version: 2 }])).not.toThrow();
});
