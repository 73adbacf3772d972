import { collection, defineApi, InvalidRequestError } from 'restkin';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { Order, ordering } from '../../support/ordering.ts';
import { json, record } from '../../support/recording-server.ts';
import { connect, rejectionOf } from '../../support/shop.ts';

describe('§4.4 only what an endpoint declares is sent', () => {
  const { companies, companyOrders, feed, orders } = ordering.collections;
  const api = defineApi({
    name: 'narrow',
    version: 1,
    auth: 'basic',
    collections: {
      orders,
      companies,
      companyOrders,
      feed,
      bare: collection('bare', Order),
      narrow: collection('narrow', Order, { fields: ['status'], expand: ['company'] }),
      search: collection('search', Order, { params: z.object({ q: z.string() }) }),
    },
  });
  const refusals: readonly (readonly [string, keyof typeof api.collections, object])[] = [
    ['page', 'bare', { page: 1 }],
    ['perPage', 'bare', { perPage: 1 }],
    ['sort', 'bare', { sort: ['id'] }],
    ['fields', 'bare', { fields: ['status'] }],
    ['expand', 'bare', { expand: ['company'] }],
    ['own parameters', 'bare', { params: { q: 'x' } }],
    ['another name', 'orders', { filter: 'x' }],
    ['a sort field that is not declared', 'companies', { sort: ['id'] }],
    ['a sort field that does not exist', 'orders', { sort: ['nope'] }],
    ['two signs', 'orders', { sort: ['--id'] }],
    ['a comma in a name', 'orders', { sort: ['id,status'] }],
    ['a field that is not declared', 'narrow', { fields: ['note'] }],
    ['an expansion of a plain field', 'orders', { expand: ['device'] }],
    ['page 0', 'orders', { page: 0 }],
    ['half a page', 'orders', { page: 1.5 }],
    ['perPage 0', 'orders', { perPage: 0 }],
    ['a perPage above the maximum', 'orders', { perPage: 201 }],
    ['a missing own parameter', 'search', {}],
    ['an own parameter of another type', 'search', { params: { q: 1 } }],
  ];

  test.each(refusals)('§4.4 %s is refused, and nothing is sent', async (_what, key, query) => {
    await using server = await record(() => json([]));
    // A JavaScript user has no compiler.
    const lists = connect(server).api(api) as unknown as Record<
      string,
      { list(query: object): PromiseLike<unknown> }
    >;
    const error = await rejectionOf(lists[key]?.list(query) ?? Promise.resolve());
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(server.requests).toEqual([]);
  });

  test('§4.4 a builder has no steps for what is not declared', () => {
    const query = connect({ url: 'http://127.0.0.1:1' }).api(api).bare.query();
    expect(Object.keys(query).sort()).toEqual(['list', 'toString', 'value']);
  });
});
