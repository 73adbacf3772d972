import { dehydrate, hashKey, MutationObserver, QueryClient, QueryObserver } from '@tanstack/query-core';
import {
  collection,
  createClient,
  customAuth,
  defineApi,
  type Fetch,
  InvalidRequestError,
  resource,
  ServiceUnavailableError,
} from 'restkin';
import { createMock } from 'restkin/mocks';
import { queries } from 'restkin/query';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { operationMethods, queryParameters } from '../../../src/conventions.ts';
import { origin } from '../../mocks/calls.ts';
import { basicOrdering, connect } from '../../support/basic-ordering.ts';
import { openCache, password } from '../../support/query-cache.ts';

describe('a key', () => {
  test('has the base URL, the API, its version, the collection, its path parameters and the query', () => {
    const { orders, companyOrders } = openCache();
    const collection = { baseUrl: origin, api: 'ordering', version: 1, collection: 'orders' };
    const query = { sort: ['status'], perPage: 2 } as const;
    expect(orders.list(query).queryKey).toStrictEqual([collection, 'list', 'page', query]);
    expect(orders.pages(query).queryKey).toStrictEqual([collection, 'list', 'pages', query]);
    expect(orders.get(7, { fields: ['status'] }).queryKey).toStrictEqual([
      ...[collection, 'get', '7'],
      { fields: ['status'] },
    ]);
    expect(orders.update().mutationKey).toStrictEqual([collection, 'update']);
    expect(companyOrders({ companyId: 3 }).key()).toStrictEqual([
      { ...collection, collection: 'companyOrders', parameters: { companyId: '3' } },
    ]);
  });

  test('has every query parameter of the conventions (§4.4): of two URLs, one has the key of the other otherwise', () => {
    const { orders } = openCache();
    for (const name of queryParameters) {
      // A value of any type is kept as it is.
      const query = { [name]: 'x' } as Parameters<typeof orders.list>[0];
      expect(orders.list(query).queryKey.at(-1)).toEqual({ [name]: 'x' });
      expect(orders.pages(query).queryKey.at(-1)).toEqual({ [name]: 'x' });
    }
  });

  test('is there for every operation of a collection (§4.2)', () => {
    const { orders } = openCache();
    const names = Object.keys(orders).map((name) => (name === 'remove' ? 'delete' : name));
    expect(names).toEqual(expect.arrayContaining(Object.keys(operationMethods)));
  });

  test('has no password and no token', async () => {
    const { cache, orders } = openCache();
    await cache.fetchQuery(orders.get(1));
    await cache.fetchQuery(orders.list({ perPage: 2 }));
    const written = JSON.stringify(dehydrate(cache));
    expect(written).toContain('"perPage":2');
    for (const secret of ['Bearer', password, 'eyJ']) expect(written).not.toContain(secret);
  });

  test('is refused for options of a call, which it does not hold: two pages would have one key', () => {
    const { orders } = openCache();
    const foreign = [{ perPage: 2, headers: {} }, { from: 'https://api.test/v1/orders?page=2' }];
    for (const options of [...foreign, { ifNoneMatch: '"1"' }] as readonly object[]) {
      expect(() => orders.list(options)).toThrow(TypeError);
      expect(() => orders.pages(options)).toThrow(TypeError);
      expect(() => orders.get(1, options)).toThrow(TypeError);
    }
  });

  test('has the own parameters as they stand in the URL, whatever their codecs make of them', async () => {
    const day = z.codec(z.iso.date(), z.date(), {
      decode: (date) => new Date(date),
      encode: (date) => date.toISOString().slice(0, 10),
    });
    const params = z.object({
      day: z.optional(day),
      after: z.optional(z.bigint().check(z.positive())),
    });
    const Invoice = resource({ title: z.string() });
    const billing = defineApi({
      ...{ name: 'billing', version: 1, auth: 'custom' },
      collections: { invoices: collection('invoices', Invoice, { params }) },
    });
    const mock = createMock(billing, { generate: 3 });
    const auth = customAuth(() => ({}));
    const { invoices } = queries(createClient({ baseUrl: origin, auth, fetch: mock.fetch }), billing);
    const hashOf = (given: object) => hashKey(invoices.list({ params: given as never }).queryKey);
    const sent = { day: new Date('2031-01-02T03:04:05Z'), after: 7n };
    expect(invoices.list({ params: sent }).queryKey.at(-1)).toStrictEqual({
      params: { day: '2031-01-02', after: '7' },
    });
    expect(invoices.pages({ params: { after: 7n } }).queryKey.at(-1)).toEqual({ params: { after: '7' } });
    const hashes = [{ after: 1n }, { after: 2n }, {}];
    expect(new Set(hashes.map(hashOf)).size).toBe(hashes.length);
    // The query fails, and not the rendering that asks for its key.
    const refused = invoices.list({ params: { after: -1n } });
    expect(hashKey(refused.queryKey)).not.toBe(hashOf({}));
    await expect(new QueryClient().fetchQuery(refused)).rejects.toBeInstanceOf(InvalidRequestError);
    expect(mock.requests).toEqual([]);
  });

  test('invalidates a collection, its lists, or one resource by every query', async () => {
    const { cache, orders, companies } = openCache();
    const all = [
      orders.get(1),
      orders.get(1, { expand: ['company'] }),
      orders.get(2),
      orders.list(),
      orders.list({ page: 2, perPage: 2 }),
      companies.list(),
    ] as const;
    for (const { queryKey, queryFn } of all)
      await cache.prefetchQuery({ queryKey, queryFn: queryFn as never });
    const staleAfter = async (queryKey: readonly unknown[]) => {
      await cache.invalidateQueries({ queryKey, refetchType: 'none' });
      const stale = all.map((options) => cache.getQueryState(options.queryKey)?.isInvalidated);
      for (const { state } of cache.getQueryCache().getAll()) Object.assign(state, { isInvalidated: false });
      return stale;
    };
    expect(await staleAfter(orders.key('get', 1))).toEqual([true, true, false, false, false, false]);
    expect(await staleAfter(orders.key('get'))).toEqual([true, true, true, false, false, false]);
    expect(await staleAfter(orders.key('list'))).toEqual([false, false, false, true, true, false]);
    expect(await staleAfter(orders.key())).toEqual([true, true, true, true, true, false]);
  });
});

