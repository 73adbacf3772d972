// A list that would end while its response says that more records follow, in a place that nothing declares:
// an error that names it, and never a silent end.
import { collection, createClient, customAuth, defineApi, family, PagingError, resource } from 'restkin';
import { diagnose } from 'restkin/doctor';
import type { Family } from 'restkin/families';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { json, record } from '../../support/recording-server.ts';
import { rejectionOf } from '../../support/shop.ts';

const base = { path: '', query: { page: 'page', perPage: 'limit' }, identity: ['id'] } as const;
const byUrl = {
  ...base,
  list: { items: 'data', next: { body: 'links.next', optional: true } },
} as const satisfies Family;
const linked = { ...base, list: { next: 'link' } } as const satisfies Family;

const auth = customAuth(() => ({ 'x-api-key': 'k-12345678' }));
const rows = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    id: from + index,
    self: `/v1/items/${from + index}`,
    name: 'n',
  }));

type Paging = { readonly paging?: true | { readonly totals: false } };

/** @param given - undefined for the conventions */
const declare = (given: Family | undefined, options: Paging = { paging: true }) => {
  const builders = given === undefined ? { resource, collection, defineApi } : family(given as typeof byUrl);
  // Both make the same collection, but for the `self` that is not read here.
  const {
    resource: make,
    collection: declareItems,
    defineApi: define,
  } = builders as ReturnType<typeof family<typeof byUrl>>;
  const items = declareItems('items', make({ name: z.string() }), options as { paging: true });
  return define({ name: 'shop', version: 1, auth: 'custom', collections: { items } });
};

const connect = (baseUrl: string, given: Family | undefined, options?: Paging) => {
  const api = declare(given, options);
  return createClient({ baseUrl, auth, retry: false }).api(api).items;
};

const idsOf = (found: readonly { readonly id: number }[]): readonly number[] => found.map(({ id }) => id);

describe('a body that says that more records follow', () => {
  test.each([
    'has_more',
    'hasMore',
    'has_next',
    'hasNext',
    'has_next_page',
    'hasNextPage',
    'more',
    'meta.has_more',
    'pagination.more',
    'page_info.hasNextPage',
    // As Keystone of OpenStack and the APIs of AWS say it.
    'truncated',
    'IsTruncated',
  ])('is an error where the list would end: %s', async (path) => {
    const [name = '', inner] = path.split('.');
    const body = { data: rows(1, 2), [name]: inner === undefined ? true : { [inner]: true } };
    await using server = await record(() => json(body));
    for (const options of [{ paging: true }, {}] as const) {
      const list = connect(server.url, byUrl, options).list();
      const error = await rejectionOf(list.toArray());
      expect(error).toBeInstanceOf(PagingError);
      expect(String(error)).toContain(
        `\`${path}\` of the body says that more records follow; name what leads on`,
      );
    }
  });

  test('is an error on a later page too, behind its records', async () => {
    await using server = await record(({ url }) =>
      url.includes('page=2')
        ? json({ data: rows(3, 4), has_more: true })
        : json({ data: rows(1, 2), has_more: true, links: { next: '/items?page=2' } }),
    );
    const read: number[] = [];
    const error = await rejectionOf(
      (async () => {
        for await (const { id } of connect(server.url, byUrl).list()) read.push(id);
      })(),
    );
    expect(error).toBeInstanceOf(PagingError);
    expect(read).toEqual([1, 2, 3, 4]);
  });

  test.each([
    { has_more: false },
    { has_more: 'true' },
    { filter: { more: true } },
    { meta: { total: 2, has_mores: true } },
    { a: { b: { has_more: true } } },
  ])('does not stop a list that ends: %j', async (rest) => {
    await using server = await record(() => json({ data: rows(1, 2), ...rest }));
    expect(idsOf(await connect(server.url, byUrl).list().toArray())).toEqual([1, 2]);
  });

  test('does not stop a list with its total', async () => {
    await using server = await record(() => json({ data: rows(1, 2), has_more: true, total: 2 }));
    const counted = { ...byUrl, list: { ...byUrl.list, totalCount: { body: 'total' } } } as const;
    expect(idsOf(await connect(server.url, counted).list().toArray())).toEqual([1, 2]);
  });
});

