import { collection, defineApi, endpoint, resource } from 'restkin';
import { createMock, type MockOptions } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { declare, origin, send } from './calls.ts';

const Order = resource({ name: z.string() });
const shop = defineApi({
  name: 'shop',
  version: 1,
  auth: 'open',
  collections: { orders: collection('orders', Order), lines: collection('orders/:orderId/lines', Order) },
  endpoints: { settings: endpoint('GET', 'settings', { response: Order }) },
});
const served = '/v1/orders, /v1/orders/:orderId/lines, /v1/settings';

const messageAt = async (path: string, options: MockOptions<typeof shop> = {}) => {
  const { status, json } = await send(createMock(shop, options), path);
  expect(status).toBe(404);
  return json.message;
};

describe('§7.1 the 404 for a path that is not declared says which paths the mock serves', () => {
  test.each([
    ['/v2/orders', '/v1/orders'],
    ['/v1/order', '/v1/orders'],
    ['/v2/orders/7', '/v1/orders/7'],
    ['/v1/order/7/lines', '/v1/orders/7/lines'],
    ['/v1/orders/', '/v1/orders'],
    ['/v1/setting', '/v1/settings'],
    ['/api/v1/settings', '/v1/settings'],
  ])('at %s, where %s is near', async (path, near) => {
    expect(await messageAt(path)).toBe(
      `There is nothing at ${path}; did you mean ${near}? This mock serves ${served}`,
    );
  });

  test('where none is near', async () => {
    expect(await messageAt('/customers')).toBe(`There is nothing at /customers; this mock serves ${served}`);
  });

  test('with the base URL, but not with credentials in it', async () => {
    const baseUrl = 'https://ann:secret@api.example.com/rest/';
    const message = await messageAt('/v1/orders', { baseUrl });
    expect(message).toMatch(
      `There is nothing at ${origin}/v1/orders; did you mean ${origin}/rest/v1/orders? This`,
    );
    expect(message).not.toContain('secret');
    expect((await send(createMock(shop, { baseUrl }), '/rest/v1/orders')).status).toBe(200);
  });

  test('of many, the first ten', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `kind${index}`);
    const many = declare(Object.fromEntries(names.map((name) => [name, collection(name, Order)])));
    const { json } = await send(createMock(many), '/');
    expect(json.message).toMatch(
      /^There is nothing at \/; this mock serves \/v1\/kind0, .*kind9, and 2 more$/,
    );
  });
});
