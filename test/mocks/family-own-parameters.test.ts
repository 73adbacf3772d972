import { type ApiDeclaration, createClient, customAuth, endpoint, family } from 'restkin';
import { type conventions, drf, type Family, github, jsonServer, wordpress } from 'restkin/families';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import fc from '../support/random.ts';
import { anyFamily } from '../support/random-families.ts';

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

test('a list of a family that pages on request is whole where its collection declares no paging', async () => {
  const { resource, collection, defineApi } = family(jsonServer);
  const books = collection('books', resource({ title: z.string() }));
  const api = defineApi({ name: 'json', auth: 'custom', collections: { books } });
  const mock = createMock(api, { data: { books: rows } });
  expect(await createClient({ baseUrl, auth, fetch: mock.fetch }).api(api).books.list().toArray()).toEqual(
    rows,
  );
  expect(mock.requests[0]?.url).toBe('https://api.test/books?_page=1');
});

/** What a collection of made-up things supports, besides a parameter of its own. */
const supported = fc
  .subarray(['sort', 'fields', 'paging'] as const)
  .map((names) => Object.fromEntries(names.map((name) => [name, true])));

const declareThings = (given: Family, options: object, name: string): ApiDeclaration => {
  // The names of a made-up family are known only here.
  const { resource, collection, defineApi } = family(given as typeof conventions);
  const params = z.object({ [name]: z.optional(z.string()) });
  const things = collection('things', resource({ title: z.string() }), { ...options, params } as object);
  return defineApi({ name: 'x', version: 1, auth: 'custom', collections: { things } });
};

test('an own parameter of a random family reaches the mock, or is refused', async () => {
  const others = [
    'direction',
    'skip',
    'cursor',
    'after',
    'meta',
    'page',
    'perPage',
    'sort',
    'fields',
    'expand',
  ];
  const refusals: string[] = [];
  const check = async (given: Family, options: object, pick: number): Promise<void> => {
    const names = [...Object.values<string>({ ...given.query }), ...others];
    const name = names[pick % names.length] ?? '';
    let api: ApiDeclaration;
    try {
      api = declareThings(given, options, name);
    } catch (error) {
      refusals.push(String(error));
      return;
    }
    const seen: unknown[] = [];
    const filter = {
      things: (_row: unknown, own: Readonly<Record<string, unknown>>) => {
        seen.push(own[name]);
        return true;
      },
    };
    const mock = createMock(api, { data: { things: rows }, filter });
    const client = createClient({ baseUrl, auth, fetch: mock.fetch, retry: false }).api(api);
    const { things } = client as unknown as {
      things: { list(query: object): Promise<{ items: unknown[] }> };
    };
    expect((await things.list({ params: { [name]: 'v' } })).items).toHaveLength(3);
    expect(seen).toEqual(['v', 'v', 'v']);
  };
  const property = fc.asyncProperty(anyFamily, supported, fc.nat(), check);
  await fc.assert(property, { numRuns: 150 });
  expect(refusals.filter((one) => !one.includes('params cannot declare'))).toEqual([]);
});