/** Declarations of a list that the body of its first page ends, in families that name no cursor or URL of it. */
const declarationsWith = (otherPlace: Family) =>
  [
    [otherPlace, { paging: true }],
    [otherPlace, {}],
    [{ ...base, list: { items: 'data', next: 'link' } }, { paging: true }],
    [{ ...base, list: { items: 'data', next: 'number' } }, {}],
  ] as const;

describe('a body with the cursor of a next page', () => {
  test.each([
    'next_cursor',
    'nextCursor',
    'next_page_token',
    'nextPageToken',
    'next_token',
    'nextToken',
    'next_page_cursor',
    'continuation_token',
    'continuationToken',
    'meta.next_cursor',
  ])('is an error where the list would end: %s', async (path) => {
    const [name = '', inner] = path.split('.');
    const body = { data: rows(1, 2), [name]: inner === undefined ? 'abc' : { [inner]: 'abc' } };
    await using server = await record(() => json(body));
    for (const [given, options] of declarationsWith(byUrl)) {
      const error = await rejectionOf(connect(server.url, given, options).list().toArray());
      expect(error).toBeInstanceOf(PagingError);
      expect(String(error)).toContain(
        `the list ends where \`${path}\` of the body has the cursor of a next page; declare list.next: { body: '${path}', parameter: '…' } of family()`,
      );
    }
  });

  test.each([
    { next_cursor: '' },
    { next_cursor: null },
    { next_cursor: '0' },
    { next_cursor: 0 },
    { next_cursor: 'abc', has_more: false },
    { next_cursor: 'abc', meta: { hasNextPage: false } },
    { next_cursor: 'abc', links: { next: null } },
    { cursor: 'abc' },
    { token: 'abc' },
    { prev_cursor: 'abc' },
    { a: { b: { next_cursor: 'abc' } } },
  ])('does not stop a list that ends: %j', async (rest) => {
    await using server = await record(() => json({ data: rows(1, 2), ...rest }));
    expect(idsOf(await connect(server.url, byUrl).list().toArray())).toEqual([1, 2]);
  });

  test('does not stop a list without records', async () => {
    await using server = await record(() => json({ data: [], next_cursor: 'abc' }));
    expect(await connect(server.url, byUrl).list().toArray()).toEqual([]);
  });

  test('does not stop a list with its total', async () => {
    await using server = await record(() => json({ data: rows(1, 2), next_cursor: 'abc', total: 2 }));
    for (const next of ['link', 'number'] as const) {
      const counted = { ...base, list: { items: 'data', next, totalCount: { body: 'total' } } } as const;
      expect(idsOf(await connect(server.url, counted).list().toArray())).toEqual([1, 2]);
    }
  });

  test('does not stop a list whose links led to its end', async () => {
    await using server = await record(({ url }) =>
      url.includes('page=2')
        ? json({ data: rows(3, 4), next_cursor: 'abc' })
        : json({ data: rows(1, 2), next_cursor: 'abc', links: { next: '/items?page=2' } }),
    );
    expect(idsOf(await connect(server.url, byUrl).list().toArray())).toEqual([1, 2, 3, 4]);
  });

  test('does not stop a list that the family ends by another name', async () => {
    const byMore = { ...base, list: { items: 'data', next: { more: 'page.goes_on' } } } as const;
    await using server = await record(() =>
      json({ data: rows(1, 2), next_cursor: 'abc', page: { goes_on: false } }),
    );
    expect(idsOf(await connect(server.url, byMore).list().toArray())).toEqual([1, 2]);
  });
});

