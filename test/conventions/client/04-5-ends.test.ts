import { type ItemList, PagingError, UnexpectedResponseError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { json, type RecordedRequest, type Reply, record } from '../../support/recording-server.ts';
import { companyRow, rejectionOf, shopAt } from '../../support/shop.ts';

type Headers = NonNullable<Reply['headers']>;

/** The query of a request. */
const queryOf = ({ url }: RecordedRequest) => new URL(url, 'http://x').searchParams;

const rangeOf = (first: number, last: number) =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);

/** The ids of what is read before the list fails, with the error; undefined for a list that ends well. */
const readIds = async (list: ItemList<{ readonly id: number }>) => {
  const ids: number[] = [];
  try {
    for await (const { id } of list) ids.push(id);
    return { ids, error: undefined };
  } catch (error) {
    return { ids, error };
  }
};

/** A server of so many companies. */
const serve = (count: number, size: number, headersOf: (number: number) => Headers) =>
  record((request) => {
    const query = queryOf(request);
    const number = Number(query.get('page') ?? (query.has('cursor') ? 2 : 1));
    const ids = rangeOf((number - 1) * size + 1, Math.min(count, number * size));
    return json(ids.map(companyRow), 200, headersOf(number));
  });

/** A `fetch` of a page on another origin, to which the browser shows these headers alone. */
const seenThrough =
  (...exposed: readonly string[]) =>
  async (url: string, init: object) => {
    const response = await fetch(url, init);
    const shown = [...response.headers].filter(([name]) => [...exposed, 'content-type'].includes(name));
    return {
      status: response.status,
      headers: new Headers(shown.map(([name, value]): [string, string] => [name, value])),
      type: 'cors',
      body: response.body,
      text: () => response.text(),
      arrayBuffer: () => response.arrayBuffer(),
    };
  };

