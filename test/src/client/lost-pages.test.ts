import { createClient, customAuth, family, InvalidRequestError, type Page, PagingError } from 'restkin';
import { directus, type Family, gitea } from 'restkin/families';
import { describe, expect, test } from 'vitest';
import { json, type Reply, record } from '../../support/recording-server.ts';
import { rejectionOf } from '../../support/shop.ts';

// Servers whose lists a client could end, or continue elsewhere, without an error and before their last
// record.

interface Asked {
  readonly page: number;
  readonly size: number;
  readonly url: URL;
}

const serve = (replyAt: (asked: Asked) => Reply, perPage = 'limit') =>
  record(({ url: path }) => {
    const url = new URL(path, 'http://localhost');
    const { searchParams } = url;
    return replyAt({
      page: Number(searchParams.get('page') ?? 1),
      size: Number(searchParams.get(perPage) ?? 50),
      url,
    });
  });

const clientOf = ({ url }: { readonly url: string }, declared: Family) => {
  const { resource, collection, defineApi } = family(declared);
  const books = collection('books', resource({}), { paging: true, sort: true });
  const whole = collection('books', resource({}));
  const api = defineApi({ name: 'books', version: 1, auth: 'custom', collections: { books, whole } });
  return createClient({ baseUrl: url, auth: customAuth(() => ({})), retry: false }).api(api);
};
const booksOf = (server: { readonly url: string }, declared: Family) => clientOf(server, declared).books;

const rowsOf = (total: number, page: number, size: number) =>
  Array.from({ length: total }, (_, index) => ({ id: index + 1 })).slice((page - 1) * size, page * size);

/** Every id from one to another. */
const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);

/** As Gitea does: 50 records at most, and a total alone. */
const serveLowered = (total: number) =>
  serve(({ page, size }) =>
    json(rowsOf(total, page, Math.min(size, 50)), 200, { 'x-total-count': String(total) }),
  );

describe('a size that the server lowers without a sign', () => {
  test('does not make a later page the last one', async () => {
    await using server = await serveLowered(150);
    const list = booksOf(server, gitea).list({ page: 2, perPage: 100 });
    expect(idsOf(await list.toArray())).toEqual(ids(51, 150));
  });

  test('loses no record of a list that is read in portions', async () => {
    await using server = await serveLowered(150);
    const read: number[] = [];
    let from: string | undefined;
    do {
      const pages: AsyncIterable<Page<{ readonly id: number }>> = booksOf(server, gitea)
        .list({ perPage: 100, maxPages: 1, from })
        .pages();
      for await (const { items, next } of pages) {
        read.push(...idsOf(items));
        from = next;
      }
    } while (from !== undefined);
    expect(read).toEqual(ids(1, 150));
  });
});

test.each([5, 15, 25, 35])(
  'a list that begins later is read to its end past a total of %i',
  async (total) => {
    await using server = await serve(({ page, size }) =>
      json(rowsOf(57, page, size), 200, { 'x-total-count': String(total) }),
    );
    for (const page of [2, 3]) {
      const list = booksOf(server, gitea).list({ page, perPage: 10 });
      expect(idsOf(await list.toArray())).toEqual(ids(10 * (page - 1) + 1, 57));
    }
  },
);

describe('a next link that has lost the order of its list', () => {
  const linked: Family = { path: '', query: { page: 'page', sort: 'sort' }, identity: ['id'] };
  const serveLost = () =>
    serve(({ page }) => json([{ id: page }], 200, { link: `</books?page=${page + 1}>; rel="next"` }));
  const lost = 'the next link has lost `sort` of the query';

  test.each([{ maxPages: 1 }, { limit: 1 }])(
    'is an error after the page that ends the portion: %j',
    async (bounds) => {
      await using server = await serveLost();
      const pages = booksOf(server, linked)
        .list({ sort: ['-id'], ...bounds })
        .pages();
      const { value } = await pages.next();
      expect(value).toMatchObject({ items: [{ id: 1 }], next: undefined });
      const error = await rejectionOf(pages.next());
      expect(error).toBeInstanceOf(PagingError);
      expect(String(error)).toContain(lost);
      expect(server.requests).toHaveLength(1);
    },
  );

  test('is an error of the first page alone, which says whether there is more', async () => {
    await using server = await serveLost();
    const list = booksOf(server, linked).list({ sort: ['-id'] });
    expect(String(await rejectionOf(list))).toContain(lost);
    expect(String(await rejectionOf(list.withResponse()))).toContain(lost);
  });

  test('is none for records within a bound, because they do not lead to another page', async () => {
    await using server = await serveLost();
    const list = booksOf(server, linked).list({ sort: ['-id'], maxPages: 1 });
    expect(idsOf(await list.toArray())).toEqual([1]);
    expect(await list.first()).toMatchObject({ id: 1 });
  });
});

