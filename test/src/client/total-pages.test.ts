import { createClient, customAuth, family, type Page } from 'restkin';
import type { Family } from 'restkin/families';
import { describe, expect, test } from 'vitest';
import { json, type RecordingServer, record } from '../../support/recording-server.ts';

// Servers that say how many records a list has, and neither the number of pages nor their size.

/** How a server leads to the next page: by its number, by a link with it, or by a link with a cursor. */
type Lead = 'number' | 'link' | 'cursor';

interface Numbers {
  readonly total: number;
  /** The largest size of a page: a larger one is lowered to it. */
  readonly most?: number;
}

const serve = (lead: Lead, { total, most = 100 }: Numbers) =>
  record(({ url }) => {
    const requested = new URL(url, 'http://localhost');
    const { searchParams } = requested;
    const size = Math.min(Number(searchParams.get('per_page') ?? 20), most);
    const page = Number(searchParams.get('page') ?? searchParams.get('after') ?? 1);
    const records = Array.from({ length: total }, (_, index) => ({ id: index + 1 }));
    const items = records.slice((page - 1) * size, page * size);
    if (items.length === 0 && page > 1) return json({ detail: 'Invalid page.' }, 404);
    const next = new URL(requested);
    if (lead === 'cursor') next.searchParams.delete('page');
    next.searchParams.set(lead === 'cursor' ? 'after' : 'page', String(page + 1));
    const isLinked = lead !== 'number' && page * size < total;
    const link = `<${next.pathname}${next.search}>; rel="next"`;
    return json(items, 200, { 'x-total': String(total), ...(isLinked && { link }) });
  });

interface Declared {
  readonly clampsSize?: boolean;
  readonly maxPerPage?: number;
}

const booksOf = ({ url }: RecordingServer, lead: Lead, { clampsSize = false, maxPerPage }: Declared = {}) => {
  const declared: Family = {
    path: '',
    clampsSize,
    query: { page: 'page', perPage: 'per_page' },
    list: { next: lead === 'number' ? 'number' : 'link', totalCount: { header: 'X-Total' } },
    identity: ['id'],
  };
  const { resource, collection, defineApi } = family(declared);
  const books = collection('books', resource({}), {
    paging: maxPerPage === undefined ? true : { maxPerPage },
  });
  const api = defineApi({ name: 'counted', version: 1, auth: 'custom', collections: { books } });
  return createClient({ baseUrl: url, auth: customAuth(() => ({})), retry: false }).api(api).books;
};

/** Where a list begins, how many pages it then has, and whether another one follows. */
type Row = readonly [
  query: { readonly page?: number; readonly perPage?: number },
  numbers: Numbers,
  totalPages: number | undefined,
  hasNext: boolean,
];

const rows: readonly Row[] = [
  [{}, { total: 0 }, 0, false],
  [{}, { total: 7 }, 1, false],
  [{}, { total: 20 }, 1, false],
  [{}, { total: 45 }, 3, true],
  [{ perPage: 10 }, { total: 45 }, 5, true],
  [{ perPage: 50 }, { total: 45 }, 1, false],
  [{ perPage: 1 }, { total: 3 }, 3, true],
  // The server lowers the size without a sign.
  [{ perPage: 100 }, { total: 120, most: 50 }, 3, true],
  [{ page: 2, perPage: 10 }, { total: 45 }, 5, true],
  [{ page: 5, perPage: 10 }, { total: 45 }, 5, false],
  [{ page: 5, perPage: 10 }, { total: 50 }, 5, false],
];

describe.each(['link', 'cursor'] as const)(
  'a later page with a total alone and a next page, by %s',
  (lead) => {
    test.each([
      [{ page: 2 }, { total: 45 }],
      [
        { page: 2, perPage: 100 },
        { total: 120, most: 50 },
      ],
    ])('%j of %j is a full one, of three', async (query, numbers) => {
      await using server = await serve(lead, numbers);
      expect((await booksOf(server, lead).list(query)).totalPages).toBe(3);
    });
  },
);

describe.each(['number', 'link', 'cursor'] as const)('a list with a total alone, by %s', (lead) => {
  test.each(rows)('%j of %j has %j pages', async (query, numbers, totalPages, hasNext) => {
    await using server = await serve(lead, numbers);
    const page = await booksOf(server, lead).list(query);
    expect([page.totalPages, page.next !== undefined]).toEqual([totalPages, hasNext]);
  });

  test('says the same number on each page, and to onPage', async () => {
    await using server = await serve(lead, { total: 120, most: 50 });
    const told: unknown[] = [];
    const onPage = ({ totalPages }: Pick<Page<unknown>, 'totalPages'>) => void told.push(totalPages);
    const pages: unknown[] = [];
    for await (const { totalPages } of booksOf(server, lead).list({ perPage: 100, onPage }).pages())
      pages.push(totalPages);
    expect([pages, told]).toEqual([
      [3, 3, 3],
      [3, 3, 3],
    ]);
    expect(server.requests).toHaveLength(3);
  });
});

describe('a list by number that begins at a later page', () => {
  test('ends with its last page, where the size was asked for', async () => {
    await using server = await serve('number', { total: 232 });
    const books = booksOf(server, 'number');
    expect(await books.list({ page: 10, perPage: 25 }).toArray()).toHaveLength(7);
    expect(await books.list({ page: 9, perPage: 25 }).toArray()).toHaveLength(32);
    const urls = server.requests.map(({ url }) => url);
    expect(urls).toEqual(['10', '9', '10'].map((page) => `/books?page=${page}&per_page=25`));
  });

  test.each([
    // 20 records may be a full page, or the rest after a page of 25.
    [{ page: 2 }, { total: 45 }],
    // 7 records may be the rest after three pages of 20, or a full page.
    [{ page: 4 }, { total: 67 }],
    // 20 records may be the rest after two pages of 50, or a full page.
    [
      { page: 3, perPage: 100 },
      { total: 120, most: 50 },
    ],
  ])('asks for one page more where a size is not known: %j of %j', async (query, numbers) => {
    await using server = await serve('number', numbers);
    const page = await booksOf(server, 'number').list(query);
    expect([page.totalPages, page.next !== undefined]).toEqual([undefined, true]);
  });

  test.each([
    [{ maxPerPage: 100 }, false],
    [{ maxPerPage: 20 }, false],
    // Ten records may be all that the server gives at once, with ten more behind them.
    [{}, true],
  ])(
    'of a server that lowers sizes, up to the declared one is that of the query: %j',
    async (paging, hasNext) => {
      await using server = await serve('number', { total: 50 });
      const books = booksOf(server, 'number', { clampsSize: true, ...paging });
      const page = await books.list({ page: 3, perPage: 20 });
      expect([page.totalPages, page.next !== undefined]).toEqual([hasNext ? undefined : 3, hasNext]);
      const { next } = await books.list({ page: 2, perPage: 20 });
      expect(await books.list({ from: next as string }).then((last) => last.next !== undefined)).toBe(
        hasNext,
      );
    },
  );
});
