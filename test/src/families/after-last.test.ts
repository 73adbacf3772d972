// Families whose lists are continued by the id of the last record: the client against a server that was
// written for the test, the mock, the doctor, the OpenAPI document and its import.
import { createClient, customAuth, family, PagingError } from 'restkin';
import { diagnose } from 'restkin/doctor';
import type { Family } from 'restkin/families';
import { createMock } from 'restkin/mocks';
import { toOpenApi } from 'restkin/openapi';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { json, record } from '../../support/recording-server.ts';
import { rejectionOf } from '../../support/shop.ts';

/** As Stripe has it. */
const ids = {
  path: 'v{version}',
  query: { perPage: 'limit' },
  list: { items: 'data', next: { lastId: 'starting_after', more: 'has_more' } },
  identity: ['id'],
} as const satisfies Family;

/** As Discord has it: the list is the body. */
const bare = { ...ids, list: { next: { lastId: 'after' } } } as const satisfies Family;

const paging = { maxPerPage: 100, defaultPerPage: 10 };

const declare = (given: Family, options = { paging }) => {
  // Its query is that of both.
  const { resource, collection, defineApi } = family(given as typeof ids);
  const customers = collection('customers', resource({ name: z.string() }), options);
  return defineApi({ name: 'pay', version: 1, auth: 'custom', collections: { customers } });
};

const headers = { 'x-api-key': 'k-12345678' };
const auth = customAuth(() => headers);
const all = Array.from({ length: 250 }, (_, index) => ({ id: index + 1, name: `n${index}` }));
const everyId = all.map(({ id }) => id);

const pageAfter = (url: string, parameter: string, most = 100) => {
  const { searchParams } = new URL(url, 'http://localhost');
  const start = Number(searchParams.get(parameter) ?? 0);
  const end = start + Math.min(most, Number(searchParams.get('limit') ?? 10));
  return { rows: all.slice(start, end), hasMore: end < all.length };
};

const serve = (most?: number) =>
  record(({ url }) => {
    const { rows, hasMore } = pageAfter(url, 'starting_after', most);
    return json({ object: 'list', data: rows, has_more: hasMore });
  });

const connect = (baseUrl: string, api = declare(ids)) =>
  createClient({ baseUrl, auth, retry: false }).api(api).customers;

const idsOf = (rows: readonly { readonly id: number }[]): readonly number[] => rows.map(({ id }) => id);

describe('a list that the id of its last record continues', () => {
  test.each([1, 7, 100, undefined])('gives each record once, in pages of %s', async (perPage) => {
    await using server = await serve();
    const query = perPage === undefined ? {} : { perPage };
    const list = connect(server.url).list({ ...query, concurrency: 8 });
    expect(idsOf(await list.toArray())).toEqual(everyId);
  });

  test('ends where the body says so, without a request more', async () => {
    await using server = await serve();
    await connect(server.url).list({ perPage: 100 }).toArray();
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/v1/customers?limit=100',
      '/v1/customers?limit=100&starting_after=100',
      '/v1/customers?limit=100&starting_after=200',
    ]);
  });

  test('of a server that gives fewer records than it is asked for is whole', async () => {
    await using server = await serve(40);
    expect(idsOf(await connect(server.url).list({ perPage: 100 }).toArray())).toEqual(everyId);
  });

  test('ends with an empty page where nothing says whether more follow', async () => {
    await using server = await record(({ url }) => json(pageAfter(url, 'after').rows));
    expect(idsOf(await connect(server.url, declare(bare)).list({ perPage: 100 }).toArray())).toEqual(everyId);
    expect(server.requests).toHaveLength(4);
  });

  test('is continued from a page that was kept', async () => {
    await using server = await serve();
    const customers = connect(server.url);
    const { next } = await customers.list({ perPage: 100 });
    expect(idsOf(await customers.list({ perPage: 100, from: next }).toArray())).toEqual(everyId.slice(100));
  });

  test('fails where the server ignores the parameter', async () => {
    await using server = await record(() => json({ data: all.slice(0, 10), has_more: true }));
    expect(await rejectionOf(connect(server.url).list().toArray())).toBeInstanceOf(PagingError);
  });

  test.each<[object, string]>([
    [{ data: all.slice(0, 2) }, 'the response lacks true or false in `has_more` of the body'],
    [
      { data: all.slice(0, 2), has_more: 'yes' },
      'the response lacks true or false in `has_more` of the body',
    ],
    [{ data: [], has_more: true }, 'the response lacks an `id` of its last record'],
  ])('fails where nothing leads on: %j', async (body, message) => {
    await using server = await record(() => json(body));
    const error = await rejectionOf(connect(server.url).list().toArray());
    expect(error).toBeInstanceOf(PagingError);
    expect(String(error)).toContain(message);
  });

  test('of a collection that declares no paging is whole, unless the body says that more follow', async () => {
    await using server = await serve();
    const unpaged = {} as { paging: typeof paging };
    const list = connect(server.url, declare(ids, unpaged)).list();
    expect(idsOf(await list.toArray())).toEqual(everyId);
    await using whole = await record(() => json(all));
    const bareList = connect(whole.url, declare(bare, unpaged)).list();
    expect(idsOf(await bareList.toArray())).toEqual(everyId);
    expect(whole.requests).toHaveLength(1);
  });
});

