import { describe, expect, test } from 'vitest';
import { everyId, pageIn, posts, type Query, recogniseServer, sliceFrom } from './recognise-server.ts';

// Lists without numbers of pages: what leads on is found, and reads the whole list.

describe('a list that the id of its last record continues is read whole', () => {
  test.each(['starting_after', 'after_id', 'after'])('%s, as of Stripe and Anthropic', async (parameter) => {
    const { stdout, stderr, readIds } = await recogniseServer((query) => {
      const isKnown = [...query.keys()].every((name) => [parameter, 'limit'].includes(name));
      if (!isKnown) return new Response('{}', { status: 400 });
      const start = Number(query.get(parameter) ?? 0);
      const end = start + Number(query.get('limit') ?? 2);
      return { object: 'list', data: posts.slice(start, end), has_more: end < posts.length };
    });
    expect(stdout).toContain(`next: { lastId: '${parameter}', more: 'has_more' }`);
    expect(stdout).toContain("perPage: 'limit'");
    expect(stderr).not.toContain('leads to the next one');
    expect(await readIds()).toEqual(everyId);
    expect(await readIds({ perPage: 1 })).toEqual(everyId);
  });
});

describe('a list that a cursor continues is read whole', () => {
  /** A server that slices its list at a cursor, and ignores what it does not know. */
  const serveCursors =
    (parameter: string, size: string, last: unknown, show: (next: unknown) => object) => (query: Query) => {
      const start = Number(atob(query.get(parameter) ?? '') || 0);
      const end = start + Number(query.get(size) ?? 2);
      const next = end < posts.length ? btoa(String(end)) : last;
      return { data: posts.slice(start, end), ...show(next) };
    };

  test.each([
    ['nextPageToken', 'pageToken', undefined, (next: unknown) => ({ nextPageToken: next })],
    ['next_cursor', 'cursor', null, (next: unknown) => ({ next_cursor: next })],
    ['next_token', 'next_token', undefined, (next: unknown) => ({ next_token: next })],
    ['page_info.end_cursor', 'after', null, (next: unknown) => ({ page_info: { end_cursor: next } })],
    // As X, fastapi-pagination, HubSpot, Airtable and Square respond.
    ['meta.next_token', 'pagination_token', undefined, (next: unknown) => ({ meta: { next_token: next } })],
    ['next_page', 'cursor', null, (next: unknown) => ({ total: null, next_page: next })],
    ['paging.next.after', 'after', undefined, (next: unknown) => ({ paging: { next: { after: next } } })],
    ['offset', 'offset', undefined, (next: unknown) => ({ offset: next })],
    ['cursor', 'cursor', undefined, (next: unknown) => ({ cursor: next })],
    [
      'response_metadata.next_cursor',
      'cursor',
      '',
      (next: unknown) => ({ response_metadata: { next_cursor: next } }),
    ],
  ])('%s, which %s takes', async (body, parameter, last, show) => {
    const { stdout, stderr, readIds } = await recogniseServer(serveCursors(parameter, 'limit', last, show));
    // Where the last page has a null, the place is in each page.
    const end = last === undefined ? ', optional: true }' : ' }';
    expect(stdout).toContain(`next: { body: '${body}', parameter: '${parameter}'${end}`);
    expect(stdout).toContain("perPage: 'limit'");
    expect(stderr).not.toContain('cursor');
    expect(await readIds()).toEqual(everyId);
    expect(await readIds({ perPage: 1 })).toEqual(everyId);
  });
});

test.each(['skip', 'offset'])('%s leads on beside the size that the URL has', async (offset) => {
  const { stdout, readIds } = await recogniseServer((query) => {
    const start = Number(query.get(offset) ?? 0);
    return { data: sliceFrom(start, Number(query.get('rows') ?? 2)), total: posts.length };
  }, '?rows=2');
  expect(stdout).toContain(`next: { offset: '${offset}' }`);
  expect(stdout).toContain("perPage: 'rows'");
  expect(await readIds({ perPage: 2 })).toEqual(everyId);
});

