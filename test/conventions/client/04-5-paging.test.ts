import { CrossOriginUrlError, type PagingProgress } from 'restkin';
import { createMock, serve } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import { json, type Reply, record } from '../../support/recording-server.ts';
import { companyRow, rejectionOf, shop, shopAt } from '../../support/shop.ts';

/** A page of companies with these ids. */
const page = (ids: readonly number[], link?: string | readonly string[], headers: Reply['headers'] = {}) =>
  json(ids.map(companyRow), 200, { ...headers, ...(link === undefined ? {} : { link }) });

const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);

const at = (number: number) => `/v1/companies?page=${number}`;

const companies = Array.from({ length: 7 }, (_, index) => ({ name: `C${index}`, city: 'Oslo' }));

describe('§4.5 a page', () => {
  test('§4.5 with totals a page says where it is', async () => {
    const link = [
      `<${at(1)}>; rel="first"`,
      `<${at(2)}>; rel="prev"`,
      `<${at(4)}>; rel="next", <${at(5)}>; rel="last"`,
    ];
    const headers = {
      'x-pagination-total-pages': '5',
      'x-pagination-total-count': '9',
      'x-pagination-current-page': '3',
      'x-pagination-page-size': '2',
    };
    await using server = await record(() => page([5, 6], link, headers));
    expect(await shopAt(server).companies.list()).toEqual({
      items: [companyRow(5), companyRow(6)],
      number: 3,
      size: 2,
      totalCount: 9,
      totalPages: 5,
      first: server.url + at(1),
      prev: server.url + at(2),
      next: server.url + at(4),
      last: server.url + at(5),
    });
  });
});

describe('§4.5 reading a list', () => {
  const serveSeven = async () => {
    const mock = createMock(shop, { data: { companies } });
    const server = await serve(mock);
    return { mock, shop: shopAt(server), [Symbol.asyncDispose]: () => server.close() };
  };
  const query = { perPage: 3 };

  test('§4.5 for await gives every record in order, and await the first page', async () => {
    await using seven = await serveSeven();
    const list = seven.shop.companies.list(query);
    const ids: number[] = [];
    for await (const { id } of list) ids.push(id);
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(idsOf((await list).items)).toEqual([1, 2, 3]);
    expect(seven.mock.requests.map(({ search }) => search.get('page'))).toEqual([null, '2', '3', null]);
  });

  test('§4.5 nothing is sent before a list is read', async () => {
    await using seven = await serveSeven();
    seven.shop.companies.list(query).pages();
    await seven.shop.companies.get(1);
    expect(seven.mock.requests.map(({ path }) => path)).toEqual(['/v1/companies/1']);
  });

  test.each([
    [{ limit: 2 }, [1, 2], 1],
    [{ limit: 3 }, [1, 2, 3], 1],
    [{ limit: 4 }, [1, 2, 3, 4], 2],
    [{ limit: 0 }, [], 0],
    [{ maxPages: 2 }, [1, 2, 3, 4, 5, 6], 2],
    [{ maxPages: 2, limit: 1 }, [1], 1],
  ])('§4.5 %j ends a list', async (options, ids, requests) => {
    await using seven = await serveSeven();
    const list = seven.shop.companies.list({ ...query, ...options });
    expect(idsOf(await list.toArray())).toEqual(ids);
    expect(seven.mock.requests).toHaveLength(requests);
    const pages: number[] = [];
    for await (const { items } of list.pages()) pages.push(...idsOf(items));
    expect(pages).toEqual(ids);
    expect(seven.mock.requests).toHaveLength(2 * requests);
  });

  test('§4.5 onPage reports the progress of a list', async () => {
    await using seven = await serveSeven();
    const progress: PagingProgress[] = [];
    await seven.shop.companies.list({ ...query, onPage: (step) => progress.push(step) }).toArray();
    const totals = { totalPages: 3, totalCount: 7 };
    expect(progress).toEqual([
      { pages: 1, records: 3, ...totals },
      { pages: 2, records: 6, ...totals },
      { pages: 3, records: 7, ...totals },
    ]);
  });

  test('§4.5 a list continues from the next of a page', async () => {
    await using seven = await serveSeven();
    const { next } = await seven.shop.companies.list(query);
    expect(idsOf(await seven.shop.companies.list({ ...query, from: next }).toArray())).toEqual([4, 5, 6, 7]);
  });

  test('§4.5 a list does not go on from another origin', async () => {
    await using other = await record(() => page([1]));
    await using seven = await serveSeven();
    const list = seven.shop.companies.list({ ...query, from: `${other.url}/v1/companies` });
    expect(await rejectionOf(list)).toBeInstanceOf(CrossOriginUrlError);
    expect(other.requests).toEqual([]);
  });
});
