import { PagingError } from 'restkin';
import { expect, test } from 'vitest';
import { everyId, pageIn, posts, type Query, recogniseServer, sliceFrom } from './recognise-server.ts';

// The forms of lists that servers of others were seen to send, each read with the declaration that is
// printed.

test('a bare array without a sign of pages is refused after its first page, not ended', async () => {
  // As Sails blueprints and LoopBack respond.
  const { stdout, stderr, readIds } = await recogniseServer(() => sliceFrom(0, 2));
  expect(stdout).toContain("list: { next: 'number' },");
  expect(stderr).toContain('Find out whether the server takes `page` and can send a total');
  await expect(readIds()).rejects.toThrow(PagingError);
});

test.each([
  ['Sails', '?skip=0&limit=2'],
  ['LoopBack', '?filter[skip]=0&filter[limit]=2'],
  ['LoopBack, in JSON', `?filter=${encodeURIComponent('{"skip":0,"limit":2}')}`],
])('the URL shows that a server pages by offset: %s', async (_, query) => {
  const { stdout, stderr, readIds } = await recogniseServer(() => sliceFrom(0, 2), query);
  expect(stdout).toContain("next: 'number'");
  expect(stderr).toContain('\nThis server pages by offset, and nothing showed which parameter takes it: ');
  expect(stderr).not.toContain('leads to the next one');
  await expect(readIds()).rejects.toThrow(PagingError);
});

test('the body shows that a server pages by offset, and no parameter of a preset filters it', async () => {
  // To which any other parameter is a filter.
  const { stdout, stderr, readIds } = await recogniseServer((query) => {
    const data = query.size === 0 ? sliceFrom(0, 2) : [];
    return { total: query.size === 0 ? 5 : 0, limit: 2, skip: 0, data };
  });
  expect(stderr).toContain('\nThis server pages by offset, and nothing showed which parameter takes it: ');
  expect(stdout).toContain("list: { items: 'data', next: 'number' }");
  expect(stdout).toContain('listParameters: {}');
  await expect(readIds()).rejects.toThrow(PagingError);
});

test('links that lead on by offset are followed', async () => {
  // As LimitOffsetPagination of Django REST framework responds.
  const { stdout, stderr, readIds } = await recogniseServer((query, url) => {
    const start = Number(query.get('offset') ?? 0);
    const next = start + 2 < posts.length ? `${url}?limit=2&offset=${start + 2}` : null;
    return { count: 5, next, previous: null, results: sliceFrom(start, 2) };
  });
  // It ignores `page`, and would give page 1 for every number.
  expect(stdout).toContain("query: { perPage: 'limit', sort: 'ordering' }");
  expect(stderr).toContain('\nThis server pages by offset: restkin follows its next links');
  expect(stderr).not.toContain('whether');
  expect(await readIds()).toEqual(everyId);
});

/** json-server 1, which responds with the whole list, as an array, unless it is asked for a page. */
const respondAsJsonServer = (query: Query) => {
  // Of a list with `_limit`, the page is ignored.
  if (query.has('_limit')) return sliceFrom(0, Number(query.get('_limit')));
  if (!query.has('_page')) return posts;
  const { page, pages, rows } = pageIn(query, '_page', '_per_page');
  const prev = page > 1 ? page - 1 : null;
  const next = page < pages ? page + 1 : null;
  return { first: 1, prev, next, last: pages, pages, items: posts.length, data: rows };
};

test.each(['', '?_page=1', '?_page=1&_per_page=2', '?_page=1&_per_page=9'])(
  'a next page that is a number is not taken for a URL: json-server 1 at %j',
  async (query) => {
    const { stdout, stderr, readIds } = await recogniseServer(respondAsJsonServer, query);
    expect(stderr).toContain('The nearest preset is jsonServer;');
    expect(stderr).not.toContain('whether');
    expect(stdout).toContain("page: '_page', perPage: '_per_page'");
    for (const part of ["next: 'number'", "totalCount: { body: 'items' }", "totalPages: { body: 'pages' }"])
      expect(stdout).toContain(part);
    expect(stdout).toContain('resource({ title: z.string() })');
    expect(await readIds()).toEqual(everyId);
  },
);

