// Families whose bodies say whether more records follow: beside page numbers, and beside a cursor that the
// last page has too. The client against a server that was written for the test, the mock, the doctor, and
// the OpenAPI document.
import { createClient, customAuth, family, PagingError } from 'restkin';
import { diagnose } from 'restkin/doctor';
import type { Family } from 'restkin/families';
import { createMock } from 'restkin/mocks';
import { toOpenApi } from 'restkin/openapi';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { json, record } from '../../support/recording-server.ts';
import { rejectionOf } from '../../support/shop.ts';

const numbered = {
  path: '',
  query: { page: 'page', perPage: 'limit' },
  list: { items: 'results', next: { more: 'meta.hasMore' } },
  identity: ['id'],
} as const satisfies Family;

const fromZero = { ...numbered, firstPage: 0 } as const satisfies Family;

/** As Zendesk has it. */
const cursors = {
  ...numbered,
  query: { perPage: 'limit' },
  list: {
    items: 'results',
    next: { body: 'meta.after_cursor', parameter: 'page[after]', more: 'meta.hasMore' },
  },
} as const satisfies Family;

const paging = { maxPerPage: 100, defaultPerPage: 10 };

const declare = (given: Family, options: object = { paging }) => {
  // Its query is that of the others.
  const { resource, collection, defineApi } = family(given as typeof cursors);
  const tickets = collection('tickets', resource({ name: z.string() }), options as { paging: typeof paging });
  return defineApi({ name: 'desk', version: 1, auth: 'custom', collections: { tickets } });
};

const headers = { 'x-api-key': 'k-12345678' };
const auth = customAuth(() => headers);
const all = Array.from({ length: 25 }, (_, index) => ({ id: index + 1, name: `n${index}` }));
const everyId = all.map(({ id }) => id);

const sizeIn = (query: URLSearchParams): number => Number(query.get('limit') ?? 10);

/** A server of numbered pages, or of cursors, each page of which has one. */
const serve = (startOf: (query: URLSearchParams) => number) =>
  record(({ url }) => {
    const query = new URL(url, 'http://localhost').searchParams;
    const start = startOf(query);
    const end = start + sizeIn(query);
    const meta = { hasMore: end < all.length, after_cursor: `c${end}` };
    return json({ results: all.slice(start, end), meta });
  });

const serveNumbers = (first: number) =>
  serve((query) => (Number(query.get('page') ?? first) - first) * sizeIn(query));
const serveCursors = () => serve((query) => Number(query.get('page[after]')?.slice(1) ?? 0));

const connect = (baseUrl: string, given: Family, options?: object) =>
  createClient({ baseUrl, auth, retry: false }).api(declare(given, options)).tickets;

const idsOf = (rows: readonly { readonly id: number }[]): readonly number[] => rows.map(({ id }) => id);

const servers = [
  ['page numbers', numbered, () => serveNumbers(1)],
  ['page numbers from 0', fromZero, () => serveNumbers(0)],
  ['cursors', cursors, serveCursors],
] as const;