test('a cursor in the URL that was given is that of the declaration', async () => {
  const { stdout, stderr } = await recogniseServer((query) => {
    const start = Number(query.get('cursor') ?? 0);
    const end = start + Number(query.get('limit') ?? 2);
    return { data: posts.slice(start, end), next_cursor: end < posts.length ? String(end) : null };
  }, '?cursor=0');
  expect(stdout).toContain("next: { body: 'next_cursor', parameter: 'cursor' }");
  expect(stderr).not.toContain('`cursor` of the URL');
});

test('the last page of OData lacks its next link, also where none was seen', async () => {
  // As SAP CAP responds.
  const { stdout, stderr, readIds } = await recogniseServer((query, url) => {
    const start = Number(query.get('$skiptoken') ?? 0);
    const next = start + 1 < posts.length ? { '@odata.nextLink': `${url}?$skiptoken=${start + 1}` } : {};
    const value = sliceFrom(start, 1).map(({ id, ...post }) => ({ ID: id, ...post }));
    return { value, ...next };
  });
  expect(stdout).toContain("next: { body: '@odata.nextLink', optional: true }");
  expect(stdout).toContain("idField: 'ID'");
  expect(stderr).not.toContain('last page');
  expect(await readIds()).toEqual(everyId);
});

test('a cursor is found where a server refuses parameters that it does not know', async () => {
  // As Notion does.
  const { stdout, readIds } = await recogniseServer((query) => {
    if ([...query.keys()].some((name) => !['start_cursor', 'page_size'].includes(name)))
      return new Response('{}', { status: 400 });
    const start = Number(query.get('start_cursor') ?? 0);
    const next_cursor = start + 2 < posts.length ? String(start + 2) : null;
    return { results: sliceFrom(start, 2), next_cursor };
  });
  expect(stdout).toContain("next: { body: 'next_cursor', parameter: 'start_cursor' }");
  expect(await readIds()).toEqual(everyId);
});

test('a place of the next page is optional only where a page was seen without it', async () => {
  const { stdout, stderr, readIds } = await recogniseServer((query) => {
    const start = Number(query.get('pageToken') ?? 0);
    const next = start + 1 < posts.length ? { nextPageToken: String(start + 1) } : {};
    return { data: sliceFrom(start, 1), ...next };
  });
  expect(stdout).toContain("next: { body: 'nextPageToken', parameter: 'pageToken' }");
  expect(stderr).toContain(
    'Not known: whether the last page lacks `nextPageToken`, which each page that was',
  );
  await expect(readIds()).rejects.toThrow('make it optional there');
});

test.each([
  ['nothing', undefined, "next: { body: 'next_page', optional: true }"],
  ['null', null, "next: { body: 'next_page' }"],
])('the last page is asked for by its number: it has %s as the next one', async (_, end, shown) => {
  // As Request Tracker responds.
  const { stdout, stderr, readIds } = await recogniseServer((query, url) => {
    const page = Number(query.get('page') ?? 1);
    const next = page < posts.length ? `${url}?page=${page + 1}` : end;
    return { items: sliceFrom(page - 1, 1), page, pages: posts.length, next_page: next };
  });
  expect(stdout).toContain(shown);
  expect(stderr).not.toContain('last page');
  expect(await readIds()).toEqual(everyId);
});

test('the last page is asked for by its number, counted from 0', async () => {
  const rows = Array.from({ length: 20 }, (_, index) => ({ id: index + 1, title: 'n' }));
  const { stdout, stderr } = await recogniseServer((query, url) => {
    const page = Number(query.get('page') ?? 0);
    const size = Number(query.get('per_page') ?? 4);
    const pages = Math.ceil(rows.length / size);
    const next = page + 1 < pages ? `${url}?page=${page + 1}&per_page=${size}` : undefined;
    return {
      items: rows.slice(page * size, page * size + size),
      page,
      per_page: size,
      pages,
      next_page: next,
    };
  });
  expect(stdout).toContain('firstPage: 0');
  expect(stdout).toContain("next: { body: 'next_page', optional: true }");
  expect(stderr).not.toContain('last page');
});

