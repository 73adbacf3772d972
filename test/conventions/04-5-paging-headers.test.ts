import { collection, defineApi, InvalidRequestError } from 'restkin';
import { expect } from 'vitest';
import { check, type Fixture, mockOf } from '../support/conformance.ts';
import { data, newCompany, shop } from '../support/conformance-data.ts';
import { idsOf, linksOf, rowsOf } from '../support/conformance-send.ts';
import { Company } from '../support/ordering.ts';
import { rejectionOf } from '../support/shop.ts';

const filled = mockOf(shop, { data });

type Shop = Fixture<typeof shop>;

/** The pages that the links of a response refer to, by relation. */
const pagesOf = (links: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(links)
      .filter((entry): entry is [string, string] => entry[1] !== undefined)
      .map(([relation, url]) => [relation, new URL(url).searchParams.get('page')]),
  );

const linkedByFetch = async ({ send }: Shop, page: number) =>
  pagesOf(linksOf(await send(`/v1/orders?perPage=2&page=${page}`)));

const linkedByClient = async ({ api }: Shop, page: number) => {
  const { first, prev, next, last } = await api.orders.list({ perPage: 2, page });
  return pagesOf({ first, prev, next, last });
};

const pages = [
  [1, { next: '2', last: '3' }, 'next and last on page 1, and neither prev nor first'],
  [2, { first: '1', prev: '1', next: '3', last: '3' }, 'all four relations in the middle'],
  [3, { first: '1', prev: '2' }, 'no next on the last page'],
] as const;

for (const [page, links, what] of pages) {
  check(filled, `§4.5 Link has ${what}`, {
    fetch: async (fixture) => {
      expect(await linkedByFetch(fixture, page)).toEqual(links);
    },
    client: async (fixture) => {
      expect(await linkedByClient(fixture, page)).toEqual(links);
    },
  });
}

check(filled, '§4.5 Link has URIs that keep the query and return the records', {
  fetch: async ({ send }) => {
    const seen: unknown[] = [];
    let next: string | undefined = '/v1/orders?sort=-id&fields=status&perPage=2';
    while (next !== undefined) {
      const answer = await send(next);
      seen.push(...rowsOf(answer));
      next = linksOf(answer).next;
    }
    expect(idsOf(seen as { id: number }[])).toEqual([5, 4, 3, 2, 1]);
    expect(seen.every((row) => Object.keys(row as object).length === 3)).toBe(true);
  },
  client: async ({ api, mock }) => {
    const query = { sort: ['-id'], fields: ['status'], perPage: 2 } as const;
    const seen = await api.orders.list(query).toArray();
    expect(idsOf(seen)).toEqual([5, 4, 3, 2, 1]);
    expect(mock.requests.map(({ search }) => [search.get('sort'), search.get('page')])).toEqual([
      ['-id', null],
      ['-id', '2'],
      ['-id', '3'],
    ]);
  },
});

const headers = [
  ['X-Pagination-Total-Pages', 'totalPages', 3],
  ['X-Pagination-Total-Count', 'totalCount', 5],
  ['X-Pagination-Current-Page', 'number', 2],
  ['X-Pagination-Page-Size', 'size', 2],
] as const;

for (const [name, property, value] of headers) {
  check(filled, `§4.5 ${name} is ${value} on page 2 of five records by two`, {
    fetch: async ({ send }) => {
      const answer = await send('/v1/orders?perPage=2&page=2');
      expect(answer.headers.get(name)).toBe(String(value));
    },
    client: async ({ api }) => {
      const { data, response } = await api.orders.list({ perPage: 2, page: 2 }).withResponse();
      expect([data[property], response.headers.get(name)]).toEqual([value, String(value)]);
    },
  });
}

check(filled, '§4.5.1 without totals both headers are omitted, and the other two are sent', {
  fetch: async ({ send }) => {
    const answer = await send('/v1/feed?perPage=2');
    expect(headers.map(([name]) => answer.headers.get(name))).toEqual([null, null, '1', '2']);
  },
  client: async ({ api }) => {
    expect(await api.feed.list({ perPage: 2 })).toMatchObject({
      totalPages: undefined,
      totalCount: undefined,
      number: 1,
      size: 2,
    });
  },
});

check(filled, '§4.5.2 without totals the Link field holds only next, while more records are available', {
  fetch: async ({ send }) => {
    const first = await send('/v1/feed?perPage=1');
    const middle = await send(linksOf(first).next ?? '');
    const last = await send(linksOf(middle).next ?? '');
    expect([first, middle].map((answer) => pagesOf(linksOf(answer)))).toEqual([{ next: '2' }, { next: '3' }]);
    expect([last.status, last.headers.get('link')]).toEqual([200, null]);
    expect([first, middle, last].map((answer) => idsOf(rowsOf(answer)))).toEqual([[1], [2], [3]]);
  },
  client: async ({ api, mock }) => {
    const seen: unknown[] = [];
    for await (const { items, first, prev, next, last } of api.feed.list({ perPage: 1 }).pages()) {
      seen.push([idsOf(items), pagesOf({ first, prev, next, last })]);
    }
    expect(seen).toEqual([
      [[1], { next: '2' }],
      [[2], { next: '3' }],
      [[3], {}],
    ]);
    expect(mock.requests).toHaveLength(3);
  },
});

const paged = defineApi({
  name: 'paged',
  version: 1,
  auth: 'basic',
  collections: {
    companies: collection('companies', Company, { paging: { defaultPerPage: 2, maxPerPage: 3 } }),
  },
});

const sizes = [
  '§4.5.3 an endpoint has a default page size, and may have a maximum',
  '§8 page size has a default, and a maximum above which it is a 400',
] as const;

check(mockOf(paged, { data: { companies: [...data.companies, { ...newCompany, id: 4 }] } }), sizes, {
  fetch: async ({ send }) => {
    const answer = await send('/v1/companies');
    expect([rowsOf(answer).length, answer.headers.get('x-pagination-page-size')]).toEqual([2, '2']);
    expect(rowsOf(await send('/v1/companies?perPage=3'))).toHaveLength(3);
    expect((await send('/v1/companies?perPage=4')).status).toBe(400);
  },
  client: async ({ api, client, mock }) => {
    expect(await api.companies.list()).toMatchObject({ size: 2, items: { length: 2 } });
    expect(mock.requests[0]?.search.has('perPage')).toBe(false);
    expect((await api.companies.list({ perPage: 3 })).items).toHaveLength(3);
    expect(await rejectionOf(api.companies.list({ perPage: 4 }))).toBeInstanceOf(InvalidRequestError);
    const own = client.request({ method: 'GET', path: 'v1/companies', query: { perPage: 4 } });
    expect(await rejectionOf(own)).toMatchObject({ status: 400 });
  },
});
