import { createClient, customAuth, endpoint, family } from 'restkin';
import { drf, github, wordpress } from 'restkin/families';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';

const auth = customAuth(() => ({}));
const baseUrl = 'https://api.test';
const rows = [1, 2, 3].map((id) => ({ id, title: `Title ${id}` }));

describe('an own parameter may have the name that its family has for an undeclared part of a query', () => {
  const filter = { books: (row: object, own: object) => JSON.stringify({ row, own }).includes('"newest"') };

  test('the mock of Django reads `ordering` by its schema', async () => {
    const { resource, collection, defineApi } = family(drf);
    const params = z.object({ ordering: z.enum(['newest', 'oldest']) });
    const books = collection('books', resource({ title: z.string() }), { params });
    const api = defineApi({ name: 'django', auth: 'custom', collections: { books } });
    const mock = createMock(api, { data: { books: rows }, filter });
    const client = createClient({ baseUrl, auth, fetch: mock.fetch }).api(api);
    expect(await client.books.list({ params: { ordering: 'newest' } }).toArray()).toHaveLength(3);
    expect(await client.books.list({ params: { ordering: 'oldest' } }).toArray()).toEqual([]);
  });

  test('the mock of GitHub reads `direction` by its schema', async () => {
    const { resource, collection, defineApi } = family(github);
    const params = z.object({ direction: z.enum(['newest', 'oldest']) });
    const books = collection('books', resource({ title: z.string() }), { params });
    const api = defineApi({ name: 'github', auth: 'custom', collections: { books } });
    const mock = createMock(api, { data: { books: rows }, filter });
    const client = createClient({ baseUrl, auth, fetch: mock.fetch }).api(api);
    expect(await client.books.list({ params: { direction: 'newest' } }).toArray()).toHaveLength(3);
  });
});

test('the mock of an endpoint takes `fields` in the name of its family', async () => {
  const { resource, defineApi } = family(wordpress);
  const Settings = resource({ title: z.string(), url: z.string() });
  const settings = endpoint('GET', 'settings', { response: Settings, fields: true });
  const api = defineApi({
    name: 'site',
    version: 2,
    auth: 'custom',
    collections: {},
    endpoints: { settings },
  });
  const client = createClient({ baseUrl, auth, fetch: createMock(api).fetch }).api(api);
  expect(await client.settings({ fields: ['title'] })).toMatchObject({ title: expect.any(String) });
});