test('a page without records tells nothing of the last one, where the number of pages is wrong', async () => {
  const { stdout, stderr } = await recogniseServer((query, url) => {
    const page = Number(query.get('page') ?? 1);
    const items = sliceFrom(page - 1, 1);
    const next = page < posts.length ? `${url}?page=${page + 1}` : null;
    return { items, page, pages: 50, ...(items.length > 0 && { next_page: next }) };
  });
  expect(stdout).toContain("next: { body: 'next_page' }");
  expect(stderr).toContain('whether the last page lacks `next_page`');
});

test.each([
  ['after', 'end_cursor', 'has_next_page'],
  ['page[after]', 'after_cursor', 'has_more'],
  ['cursor', 'next_page_cursor', 'hasMore'],
])(
  'a cursor in %s that the last page has too is declared with what says that more follow',
  async (parameter, name, more) => {
    const { stdout, readIds } = await recogniseServer((query) => {
      const end = Number(query.get(parameter) ?? 0) + Number(query.get('limit') ?? 2);
      const data = posts.slice(Number(query.get(parameter) ?? 0), end);
      return { data, meta: { [name]: String(end), [more]: end < posts.length } };
    });
    expect(stdout).toContain(`body: 'meta.${name}'`);
    expect(stdout).toContain(`more: 'meta.${more}'`);
    expect(stdout).not.toContain('optional');
    expect(await readIds()).toEqual(everyId);
    expect(await readIds({ perPage: 1 })).toEqual(everyId);
  },
);

test.each(['hasMore', 'has_more', 'more', 'hasNextPage'])(
  'page numbers lead on while the body says that more follow: %s',
  async (more) => {
    const { stdout, stderr, readIds } = await recogniseServer((query) => {
      const { page, pages, rows } = pageIn(query, 'page', 'page_size');
      return { results: rows, [more]: page < pages };
    });
    expect(stdout).toContain(`next: { more: '${more}' }`);
    expect(stderr).not.toContain('leads to the next one');
    expect(await readIds()).toEqual(everyId);
    expect(await readIds({ perPage: 1 })).toEqual(everyId);
  },
);

describe('a list that the number of records before a page continues is read whole', () => {
  /** A server that slices its list behind an offset, and takes what it does not know for a filter. */
  const serveOffsets =
    (offset: string, size: string, show: (rows: readonly unknown[], start: number) => unknown) =>
    (query: Query) => {
      const isKnown = [...query.keys()].every((name) => [offset, size].includes(name));
      const start = Number(query.get(offset) ?? 0);
      return show(isKnown ? sliceFrom(start, Number(query.get(size) ?? 2)) : [], start);
    };

  test.each<[string, string, string, string, (rows: readonly unknown[], start: number) => unknown]>([
    ['Feathers', '', '$skip', '$limit', (data, skip) => ({ total: 5, limit: 2, skip, data })],
    ['Sails, whose total is nowhere', '?skip=0', 'skip', 'limit', (rows) => rows],
    ['Sails, without a sign', '', 'skip', 'limit', (rows) => rows],
    ['LoopBack, without a sign', '?filter[limit]=2', 'filter[skip]', 'filter[limit]', (rows) => rows],
    ['Parse Server, without a sign', '?limit=2', 'skip', 'limit', (results) => ({ results })],
    ['CouchDB', '', 'skip', 'limit', (rows, offset) => ({ total_rows: 5, offset, rows })],
    ['PostgREST, without a sign', '', 'offset', 'limit', (rows) => rows],
    [
      'Jira',
      '',
      'startAt',
      'maxResults',
      (issues, startAt) => ({ startAt, maxResults: 2, total: 5, issues }),
    ],
    ['an object', '', 'offset', 'limit', (data, offset) => ({ data, meta: { offset, limit: 2, total: 5 } })],
  ])('%s', async (_, query, offset, size, show) => {
    const { stdout, stderr, readIds } = await recogniseServer(serveOffsets(offset, size, show), query);
    expect(stdout).toContain(`next: { offset: '${offset}' }`);
    expect(stdout).toContain(`perPage: '${size}'`);
    expect(stderr).not.toContain('pages by offset');
    expect(await readIds()).toEqual(everyId);
    expect(await readIds({ perPage: 3 })).toEqual(everyId);
  });
});

