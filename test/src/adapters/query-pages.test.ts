import {
  type DehydratedState,
  dehydrate,
  hydrate,
  InfiniteQueryObserver,
  QueryClient,
} from '@tanstack/query-core';
import type { Page } from 'restkin';
import type { KeyedPages } from 'restkin/query';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openCache } from '../../support/query-cache.ts';

interface Row {
  readonly id: number;
}

/** An observer as a component has it. */
const observe = <T extends Row, E extends Error>(cache: QueryClient, options: KeyedPages<T, E>) => {
  const observer = new InfiniteQueryObserver(cache, { ...options, staleTime: Number.POSITIVE_INFINITY });
  onTestFinished(observer.subscribe(() => undefined));
  const shown = (): readonly Page<T>[] => observer.getCurrentResult().data?.pages ?? [];
  return {
    observer,
    ids: () => shown().map(({ items }) => items.map(({ id }) => id)),
    begun: () => cache.ensureInfiniteQueryData(options),
    next: () => observer.fetchNextPage({ throwOnError: true }),
    previous: () => observer.fetchPreviousPage({ throwOnError: true }),
  };
};

describe('pages of an infinite query', () => {
  test('are one request each, and end with the list', async () => {
    const { cache, orders, takeRequests } = openCache(7);
    const { observer, ids, begun, next } = observe(cache, orders.pages({ perPage: 3 }));
    await begun();
    expect(observer.getCurrentResult()).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    await next();
    await next();
    expect(ids()).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
    expect(observer.getCurrentResult()).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
    expect(takeRequests()).toEqual(['GET /v1/orders', 'GET /v1/orders 2', 'GET /v1/orders 3']);
    await next();
    expect(takeRequests()).toEqual([]);
  });

  test('start at any page, and with totals go backwards to the first one', async () => {
    const { cache, orders, takeRequests } = openCache(9);
    const { observer, ids, begun, next, previous } = observe(cache, orders.pages({ perPage: 3, page: 2 }));
    await begun();
    expect(observer.getCurrentResult()).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    await previous();
    await next();
    expect(ids().flat()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(observer.getCurrentResult()).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
    expect(takeRequests()).toEqual(['GET /v1/orders 2', 'GET /v1/orders 1', 'GET /v1/orders 3']);
  });

  test('without totals go forwards alone', async () => {
    const { cache, feed } = openCache();
    const { observer, ids, begun, next } = observe(cache, feed.pages({ perPage: 2 }));
    await begun();
    await next();
    expect(ids()).toEqual([[1, 2], [3]]);
    expect(observer.getCurrentResult()).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
  });

  test('continue in another cache, from what the first one dehydrated', async () => {
    const { cache, orders, takeRequests } = openCache(9);
    const options = orders.pages({ perPage: 3 });
    await cache.fetchInfiniteQuery({ ...options, pages: 2 });
    const state: DehydratedState = JSON.parse(JSON.stringify(dehydrate(cache)));
    takeRequests();
    const other = new QueryClient();
    hydrate(other, state);
    const { ids, next } = observe(other, options);
    await next();
    expect(ids().flat()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(takeRequests()).toEqual(['GET /v1/orders 3']);
  });

  test('are fetched again, each once, when their list is invalidated', async () => {
    const { cache, orders, takeRequests, remove } = openCache(9);
    const { ids, begun, next } = observe(cache, orders.pages({ perPage: 3 }));
    await begun();
    await next();
    takeRequests();
    remove(1, 2);
    await cache.invalidateQueries({ queryKey: orders.key('list') });
    expect(ids()).toEqual([
      [3, 4, 5],
      [6, 7, 8],
    ]);
    expect(takeRequests()).toEqual(['GET /v1/orders', 'GET /v1/orders 2']);
  });
});
