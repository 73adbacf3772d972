import {
  createClient,
  customAuth,
  family,
  InvalidRequestError,
  PagingError,
  UnexpectedResponseError,
} from 'restkin';
import { drf, type Family, gitea, github, gitlab, jsonServer, laravel, yii2 } from 'restkin/families';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { failureOf } from '../../support/basic-ordering.ts';
import { inOrder, json, record } from '../../support/recording-server.ts';

const origin = 'https://api.test';

/** A collection of a family, whose server gives these bodies one after the other. */
const booksOf = (declared: Family, ...replies: readonly (readonly [unknown, Record<string, string>?])[]) =>
  pagedBooksOf(declared, true, ...replies);

/** The same with what the collection says of its pages. */
const pagedBooksOf = (
  declared: Family,
  paging: { readonly totals: false } | true,
  ...replies: readonly (readonly [unknown, Record<string, string>?])[]
) => {
  const { resource, collection, defineApi } = family(declared);
  const books = collection('books', resource({ title: z.string() }), { paging });
  const api = defineApi({ name: 'books', version: 1, auth: 'custom', collections: { books } });
  const urls: string[] = [];
  const fetch = async (url: string): Promise<Response> => {
    const [body, headers] = replies[urls.length] ?? [{}];
    urls.push(url);
    return Response.json(body, { headers: headers ?? {} });
  };
  const auth = customAuth(() => ({ 'x-api-key': 'k-1234' }));
  return { books: createClient({ baseUrl: origin, auth, fetch }).api(api).books, urls };
};

const rows = (...ids: readonly number[]) => ids.map((id) => ({ id, title: `Title ${id}` }));

describe('a server that is not as its family says', () => {
  test('a list elsewhere is an error that names its place', async () => {
    const { books } = booksOf(drf, [{ items: rows(1) }]);
    const error = await failureOf<UnexpectedResponseError>(books.list().toArray(), UnexpectedResponseError);
    expect(error.message).toContain(
      'the response has no list at `results`, where the family of the API has it',
    );
  });

  test('a list that is the body itself is an error that says when a server sends one', async () => {
    const { books } = booksOf(drf, [rows(1)]);
    const error = await failureOf<UnexpectedResponseError>(books.list().toArray(), UnexpectedResponseError);
    expect(error.message).toContain(
      'the response is the list itself; if the server pages only if it is asked for a page, declare pageRequired',
    );
  });

  test('a total that is missing on the first page is an error that names its place', async () => {
    const { books } = booksOf(drf, [{ next: null, results: rows(1) }]);
    const error = await failureOf<PagingError>(books.list().toArray(), PagingError);
    expect(error.message).toContain('the response lacks `count` of the body');
  });

  test('records fewer than the total are an error', async () => {
    const { books } = booksOf(drf, [{ count: 3, next: null, results: rows(1, 2) }]);
    const error = await failureOf<PagingError>(books.list().toArray(), PagingError);
    expect(error.message).toContain('the list ends after 2 of 3 records');
  });
});

test('a PATCH without the resource, which the family promises, is an error that says so', async () => {
  const { resource, collection, defineApi } = family(drf);
  const books = collection('books', resource({ title: z.string() }));
  const api = defineApi({ name: 'books', auth: 'custom', collections: { books } });
  const fetch = async () => new Response(null, { status: 204 });
  const client = createClient({ baseUrl: origin, auth: customAuth(() => ({})), fetch }).api(api);
  for (const call of [client.books.update(1, { title: 'a' }), client.books.replace(1, { title: 'a' })]) {
    const error = await failureOf<UnexpectedResponseError>(call, UnexpectedResponseError);
    expect(error.message).toContain(
      "the family says `written: 'resource'`, and the response has no resource",
    );
  }
});