test('the total that a list is asked for by 1 is one that each list asks for', async () => {
  // As Parse Server responds, which ignores what it does not know.
  const { stdout, stderr, readIds } = await recogniseServer((query) => {
    const results = sliceFrom(Number(query.get('skip') ?? 0), Number(query.get('limit') ?? 2));
    return { results, ...(query.get('count') === '1' && { count: 5 }) };
  }, '?limit=2&count=1');
  expect(stdout).toContain("next: { offset: 'skip' }, totalCount: { body: 'count' }");
  expect(stdout).toContain("listParameters: { count: '1' }");
  expect(stderr).not.toContain('`count`');
  expect(stderr).not.toContain('whether');
  expect(await readIds()).toEqual(everyId);
  expect(await readIds({ perPage: 1 })).toEqual(everyId);
});

test('a start that is as large as a page is no name for its size', async () => {
  const { stdout, readIds } = await recogniseServer((query, url) => {
    const start = Number(query.get('$skiptoken') ?? 0);
    const next = start + 3 < posts.length ? `${url}?$skiptoken=${start + 3}` : null;
    return { value: sliceFrom(start, 3), prev: null, next };
  });
  expect(stdout).not.toContain("perPage: '$skiptoken'");
  expect(await readIds()).toEqual(everyId);
});

test('a list that a cursor continues, whose size has no name that was found, is declared and read', async () => {
  const { stdout, readIds } = await recogniseServer((query) => {
    const start = Number(query.get('pageToken') ?? 0);
    const next = start + 2 < posts.length ? { nextPageToken: String(start + 2) } : {};
    return { data: sliceFrom(start, 2), ...next };
  });
  expect(stdout).toContain("next: { body: 'nextPageToken', parameter: 'pageToken', optional: true }");
  expect(await readIds()).toEqual(everyId);
});

test.each(['*', '5'])('the total of `Content-Range: …/%s` is declared where it is known', async (total) => {
  // As finale-rest responds.
  const { stdout, readIds } = await recogniseServer((query) => {
    const start = Number(query.get('offset') ?? 0);
    const rows = sliceFrom(start, Number(query.get('count') ?? 2));
    const headers = { 'content-range': `items ${start}-${start + rows.length - 1}/${total}` };
    return Response.json(rows, { headers });
  });
  expect(stdout).toContain("next: { offset: 'offset' }");
  expect(stdout).toContain("perPage: 'count'");
  expect(stdout.includes("totalCount: { header: 'Content-Range' }")).toBe(total !== '*');
  expect(await readIds()).toEqual(everyId);
  expect(await readIds({ perPage: 2 })).toEqual(everyId);
});

test('numbered pages without a total are read until an empty one', async () => {
  const { stdout, stderr, readIds } = await recogniseServer((query) => {
    const size = Number(query.get('limit') ?? 2);
    return { rows: sliceFrom((Number(query.get('page') ?? 1) - 1) * size, size) };
  });
  expect(stdout).toContain("list: { items: 'rows', next: 'untilEmpty' }");
  expect(stdout).toContain("perPage: 'limit'");
  expect(stderr).not.toContain('leads to the next one');
  expect(await readIds()).toEqual(everyId);
  expect(await readIds({ perPage: 1 })).toEqual(everyId);
});

test('but not where a page behind the last one is refused', async () => {
  const { stdout, stderr } = await recogniseServer((query) => {
    const size = Number(query.get('limit') ?? 2);
    const rows = sliceFrom((Number(query.get('page') ?? 1) - 1) * size, size);
    return rows.length === 0 ? new Response('{}', { status: 404 }) : { rows };
  });
  expect(stdout).toContain("next: 'number'");
  expect(stderr).toContain('leads to the next one');
});

test.each(['limit', 'per_page'])('so are those of a list alone, whose size is `%s`', async (name) => {
  const { stdout, stderr, readIds } = await recogniseServer((query) => {
    const size = Number(query.get(name) ?? 2);
    return sliceFrom((Number(query.get('page') ?? 1) - 1) * size, size);
  });
  expect(stdout).toContain("next: 'untilEmpty'");
  expect(stderr).not.toContain('leads to the next one');
  expect(await readIds()).toEqual(everyId);
  expect(await readIds({ perPage: 1 })).toEqual(everyId);
});