describe.each(servers)('a list whose body says whether more follow, with %s', (_, given, start) => {
  test.each([1, 5, 10, 100, undefined])('gives each record once, in pages of %s', async (perPage) => {
    await using server = await start();
    const query = perPage === undefined ? {} : { perPage };
    const list = connect(server.url, given).list({ ...query, concurrency: 8 });
    expect(idsOf(await list.toArray())).toEqual(everyId);
    expect(server.requests).toHaveLength(Math.ceil(all.length / (perPage ?? 10)));
  });

  test('is continued from a page that was kept', async () => {
    await using server = await start();
    const tickets = connect(server.url, given);
    const { next } = await tickets.list({ perPage: 10 });
    expect(idsOf(await tickets.list({ perPage: 10, from: next }).toArray())).toEqual(everyId.slice(10));
  });

  test('is whole in a collection that declares no paging', async () => {
    await using server = await start();
    expect(idsOf(await connect(server.url, given, {}).list().toArray())).toEqual(everyId);
  });

  test.each([{}, { meta: {} }, { meta: { hasMore: 'yes', after_cursor: 'c2' } }])(
    'fails where a page does not say it: %j',
    async (rest) => {
      await using server = await record(() => json({ results: all.slice(0, 2), ...rest }));
      const error = await rejectionOf(connect(server.url, given).list().toArray());
      expect(error).toBeInstanceOf(PagingError);
      expect(String(error)).toContain('the response lacks true or false in `meta.hasMore` of the body');
    },
  );

  test('fails where the server ignores what leads on', async () => {
    await using server = await record(() =>
      json({ results: all.slice(0, 2), meta: { hasMore: true, after_cursor: 'c2' } }),
    );
    expect(await rejectionOf(connect(server.url, given).list().toArray())).toBeInstanceOf(PagingError);
  });

  test.each([1, 7, 100])('is given by the mock, in pages of %i', async (perPage) => {
    const api = declare(given);
    const { fetch } = createMock(api, { data: { tickets: all } });
    const { tickets } = createClient({ baseUrl: 'https://api.test', auth, fetch }).api(api);
    expect(idsOf(await tickets.list({ perPage }).toArray())).toEqual(everyId);
  });

  test('satisfies the doctor', async () => {
    const api = declare(given);
    // The doctor reads few small pages to the end of a list.
    const { fetch } = createMock(api, { data: { tickets: all.slice(0, 12) } });
    const { findings } = await diagnose(api, {
      baseUrl: 'https://api.test',
      fetch,
      headers,
      allowWrites: true,
    });
    expect(findings.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
    // Of numbered pages without totals, the doctor compares each next page with the next number.
    const id = given === cursors ? '§4.5 Link' : '§4.5.2';
    expect(findings.find(({ rule }) => rule === id)?.outcome).toBe('pass');
  });

  test('has it in the OpenAPI document', () => {
    const document = toOpenApi(declare(given), {
      securitySchemes: { custom: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
    });
    expect(JSON.stringify(document.paths['/tickets']?.get?.responses[200])).toContain(
      '"hasMore":{"type":"boolean"}',
    );
  });
});

test.each([{ hasMore: false }, { hasMore: false, after_cursor: null }])(
  'a last page needs no cursor: %j',
  async (meta) => {
    await using server = await record(() => json({ results: all.slice(0, 2), meta }));
    expect(idsOf(await connect(server.url, cursors).list().toArray())).toEqual([1, 2]);
  },
);

test.each([{ paging }, {}])('a page of more records without a cursor fails, with %j', async (options) => {
  await using server = await record(() => json({ results: all.slice(0, 2), meta: { hasMore: true } }));
  const error = await rejectionOf(connect(server.url, cursors, options).list().toArray());
  expect(String(error)).toContain('the response lacks a cursor in `meta.after_cursor` of the body');
});

test('the last page may lack its cursor', async () => {
  await using server = await record(() => json({ results: all.slice(0, 2), meta: { hasMore: false } }));
  expect(idsOf(await connect(server.url, cursors).list().toArray())).toEqual([1, 2]);
});

test.each<[Family, string]>([
  [{ query: {}, list: { items: 'rows', next: { more: 'more' } } }, 'list.next has `more` alone'],
  [{ list: { items: 'rows', next: { more: '' } } }, 'list.next must be'],
  [{ list: { next: { more: 'more' } } }, 'list.next is in the body, which is the list'],
  [
    { query: {}, list: { items: 'rows', next: { body: 'next', parameter: 'after', more: 'rows.more' } } },
    'list.next is in the list, at "rows"',
  ],
  [
    { list: { items: 'rows', next: { body: 'next', more: 'more' } as { body: string } } },
    'list.next must be',
  ],
])('a family that is not valid is refused: %j', (given, message) => {
  expect(() => family(given)).toThrow(message);
});