describe('a list that nothing but its numbers can continue', () => {
  const plain: Family = { path: '', query: { page: 'p' }, list: { next: 'number' }, identity: ['id'] };

  test('is read up to its total', async () => {
    const counted: Family = { ...plain, list: { next: 'number', totalCount: { header: 'X-Total' } } };
    const total = { 'x-total': '3' };
    const { books, urls } = booksOf(counted, [rows(1, 2), total], [rows(3), total]);
    expect((await books.list().toArray()).map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(urls).toEqual([`${origin}/books`, `${origin}/books?p=2`]);
  });

  test.each([[[[], rows(3)]], [[[]]]])(
    'ends with an error where a page is empty before the total: %j',
    async (later) => {
      const total = { 'x-total': '3' };
      const counted: Family = { ...plain, list: { next: 'number', totalCount: { header: 'X-Total' } } };
      const replies = [rows(1, 2), ...later].map((body) => [body, total] as const);
      const error = await failureOf<PagingError>(
        booksOf(counted, ...replies)
          .books.list()
          .toArray(),
        PagingError,
      );
      expect(error.message).toContain('the list ends after 2 of 3 records');
    },
  );

  test('is read whole where a server lowers the size without a sign, and has no Link', async () => {
    const total = { 'x-total-count': '5' };
    const { books, urls } = booksOf(gitea, [rows(1, 2), total], [rows(3, 4), total], [rows(5), total]);
    expect((await books.list({ perPage: 100 }).toArray()).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
    expect(urls.at(-1)).toBe(`${origin}/api/v1/books?limit=100&page=3`);
  });

  test('without a total has a first page, and is an error behind it that says what to name', async () => {
    const { books } = booksOf(plain, [rows(1)], [rows(1)]);
    const page = await books.list();
    expect(page.next).toBe(`${origin}/books?p=2`);
    const error = await failureOf<PagingError>(
      booksOf(plain, [rows(1)])
        .books.list()
        .toArray(),
      PagingError,
    );
    expect(error.message).toContain('name list.totalCount or list.totalPages in family()');
  });

  test('names the declared total that a page lacks, where the list continues behind it', async () => {
    const counted: Family = { ...plain, list: { next: 'number', totalCount: { header: 'X-Total' } } };
    const total = { 'x-total': '5' };
    const read = (...replies: Parameters<typeof booksOf>[1][]) => booksOf(counted, ...replies).books.list();
    const later = read([rows(1, 2), total], [rows(3, 4)]);
    expect(await later.toArray({ limit: 4 })).toHaveLength(4);
    const error = await failureOf<PagingError>(
      read([rows(1, 2), total], [rows(3, 4)]).toArray(),
      PagingError,
    );
    expect(error.message).toContain(
      '?p=2: nothing says where the list ends: the response has no total in the header X-Total;',
    );
    expect((await read([rows(1, 2)]).first())?.id).toBe(1);
    const first = await failureOf<PagingError>(read([rows(1, 2)]).toArray({ limit: 3 }), PagingError);
    expect(first.message).toContain('the response lacks the header X-Total, which family() names');
  });
});

describe('a total below the records that came is wrong, and does not end the list', () => {
  const counted = (next: 'number' | { readonly offset: string }, numbers: Family['list']): Family => ({
    path: '',
    query: { page: 'p' },
    list: { items: 'data', next, ...numbers },
    identity: ['id'],
  });
  const total = { totalCount: { body: 'total' } } as const;
  const pages = { totalPages: { body: 'pages' } } as const;
  const size = { size: { body: 'size' } } as const;

  test.each<[string, Family, object]>([
    ['by number', counted('number', total), { total: 0 }],
    ['by number', counted('number', total), { total: 1 }],
    ['by number, with pages', counted('number', pages), { pages: 0 }],
    ['by number, with a size', counted('number', { ...total, ...size }), { total: 0, size: 2 }],
    ['by offset', { ...counted({ offset: 'skip' }, total), query: {} }, { total: 0 }],
    ['by offset', { ...counted({ offset: 'skip' }, total), query: {} }, { total: 3 }],
  ])('%s: %j %j', async (_how, declared, numbers) => {
    const replies = [rows(1, 2), rows(3, 4), rows()].map((data) => [{ data, ...numbers }] as const);
    const { books, urls } = booksOf(declared, ...replies);
    expect((await books.list().toArray()).map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(urls).toHaveLength(3);
  });

  test.each<[string, Family, object]>([
    ['a total', counted('number', total), { total: 1 }],
    ['a total of 0', counted('number', total), { total: 0 }],
    ['a total and a size', counted('number', { ...total, ...size }), { total: 1, size: 2 }],
  ])(
    'also where the list begins at a later page, with more records than %s: %j %j',
    async (_how, ...given) => {
      const [declared, numbers] = given;
      const replies = [rows(3, 4), rows(5, 6), rows()].map((data) => [{ data, ...numbers }] as const);
      const { books } = booksOf(declared, ...replies);
      expect((await books.list({ page: 2 }).toArray()).map(({ id }) => id)).toEqual([3, 4, 5, 6]);
    },
  );

  // A server may give its last page for a number beyond the end.
  test.each<[Family, object]>([
    [counted('number', total), { total: 5 }],
    [counted('number', pages), { pages: 3 }],
    [counted('number', { ...total, ...size }), { total: 5, size: 2 }],
  ])('but counts where the list begins beyond it: %j %j', async (declared, numbers) => {
    const { books } = booksOf(declared, [{ data: rows(4, 5), ...numbers }]);
    const { items, next } = await books.list({ page: 9 });
    expect([items.length, next]).toEqual([2, undefined]);
  });
});

describe('an empty list that the server writes as null, as Go does, or leaves out', () => {
  const counted: Family = {
    path: '',
    query: { page: 'p' },
    list: { items: 'data', next: 'number', totalCount: { body: 'total', optional: true } },
    identity: ['id'],
  };
  const bare: Family = { ...counted, list: { next: 'number', totalPages: { header: 'X-Pages' } } };

  test.each<[Family, unknown]>([
    [counted, { data: null, total: 0 }],
    [counted, { total: 0 }],
    [bare, null],
  ])('is empty where its total is 0: %j %j', async (declared, body) => {
    expect(
      await booksOf(declared, [body, { 'x-pages': '0' }])
        .books.list()
        .toArray(),
    ).toEqual([]);
  });

  const unnumbered: Family = { path: '', query: { perPage: 'limit' }, identity: ['id'] };
  const offset: Family = { ...unnumbered, list: { items: 'data', next: { offset: 'skip' } } };
  const more: Family = { ...counted, list: { items: 'data', next: { more: 'has_more' } } };
  const next = { body: 'cursor', parameter: 'cursor', optional: true } as const;
  const cursor: Family = { ...unnumbered, list: { items: 'data', next } };
  const link: Family = { ...counted, list: { items: 'data', next: 'link' } };

  test.each<[Family, Record<string, unknown>]>([
    [counted, {}],
    [offset, {}],
    [more, { has_more: false }],
    [cursor, { cursor: '' }],
    [cursor, {}],
    [link, {}],
  ])('is empty as null where nothing says that records follow: %j %j', async (declared, body) => {
    const { books } = booksOf(declared, [{ ...body, data: null }]);
    expect(await books.list().toArray()).toEqual([]);
  });

  test('ends a list as null behind a full page', async () => {
    const { books, urls } = booksOf(offset, [{ data: rows(1, 2) }], [{ data: null }]);
    expect((await books.list({ perPage: 2 }).toArray()).map(({ id }) => id)).toEqual([1, 2]);
    expect(urls[1]).toContain('skip=2');
  });

  test('is an error as null where an undeclared sign says that records follow', async () => {
    const { books } = booksOf(offset, [{ data: null, has_more: true }]);
    await failureOf(books.list().toArray(), PagingError);
  });

  test.each<[Family, Record<string, unknown>]>([
    [counted, { error: null, errors: [], success: true, code: 0, status: 'ok' }],
    [offset, { error: '', errors: {}, code: 200, status: 200 }],
    [offset, { success: null, ok: 1, code: 399 }],
  ])('is empty beside what says that the request succeeded: %j %j', async (declared, body) => {
    const { books } = booksOf(declared, [{ ...body, data: null }]);
    expect(await books.list().toArray()).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['error', 'the database is down'],
    ['errors', [{ message: 'the database is down' }]],
    ['success', false],
    ['ok', false],
    ['code', 400],
    ['code', 500],
    ['code', '50012'],
    ['status', 'error'],
    ['status', 'fail'],
  ])(
    'is an error behind a full page where the body says that the request failed: %s %j',
    async (name, value) => {
      const { books } = booksOf(offset, [{ data: rows(1, 2) }], [{ data: null, [name]: value }]);
      const error = await failureOf(books.list({ perPage: 2 }).toArray(), UnexpectedResponseError);
      expect(error.message).toContain(
        `no list at \`data\`, where the family of the API has it: by its \`${name}\``,
      );
    },
  );

  test('is an error where the total of a request that failed is 0', async () => {
    const { books } = booksOf(counted, [{ data: null, total: 0, success: false }]);
    await failureOf(books.list().toArray(), UnexpectedResponseError);
  });

  test.each<[Family, unknown, Record<string, string>?]>([
    [{ ...counted, list: { next: 'link' } }, null],
    [counted, { data: null, total: 3 }],
    [counted, { data: {}, total: 0 }],
    [counted, { data: 'none', total: 0 }],
    [counted, {}],
    [more, { data: null, has_more: true }],
    [cursor, { data: null, cursor: 'abc' }],
    [link, { data: null }, { link: '</books?p=2>; rel="next"' }],
    [link, { data: null }, { link: '</books?p=2' }],
  ])('is an error otherwise: %j %j', async (declared, body, headers = {}) => {
    const { books } = booksOf(declared, [body, headers]);
    await failureOf(books.list().toArray(), UnexpectedResponseError);
  });
});

describe('a collection that declares no paging', () => {
  const next = `${origin}/books?page=2`;

  /** Reads a list whose server gives these bodies one after the other. */
  const readUnpaged = async (declared: Family, ...replies: readonly unknown[]) => {
    const { resource, collection, defineApi } = family(declared);
    const books = collection('books', resource({ title: z.string() }));
    const api = defineApi({ name: 'books', version: 1, auth: 'custom', collections: { books } });
    await using server = await record(inOrder(...replies.map((body) => json(body))));
    const auth = customAuth(() => ({ 'x-api-key': 'k-1234' }));
    const list = createClient({ baseUrl: server.url, auth }).api(api).books.list();
    return (await list.toArray()).map(({ id }) => id);
  };

  test('is one list, also where the family has totals', async () => {
    expect(await readUnpaged(laravel, { data: rows(1, 2) })).toEqual([1, 2]);
    expect(await readUnpaged(drf, { results: rows(1, 2) })).toEqual([1, 2]);
  });

  const numbered: Family = {
    path: '',
    identity: ['id'],
    list: { items: 'data', next: 'number', totalCount: { body: 'total' }, size: { body: 'size' } },
  };

  test.each([
    ['a total', drf, { count: 3, results: rows(1) }, '`next` of the body'],
    ['a next page', drf, { next, results: rows(1) }, '`count` of the body'],
    ['a next page that is no URL', drf, { next: 2, results: rows(1) }, 'a URL in `next` of the body'],
    ['a next page that is null', drf, { next: null, results: rows(1) }, '`count` of the body'],
    ['a size', numbered, { size: 1, data: rows(1) }, '`total` of the body'],
  ])('is an error where the response has %s, and lacks another declared place', async (...row) => {
    const [_what, declared, body, missing] = row;
    const error = await failureOf<PagingError>(readUnpaged(declared, body), PagingError);
    expect(error.message).toContain(`the response lacks ${missing}, which family() names`);
  });
});

test('links to another path are followed, and are a place to continue from, where the family has them', async () => {
  const next = `${origin}/repositories/7/books?page=2`;
  const link = { link: `<${next}>; rel="next"` };
  const { books, urls } = booksOf(github, [rows(1), link], [rows(2)], [rows(2)]);
  expect((await books.list().toArray()).map(({ id }) => id)).toEqual([1, 2]);
  expect((await books.list({ from: next }).toArray()).map(({ id }) => id)).toEqual([2]);
  expect(urls).toEqual([`${origin}/books`, next, next]);
});

describe('links that keep the number of the page, as the keyset links of GitLab do', () => {
  const keyset = { ...gitlab, listParameters: { pagination: 'keyset' } } as const satisfies Family;
  const linkTo = (query: string) => ({ link: `<${origin}/api/v1/books?${query}>; rel="next"` });
  const linkAfter = (id: number) =>
    linkTo(`id_after=${id}&imported=false&page=1&pagination=keyset&per_page=2`);

  test.each([{ perPage: 2 }, { perPage: 2, page: 1 }])('lead on by another parameter: %j', async (query) => {
    const { books } = booksOf(keyset, [rows(1, 2), linkAfter(2)], [rows(3, 4), linkAfter(4)], [rows(5)]);
    expect((await books.list(query).toArray()).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  });

  test('are a place to continue from', async () => {
    const { next } = await booksOf(keyset, [rows(1, 2), linkAfter(2)]).books.list({ perPage: 2 });
    const { books } = booksOf(keyset, [rows(3, 4), linkAfter(4)], [rows(5)]);
    expect((await books.list({ perPage: 2, from: next }).toArray()).map(({ id }) => id)).toEqual([3, 4, 5]);
  });

  test.each([
    'page=2&pagination=keyset&per_page=2',
    'per_page=2&page=2&pagination=keyset',
    'page=2&pagination=keyset',
    'imported=false&page=1&pagination=keyset&per_page=2',
  ])('form a loop without one: %s', async (query) => {
    const { books, urls } = booksOf(keyset, [rows(1, 2), linkTo(query)], [rows(3, 4), linkTo(query)]);
    const error = await failureOf<PagingError>(books.list({ perPage: 2, page: 2 }).toArray(), PagingError);
    expect(error.message).toContain('the next links form a loop');
    expect(urls.length).toBeLessThan(3);
  });
});

test('a server that pages only on request is asked for its first page', async () => {
  const { books, urls } = booksOf(jsonServer, [rows(1), { 'x-total-count': '1' }]);
  await books.list().toArray();
  expect(urls).toEqual([`${origin}/books?_page=1`]);
});

test('an error shows the names of the family, and masks other parameters', async () => {
  const { books } = booksOf(drf, [{}]);
  const error = await failureOf<UnexpectedResponseError>(
    books.list({ perPage: 5 }).toArray(),
    UnexpectedResponseError,
  );
  expect(error.url).toBe(`${origin}/books/?page_size=5`);
});

describe('a collection without totals, in a family that has them', () => {
  test('is read by its links', async () => {
    const next = `${origin}/books/?page=2`;
    const replies = [[{ next, results: rows(1) }], [{ next: null, results: rows(2) }]] as const;
    const { books } = pagedBooksOf(drf, { totals: false }, ...replies);
    expect((await books.list().toArray()).map(({ id }) => id)).toEqual([1, 2]);
  });

  test('still demands the other parts', async () => {
    const { books } = pagedBooksOf(yii2, { totals: false }, [rows(1)]);
    const error = await failureOf<PagingError>(books.list().toArray(), PagingError);
    expect(error.message).toContain('the response lacks the header X-Pagination-Current-Page');
  });
});

describe('a next page in the body', () => {
  const optional: Family = {
    path: '',
    identity: ['id'],
    list: { items: 'data', next: { body: 'next', optional: true } },
  };
  const next = `${origin}/books?page=2`;

  test('that is optional is the end where it is missing', async () => {
    const { books } = booksOf(optional, [{ data: rows(1), next }], [{ data: rows(2) }]);
    expect((await books.list().toArray()).map(({ id }) => id)).toEqual([1, 2]);
  });

  test('that is optional is an error where it is no URL', async () => {
    const { books } = booksOf(optional, [{ data: rows(1), next: 2 }]);
    const error = await failureOf<PagingError>(books.list().toArray(), PagingError);
    expect(error.message).toContain('the response lacks a URL in `next` of the body');
  });

  test.each([[{}], [{ next: 3 }]])('is needed on each page: %j', async (last) => {
    const required: Family = { ...optional, list: { items: 'data', next: { body: 'next' } } };
    const { books } = booksOf(required, [{ data: rows(1), next }], [{ data: rows(2), ...last }]);
    const error = await failureOf<PagingError>(books.list().toArray(), PagingError);
    expect(error.message).toMatch(/the response lacks (?:a URL in )?`next` of the body/);
  });
});

describe('parameters that each list sends', () => {
  const open: Family = { ...github, listParameters: { state: 'open', api_key: 'key-in-a-url' } };
  const linkTo = (search: string) => ({ link: `<${origin}/books?${search}>; rel="next"` });

  test('have masked values in errors', async () => {
    const { books } = booksOf(open, [{}]);
    const error = await failureOf<UnexpectedResponseError>(books.list().toArray(), UnexpectedResponseError);
    expect(error.url).toBe(`${origin}/books?state=***&api_key=***`);
    expect(JSON.stringify(error)).not.toContain('key-in-a-url');
  });

  test('are given to a link that has lost them', async () => {
    const { books, urls } = booksOf(open, [rows(1), linkTo('page=2')], [rows(2)]);
    expect((await books.list().toArray()).map(({ id }) => id)).toEqual([1, 2]);
    expect(urls[1]).toBe(`${origin}/books?page=2&state=open&api_key=key-in-a-url`);
  });

  test('are not given to a cursor, which may hold them', async () => {
    const { books, urls } = booksOf(open, [rows(1), linkTo('after=abc')], [rows(2)]);
    await books.list().toArray();
    expect(urls[1]).toBe(`${origin}/books?after=abc`);
  });

  test('that a link changes are an error', async () => {
    const { books } = booksOf(open, [rows(1), linkTo('page=2&state=all')]);
    const error = await failureOf<PagingError>(books.list().toArray(), PagingError);
    expect(error.message).toContain('the next link changes `state` of the query');
  });

  test('are given to a link to continue from, which may not have others', async () => {
    const { books, urls } = booksOf(open, [rows(2), linkTo('page=3')], [rows(3)]);
    await books.list({ from: `${origin}/books?page=2` }).toArray();
    const own = '&state=open&api_key=key-in-a-url';
    expect(urls).toEqual([`${origin}/books?page=2${own}`, `${origin}/books?page=3${own}`]);
    const other = books.list({ from: `${origin}/books?page=2&state=all` }).toArray();
    const error = await failureOf<InvalidRequestError>(other, InvalidRequestError);
    expect(error.message).toContain(
      'from belongs to a list with another `state`; read the list from its start',
    );
  });
});

describe('a server that counts pages from another number than the family says', () => {
  const numbered = {
    path: '',
    query: { page: 'page', perPage: 'size' },
    list: { items: 'data', next: 'number', totalCount: { body: 'total' } },
    identity: ['id'],
  } as const satisfies Family;
  const withNumber = { ...numbered, list: { ...numbered.list, number: { body: 'page' } } } as const;
  const fromZero = { firstPage: 0 } as const;
  const hint = 'check `firstPage`';

  /** @param first - number of its first page, which it gives for a lower one too */
  const listOf = (declared: Family, first: number, query: { page?: 1 }) => {
    const { resource, collection, defineApi } = family(declared);
    const books = collection('books', resource({}), { paging: true });
    const api = defineApi({ name: 'books', version: 1, auth: 'custom', collections: { books } });
    const fetch = async (url: string): Promise<Response> => {
      const page = Math.max(first, Number(new URL(url).searchParams.get('page') ?? first));
      const data = [1, 2, 3, 4, 5].slice((page - first) * 2, (page - first + 1) * 2).map((id) => ({ id }));
      return Response.json({ data, total: 5, page });
    };
    const client = createClient({ baseUrl: origin, auth: customAuth(() => ({})), fetch });
    return client.api(api).books.list(query).toArray();
  };

  test.each<[string, Family, number, { page?: 1 }]>([
    [
      'page 1 was requested, and the response is page 2 (§4.4)',
      { ...withNumber, ...fromZero },
      1,
      { page: 1 },
    ],
    ['the list ends after 3 of 5 records (§4.5): the page is empty', numbered, 0, { page: 1 }],
    ['as many records were inserted before it', { ...numbered, ...fromZero }, 1, {}],
  ])('is an error that names `firstPage`: %s', async (problem, ...given) => {
    const error = await failureOf<Error>(listOf(...given), PagingError);
    expect(error.message).toContain(`${problem}; ${hint}`);
  });

  test('and one that does so is read to its end', async () => {
    for (const query of [{}, { page: 1 }] as const) {
      expect(await listOf({ ...withNumber, ...fromZero }, 0, query)).toHaveLength(5);
      expect(await listOf(withNumber, 1, query)).toHaveLength(5);
    }
  });

  test('is no error of an empty list, or of one whose family does not ask for page numbers', async () => {
    const { books } = booksOf(withNumber, [{ data: [], total: 0, page: 0 }]);
    expect(await books.list().toArray()).toEqual([]);
    const next = { offset: 'skip' } as const;
    const byOffset = { ...withNumber, query: {}, list: { ...withNumber.list, next } } as const;
    const { books: others } = booksOf(byOffset, [{ data: rows(1, 2), total: 2, page: 0 }]);
    expect(await others.list().toArray()).toHaveLength(2);
  });
});

test('a server that takes the page number for a filter is an error, not the end of the list', async () => {
  // As Feathers does, which pages by `$skip`: no record has a field `page`.
  const fetch = async (input: string | URL | Request) => {
    const { searchParams } = new URL(input instanceof Request ? input.url : input);
    const data = searchParams.has('page') ? [] : [{ id: 1 }, { id: 2 }];
    return Response.json({ total: searchParams.has('page') ? 0 : 250, data });
  };
  const list = { items: 'data', next: 'number', totalCount: { body: 'total' } } as const;
  const { resource, collection, defineApi } = family({
    path: '',
    query: { page: 'page' },
    list,
    identity: ['id'],
  });
  const books = collection('books', resource({}), { paging: true });
  const api = defineApi({ name: 'feathers', auth: 'custom', collections: { books } });
  const client = createClient({ baseUrl: 'https://a.example', auth: customAuth(() => ({})), fetch });
  await expect(client.api(api).books.list().toArray()).rejects.toThrow(
    'page 2 says that the list has no records, and the page before it has some',
  );
});

test('a page size that the family has no name for is refused, and not left out', async () => {
  const { books, urls } = booksOf({ ...gitea, query: { page: 'page' } }, [rows(1)]);
  const error = await failureOf<InvalidRequestError>(books.list({ perPage: 5 }), InvalidRequestError);
  expect(error.message).toContain(
    'perPage: the family "gitea" has no name for it; name query.perPage in family()',
  );
  expect(urls).toEqual([]);
});

describe('a family without names for page and size', () => {
  const unnamed = { ...github, query: {} } as const;
  const { resource, collection, defineApi } = family(unnamed);
  const books = collection('books', resource({}), { paging: true });
  const api = defineApi({ name: 'books', auth: 'custom', collections: { books } });
  const clientOf = (response: Response) =>
    createClient({ baseUrl: origin, auth: customAuth(() => ({})), fetch: async () => response }).api(api);

  test('declares that its lists are paged, so that a hidden Link is no end', async () => {
    const response = Response.json([{ id: 1 }]);
    Object.defineProperty(response, 'type', { value: 'cors' });
    const reading = clientOf(response).books.list().toArray();
    const error = await failureOf<PagingError>(reading, PagingError);
    expect(error.message).toContain('the server must send Access-Control-Expose-Headers');
  });

  test.each([{ page: 2 }, { perPage: 2 }])(
    'refuses %o, and says that the family has no name for it',
    async (query) => {
      const { books } = clientOf(Response.json([]));
      // As a program in JavaScript calls it.
      const error = await failureOf<InvalidRequestError>(books.list(query as never), InvalidRequestError);
      expect(error.message).toContain('the family "github" has no');
    },
  );
});

test('a server whose size of a page has another default for page 2 is an error, and no record is given twice', async () => {
  // As Strapi 5.23 does: `pagination[page]` without `pagination[pageSize]` has pages of one record.
  const places = { totalCount: { body: 'total' }, size: { body: 'size' } } as const;
  const declared = { ...laravel, list: { items: 'data', next: 'number', ...places } } as const;
  const { books } = booksOf(
    declared,
    [{ data: rows(1, 2, 3), total: 5, size: 3 }],
    [{ data: rows(2), total: 5, size: 1 }],
  );
  const error = await failureOf<PagingError>(books.list().toArray(), PagingError);
  expect(error.message).toContain('pages of 1 records, and the one before it of 3: pass `perPage`');
});

test('a status that is not in `created` is an error that names this part', async () => {
  const { books } = booksOf(drf, [{ id: 1, title: 'Title 1' }]);
  const error = await failureOf<UnexpectedResponseError>(
    books.create({ title: 'x' }),
    UnexpectedResponseError,
  );
  expect(error.message).toContain('must be 201 or 202 (§4.2, `created` of a family)');
});

test('a PUT of a family may create the resource, as that of RabbitMQ does', async () => {
  const { resource, collection, defineApi } = family({ ...drf, written: 'nothing' });
  const books = collection('books', resource({ title: z.string() }));
  const api = defineApi({ name: 'books', auth: 'custom', collections: { books } });
  const auth = customAuth(() => ({ 'x-api-key': 'k-1234' }));
  const fetch = async () => new Response(null, { status: 201 });
  const client = createClient({ baseUrl: origin, auth, fetch }).api(api);
  expect(await client.books.replace(7, { title: 'One' })).toEqual({ outcome: 'done' });
});