describe('a query', () => {
  test('gets one resource, or one page, with one request', async () => {
    const { cache, orders, takeRequests } = openCache();
    expect((await cache.fetchQuery(orders.get(2, { fields: ['status'] }))).status).toBe('shipped');
    const page = await cache.fetchQuery(orders.list({ page: 2, perPage: 4 }));
    expect(page).toMatchObject({ number: 2, totalCount: 9, items: [5, 6, 7, 8].map((id) => ({ id })) });
    expect(takeRequests()).toEqual(['GET /v1/orders/2', 'GET /v1/orders 2']);
  });

  test('is retried by the client alone', async () => {
    const { cache, mock, orders, takeRequests } = openCache();
    mock.faults.next({ status: 503, times: 2 });
    expect(await cache.fetchQuery(orders.get(1))).toMatchObject({ id: 1 });
    expect(takeRequests()).toHaveLength(3);
    mock.faults.next({ status: 503, times: 20 });
    const observer = new QueryObserver(cache, orders.get(2));
    const { error, failureCount } = await observer.refetch();
    expect(error).toBeInstanceOf(ServiceUnavailableError);
    expect([failureCount, takeRequests().length]).toEqual([1, 4]);
  });

  test('without an observer left aborts its request', async () => {
    let aborted = false;
    const fetch: Fetch = (_url, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          reject(signal.reason);
        });
      });
    const { client } = connect('https://api.test', { fetch });
    const observer = new QueryObserver(new QueryClient(), queries(client, basicOrdering).orders.get(1));
    const leave = observer.subscribe(() => undefined);
    await new Promise(setImmediate);
    leave();
    await expect.poll(() => aborted).toBe(true);
  });
});