describe('§4.5 a list that ends before its total', () => {
  test.each([
    ['in Node', undefined],
    ['across origins', seenThrough('x-pagination-total-count')],
  ])('§4.5 is an error where only the total is there, %s', async (_where, fetch) => {
    await using server = await serve(2, 2, () => ({ 'x-pagination-total-count': '100' }));
    const { ids, error } = await readIds(shopAt(server, fetch && { fetch }).companies.list());
    expect(ids).toEqual([1, 2]);
    expect(error).toBeInstanceOf(PagingError);
    expect(String(error)).toContain('the list ends after 2 of 100 records');
    expect(server.requests).toHaveLength(1);
  });

  test('§4.5 is an error where cursors lead nowhere too early', async () => {
    await using server = await record((request) => {
      const cursor = queryOf(request).get('cursor');
      const next = cursor === null ? { link: '</v1/companies?cursor=b>; rel="next"' } : {};
      return json([companyRow(cursor === null ? 1 : 2)], 200, { 'x-pagination-total-pages': '5', ...next });
    });
    const { ids, error } = await readIds(shopAt(server).companies.list());
    expect(ids).toEqual([1, 2]);
    expect(String(error)).toContain('the list ends after 2 of 5 pages');
  });

  test('§4.5 is the end where the total has fallen', async () => {
    await using server = await record((request) =>
      queryOf(request).has('cursor')
        ? json([companyRow(2)], 200, { 'x-pagination-total-count': '3' })
        : json([companyRow(1)], 200, {
            'x-pagination-total-count': '4',
            link: '</v1/companies?cursor=b>; rel="next"',
          }),
    );
    expect(await readIds(shopAt(server).companies.list())).toEqual({ ids: [1, 2], error: undefined });
  });

  test('§4.5 a total is read with a space behind it', async () => {
    await using server = await serve(5, 1, (number) => ({
      'x-pagination-total-pages': '5 ',
      'x-pagination-current-page': `${number}`,
    }));
    expect((await readIds(shopAt(server).companies.list())).ids).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('§4.5 a browser that shows some of the headers', () => {
  const size = 'x-pagination-page-size';
  const number = 'x-pagination-current-page';
  const headersOf = (page: number): Headers => ({
    [number]: String(page),
    [size]: '25',
    ...(page < 5 && { link: `</v1/companies?page=${page + 1}>; rel="next"` }),
  });

  test.each([[[number, size]], [[number]], [[size]], [[]]])(
    '§4.5 a list of which it shows %j is an error that names what to expose',
    async (exposed) => {
      await using server = await serve(103, 25, headersOf);
      const { companies } = shopAt(server, { fetch: seenThrough(...exposed) });
      const { ids, error } = await readIds(companies.list());
      expect(ids).toEqual(rangeOf(1, 25));
      expect(error).toBeInstanceOf(PagingError);
      expect(String(error)).toContain('Access-Control-Expose-Headers with Link');
    },
  );

  test('§4.5 with Link it is read to its end, also where that is a full page', async () => {
    for (const count of [103, 125]) {
      await using server = await serve(count, 25, headersOf);
      const { companies } = shopAt(server, { fetch: seenThrough(number, size, 'link') });
      expect(await readIds(companies.list())).toEqual({ ids: rangeOf(1, count), error: undefined });
    }
  });

  test('§4.5 a page with fewer records than its size is the last one', async () => {
    await using server = await serve(3, 25, headersOf);
    const { companies } = shopAt(server, { fetch: seenThrough(number, size) });
    expect(await readIds(companies.list())).toEqual({ ids: [1, 2, 3], error: undefined });
  });
});

describe('§4.5 numbers are not invented', () => {
  /** Ten pages of one record, linked by cursors, with a total and a size and no number. */
  const serveCursors = (last: Headers = {}) =>
    record((request) => {
      const query = queryOf(request);
      const at = Number(query.get('page') ?? query.get('cursor') ?? 1);
      const link = at < 10 ? { link: `</v1/companies?cursor=${at + 1}>; rel="next"` } : last;
      return json([companyRow(at)], 200, {
        'x-pagination-total-count': '10',
        'x-pagination-page-size': '1',
        ...link,
      });
    });

  test.each([
    ['no Link', {}],
    ['a Link with first alone', { link: '</v1/companies>; rel="first"' }],
  ])('§4.5 a list of cursors ends at its last page with %s', async (_what, last) => {
    await using server = await serveCursors(last);
    expect(await readIds(shopAt(server).companies.list())).toEqual({ ids: rangeOf(1, 10), error: undefined });
    expect(server.requests.map(({ url }) => url).filter((url) => url.includes('page='))).toEqual([]);
  });

  test.each([
    [
      'the numbers',
      () => ({ 'x-pagination-total-count': '10', 'x-pagination-page-size': '2' }),
      'page number',
    ],
    ['links', (at: number) => ({ link: `</v1/companies?page=${at + 1}>; rel="next"` }), 'page number'],
    ['cursors', (at: number) => ({ link: `</v1/companies?cursor=${at + 1}>; rel="next"` }), 'cursor'],
  ])(
    '§4.5 a server that ignores where %s lead is an error, not a list of repeated records',
    async (...row) => {
      const [_what, headersAt, ignored] = row;
      await using server = await record((_request, index) =>
        json([companyRow(1), companyRow(2)], 200, headersAt(index + 1)),
      );
      const { ids, error } = await readIds(shopAt(server).companies.list());
      expect(ids).toEqual([1, 2]);
      expect(String(error)).toContain(
        `the same records as the page before it: the server ignores the ${ignored}`,
      );
    },
  );
});

test('§4.5 a page that repeats the first records of the one before it is an error, also where it has fewer', async () => {
  await using server = await record((request) => {
    const isFirst = !queryOf(request).has('page');
    const size = isFirst ? 4 : 3;
    return json(rangeOf(1, size).map(companyRow), 200, {
      'x-pagination-total-pages': '2',
      'x-pagination-page-size': String(size),
      ...(isFirst ? { link: '</v1/companies?page=2>; rel="next"' } : {}),
    });
  });
  const { ids, error } = await readIds(shopAt(server).companies.list({ perPage: 4 }));
  expect(ids).toEqual([1, 2, 3, 4]);
  expect(String(error)).toContain('the server ignores the page number');
});

describe('§4.5 the relations of a Link', () => {
  test('§4.5 are read in single quotes', async () => {
    await using server = await serve(
      6,
      2,
      (number): Headers =>
        number < 3 ? { link: `</v1/companies?page=${number + 1}>; title='a, b'; rel='next'` } : {},
    );
    expect((await readIds(shopAt(server).companies.list())).ids).toEqual(rangeOf(1, 6));
  });

  test.each([
    '</v1/companies?page=2>; rel=[next]',
    '</v1/companies?page=2>',
    '</v1/companies?page=2>; rel=""',
  ])('§4.5 that cannot be read are an error: %s', async (link) => {
    await using server = await serve(6, 2, () => ({ link }));
    const error = await rejectionOf(shopAt(server).companies.list().toArray());
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(String(error)).toContain('the Link header cannot be read');
  });

  test('§4.5 in UTF-8 lead to what they name', async () => {
    const next = '</v1/companies?page=2&q=Zürich>; rel="next"';
    await using server = await record((_request, index) => {
      const { body, ...reply } = json([companyRow(index + 1)]);
      // Node writes the header byte for byte if the body is bytes.
      const link = Buffer.from(next).toString('latin1');
      return {
        ...reply,
        headers: { ...reply.headers, ...(index === 0 && { link }) },
        body: Buffer.from(String(body)),
      };
    });
    await shopAt(server).companies.list().toArray();
    expect(server.requests[1]?.url).toBe('/v1/companies?page=2&q=Z%C3%BCrich');
  });
});

describe('§4.5 a link that loses parameters', () => {
  const query = { sort: ['-name'], perPage: 2 } as const;
  const linkTo = (target: string) =>
    serve(4, 2, (number) => (number < 2 ? { link: `<${target}>; rel="next"` } : {}));

  test.each([
    ['/v1/companies?page=2', 'has lost'],
    ['/v1/companies?page=2&sort=name', 'changes'],
    ['/v1/companies?page=2&sort=city,-name', 'changes'],
  ])('§4.5 %s is an error that names the parameter', async (target, what) => {
    await using server = await linkTo(target);
    const { ids, error } = await readIds(shopAt(server).companies.list(query));
    expect(ids).toEqual([1, 2]);
    expect(error).toBeInstanceOf(PagingError);
    expect(String(error)).toContain(`${what} \`sort\``);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    '/v1/companies?page=2&sort=%2Dname&perPage=2',
    '/v1/companies?sort=-name,city&page=2&perPage=2',
    // Cursors hold what they need.
    '/v1/companies?cursor=abc',
  ])('§4.5 %s is followed', async (target) => {
    await using server = await linkTo(target);
    expect((await readIds(shopAt(server).companies.list(query))).error).toBeUndefined();
    expect(server.requests[1]?.url).toBe(target);
  });

  test('§4.5 a link without the size of the page gets it back, where no page shows its size', async () => {
    // The default of the server is 3.
    await using server = await record((request) => {
      const size = Number(queryOf(request).get('perPage') ?? 3);
      const number = Number(queryOf(request).get('page') ?? 1);
      const ids = rangeOf((number - 1) * size + 1, Math.min(number * size, 7));
      const next = `</v1/companies?page=${number + 1}>; rel="next"`;
      return json(ids.map(companyRow), 200, number * size < 7 ? { link: next } : {});
    });
    const { ids, error } = await readIds(shopAt(server).companies.list({ perPage: 2 }));
    expect({ ids, error }).toEqual({ ids: rangeOf(1, 7), error: undefined });
    const { next } = await shopAt(server).companies.list({ perPage: 2 });
    expect((await readIds(shopAt(server).companies.list({ from: next }))).ids).toEqual(rangeOf(3, 7));
  });

  test('§4.5 a page of another size than the one before it is an error', async () => {
    // The link has lost perPage=2, and the default of the server is 3.
    await using server = await record((request) => {
      const size = Number(queryOf(request).get('perPage') ?? 3);
      const number = Number(queryOf(request).get('page') ?? 1);
      const ids = rangeOf((number - 1) * size + 1, number * size);
      return json(ids.map(companyRow), 200, {
        'x-pagination-page-size': String(size),
        ...(number < 4 && { link: `</v1/companies?page=${number + 1}>; rel="next"` }),
      });
    });
    const { ids, error } = await readIds(shopAt(server).companies.list({ perPage: 2 }));
    expect(ids).toEqual([1, 2]);
    expect(String(error)).toContain('has pages of 3 records, and the one before it of 2');
  });
});

describe('§4.5 links that form a loop', () => {
  test.each([
    ['pages', 'page', 98],
    ['pages', 'page', 1],
    ['cursors', 'cursor', 98],
  ])('§4.5 of %s, by %s, deliver no record twice', async (_kind, name, back) => {
    await using server = await record((request) => {
      const at = Number(queryOf(request).get(name) ?? 1);
      return json([companyRow(at)], 200, {
        link: `</v1/companies?${name}=${at === 101 ? back : at + 1}>; rel="next"`,
      });
    });
    const { ids, error } = await readIds(shopAt(server).companies.list());
    expect(ids).toEqual(rangeOf(1, 101));
    expect(error).toBeInstanceOf(PagingError);
    expect(String(error)).toContain('the next links form a loop');
  });
});

test('§4.4 a page beyond the end of a server that gives its last one is that page, with none', async () => {
  await using server = await record(() =>
    json([companyRow(9)], 200, {
      'x-pagination-current-page': '2',
      'x-pagination-total-pages': '2',
      'x-pagination-page-size': '5',
    }),
  );
  const page = await shopAt(server).companies.list({ page: 999 });
  expect(page).toMatchObject({ number: 999, items: [], totalPages: 2, next: undefined });
});

test('§2.1 records of two kinds with the same ids are both delivered', async () => {
  const rows = [companyRow(1), { ...companyRow(1), self: 'https://api.example.com/v1/orders/1' }];
  await using server = await record((request) =>
    queryOf(request).has('page')
      ? json(rows.slice(1))
      : json(rows.slice(0, 1), 200, { link: '</v1/companies?page=2>; rel="next"' }),
  );
  expect(await shopAt(server).companies.list().toArray()).toEqual(rows);
});