describe('a body with the URL of a next page', () => {
  test.each([
    ['next', { next: 'https://api.test/items?page=2' }],
    ['next_page_url', { next_page_url: '/items?page=2' }],
    ['nextPage', { nextPage: '?page=2' }],
    ['nextLink', { nextLink: 'items?page=2' }],
    ['@odata.nextLink', { '@odata.nextLink': '/items?$skiptoken=2' }],
    ['paging.next', { paging: { next: '/items?page=2' } }],
    ['hydra:view.hydra:next', { 'hydra:view': { 'hydra:next': '/items?page=2' } }],
    ['_links.next.href', { _links: { next: { href: '/items?page=2' } } }],
  ])('is an error where the list would end: %s', async (path, rest) => {
    await using server = await record(() => json({ data: rows(1, 2), ...rest }));
    const elsewhere = { ...base, list: { items: 'data', next: { body: 'meta.next', optional: true } } };
    for (const [given, options] of declarationsWith(elsewhere)) {
      const error = await rejectionOf(connect(server.url, given, options).list().toArray());
      expect(error).toBeInstanceOf(PagingError);
      expect(String(error)).toContain(
        `the list ends where \`${path}\` of the body has the URL of a next page; declare list.next: { body: '${path}' } of family()`,
      );
    }
  });

  test.each([
    { next: null },
    { next: '' },
    { next: '/items' },
    { next: 'To whom?' },
    { next: 2 },
    { next_steps: '/items?page=2' },
    { prev: '/items?page=1' },
    { next: '/items?page=2', has_more: false },
    { a: { b: { next: '/items?page=2' } } },
  ])('does not stop a list that ends: %j', async (rest) => {
    await using server = await record(() => json({ data: rows(1, 2), ...rest }));
    const inData = { ...base, list: { items: 'data', next: 'link' } } as const satisfies Family;
    expect(idsOf(await connect(server.url, inData).list().toArray())).toEqual([1, 2]);
  });

  test('does not stop a list without records', async () => {
    await using server = await record(() => json({ data: [], next: '/items?page=2' }));
    expect(await connect(server.url, byUrl).list().toArray()).toEqual([]);
  });
});

describe.each([
  ['the Link header', linked],
  ['a total in a header, by default', { ...base, list: { totalCount: { header: 'X-Own', optional: true } } }],
  ['the conventions', undefined],
] as const)('a header that counts more records, in a family with %s', (_, given) => {
  test.each([
    ['X-Total-Count', '57'],
    ['X-Total', '57'],
    ['Content-Range', 'items 0-1/57'],
  ])('%s: %s is an error where the list would end', async (name, value) => {
    await using server = await record(() => json(rows(1, 2), 200, { [name]: value }));
    for (const options of [{ paging: true }, {}] as const) {
      const error = await rejectionOf(connect(server.url, given, options).list().toArray());
      expect(error).toBeInstanceOf(PagingError);
      expect(String(error)).toContain(
        `the list ends after 2 of 57 records (${name}); declare list.next and list.totalCount of family(), or paging: { totals: false } only if ${name} counts something else`,
      );
    }
    const whole = connect(server.url, given, { paging: { totals: false } });
    expect(idsOf(await whole.list().toArray())).toEqual([1, 2]);
  });

  test.each([
    ['X-Total-Count', '2'],
    ['X-Total', '1'],
    ['X-Total', 'many'],
    ['Content-Range', 'items 0-1/*'],
  ])('%s: %s does not stop the list', async (name, value) => {
    await using server = await record(() => json(rows(1, 2), 200, { [name]: value }));
    expect(idsOf(await connect(server.url, given).list().toArray())).toEqual([1, 2]);
  });

  test('is not read where links lead on, as it may count something else', async () => {
    await using server = await record(({ url, headers: { host } }) =>
      url.includes('page=2')
        ? json(rows(3, 4), 200, { 'X-Total': '57' })
        : json(rows(1, 2), 200, { 'X-Total': '57', link: `<http://${host}${url}?page=2>; rel="next"` }),
    );
    expect(idsOf(await connect(server.url, given).list().toArray())).toEqual([1, 2, 3, 4]);
  });
});

test('a header that counts more records does not stop a list whose body leads on', async () => {
  await using server = await record(() =>
    json({ data: rows(1, 2), links: { next: null } }, 200, { 'X-Total': '57' }),
  );
  expect(idsOf(await connect(server.url, byUrl).list().toArray())).toEqual([1, 2]);
});