test('numbers of the body that no preset has are read: moleculer-web', async () => {
  const { stdout, stderr, readIds } = await recogniseServer((query) => {
    const { page, size, pages, rows } = pageIn(query, 'page', 'pageSize');
    return { rows, total: posts.length, page, pageSize: size, totalPages: pages };
  });
  expect(stderr).not.toContain('whether');
  expect(stdout).toContain("page: 'page', perPage: 'pageSize'");
  for (const part of ["items: 'rows'", "next: 'number'", "totalCount: { body: 'total' }"])
    expect(stdout).toContain(part);
  for (const part of ['totalPages', 'number', 'size']) expect(stdout).toContain(`${part}: { body: '`);
  expect(await readIds()).toEqual(everyId);
});

test('a URL beside the numbers leads on: hapi-pagination', async () => {
  const { stdout, readIds } = await recogniseServer((query, url) => {
    const { page, size, pages, rows } = pageIn(query, 'page', 'limit');
    const next = page < pages ? `${url}?page=${page + 1}&limit=${size}` : null;
    const numbers = { page, limit: size, count: rows.length, pageCount: pages, totalCount: posts.length };
    const meta = { ...numbers, previous: null, next };
    return { meta, results: rows };
  });
  expect(stdout).toContain("page: 'page', perPage: 'limit'");
  for (const part of ["next: { body: 'meta.next' }", "totalCount: { body: 'meta.totalCount' }"])
    expect(stdout).toContain(part);
  expect(stdout).toContain("totalPages: { body: 'meta.pageCount' }");
  expect(await readIds()).toEqual(everyId);
});

test('a count of the records of a page is not taken for that of the list', async () => {
  const { stdout, readIds } = await recogniseServer((query) => {
    const { rows } = pageIn(query, 'page', 'page_size');
    return { count: rows.length, results: rows };
  });
  expect(stdout).not.toContain('totalCount');
  expect(stdout).toContain("next: 'untilEmpty'");
  expect(await readIds()).toEqual(everyId);
});

test('a response without a list behind the end is no empty page', async () => {
  const { stdout, stderr } = await recogniseServer((query) => {
    const { rows } = pageIn(query, 'page', 'page_size');
    return rows.length > 0 ? { results: rows } : { message: 'There is no such page' };
  });
  expect(stdout).not.toContain('untilEmpty');
  expect(stderr).toContain('how a page leads to the next one');
});

test('a cursor beside the records is not taken for a URL', async () => {
  const { stdout, readIds } = await recogniseServer(() => ({ results: sliceFrom(0, 2), next: 'c2Vjb25k' }));
  expect(stdout).toContain("next: 'number'");
  await expect(readIds()).rejects.toThrow(PagingError);
});

test('a first page with the number 0 in the body is the first', async () => {
  const { stdout, readIds } = await recogniseServer((query) => {
    const page = Number(query.get('page') ?? 0);
    return { list: sliceFrom(page * 2, 2), meta: { total: posts.length, page, limit: 2 } };
  });
  expect(stdout).toContain('firstPage: 0');
  expect(await readIds()).toEqual(everyId);
});

test('the number of a page in the URL is the name of pages, where nothing leads on', async () => {
  // As Mockoon responds: without a size, with the whole list.
  const { stdout, stderr, readIds } = await recogniseServer((query) => {
    const { rows } = query.has('limit') ? pageIn(query, 'page', 'limit') : { rows: posts };
    return Response.json(rows, { headers: { 'x-total-count': '5' } });
  }, '?page=1&limit=2');
  expect(stdout).toContain("page: 'page', perPage: 'limit'");
  expect(stdout).not.toContain('params');
  expect(stderr).not.toContain('whether');
  expect(await readIds()).toEqual(everyId);
  expect(await readIds({ perPage: 2 })).toEqual(everyId);
});

