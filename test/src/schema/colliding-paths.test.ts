import {
  basicAuth,
  collection,
  createClient,
  defineApi,
  endpoint,
  InvalidRequestError,
  resource,
} from 'restkin';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';

// What two parts of a declaration may not share: a method and a path, whatever its parameters are called.

const Order = resource({ status: z.string() });
const get = (path: string) => endpoint('GET', path);

type Parts = Pick<Parameters<typeof defineApi>[0], 'collections' | 'endpoints'>;
const declare = (parts: Parts) => defineApi({ name: 'x', version: 1, auth: 'basic', ...parts });
const orders = collection('orders', Order);
const withEndpoint = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', path: string) => ({
  collections: { orders },
  endpoints: { own: endpoint(method, path) },
});
const withActions = (actions: Readonly<Record<string, ReturnType<typeof endpoint>>>): Parts => ({
  collections: { orders: collection('orders', Order, { actions }) },
});

describe('a declaration is refused where', () => {
  test.each<[string, Parts, string]>([
    ['an endpoint is at the list of a collection', withEndpoint('GET', 'orders'), 'GET orders'],
    ['an endpoint is where a collection creates', withEndpoint('POST', 'orders'), 'POST orders'],
    ['an endpoint is at a resource of a collection', withEndpoint('PUT', 'orders/:id'), 'PUT orders/:id'],
    ['an endpoint has another name for the id', withEndpoint('GET', 'orders/:key'), 'GET orders/:key'],
    ['an endpoint asks for the methods of a collection', withEndpoint('OPTIONS', 'orders'), 'OPTIONS orders'],
    ['an endpoint asks for those of a resource', withEndpoint('OPTIONS', 'orders/:id'), 'OPTIONS orders/:id'],
    [
      'an endpoint differs by the slash at its end alone',
      { collections: { orders }, endpoints: { own: endpoint('GET', 'orders', { trailingSlash: true }) } },
      'GET orders',
    ],
    [
      'two endpoints differ by the names of parameters alone',
      { collections: {}, endpoints: { one: get('a/:x/b'), two: get('a/:y/b') } },
      'GET a/:y/b',
    ],
    ['two actions are at one path', withActions({ one: get('log'), two: get('log') }), 'GET orders/:id/log'],
    [
      'an endpoint is at the path of an action',
      {
        ...withActions({ cancel: get('cancel') }),
        endpoints: { cancelOrder: get('orders/:orderId/cancel') },
      },
      'GET orders/:id/cancel',
    ],
    [
      'an action is at the list of another collection',
      {
        collections: {
          orders: collection('orders', Order, { actions: { lines: get('lines') } }),
          orderLines: collection('orders/:orderId/lines', Order),
        },
      },
      'GET orders/:id/lines',
    ],
    [
      'an action is at a resource of another collection',
      {
        collections: {
          orders: collection('orders', Order, { actions: { line: get('lines/:line') } }),
          orderLines: collection('orders/:orderId/lines', Order),
        },
      },
      'GET orders/:id/lines/:line',
    ],
    [
      'an endpoint is where a collection takes many at once',
      {
        collections: { orders: collection('orders', Order, { bulk: {} }) },
        endpoints: { own: endpoint('PATCH', 'orders') },
      },
      'PATCH orders',
    ],
  ])('%s', (_, parts, place) => {
    expect(() => declare(parts)).toThrow(InvalidRequestError);
    expect(() => declare(parts)).toThrow(`${place} is what the`);
  });
});

describe('a declaration may have', () => {
  test.each<[string, Parts]>([
    ['a literal where a collection has its ids', withEndpoint('GET', 'orders/search')],
    ['another method at the path of a collection', withEndpoint('DELETE', 'orders')],
    [
      'the path of an operation that its collection does not have',
      {
        collections: { orders: collection('orders', Order, { operations: ['list'] }) },
        endpoints: { own: endpoint('POST', 'orders') },
      },
    ],
    [
      'the path of an action with another method',
      { ...withActions({ a: get('a') }), ...{ endpoints: { b: endpoint('POST', 'orders/:id/a') } } },
    ],
    [
      'an endpoint inside the path of another one',
      { collections: {}, endpoints: { a: get('a'), b: get('a/:id'), c: get('a/:id/b') } },
    ],
    [
      'a literal where another endpoint has a parameter',
      { collections: {}, endpoints: { a: get('a/:id'), b: get('a/latest') } },
    ],
  ])('%s', (_, parts) => {
    expect(() => declare(parts)).not.toThrow();
  });
});

test('a literal is preferred to a parameter and to an id, by the mock too', async () => {
  const text = <const P extends string>(path: P) => endpoint('GET', path, { as: 'text' });
  const api = defineApi({
    name: 'x',
    version: 1,
    auth: 'basic',
    collections: { orders },
    endpoints: { report: text('reports/:id'), latest: text('reports/latest'), search: text('orders/search') },
  });
  const mock = createMock(api, { generate: 1 });
  const auth = basicAuth({ username: 'ada', password: 'lovelace' });
  const client = createClient({ baseUrl: 'https://api.test', auth, fetch: mock.fetch }).api(api);
  expect([await client.report({ id: 7 }), await client.latest(), await client.search()]).toEqual([
    'report\n',
    'latest\n',
    'search\n',
  ]);
});