describe('a total in the body that nothing declares, in a family with the Link header', () => {
  const inData = { ...base, list: { items: 'data', next: 'link' } } as const satisfies Family;

  test.each([
    { total: 57 },
    { total_count: 57 },
    { totalCount: 57 },
    { meta: { total: 57 } },
    { page: { totalElements: 57 } },
    { result_info: { total_count: 57 } },
  ])('%j is an error where the list would end', async (rest) => {
    await using server = await record(() => json({ data: rows(1, 2), ...rest }));
    for (const options of [{ paging: true }, {}] as const) {
      const error = await rejectionOf(connect(server.url, inData, options).list().toArray());
      expect(error).toBeInstanceOf(PagingError);
      expect(String(error)).toContain('the list ends after 2 of 57 records (`');
    }
    const whole = connect(server.url, inData, { paging: { totals: false } });
    expect(idsOf(await whole.list().toArray())).toEqual([1, 2]);
  });

  test.each([
    { total: 2 },
    { total: 1 },
    { total: '57' },
    { total: 5.5 },
    { totals: 57 },
    { a: { b: { total: 57 } } },
    // A sum of money, and the total of another list.
    { order: { id: 7, total: 57 } },
    { summary: { total: 57 } },
    { d: { total: 57 } },
    { comments: { totalCount: 57, nodes: [] } },
    { total_items: 2, total: 5700 },
    { total: 57, has_more: false },
    { meta: { total: 57, hasNextPage: false } },
    { total: 57, next: null },
    { total: 57, links: { next: null } },
  ])('%j does not stop the list', async (rest) => {
    await using server = await record(() => json({ data: rows(1, 2), ...rest }));
    expect(idsOf(await connect(server.url, inData).list().toArray())).toEqual([1, 2]);
  });

  test('is an error where the response lacks an optional one that is declared', async () => {
    const list = { ...inData.list, totalCount: { header: 'X-Own', optional: true } } as const;
    await using server = await record(() => json({ data: rows(1, 2), total: 57 }));
    const error = await rejectionOf(
      connect(server.url, { ...inData, list })
        .list()
        .toArray(),
    );
    expect(error).toBeInstanceOf(PagingError);
    expect(String(error)).toContain('the list ends after 2 of 57 records (`total` of the body)');
  });

  test('does not stop a list that the body leads through, as that of YouTube counts hidden records', async () => {
    const list = { items: 'data', next: { body: 'nextPageToken', parameter: 'pageToken', optional: true } };
    const { page: _page, ...query } = base.query;
    await using server = await record(() => json({ data: rows(1, 2), pageInfo: { totalResults: 3 } }));
    const found = await connect(server.url, { ...base, query, list })
      .list()
      .toArray();
    expect(idsOf(found)).toEqual([1, 2]);
  });

  test('is an error in the object that has the records', async () => {
    const inResult = { ...base, list: { items: 'result.data', next: 'link' } } as const satisfies Family;
    await using server = await record(() => json({ result: { data: rows(1, 2), total: 57 } }));
    const error = await rejectionOf(connect(server.url, inResult).list().toArray());
    expect(error).toBeInstanceOf(PagingError);
    expect(String(error)).toContain('the list ends after 2 of 57 records (`result.total` of the body)');
  });

  test('is not read where links lead on', async () => {
    await using server = await record(({ url, headers: { host } }) =>
      url.includes('page=2')
        ? json({ data: rows(3, 4), total: 57 })
        : json({ data: rows(1, 2), total: 57 }, 200, { link: `<http://${host}${url}?page=2>; rel="next"` }),
    );
    expect(idsOf(await connect(server.url, inData).list().toArray())).toEqual([1, 2, 3, 4]);
  });
});

describe.each([
  ['the Link header', linked],
  ['the conventions', undefined],
] as const)('a page with more records than `perPage` asks for, in a family with %s', (_, given) => {
  const list = (baseUrl: string, perPage: number) => connect(baseUrl, given).list({ perPage });

  test('is an error where nothing says that the list ends: the server ignores the size', async () => {
    await using server = await record(() => json(rows(1, 20)));
    const read: number[] = [];
    const error = await rejectionOf(
      (async () => {
        for await (const { id } of list(server.url, 10)) read.push(id);
      })(),
    );
    expect(error).toBeInstanceOf(PagingError);
    expect(String(error)).toContain(
      'the page has 20 records where `perPage` asks for 10, and no next link: if the server names them otherwise',
    );
    expect(read).toHaveLength(20);
    await expect(list(server.url, 20).toArray()).resolves.toHaveLength(20);
    await expect(list(server.url, 10).toArray({ limit: 15 })).resolves.toHaveLength(15);
  });

  test('does not stop a list whose links led to its end', async () => {
    await using server = await record(({ url, headers: { host } }) =>
      url.includes('cursor')
        ? json(rows(21, 40))
        : json(rows(1, 20), 200, { link: `<http://${host}${url.split('?')[0]}?cursor=2>; rel="next"` }),
    );
    await expect(list(server.url, 10).toArray()).resolves.toHaveLength(40);
  });
});

