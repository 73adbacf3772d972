import { describe, expect, test } from 'vitest';
import { json, type Reply, record } from '../../support/recording-server.ts';
import { companyRow, shopAt } from '../../support/shop.ts';

const perPage = 50;

/** A server of 120 companies, whose pages have these headers. */
const serve = (headersOf: (page: number, records: number) => NonNullable<Reply['headers']>) =>
  record(({ url }) => {
    const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
    const length = Math.max(0, Math.min(perPage, 120 - (page - 1) * perPage));
    const rows = Array.from({ length }, (_, index) => companyRow((page - 1) * perPage + index + 1));
    return json(rows, 200, { 'x-pagination-current-page': String(page), ...headersOf(page, length) });
  });

describe('§4.5 the numbers show the last page', () => {
  test.each([1, 4])(
    '§4.5 of a server that links to a next page for ever, %i at once',
    async (concurrency) => {
      await using server = await serve((page) => ({
        'x-pagination-total-pages': '3',
        link: `</v1/companies?page=${page + 1}&perPage=50>; rel="next"`,
      }));
      const list = shopAt(server).companies.list({ perPage, concurrency, maxPages: 20 });
      expect(await list.toArray()).toHaveLength(120);
      expect(server.requests.length).toBeLessThan(8);
    },
  );

  test.each([
    ['links', true],
    ['numbers', false],
  ])('§4.5 of a server that gives the records of a page as its size, by %s', async (_by, isLinked) => {
    await using server = await serve((page, records) => ({
      'x-pagination-total-count': '120',
      'x-pagination-page-size': String(records),
      ...(isLinked && { link: `</v1/companies?page=1&perPage=50>; rel="first"` }),
      ...(isLinked && page < 3 && { link: `</v1/companies?page=${page + 1}&perPage=50>; rel="next"` }),
    }));
    const seen: unknown[] = [];
    for await (const { items, size, totalPages } of shopAt(server).companies.list({ perPage }).pages())
      seen.push([items.length, size, totalPages]);
    expect(seen).toEqual([
      [50, 50, 3],
      [50, 50, 3],
      [20, 50, 3],
    ]);
    expect(server.requests).toHaveLength(3);
  });
});

test('§4.5 the pages of a list by cursors may have sizes of their own', async () => {
  await using server = await record(({ url }) => {
    const isFirst = !url.includes('cursor');
    const link = isFirst ? { link: '</v1/companies?cursor=b>; rel="next"' } : {};
    return json([companyRow(isFirst ? 1 : 2)], 200, {
      'x-pagination-page-size': isFirst ? '50' : '30',
      ...link,
    });
  });
  const sizes: unknown[] = [];
  for await (const { size } of shopAt(server).companies.list().pages()) sizes.push(size);
  expect(sizes).toEqual([50, 30]);
});