describe('the mock of such a family', () => {
  const api = declare(ids);
  const mock = () => createMock(api, { data: { customers: all } });
  const get = async (search: string) => {
    const response = await mock().fetch(`https://api.test/v1/customers${search}`, { headers });
    const body = (await response.json()) as { readonly data?: typeof all; readonly has_more?: boolean };
    return { status: response.status, ids: body.data && idsOf(body.data), more: body.has_more };
  };

  test.each([
    ['?limit=3', [1, 2, 3], true],
    ['?limit=3&starting_after=6', [7, 8, 9], true],
    ['?starting_after=240', everyId.slice(240), false],
    ['?limit=100&starting_after=160', everyId.slice(160), false],
    ['?limit=100&starting_after=250', [], false],
  ])('%s', async (search, found, more) => {
    expect(await get(search)).toEqual({ status: 200, ids: found, more });
  });

  test.each(['?starting_after=x', '?starting_after=999', '?limit=0&starting_after=3'])(
    '%s is refused',
    async (search) => {
      expect((await get(search)).status).toBe(400);
    },
  );

  test.each([1, 7, 30, 100])('is read by the client to its end, in pages of %i', async (perPage) => {
    for (const given of [ids, bare]) {
      const declared = declare(given);
      const { fetch } = createMock(declared, { data: { customers: all } });
      const { customers } = createClient({ baseUrl: 'https://api.test', auth, fetch }).api(declared);
      expect(idsOf(await customers.list({ perPage }).toArray())).toEqual(everyId);
    }
  });

  test('satisfies the doctor', async () => {
    const { findings } = await diagnose(api, {
      baseUrl: 'https://api.test',
      fetch: mock().fetch,
      headers,
      allowWrites: true,
    });
    expect(findings.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
    expect(findings.find(({ rule }) => rule === '§4.5 Link')?.outcome).toBe('pass');
  });
});

test('the OpenAPI document has the parameter, and what says whether more follow', () => {
  const document = toOpenApi(declare(ids), {
    securitySchemes: { custom: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
  });
  const list = document.paths['/customers']?.get ?? document.paths['/v1/customers']?.get;
  expect(list?.parameters).toContainEqual({
    name: 'starting_after',
    in: 'query',
    description: 'The id of the last record of the page before.',
    schema: { type: 'string' },
  });
  expect(JSON.stringify(list?.responses[200])).toContain('"has_more":{"type":"boolean"}');
});

test.each<[Family, string]>([
  [{ query: { page: 'page' }, list: ids.list }, 'a list with cursors or offsets has no page numbers'],
  [{ query: { perPage: 'starting_after' }, list: ids.list }, '"starting_after" has two meanings'],
  [{ query: {}, list: { next: { lastId: '' } } }, 'list.next must be'],
  [
    { query: {}, list: { next: { lastId: 'after', more: 'has_more' } } },
    'list.next is in the body, which is the list',
  ],
])('a family that is not valid is refused: %j', (given, message) => {
  expect(() => family(given)).toThrow(message);
});