test('a header that counts more records does not stop a list whose body leads to its end', async () => {
  const body = { data: rows(1, 2), links: { next: null } };
  await using server = await record(() => json(body, 200, { 'X-Total': '57' }));
  expect(idsOf(await connect(server.url, byUrl).list().toArray())).toEqual([1, 2]);
});

test('a page with more records than `perPage` asks for ends a list if it is shorter than its own size', async () => {
  const headers = { 'X-Pagination-Page-Size': '20' };
  await using server = await record(() => json(rows(1, 15), 200, headers));
  expect(await connect(server.url, undefined).list({ perPage: 10 }).toArray()).toHaveLength(15);
});

test('a page with more records than `perPage` asks for ends a list whose body says so', async () => {
  await using server = await record(() => json({ data: rows(1, 20), links: { next: null } }));
  expect(await connect(server.url, byUrl).list({ perPage: 10 }).toArray()).toHaveLength(20);
});

test.each<[string, Family, unknown, Readonly<Record<string, string>>, string]>([
  [
    'a body',
    byUrl,
    { data: rows(1, 2), has_more: true },
    {},
    '`has_more` of the body says that more records',
  ],
  [
    'a cursor',
    byUrl,
    { data: rows(1, 2), next_cursor: 'abc' },
    {},
    '`next_cursor` of the body has the cursor of a next page',
  ],
  ['a header', linked, rows(1, 2), { 'x-total': '57' }, 'the list ends after 2 of 57 records (X-Total)'],
  [
    'a body without the next page',
    { ...byUrl, list: { items: 'data', next: { body: 'links.next' } } },
    { data: rows(1, 2) },
    {},
    'the response lacks `links.next` of the body',
  ],
])('the doctor names %s', async (_, given, body, headers, problem) => {
  const fetch = async () => Response.json(body, { headers });
  const { findings } = await diagnose(declare(given), { baseUrl: 'https://api.test', fetch, headers: {} });
  const finding = findings.find(({ rule }) => rule === '§4.5.1');
  expect(finding?.outcome).toBe('fail');
  expect(JSON.stringify(finding)).toContain(problem);
});

test('a name of the body in the error of a list holds no secret and no control character', async () => {
  const name = 'k-12345678\u001b[31m\n';
  await using server = await record(() => json({ data: rows(1, 2), [name]: { has_more: true } }));
  const error = await rejectionOf(connect(server.url, byUrl).list().toArray());
  expect(error).toBeInstanceOf(PagingError);
  expect(String(error)).toContain('the list ends where `*** [31m .has_more` of the body says');
});

describe('a page that is requested by its number', () => {
  /** Ten records on each page, whatever the query says. */
  const serve = (headers: Record<string, string> = {}) =>
    record(({ url }) => {
      const page = Number(new URL(url, 'http://localhost').searchParams.get('page') ?? 1);
      return json(rows(10 * page - 9, 10 * page), 200, { 'X-Total': '45', ...headers });
    });
  const numbered = {
    ...base,
    list: { next: 'number', totalCount: { header: 'X-Total' } },
  } as const satisfies Family;

  test.each([
    ['a family', numbered],
    ['the conventions', undefined],
  ])('is an error in %s, where the server ignores `perPage`', async (_what, given) => {
    await using server = await serve();
    const error = await rejectionOf(connect(server.url, given).list({ page: 2, perPage: 5 }));
    expect(error).toBeInstanceOf(PagingError);
    expect(String(error)).toContain('10 records where `perPage` asks for 5: correct query.perPage');
  });

  test('is right where the server says its size', async () => {
    await using server = await serve({ 'X-Pagination-Page-Size': '10' });
    const page = await connect(server.url, undefined).list({ page: 2, perPage: 5 });
    expect([page.size, page.items.length]).toEqual([10, 10]);
  });

  test('may have more records where a link of the server leads to it', async () => {
    await using server = await serve();
    const from = `${server.url}/items?page=2&limit=5`;
    expect((await connect(server.url, numbered).list({ from })).items).toHaveLength(10);
  });

  test('may have fewer records than `perPage`, and as many', async () => {
    await using server = await serve();
    const items = connect(server.url, numbered);
    expect((await items.list({ page: 2, perPage: 20 })).items).toHaveLength(10);
    expect((await items.list({ page: 2, perPage: 10 })).items).toHaveLength(10);
  });
});

