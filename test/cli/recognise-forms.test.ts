import { InvalidRequestError, PagingError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { everyId, pageIn, posts, type Query, recogniseServer, sliceFrom } from './recognise-server.ts';

// The forms of lists that software is documented to send, each read with the declaration that is printed.

/** A URL with its page, or nothing in place of one that is not there. */
const pageUrl = (url: string, page: number, pages: number) =>
  page < pages ? `${url}?page=${page + 1}` : undefined;

describe('a URL of the next page is found', () => {
  test.each<[string, string, (query: Query, url: string) => unknown]>([
    [
      'HAL, whose last page has none',
      "next: { body: '_links.next.href', optional: true }",
      (query, url) => {
        const { page, pages, rows } = pageIn(query, 'page', 'size');
        const next = pageUrl(url, page, pages);
        return {
          _embedded: { posts: rows },
          _links: { self: { href: url }, ...(next && { next: { href: next } }) },
        };
      },
    ],
    [
      'Hydra, whose Link header names its documentation',
      "next: { body: 'hydra:view.hydra:next', optional: true }",
      (query, url) => {
        const { page, pages, rows } = pageIn(query, 'page', 'itemsPerPage');
        const next = pageUrl(url, page, pages)?.replace(/^http:\/\/[^/]+/, '');
        const headers = { link: `<${url}/docs>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"` };
        const view = { '@id': url, ...(next && { 'hydra:next': next }) };
        const body = { 'hydra:member': rows, 'hydra:totalItems': posts.length, 'hydra:view': view };
        return Response.json(body, { headers });
      },
    ],
    [
      'league/fractal, three names deep',
      "next: { body: 'meta.pagination.links.next', optional: true }",
      (query, url) => {
        const { page, size, pages, rows } = pageIn(query, 'page', 'per_page');
        const next = pageUrl(url, page, pages);
        const numbers = { total: posts.length, count: rows.length, per_page: size, current_page: page };
        return { data: rows, meta: { pagination: { ...numbers, links: { ...(next && { next }) } } } };
      },
    ],
    [
      'Laravel without resources, whose last page has null',
      "next: { body: 'next_page_url' }",
      (query, url) => {
        const { page, size, pages, rows } = pageIn(query, 'page', 'per_page');
        const next_page_url = pageUrl(url, page, pages) ?? null;
        return {
          current_page: page,
          data: rows,
          next_page_url,
          per_page: size,
          prev_page_url: null,
          total: 5,
        };
      },
    ],
    [
      'OData, under a name with a dot',
      "next: { body: '@odata.nextLink', optional: true }",
      (query, url) => {
        const start = Number(query.get('$skiptoken') ?? 0);
        const next = start + 2 < posts.length ? `${url}?$skiptoken=${start + 2}` : undefined;
        return { '@odata.count': 5, value: sliceFrom(start, 2), ...(next && { '@odata.nextLink': next }) };
      },
    ],
  ])('%s', async (_software, part, respond) => {
    const { stdout, readIds } = await recogniseServer(respond);
    expect(stdout).toContain(part);
    expect(await readIds()).toEqual(everyId);
  });
});

describe('numbers are found', () => {
  test('Spring HATEOAS, whose pages count from 0', async () => {
    const { stdout, readIds } = await recogniseServer((query) => {
      const number = Number(query.get('page') ?? 0);
      const size = Number(query.get('size') ?? 2);
      const rows = sliceFrom(number * size, size);
      const page = { size, totalElements: posts.length, totalPages: Math.ceil(posts.length / size), number };
      return { _embedded: { posts: rows }, page };
    });
    expect(stdout).toContain('firstPage: 0');
    expect(stdout).toContain("totalCount: { body: 'page.totalElements' }");
    expect(await readIds()).toEqual(everyId);
    expect(await readIds({ perPage: 1 })).toEqual(everyId);
  });

  test('a start beside the number of a page is not that of the list: Spring Data', async () => {
    const { stdout, stderr, readIds } = await recogniseServer((query) => {
      const number = Number(query.get('page') ?? 0);
      const size = Number(query.get('size') ?? 2);
      const pageable = { pageNumber: number, pageSize: size, offset: number * size, paged: true };
      const totalPages = Math.ceil(posts.length / size);
      const content = sliceFrom(number * size, size);
      return { content, pageable, totalElements: posts.length, totalPages, number, size };
    });
    expect(stdout).toContain('= family(spring);');
    expect(stderr).not.toContain('offset');
    expect(await readIds({ perPage: 1 })).toEqual(everyId);
  });

  test('pages count from 0 where the second record alone shows it', async () => {
    const { stdout, readIds } = await recogniseServer((query) => {
      const number = Number(query.get('page') ?? 0);
      const size = Number(query.get('page_size') ?? 3);
      return { results: sliceFrom(number * size, size), pages: Math.ceil(posts.length / size) };
    });
    expect(stdout).toContain('firstPage: 0');
    expect(await readIds()).toEqual(everyId);
  });

  test('mongoose-paginate', async () => {
    const { stdout, readIds } = await recogniseServer((query) => {
      const { page, size, pages, rows } = pageIn(query, 'page', 'limit');
      const next = { hasNextPage: page < pages, nextPage: page < pages ? page + 1 : null };
      return { docs: rows, totalDocs: posts.length, limit: size, totalPages: pages, page, ...next };
    });
    expect(stdout).toContain("totalCount: { body: 'totalDocs' }");
    expect(await readIds({ perPage: 1 })).toEqual(everyId);
  });

  test('Strapi, whose parameters have the path of its numbers', async () => {
    const { stdout, readIds } = await recogniseServer((query) => {
      const { page, size, pages, rows } = pageIn(query, 'pagination[page]', 'pagination[pageSize]');
      return {
        data: rows,
        meta: { pagination: { page, pageSize: size, pageCount: pages, total: posts.length } },
      };
    });
    expect(stdout).toContain("page: 'pagination[page]',");
    expect(await readIds({ perPage: 1 })).toEqual(everyId);
  });

  test('a current page is no name of a parameter', async () => {
    const { stdout, readIds } = await recogniseServer((query) => {
      const { page, size, pages, rows } = pageIn(query, 'page', 'size');
      return { items: rows, currentPage: page, size, totalPages: pages };
    });
    expect(stdout).toContain("page: 'page', perPage: 'size'");
    expect(await readIds({ perPage: 1 })).toEqual(everyId);
  });
});

describe('what restkin does not do is said', () => {
  test.each([
    ['nextPageToken', { nextPageToken: 'c2Vjb25k' }],
    ['next_cursor', { next_cursor: 'c2Vjb25k', has_more: true, total: 5 }],
    ['response_metadata.next_cursor', { response_metadata: { next_cursor: 'c2Vjb25k' } }],
  ])('a cursor: %s', async (path, more) => {
    const { stdout, stderr, readIds } = await recogniseServer(() => ({ data: sliceFrom(0, 2), ...more }));
    expect(stderr).toContain(
      `This server pages by a cursor (\`${path}\` of the body), and nothing showed which parameter takes it:`,
    );
    expect(stderr).not.toContain('leads to the next one');
    expect(stdout).toContain("next: 'number'");
    await expect(readIds()).rejects.toThrow(PagingError);
  });

  test('that more records follow, and nothing that leads to them', async () => {
    const { stderr, readIds } = await recogniseServer(() => ({ data: sliceFrom(0, 2), has_more: true }));
    expect(stderr).toContain(
      'leads to the next one: `has_more` of the body says whether more records follow, but there is no link',
    );
    expect(stderr).toContain("name list.next: { more: 'has_more' }");
    await expect(readIds()).rejects.toThrow(PagingError);
  });

  test('records without an id', async () => {
    const { stderr } = await recogniseServer(() => [{ code: 'a' }, { code: 'b' }]);
    expect(stderr).toContain('Not known: which field is the id: the records have no `id`');
  });

  test('what writes respond with', async () => {
    const { stderr } = await recogniseServer(() => posts);
    expect(stderr).toContain('what writes respond with (created, written)');
  });
});

test.each(['total_entries', 'totalCount', 'totalRecords', 'total_records', 'totalHits', 'total_size'])(
  'the total `%s` is found',
  async (name) => {
    const { stdout, readIds } = await recogniseServer((query) => {
      const { rows, page } = pageIn(query, 'page', 'limit');
      return { data: rows, page, limit: rows.length, [name]: posts.length };
    });
    expect(stdout).toContain(`totalCount: { body: '${name}' }`);
    expect(await readIds()).toEqual(everyId);
  },
);

describe('an id of another name', () => {
  const toMongo = (post: unknown) => {
    const { id, ...rest } = post as (typeof posts)[number];
    return { _id: id, ...rest, __v: 0 };
  };

  test('is declared, and read as `id`', async () => {
    const { stdout, stderr, readIds } = await recogniseServer(
      (query) => {
        const { rows, page } = pageIn(query, 'page', 'limit');
        return { docs: rows.map(toMongo), totalDocs: 5, page, limit: rows.length };
      },
      '',
      (post) => ({ data: toMongo(post) }),
    );
    expect(stdout).toContain("idField: '_id'");
    expect(stdout).toContain("item: 'data'");
    expect(stdout).not.toMatch(/\b_?id: z/);
    expect(stderr).not.toContain('whether one record can be read');
    expect(await readIds()).toEqual(everyId);
  });

  test('is not made up of an empty list', async () => {
    const { stdout } = await recogniseServer(() => ({ docs: [], totalDocs: 0 }));
    expect(stdout).not.toContain('idField');
  });

  test('is declared where it alone leads to a record', async () => {
    // As Strapi 5 responds.
    const { stdout, readIds } = await recogniseServer(
      () => ({ data: posts.map(({ id, ...rest }) => ({ id: id + 100, documentId: id, ...rest })), total: 5 }),
      '',
      (post) => post && { data: { ...(post as object), id: 101, documentId: (post as { id: number }).id } },
    );
    expect(stdout).toContain("idField: 'documentId'");
    expect(await readIds()).toEqual(everyId);
  });

  test('is a field like any other where `id` leads to a record', async () => {
    const { stdout, readIds } = await recogniseServer(() => ({
      data: posts.map((post) => ({ ...post, uuid: `u${post.id}` })),
      total: 5,
    }));
    expect(stdout).not.toContain('idField');
    expect(stdout).toContain('uuid: z.optional(z.string())');
    expect(await readIds()).toEqual(everyId);
  });

  test('is a field like any other where both lead to a record', async () => {
    const withBoth = (post: unknown) => ({ ...(post as object), _id: (post as { id: number }).id });
    const { stdout } = await recogniseServer(() => ({ data: posts.map(withBoth), total: 5 }), '', withBoth);
    expect(stdout).not.toContain('idField');
    expect(stdout).toContain('_id: z.number()');
  });

  test('is a field like any other where several records have the same', async () => {
    const { stdout } = await recogniseServer(() => ({
      data: posts.map(({ title }) => ({ uuid: 'u1', title })),
      total: 5,
    }));
    expect(stdout).not.toContain('idField');
    expect(stdout).toContain("endpoint('GET', 'posts'");
  });
});

test('a name for the size that a server takes for a filter is left out, and refused', async () => {
  // As Sails and Feathers respond, to which any other parameter is a filter.
  const { stdout, readIds } = await recogniseServer((query) => (query.size === 0 ? sliceFrom(0, 2) : []));
  expect(stdout).not.toContain('perPage');
  await expect(readIds({ perPage: 1 })).rejects.toThrow(InvalidRequestError);
});

test('a field that one record alone lacks is optional', async () => {
  const { stdout } = await recogniseServer(() => posts.map((post) => ({ ...post, excerpt: 'a' })));
  expect(stdout).toContain('excerpt: z.optional(z.string())');
});

test('a record stands in an object of any name', async () => {
  // As Rails with jbuilder or a serializer responds.
  const { stdout } = await recogniseServer(
    () => ({ posts: sliceFrom(0, 2), meta: { current_page: 1, total_count: 5 } }),
    '',
    (post) => ({ post }),
  );
  expect(stdout).toContain("item: 'post',");
});

test('links to another path are left alone where numbers lead on', async () => {
  // As those of AdonisJS without a base URL.
  const { stdout, stderr, readIds } = await recogniseServer((query) => {
    const { page, size, pages, rows } = pageIn(query, 'page', 'perPage');
    const nextPageUrl = page < pages ? `/?page=${page + 1}` : null;
    const numbers = { total: posts.length, perPage: size, currentPage: page, lastPage: pages };
    return { meta: { ...numbers, nextPageUrl }, data: rows };
  });
  expect(stdout).toContain("next: 'number'");
  expect(stderr).not.toContain('whether');
  expect(await readIds()).toEqual(everyId);
  expect(await readIds({ perPage: 3 })).toEqual(everyId);
});

test('a link to another path is told where nothing else leads on', async () => {
  // As Confluence has it, whose links lack the path in front.
  const { stderr } = await recogniseServer(() => ({
    results: sliceFrom(0, 2),
    _links: { next: '/rest/content?start=2' },
  }));
  expect(stderr).toContain('\nThe next link has another path than the list.');
});

test.each(['data', 'results', 'records'])('a list in `%s` may have an `id` beside it', async (name) => {
  const { stdout, readIds } = await recogniseServer((query) => {
    const { rows } = pageIn(query, 'page', 'per_page');
    return { id: 'request-7', [name]: rows, total: posts.length };
  });
  expect(stdout).toContain(`items: '${name}'`);
  expect(await readIds()).toEqual(everyId);
});

describe('a link to another origin is told, which the client does not follow', () => {
  const told = (origin: string): string =>
    `\nThe next link leads to ${origin}, another origin than that of the`;

  test('in a header', async () => {
    const link = '<https://internal.example:8080/posts?page=2>; rel="next"';
    const { stderr, readIds } = await recogniseServer(() =>
      Response.json(sliceFrom(0, 2), { headers: { link } }),
    );
    expect(stderr).toContain(told('https://internal.example:8080'));
    await expect(readIds()).rejects.toThrow('leads to another origin');
  });

  test('in a body', async () => {
    const next = 'https://internal.example/posts?page=2';
    const { stderr, readIds } = await recogniseServer(() => ({ results: sliceFrom(0, 2), next }));
    expect(stderr).toContain(told('https://internal.example'));
    await expect(readIds()).rejects.toThrow('leads to another origin');
  });
});

test('a relative link without a slash is a URL', async () => {
  // As OData has it.
  const { stdout, readIds } = await recogniseServer((query) => {
    const start = Number(query.get('$skip') ?? 0);
    const more = start + 2 < posts.length ? { '@odata.nextLink': `posts?$skip=${start + 2}` } : {};
    return { value: sliceFrom(start, 2), ...more };
  });
  expect(stdout).toContain("next: { body: '@odata.nextLink', optional: true }");
  expect(await readIds()).toEqual(everyId);
});

test('a page that has no effect is not declared where links lead on', async () => {
  // As Shopify responds: its links have a cursor.
  const { stdout, stderr, readIds } = await recogniseServer((query, url) => {
    const start = Number(query.get('page_info') ?? 0);
    const size = Number(query.get('limit') ?? 2);
    const isLast = start + size >= posts.length;
    const link = `<${url}?limit=${size}&page_info=${start + size}>; rel="next"`;
    return Response.json(sliceFrom(start, size), { headers: isLast ? {} : { link } });
  });
  expect(stdout).not.toContain('page:');
  expect(stderr).not.toContain('whether page');
  expect(await readIds()).toEqual(everyId);
});

test('a size in the URL is taken beside a start, and what asks for a total is sent by each list', async () => {
  // As OData responds, which refuses what it does not know, and links to no page where it is asked for a
  // size.
  const { stdout, readIds } = await recogniseServer((query) => {
    const isKnown = [...query.keys()].every((name) => ['$top', '$skip', '$count'].includes(name));
    if (!isKnown) return new Response('{}', { status: 400 });
    const value = sliceFrom(Number(query.get('$skip') ?? 0), Number(query.get('$top') ?? 2));
    return { ...(query.get('$count') === 'true' && { '@odata.count': 5 }), value };
  }, '?$top=2&$skip=0&$count=true');
  expect(stdout).toContain("listParameters: { $count: 'true' }");
  expect(stdout).toContain("next: { offset: '$skip' }, totalCount: { body: '@odata.count' }");
  expect(stdout).toContain("perPage: '$top'");
  expect(stdout).not.toContain('params');
  expect(await readIds()).toEqual(everyId);
  expect(await readIds({ perPage: 1 })).toEqual(everyId);
});

test('a page that has no effect is told where nothing else leads on', async () => {
  const { stderr, readIds } = await recogniseServer((query) => {
    const start = Number(query.get('start') ?? 0);
    return { posts: sliceFrom(start, Number(query.get('limit') ?? 2)), total: posts.length };
  }, '?limit=2');
  expect(stderr).toContain('Not known: its name for pages: page had no effect');
  await expect(readIds()).rejects.toThrow(PagingError);
});

test('the other parameters of the URL are those of the collection', async () => {
  const { stdout, readIds } = await recogniseServer((query, url) => {
    if (query.get('key') !== 'k1') return new Response('{}', { status: 403 });
    const { page, pages, size, rows } = pageIn(query, 'page', 'per_page');
    const next = page < pages ? `${url}?key=k1&page=${page + 1}&per_page=${size}` : null;
    return { data: rows, next };
  }, '?key=k1&page=1&per_page=2');
  expect(stdout).toContain('{ paging: true, params: z.object({ key: z.string() }) }');
  expect(await readIds({ params: { key: 'k1' } })).toEqual(everyId);
});