test('a later page without its total is an error, also where the collection declares no paging', async () => {
  await using server = await serve(({ page }) =>
    json(rowsOf(120, page, 50), 200, page === 1 ? { 'x-total-count': '120' } : {}),
  );
  const books = clientOf(server, gitea).whole;
  expect(String(await rejectionOf(books.list().toArray()))).toContain('the response has no total');
  const from = `${server.url}/api/v1/books?page=2`;
  expect(String(await rejectionOf(books.list({ from }).toArray()))).toContain('the response has no total');
});

test('a page behind the requested one is an error', async () => {
  // The server counts from 0 in URLs, and from 1 in its responses.
  const declared: Family = {
    path: '',
    query: { page: 'page', sort: 'sort' },
    identity: ['id'],
    list: { items: 'data', next: 'number', totalPages: { body: 'pages' }, number: { body: 'page' } },
  };
  await using server = await serve(({ page }) =>
    json({ data: [{ id: page + 1 }], page: page + 1, pages: 9 }),
  );
  const error = await rejectionOf(booksOf(server, declared).list({ page: 2 }).toArray());
  expect(error).toBeInstanceOf(PagingError);
  expect(String(error)).toContain('page 2 was requested, and the response is page 3 (§4.4)');
});

test('a size above the maximum of a server that skips as much is an error that says what to pass', async () => {
  // As Strapi 4: page 2 of 200 begins behind 200 records, and has 100.
  const declared: Family = {
    path: '',
    query: { page: 'page', perPage: 'size', sort: 'sort' },
    identity: ['id'],
    list: {
      items: 'data',
      next: 'number',
      totalCount: { body: 'total' },
      totalPages: { body: 'pages' },
      number: { body: 'page' },
      size: { body: 'size' },
    },
  };
  await using server = await serve(({ page }) => {
    const start = (page - 1) * 200;
    const data = Array.from({ length: 100 }, (_, index) => ({ id: start + index + 1 }));
    return json({ data, total: 450, pages: 5, page: start / 100 + 1, size: 100 });
  });
  const error = await rejectionOf(booksOf(server, declared).list({ perPage: 200 }).toArray());
  expect(String(error)).toContain(
    'page 2 was requested, and the response is page 3 (§4.4); pass `perPage` up to 100',
  );
});

test('a deletion excuses as many missing records as were deleted', async () => {
  const declared: Family = {
    path: '',
    query: { page: 'page', sort: 'sort' },
    identity: ['id'],
    list: { items: 'data', next: { body: 'next' }, totalCount: { body: 'total' } },
  };
  const serveUntil = (last: number) =>
    serve(({ page, url }) => {
      const next = page < last ? `${url.pathname}?page=${page + 1}` : null;
      return json({ data: rowsOf(999, page, 111), total: page === 1 ? 1000 : 999, next });
    });
  await using cut = await serveUntil(3);
  const error = await rejectionOf(booksOf(cut, declared).list().toArray());
  expect(String(error)).toContain('the list ends after 333 of 999 records');
  await using whole = await serveUntil(9);
  expect(await booksOf(whole, declared).list().toArray()).toHaveLength(999);
});

describe('a link without a page number, where pages have numbers alone', () => {
  test('is the first page: Gitea', async () => {
    await using server = await serveLowered(120);
    const list = booksOf(server, gitea).list({ from: `${server.url}/api/v1/books` });
    expect(idsOf(await list.toArray())).toEqual(ids(1, 120));
  });

  test('is the first page, with what each list sends: Directus', async () => {
    await using server = await serve(({ page, url }) => {
      const meta = url.searchParams.has('meta') ? { filter_count: 120 } : {};
      return json({ data: rowsOf(120, page, 50), meta });
    });
    const list = booksOf(server, directus).list({ from: `${server.url}/items/books` });
    expect(idsOf(await list.toArray())).toEqual(ids(1, 120));
  });

  test('does not hold the query of a cursor', async () => {
    await using server = await serveLowered(120);
    const list = booksOf(server, gitea).list({ from: `${server.url}/api/v1/books`, sort: ['-id'] });
    const error = await rejectionOf(list);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(String(error)).toContain('from is a link without `sort`');
  });
});

test('a record that is inserted between two pages that load at once is not lost without a total of records', async () => {
  const declared: Family = {
    path: '',
    query: { page: 'page', sort: 'sort' },
    identity: ['id'],
    list: { items: 'data', next: 'number', totalPages: { body: 'pages' }, number: { body: 'page' } },
  };
  let records = [1, 2, 3, 4, 5, 6, 7];
  const served = record(async ({ url }) => {
    const page = Number(new URL(url, 'http://localhost').searchParams.get('page') ?? 1);
    const before = records;
    if (page === 2) {
      // The response with page 3 would be made meanwhile, if it was requested.
      await new Promise((resolve) => setTimeout(resolve, 30));
      records = [0, ...before];
    }
    const data = records.slice((page - 1) * 2, page * 2).map((id) => ({ id }));
    return json({ data, page, pages: Math.ceil(records.length / 2) });
  });
  await using server = await served;
  const read = idsOf(await booksOf(server, declared).list({ concurrency: 4 }).toArray());
  expect(read.filter((id) => id > 0)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});