test('a server that ignores the parameter of the cursor is an error that says so', async () => {
  await using server = await record(({ url }) =>
    json({ data: url.includes('cursor') ? rows(3, 4) : rows(1, 2), next: 'c2' }),
  );
  const byCursor = {
    ...base,
    query: { perPage: 'limit' },
    list: { items: 'data', next: { body: 'next', parameter: 'cursor' } },
  } as const satisfies Family;
  const error = await rejectionOf(connect(server.url, byCursor).list().toArray());
  expect(String(error)).toContain('form a loop (§4.5); check the parameter of list.next');
});

describe('a list in which no place of the body led on', () => {
  const byCursor = {
    ...base,
    query: { perPage: 'limit' },
    list: { items: 'data', next: { body: 'cursor', parameter: 'after', optional: true } },
  } as const satisfies Family;

  test.each([
    ['a URL', byUrl],
    ['a cursor', byCursor],
  ])('is an error where a header counts more records: %s', async (_what, given) => {
    await using server = await record(() => json({ data: rows(1, 2) }, 200, { 'X-Total': '57' }));
    const error = await rejectionOf(connect(server.url, given).list().toArray());
    expect(String(error)).toContain('the list ends after 2 of 57 records (X-Total)');
  });

  test('ends where the place is null', async () => {
    const ended = { data: rows(1, 2), links: { next: null } };
    await using server = await record(() => json(ended, 200, { 'X-Total': '57' }));
    expect(await connect(server.url, byUrl).list().toArray()).toHaveLength(2);
  });
});

describe('a list whose pages the client counts', () => {
  /** Ten records a page, with pages from 0, or by an offset. */
  const serve = (total: (page: number) => number, place: 'header' | 'body' | 'first page') =>
    record(({ url }) => {
      const { searchParams } = new URL(url, 'http://localhost');
      const page = Number(searchParams.get('page') ?? 0);
      const data = rows(1, 57).slice(10 * page, 10 * page + 10);
      const isTold = place === 'body' || (place === 'first page' && page < 2);
      const body = { data, hasMore: page < 5, ...(isTold && { total: total(page) }) };
      return json(body, 200, place === 'header' ? { 'X-Total-Count': String(total(page)) } : {});
    });
  const ways = [
    ['until a page is empty', { ...base, firstPage: 1, list: { items: 'data', next: 'untilEmpty' } }],
    [
      'until the body says that no more follow',
      { ...base, list: { items: 'data', next: { more: 'hasMore' } } },
    ],
    [
      'by an offset that is a page number',
      { ...base, query: { perPage: 'limit' }, list: { items: 'data', next: { offset: 'page' } } },
    ],
  ] as const satisfies readonly (readonly [string, Family])[];

  test.each(
    ways.flatMap(([what, given]) =>
      (['header', 'body'] as const).map((place) => [what, place, given] as const),
    ),
  )(
    '%s is an error where its records are fewer than a total in the %s that is not declared',
    async (_what, place, given) => {
      await using server = await serve(() => 57, place);
      const error = await rejectionOf(connect(server.url, given).list().toArray());
      expect(error).toBeInstanceOf(PagingError);
      expect(String(error)).toMatch(
        /the list ends after \d+ of 57 records \((?:X-Total-Count|`total` of the body)\)/,
      );
    },
  );

  const [, counted] = ways[0];

  test('is one where the last page has no total', async () => {
    await using server = await serve(() => 57, 'first page');
    const error = await rejectionOf(connect(server.url, counted).list().toArray());
    expect(String(error)).toContain('the list ends after 47 of 57 records (`total` of the body)');
  });

  test.each([
    ['grows', (page: number) => (page < 5 ? 47 : 48)],
    ['shrinks', (page: number) => (page < 5 ? 57 : 47)],
    ['has a smaller total', () => 3],
  ])('ends where it %s', async (_what, total) => {
    await using server = await serve(total, 'body');
    expect(await connect(server.url, counted).list().toArray()).toHaveLength(47);
  });

  test('ends where it is said to have no totals, and where it is not read from its start', async () => {
    await using server = await serve(() => 57, 'body');
    const whole = connect(server.url, counted, { paging: { totals: false } });
    expect(await whole.list().toArray()).toHaveLength(47);
    expect(await connect(server.url, counted).list({ page: 3 }).toArray()).toHaveLength(27);
  });
});
