import type { QueryBuilder } from 'restkin';
import { describe, expect, test } from 'vitest';
import type { ordering } from '../../support/ordering.ts';
import { json, record } from '../../support/recording-server.ts';
import { connect, shopAt } from '../../support/shop.ts';

type Orders = ReturnType<typeof shopAt>['orders'];
type Query = NonNullable<Parameters<Orders['list']>[0]>;
type Builder = QueryBuilder<(typeof ordering)['collections']['orders']>;

const table: readonly (readonly [string, Query, (query: Builder) => { toString(): string }])[] = [
  ['', {}, (query) => query],
  ['page=3', { page: 3 }, (query) => query.page(3)],
  ['perPage=50', { perPage: 50 }, (query) => query.perPage(50)],
  ['sort=status', { sort: ['status'] }, (query) => query.sort('status')],
  ['sort=-createdAt', { sort: ['-createdAt'] }, (query) => query.sort('-createdAt')],
  [
    'sort=-status%2Cdevice.model%2C-id',
    { sort: ['-status', 'device.model', '-id'] },
    (query) => query.sort('-status', 'device.model', '-id'),
  ],
  ['fields=status', { fields: ['status'] }, (query) => query.fields('status')],
  [
    'fields=status%2Cdevice.model%2Ccompany',
    { fields: ['status', 'device.model', 'company'] },
    (query) => query.fields('status', 'device.model', 'company'),
  ],
  ['expand=company', { expand: ['company'] }, (query) => query.expand('company')],
  [
    'sort=id&fields=status&expand=company&page=2&perPage=10',
    { perPage: 10, page: 2, expand: ['company'], fields: ['status'], sort: ['id'] },
    (query) => query.perPage(10).page(2).expand('company').fields('status').sort('id'),
  ],
  ['', { sort: [], fields: [], expand: [] }, (query) => query.sort().fields().expand()],
];

describe('§4.4 the query string', () => {
  test.each(table)('§4.4 "%s" in the object and the builder form', async (text, query, build) => {
    await using server = await record(() => json([]));
    const { orders } = shopAt(server);
    await orders.list(query);
    expect(server.requests[0]?.url).toBe(text === '' ? '/v1/orders' : `/v1/orders?${text}`);
    expect(build(orders.query()).toString()).toBe(text);
  });

  test('§4.4 a builder sends what it says, and each step leaves the one before as it was', async () => {
    await using server = await record(() => json([]));
    const start = shopAt(server).orders.query().sort('-id');
    const small = start.perPage(5);
    const large = start.perPage(100).page(2);
    await small.list();
    await large.list();
    await start.list();
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/v1/orders?sort=-id&perPage=5',
      '/v1/orders?sort=-id&page=2&perPage=100',
      '/v1/orders?sort=-id',
    ]);
  });

  test("§4.4 an endpoint's own parameters follow, encoded", async () => {
    await using server = await record(() => json([]));
    const { feed } = shopAt(server);
    await feed.list({ page: 2, params: { since: '2026-01-01T00:00:00+01:00&x=1', limit: 5 } });
    await feed.query().params({ since: 'ü' }).perPage(3).list();
    await feed.list({ params: {} });
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/v1/feed?page=2&since=2026-01-01T00%3A00%3A00%2B01%3A00%26x%3D1&limit=5',
      '/v1/feed?perPage=3&since=%C3%BC',
      '/v1/feed',
    ]);
  });

  test("§4.4 an API's own endpoint takes a query of any names", async () => {
    await using server = await record(() => json({}));
    const query = { ids: [1, 2], since: new Date(0), q: 'a b', none: undefined, flag: false };
    await connect(server).request({ method: 'GET', path: 'v1/reports', query });
    const expected = '/v1/reports?ids=1%2C2&since=1970-01-01T00%3A00%3A00.000Z&q=a+b&flag=false';
    expect(server.requests[0]?.url).toBe(expected);
  });
});
