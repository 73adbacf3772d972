// Families whose lists are continued by the number of records that were read: the client against a server
// that was written for the test, the mock, the doctor and the OpenAPI document.
import { createClient, customAuth, family, InvalidRequestError, PagingError } from 'restkin';
import { diagnose } from 'restkin/doctor';
import type { Family } from 'restkin/families';
import { createMock } from 'restkin/mocks';
import { toOpenApi } from 'restkin/openapi';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { json, record } from '../../support/recording-server.ts';
import { rejectionOf } from '../../support/shop.ts';

/** As Feathers has it. */
const offsets = {
  path: '',
  query: { perPage: '$limit' },
  list: { items: 'data', next: { offset: '$skip' }, totalCount: { body: 'total', optional: true } },
  identity: ['id'],
} as const satisfies Family;

const declare = (paging?: true | { readonly maxPerPage: number; readonly defaultPerPage: number }) => {
  const { resource, collection, defineApi } = family(offsets);
  const messages = collection('messages', resource({ text: z.string() }), paging && { paging });
  return defineApi({ name: 'chat', auth: 'custom', collections: { messages } });
};

const chat = declare({ maxPerPage: 100, defaultPerPage: 30 });
const headers = { 'x-api-key': 'k-12345678' };
const auth = customAuth(() => headers);
const all = Array.from({ length: 250 }, (_, index) => ({ id: index + 1, text: `n${index}` }));
const everyId = all.map(({ id }) => id);

interface Behaviour {
  /** The largest page that the server gives, whatever it is asked for. */
  readonly most?: number;
  readonly hasTotal?: boolean;
  readonly ignoresOffset?: boolean;
}

const serve = ({ most = 100, hasTotal = true, ignoresOffset = false }: Behaviour = {}) =>
  record(({ url }) => {
    const { searchParams } = new URL(url, 'http://localhost');
    const size = Math.min(most, Number(searchParams.get('$limit') ?? 30));
    const start = ignoresOffset ? 0 : Number(searchParams.get('$skip') ?? 0);
    return json({ data: all.slice(start, start + size), ...(hasTotal && { total: all.length }) });
  });

const connect = (baseUrl: string, api = chat) =>
  createClient({ baseUrl, auth, retry: false }).api(api).messages;

const idsOf = (rows: readonly { readonly id: number }[]): readonly number[] => rows.map(({ id }) => id);

describe('a list with offsets', () => {
  test.each([1, 7, 100, undefined])('of pages of %s gives each record once', async (perPage) => {
    await using server = await serve();
    const query = perPage === undefined ? {} : { perPage };
    expect(
      idsOf(
        await connect(server.url)
          .list({ ...query, concurrency: 8 })
          .toArray(),
      ),
    ).toEqual(everyId);
  });

  test('begins the next page behind what was read, and ends with the total', async () => {
    await using server = await serve();
    await connect(server.url).list({ perPage: 100 }).toArray();
    expect(server.requests.map(({ url }) => decodeURIComponent(url))).toEqual([
      '/messages?$limit=100',
      '/messages?$limit=100&$skip=100',
      '/messages?$limit=100&$skip=200',
    ]);
  });

  test('keeps a space of the query as %20 from page to page, as OData wants it', async () => {
    const { resource, collection, defineApi } = family(offsets);
    const params = z.object({ $filter: z.string() });
    const messages = collection('messages', resource({ text: z.string() }), { paging: true, params });
    const filtered = defineApi({ name: 'chat', auth: 'custom', collections: { messages } });
    await using server = await serve();
    const { messages: list } = createClient({ baseUrl: server.url, auth, retry: false }).api(filtered);
    await list.list({ perPage: 100, params: { $filter: 'a eq 1+1' } }).toArray();
    expect(server.requests.map(({ url }) => url.replace(/^.*(?=a%20)/, ''))).toEqual([
      'a%20eq%201%2B1',
      'a%20eq%201%2B1&%24skip=100',
      'a%20eq%201%2B1&%24skip=200',
    ]);
  });

  test('of a server that gives fewer records than it is asked for is whole', async () => {
    await using server = await serve({ most: 40 });
    expect(idsOf(await connect(server.url).list({ perPage: 100 }).toArray())).toEqual(everyId);
  });

  test('without a total ends with an empty page', async () => {
    await using server = await serve({ hasTotal: false });
    expect(idsOf(await connect(server.url).list({ perPage: 50 }).toArray())).toEqual(everyId);
    expect(server.requests).toHaveLength(6);
  });

  test('is continued from a page that was kept', async () => {
    await using server = await serve();
    const messages = connect(server.url);
    const { next, totalCount, totalPages } = await messages.list({ perPage: 100 });
    expect([totalCount, totalPages]).toEqual([250, 3]);
    expect(idsOf(await messages.list({ perPage: 100, from: next }).toArray())).toEqual(everyId.slice(100));
  });

  test('fails where the server ignores the offset', async () => {
    await using server = await serve({ ignoresOffset: true });
    expect(await rejectionOf(connect(server.url).list({ perPage: 100 }).toArray())).toBeInstanceOf(
      PagingError,
    );
  });

  test('fails where a page before the total is empty', async () => {
    await using server = await record(({ url }) =>
      json({ data: url.includes('skip') ? [] : all.slice(0, 9), total: 250 }),
    );
    const error = await rejectionOf(connect(server.url).list().toArray());
    expect(String(error)).toContain('the list ends after 9 of 250 records');
  });

  test('of a collection that declares no paging is whole as it is, without a total', async () => {
    await using server = await record(() => json({ data: all.slice(0, 30) }));
    expect(
      idsOf(
        await connect(server.url, declare() as typeof chat)
          .list()
          .toArray(),
      ),
    ).toEqual(everyId.slice(0, 30));
    expect(server.requests).toHaveLength(1);
  });

  test('has no page numbers to begin with', async () => {
    // @ts-expect-error the family has no name for `page`
    const error = await rejectionOf(connect('https://api.test').list({ page: 2 }));
    expect(error).toBeInstanceOf(InvalidRequestError);
  });
});