test.each([
  ['of several pages', 2],
  ['of one page', 9],
])('a list %s with `page`, `limit` and a total is read in pages of any size', async (_, usualSize) => {
  let requests = 0;
  const { stdout, stderr, readIds } = await recogniseServer((query) => {
    requests++;
    const size = Number(query.get('limit') ?? usualSize);
    return { items: sliceFrom((Number(query.get('page') ?? 1) - 1) * size, size), total: posts.length };
  });
  expect(stdout).toContain("query: { page: 'page', perPage: 'limit'");
  expect(stderr).not.toContain('had no effect');
  expect(stderr).not.toContain('whether');
  // One more reads the record.
  expect(stderr).toContain(`\nSent ${requests + 1} GET requests\n`);
  expect(requests).toBeLessThanOrEqual(4);
  expect(await readIds({ perPage: 1 })).toEqual(everyId);
});

test('the list of the URL is requested once', async () => {
  const requested: string[] = [];
  await recogniseServer((query, url) => {
    requested.push(`${url}?${query}`);
    return { items: sliceFrom(0, 2), total: posts.length };
  });
  expect(requested.length).toBeGreaterThan(1);
  expect(requested).toEqual([...new Set(requested)]);
});

test('a list of one record is not asked for its size by each usual name', async () => {
  let requests = 0;
  await recogniseServer(() => {
    requests++;
    return { items: sliceFrom(0, 1), total: 1 };
  });
  expect(requests).toBeLessThanOrEqual(3);
});

test('a record that cannot be read alone is reported', async () => {
  const refuse = () => new Response('{}', { status: 404 });
  const { stderr } = await recogniseServer(() => ({ items: posts, total: posts.length }), '', refuse);
  expect(stderr).toContain('\nNot known: whether one record can be read, and where it stands');
  const empty = await recogniseServer(() => ({ items: [], total: 0 }));
  expect(empty.stderr).not.toContain('whether one record can be read');
});

test('the number and the size of a page are found where they stand in brackets', async () => {
  const { stdout, stderr, readIds } = await recogniseServer((query) => {
    const { rows } = pageIn(query, 'page[number]', 'page[size]');
    return { data: rows, meta: { total: posts.length } };
  });
  expect(stdout).toContain("page: 'page[number]', perPage: 'page[size]'");
  expect(stderr).not.toContain('whether');
  expect(await readIds({ perPage: 1 })).toEqual(everyId);
});

test('a next page called `next_page` is followed where it is a URL: Zendesk', async () => {
  const { stdout, readIds } = await recogniseServer((query, url) => {
    const { page, size, pages, rows } = pageIn(query, 'page', 'per_page');
    const next = page < pages ? `${url}?page=${page + 1}&per_page=${size}` : null;
    return { posts: rows, next_page: next, previous_page: null, count: posts.length };
  });
  expect(stdout).toContain("next: { body: 'next_page' }");
  expect(await readIds()).toEqual(everyId);
});

test('a `next_page` that is a number is not taken for a URL', async () => {
  const { stdout, readIds } = await recogniseServer((query) => {
    const { page, pages, rows } = pageIn(query, 'page', 'per_page');
    return { posts: rows, next_page: page < pages ? page + 1 : null, total: posts.length };
  });
  expect(stdout).not.toContain("body: 'next_page'");
  expect(await readIds()).toEqual(everyId);
});

test('a parameter with the name of a page parameter that had no effect is reported', async () => {
  const { stdout, stderr } = await recogniseServer(() => posts, '?results=2&status=open');
  expect(stderr).toContain('Not known: what `results` of the URL does: it is not in the declaration');
  expect(stdout).toContain('params: z.object({ status: z.string() })');
  expect(stderr).not.toContain('`status` of the URL');
});
