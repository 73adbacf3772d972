import { describe, expect, test } from 'vitest';
import { apisOf, importOf } from '../../../support/import-document.ts';
import {
  documentOf,
  json,
  list,
  query,
  resourceOf,
  response,
  type Schema,
} from '../../../support/odd-document.ts';

const thing = resourceOf({ name: { type: 'string' } });

describe('a list of the query', () => {
  const tags = query('tags', { type: 'array', items: { enum: ['new', 'old'] } }, { required: true });
  const sizes = query('sizes', { type: 'array', items: { type: 'integer' } }, { explode: false });
  const both = query('both', { oneOf: [{ type: 'string' }, { type: 'array', items: {} }] });
  const paths = { '/v1/things': list(thing, { parameters: [tags, sizes, both] }) };

  test.each([
    ['that is needed is a list', "tags: z.array(z.enum(['new', 'old'])),"],
    ['that may be left out is optional', 'sizes: z.optional(z.array(z.int())),'],
    ['is repeated for each value, as OpenAPI means by default', "repeated: ['tags', 'both'],"],
  ])('%s', async (_, code) => {
    const { declarations, unfit } = await importOf(documentOf(paths));
    expect(declarations).toContain(code);
    expect(unfit).toEqual([]);
  });
});

test('names of §4.4 that the document repeats for each value are reported', async () => {
  const names = { type: 'array', items: { type: 'string', enum: ['name'] } };
  const { declarations, unfit } = await importOf(
    documentOf({ '/v1/things': list(thing, { parameters: [query('sort', names)] }) }),
  );
  expect(declarations).toContain("sort: ['name']");
  expect(unfit).toEqual(['shopAPI.things.list: `sort=a&sort=b`: the client sends `sort=a,b` (§4.4)']);
});

describe('a part of a query that an operation does not have', () => {
  const page = query('page', { type: 'integer' });
  const perPage = query('perPage', { type: 'integer' });

  test('is reported where it is the size of the page', async () => {
    const { declarations, unfit } = await importOf(
      documentOf({ '/v1/things': list(thing, { parameters: [page] }) }),
    );
    expect(declarations).toContain('paging: true');
    expect(unfit).toEqual([
      'shopAPI.things.list: `perPage`, which the document does not have: leave it out of queries',
    ]);
  });

  test('is reported where it is the page', async () => {
    const { declarations, unfit } = await importOf(
      documentOf({ '/v1/things': list(thing, { parameters: [perPage] }) }),
    );
    expect(declarations).not.toContain('paging');
    expect(unfit).toEqual([
      'shopAPI.things.list: the query parameter `perPage`',
      'shopAPI.things.list: how it continues: as imported, only its first page is read, unless the server sends `Link`',
    ]);
  });

  test('is reported where no such operation has it in a collection', async () => {
    const post = {
      parameters: [query('fields', { type: 'string' }), page],
      requestBody: json(thing),
      responses: { 201: response(thing) },
    };
    const { unfit } = await importOf(documentOf({ '/v1/things': { ...list(thing), post } }));
    expect(unfit).toEqual([
      'shopAPI.things.create: the query parameter `fields`',
      'shopAPI.things.create: the query parameter `page`',
    ]);
  });

  test('is a comment that names its operation, where the list declares a parameter of that name', async () => {
    const state = query('state', { type: 'string' });
    const item = (operation: Schema) => ({
      parameters: [{ ...query('id', { type: 'integer' }, { required: true }), in: 'path' }],
      ...operation,
    });
    const put = { parameters: [state], requestBody: json(thing), responses: { 204: {} } };
    const post = { ...put, responses: { 201: response(thing) } };
    const one = item({ put, get: { responses: { 200: response(thing), 301: {} } } });
    const { declarations, unfit } = await importOf(
      documentOf({ '/v1/things': { ...list(thing, { parameters: [state] }), post }, '/v1/things/{id}': one }),
    );
    expect(declarations).toContain('params: z.object({ state: z.optional(z.string()) })');
    expect(declarations).toContain('// Not declared in `create`, `replace`: the query parameter `state`.');
    expect(declarations).toContain('// Not declared in `get`: a redirect (301), which the client refuses.');
    expect(unfit).toEqual([
      'shopAPI.things.get: a redirect (301), which the client refuses',
      'shopAPI.things.create: the query parameter `state`',
      'shopAPI.things.replace: the query parameter `state`',
    ]);
  });

  test('is reported where it names something else than a field', async () => {
    const sort = query('sort', { type: 'string', enum: ['name', 'popularity', '-popularity'] });
    const { declarations, unfit } = await importOf(
      documentOf({ '/v1/things': list(thing, { parameters: [sort] }) }),
    );
    expect(declarations).toContain("sort: ['name']");
    expect(unfit).toEqual(['shopAPI.things.list: `sort` by `popularity`, which is no field of the resource']);
  });
});

describe('a parameter that has the name of a part of a query, which its family names otherwise', () => {
  const pages = ['pageNumber', 'pageSize'].map((name) => query(name, { type: 'integer' }));
  const importWith = (own: Schema, given = pages) =>
    importOf(
      documentOf({
        '/users': list(thing, { parameters: pages }),
        '/orders': list(thing, { parameters: pages }),
        '/books': list(thing, { parameters: [...given, own] }),
      }),
    );

  test('is left out, and reported', async () => {
    const imported = await importWith(query('page', { type: 'string' }));
    expect(imported.declarations).toMatch(/books: collection\('books', \w+, \{ paging: true/);
    expect(apisOf(imported)).toHaveLength(1);
    expect(imported.unfit).toEqual([
      'shopAPI.books.list: the query parameter `page`: `list()` has a part of that name, so that only `client.request` can send it',
    ]);
  });

  test('makes an endpoint of a list that needs it', async () => {
    const { declarations, unfit } = await importWith(query('page', { type: 'string' }, { required: true }));
    expect(declarations).toContain(
      'Not part of a collection: it needs the query parameter `page`, which a collection does not write.',
    );
    expect(unfit).toEqual([]);
  });

  test('is one of its own where the list has no such part', async () => {
    const { declarations } = await importWith(query('perPage', { type: 'string' }), []);
    expect(declarations).toContain('params: z.object({ perPage: z.optional(z.string()) })');
  });
});

test('the default of what a list is sorted by is reported', async () => {
  const sort = query('sort', { type: 'string', enum: ['name'], default: 'name' });
  const { unfit } = await importOf(documentOf({ '/v1/things': list(thing, { parameters: [sort] }) }));
  expect(unfit).toEqual([
    'shopAPI.things.list: the default of the query parameter `sort`, which the server fills in',
  ]);
});