describe('the mock of a family with offsets', () => {
  const mock = (api = chat) => createMock(api, { data: { messages: all } });
  const get = async (search: string) => {
    const response = await mock().fetch(`https://api.test/messages${search}`, { headers });
    const body = (await response.json()) as { readonly data?: typeof all; readonly total?: number };
    return { status: response.status, ids: body.data && idsOf(body.data), total: body.total };
  };

  test.each([
    ['?$limit=3', [1, 2, 3]],
    ['?$limit=3&$skip=6', [7, 8, 9]],
    ['?$skip=240', everyId.slice(240)],
    ['?$limit=4&$skip=6', [7, 8, 9, 10]],
    ['?$limit=4&$skip=247', [248, 249, 250]],
    ['?$limit=100&$skip=253', []],
  ])('%s', async (search, ids) => {
    expect(await get(search)).toEqual({ status: 200, ids, total: 250 });
  });

  test.each(['?$skip=-1', '?$skip=x', '?$limit=0&$skip=3', '?$limit=101&$skip=0'])(
    '%s is refused',
    async (search) => {
      expect((await get(search)).status).toBe(400);
    },
  );

  test('refuses one of a list without pages', async () => {
    const { fetch } = mock(declare() as typeof chat);
    const response = await fetch('https://api.test/messages?$skip=3', { headers });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ message: 'this endpoint does not page' }] });
  });

  test('names the offset in its refusal', async () => {
    const response = await mock().fetch('https://api.test/messages?$skip=x', { headers });
    expect(await response.json()).toMatchObject({
      errors: [{ field: '$skip', code: 'invalid', message: 'an offset must be an integer from 0' }],
    });
  });

  test.each([1, 7, 30, 100])('is read by the client to its end, in pages of %i', async (perPage) => {
    const client = createClient({ baseUrl: 'https://api.test', auth, fetch: mock().fetch });
    expect(idsOf(await client.api(chat).messages.list({ perPage }).toArray())).toEqual(everyId);
  });

  test('satisfies the doctor', async () => {
    const { findings } = await diagnose(chat, {
      baseUrl: 'https://api.test',
      fetch: mock().fetch,
      headers,
      allowWrites: true,
    });
    expect(findings.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
    expect(findings.find(({ rule }) => rule === '§4.5 Link')?.outcome).toBe('pass');
  });
});

test('the OpenAPI document has the offset as a parameter', () => {
  const document = toOpenApi(chat, {
    securitySchemes: { custom: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
  });
  expect(document.paths['/messages']?.get?.parameters).toContainEqual({
    name: '$skip',
    in: 'query',
    description: 'The number of records before the page.',
    schema: { type: 'integer', minimum: 0, default: 0 },
  });
});

test.each<[Family, string]>([
  [
    { query: { page: 'page' }, list: offsets.list },
    'a list with cursors or offsets has no page numbers; leave query.page out',
  ],
  [{ query: { perPage: '$skip' }, list: offsets.list }, 'the parameter "$skip" has two meanings'],
  [{ query: {}, list: { items: 'a', next: { offset: '' } } }, 'list.next must be'],
])('a family that is not valid is refused: %j', (given, message) => {
  expect(() => family(given)).toThrow(message);
});
