import { basicAuth, collection, createClient, defineApi, endpoint, family, resource } from 'restkin';
import { drf } from 'restkin/families';
import { createMock } from 'restkin/mocks';
import { toOpenApi } from 'restkin/openapi';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { apisOf, importOf } from '../support/import-document.ts';

// Paths with and without a slash at the end in one API, as FastAPI has them: `items/` beside `items/7`.

const actions = {
  publish: endpoint('POST', 'publish'),
  archive: endpoint('POST', 'archive', { trailingSlash: true }),
};

const shop = defineApi({
  name: 'shop',
  version: 1,
  auth: 'basic',
  collections: {
    items: collection('items', resource({ name: z.string() }), {
      paging: true,
      trailingSlash: true,
      actions,
    }),
    tags: collection('tags', resource({ name: z.string() })),
  },
  endpoints: {
    me: endpoint('GET', 'me', { response: z.object({ name: z.string() }) }),
    reset: endpoint('POST', 'reset-password', { trailingSlash: true }),
  },
});

const slashed = family(drf);
const library = slashed.defineApi({
  name: 'library',
  auth: 'basic',
  collections: {
    books: slashed.collection('books', slashed.resource({ name: z.string() }), { trailingSlash: false }),
    tags: slashed.collection('tags', slashed.resource({ name: z.string() })),
  },
  endpoints: { status: endpoint('GET', 'status', { as: 'text', trailingSlash: false }) },
});

const auth = basicAuth({ username: 'ada', password: 'lovelace' });

describe('paths of an API whose family has no slash at their end', () => {
  const start = () => {
    const mock = createMock(shop, { generate: { items: 60, tags: 1 } });
    return { mock, ...createClient({ baseUrl: 'https://api.test', auth, fetch: mock.fetch }).api(shop) };
  };
  type Shop = ReturnType<typeof start>;

  test.each<[string, (api: Shop) => PromiseLike<unknown>, string]>([
    ['a list that is declared with one', ({ items }) => items.list(), 'GET /v1/items/'],
    ['the body of such a collection', ({ items }) => items.create({ name: 'x' }), 'POST /v1/items/'],
    ['one of its resources', ({ items }) => items.get(1), 'GET /v1/items/1'],
    ['the methods of the collection', ({ items }) => items.allowedMethods(), 'OPTIONS /v1/items/'],
    ['an action', ({ items }) => items.publish(1), 'POST /v1/items/1/publish'],
    ['an action that is declared with one', ({ items }) => items.archive(1), 'POST /v1/items/1/archive/'],
    ['another list', ({ tags }) => tags.list(), 'GET /v1/tags'],
    ['an endpoint', ({ me }) => me(), 'GET /v1/me'],
    ['an endpoint that is declared with one', ({ reset }) => reset(), 'POST /v1/reset-password/'],
  ])('are as declared: %s', async (_, call, sent) => {
    const api = start();
    await call(api);
    expect(api.mock.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([sent]);
  });

  test('lead through a list that is declared with one to its end', async () => {
    expect(await start().items.list({ perPage: 25 }).toArray()).toHaveLength(60);
  });

  test('with one that is not declared lead to nothing', async () => {
    const { mock } = start();
    const request = new Request('https://api.test/v1/tags/', { headers: { authorization: 'Basic YTpi' } });
    expect((await mock.fetch(request.url, { headers: request.headers })).status).toBe(404);
  });
});

describe('paths of an API whose family has a slash at their end', () => {
  const start = () => {
    const mock = createMock(library, { generate: 1 });
    return { mock, ...createClient({ baseUrl: 'https://api.test', auth, fetch: mock.fetch }).api(library) };
  };

  test.each<[string, (api: ReturnType<typeof start>) => PromiseLike<unknown>, string]>([
    ['a list that is declared without one', ({ books }) => books.list(), '/books'],
    ['one of its resources', ({ books }) => books.get(1), '/books/1/'],
    ['another list', ({ tags }) => tags.list(), '/tags/'],
    ['an endpoint that is declared without one', ({ status }) => status(), '/status'],
  ])('are as declared: %s', async (_, call, expected) => {
    const api = start();
    await call(api);
    expect(api.mock.requests.map(({ path }) => path)).toEqual([expected]);
  });
});

test.each([
  ['shop', shop],
  ['library', library],
])('a document has them, and its import declares them again: %s', async (_, api) => {
  const document = toOpenApi(api);
  const imported = await importOf(document);
  expect(imported.unfit).toEqual([]);
  expect(apisOf(imported).map((again) => toOpenApi(again))).toEqual([document]);
});

test('the path of an endpoint that is written with one names the option', () => {
  expect(() => endpoint('POST', 'reset-password/')).toThrow('`trailingSlash: true` adds one');
});
