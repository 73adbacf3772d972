import { CrossOriginUrlError, PagingError, UnexpectedResponseError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { inOrder, json, type Reply, record } from '../../support/recording-server.ts';
import { companyRow, rejectionOf, shopAt } from '../../support/shop.ts';

/** A page of companies with these ids. */
const page = (ids: readonly number[], link?: string | readonly string[], headers: Reply['headers'] = {}) =>
  json(ids.map(companyRow), 200, { ...headers, ...(link === undefined ? {} : { link }) });

const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);

const at = (number: number) => `/v1/companies?page=${number}`;

describe('§4.5 the Link field', () => {
  test.each([
    ['plain', `<${at(2)}>; rel="next"`],
    ['behind others', `<${at(1)}>; rel="first", <${at(9)}>; rel="last", <${at(2)}>; rel="next"`],
    ['with several relations', `<${at(2)}>; rel="last next"`],
    ['in several fields', [`<${at(1)}>; rel="prev"`, `<${at(2)}>; rel="next"`]],
  ])('§4.5 next is found %s', async (_how, link) => {
    await using server = await record(inOrder(page([1], link), page([2])));
    expect(idsOf(await shopAt(server).companies.list().toArray())).toEqual([1, 2]);
    expect(server.requests.map(({ url }) => url)).toEqual(['/v1/companies', at(2)]);
  });

  test('§4.5 next is followed as the server wrote it', async () => {
    const odd = '/v1/companies?cursor=a%2Fb%20c+d&page=%32&&sort=-x,y&=';
    await using server = await record(inOrder(page([1], `<${odd}>; rel="next"`), page([2])));
    await shopAt(server)
      .companies.list({ perPage: 1, sort: ['name'] })
      .toArray();
    expect(server.requests.map(({ url }) => url)).toEqual(['/v1/companies?sort=name&perPage=1', odd]);
  });

  test('§4.5 a next that is absolute is followed with credentials', async () => {
    await using server = await record((_request, index) =>
      index === 0 ? page([1], `<${server.url}${at(2)}>; rel="next"`) : page([2]),
    );
    await shopAt(server).companies.list().toArray();
    expect(server.requests[1]?.url).toBe(at(2));
    expect(server.requests[1]?.headers.authorization).toBe('Basic YWRhOmxvdmVsYWNl');
    expect(server.requests[1]?.headers.accept).toBe('application/json');
  });

  test('§4.5 links without next against X-Pagination-* that says more is an error, never an end', async () => {
    const headers = { 'x-pagination-total-pages': '9', 'x-pagination-total-count': '9' };
    await using server = await record(() => page([1], `<${at(9)}>; rel="last"`, headers));
    expect(await rejectionOf(shopAt(server).companies.list().toArray())).toBeInstanceOf(PagingError);
    expect(server.requests).toHaveLength(1);
  });

  test('§4.5 without any Link, X-Pagination-* leads to the next page', async () => {
    await using server = await record((_request, index) =>
      page([index + 1], undefined, {
        'x-pagination-current-page': `${index + 1}`,
        'x-pagination-total-pages': '3',
      }),
    );
    const { companies } = shopAt(server);
    expect(idsOf(await companies.list().toArray())).toEqual([1, 2, 3]);
    expect(server.requests.map(({ url }) => url)).toEqual(['/v1/companies', at(2), at(3)]);
  });

  test('§4.5 a next to another origin is refused, and nothing is sent there', async () => {
    await using other = await record(() => page([2]));
    await using server = await record(() => page([1], `<${other.url}${at(2)}>; rel="next"`));
    expect(await rejectionOf(shopAt(server).companies.list().toArray())).toBeInstanceOf(CrossOriginUrlError);
    expect([server.requests.length, other.requests.length]).toEqual([1, 0]);
  });

  test('§4.5 a Link field that cannot be read is an error, not an end', async () => {
    await using server = await record(() => page([1], `${at(2)}; rel="next"`));
    const failure = await rejectionOf(shopAt(server).companies.list().toArray());
    expect(failure).toBeInstanceOf(UnexpectedResponseError);
  });
});