describe('a mutation', () => {
  test('says what to invalidate: the lists of the resource, and the resource that changed', async () => {
    const { cache, orders, companyOrders, takeRequests } = openCache();
    const list = new QueryObserver(cache, orders.list());
    const one = new QueryObserver(cache, orders.get(1));
    const other = new QueryObserver(cache, orders.get(2));
    for (const observer of [list, one, other]) onTestFinished(observer.subscribe(() => undefined));
    await Promise.all(
      [orders.list(), orders.get(1), orders.get(2)].map(async ({ queryKey }) => {
        await expect.poll(() => cache.getQueryState(queryKey)?.status).toBe('success');
      }),
    );
    await cache.fetchQuery(companyOrders({ companyId: 1 }).list());
    takeRequests();
    const observer = new MutationObserver(cache, {
      ...orders.update(),
      onSuccess: ({ invalidates }) =>
        Promise.all(invalidates.map((queryKey) => cache.invalidateQueries({ queryKey }))),
    });
    const { result } = await observer.mutate({ id: 1, body: { status: 'cancelled' } });
    expect(result).toEqual({ outcome: 'done' });
    expect(one.getCurrentResult().data?.status).toBe('cancelled');
    expect(takeRequests().toSorted()).toEqual(['GET /v1/orders', 'GET /v1/orders/1', 'PATCH /v1/orders/1']);
    // The collection of the same resource below a company.
    expect(cache.getQueryState(companyOrders({ companyId: 1 }).list().queryKey)?.isInvalidated).toBe(true);
  });

  test('creates, replaces and removes, each with one request', async () => {
    const { cache, mock, orders, companies, feed, takeRequests } = openCache();
    const mutate = <T, V, E extends Error>(
      options: ConstructorParameters<typeof MutationObserver<T, E, V>>[1],
      variables: V,
    ) => new MutationObserver<T, E, V>(cache, options).mutate(variables);
    const body = { name: 'Acme', city: 'Oslo' };
    const created = await mutate(companies.create(), body);
    expect(created.result).toMatchObject(body);
    expect(created.invalidates).toStrictEqual([companies.key('list'), feed.key('list')]);
    const { result, invalidates } = await mutate(companies.replace(), { id: 1, body });
    expect(result).toEqual({ outcome: 'done' });
    expect(invalidates).toContainEqual(companies.key('get', 1));
    const removed = await mutate(orders.remove(), 9);
    expect(removed.invalidates).toContainEqual(orders.key('get', 9));
    expect(mock.state.row('orders', 9)).toBeUndefined();
    expect(takeRequests()).toEqual(['POST /v1/companies', 'PUT /v1/companies/1', 'DELETE /v1/orders/9']);
  });

  test('invalidates each resource of a collection that has the same one by another `key`', async () => {
    const User = resource({ login: z.string() });
    const people = collection('people', User);
    const api = defineApi({
      name: 'teams',
      version: 1,
      auth: 'custom',
      collections: { users: collection('users', User, { key: 'login' }), people },
    });
    const fetch: Fetch = async () => new Response(null, { status: 204 });
    const client = createClient({ baseUrl: origin, auth: customAuth(() => ({})), fetch });
    const { users, people: byId } = queries(client, api);
    const { invalidates } = await users.remove().mutationFn('ada');
    expect(invalidates).toStrictEqual([
      users.key('list'),
      users.key('get', 'ada'),
      byId.key('list'),
      byId.key('get'),
    ]);
  });
});

test('a collection has what its declaration says, and no more', () => {
  const { feed, orders } = openCache();
  expect(Object.keys(feed).sort().join(' ')).toBe('key list pages');
  expect(Object.keys(orders).sort().join(' ')).toBe('create get key list pages remove replace update');
});

test('an API in place of the client is refused', () => {
  const swapped = queries as (...given: readonly unknown[]) => unknown;
  expect(() => swapped(basicOrdering, {})).toThrow(
    'queries takes a client, and then what defineApi returned',
  );
});
