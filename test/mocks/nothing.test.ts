import { collection, defineApi, endpoint, family, resource } from 'restkin';
import { github } from 'restkin/families';
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
    ['/v1/v1/settings', '/v1/settings'],
  ])('at %s, where %s is near', async (path, near) => {
    expect(await messageAt(path)).toBe(
      `There is nothing at ${path}; did you mean ${near}? This mock serves ${served}`,
    );
  });

  test.each([
    ['/api/v1/settings', '/api'],
    ['/api/rest/v1/orders/7/lines/', '/api/rest'],
    ['/v1x/v1/orders/7', '/v1x'],
  ])('at %s, where the base URL may end with %s', async (path, prefix) => {
    const advice = `if the client's \`baseUrl\` ends with ${prefix}, pass it to createMock, or --base-url to \`restkin mock\``;
    expect(await messageAt(path)).toBe(`There is nothing at ${path}; ${advice}. This mock serves ${served}`);
  });

  test('at the token endpoint, where the auth URL may have a path', async () => {
    const advice = "if the client's `authUrl` ends with /tenant, pass it to createMock";
    expect(await messageAt('/tenant/auth/token')).toBe(
      `There is nothing at /tenant/auth/token; ${advice}. This mock serves ${served}`,
    );
    const options = { authUrl: 'https://auth.example.com', tokens: { path: 'oauth/token' } };
    expect(await messageAt('/tenant/oauth/token', options)).toContain(`; ${advice}. This`);
    expect(await messageAt('/oauth/token', options)).not.toContain('authUrl');
  });

  test('where the base URL of the mock has another path', async () => {
    const message = await messageAt('/api/v1/orders', { baseUrl: `${origin}/rest` });
    expect(message).toContain(
      `There is nothing at ${origin}/api/v1/orders; if the client's \`baseUrl\` ends with /api, pass`,
    );
  });

  test('of a family without a version, whose paths may be the end of any other', async () => {
    const { resource, collection, defineApi } = family(github);
    const Project = resource({ name: z.string() });
    const collections = { projects: collection('projects', Project), any: collection(':group/any', Project) };
    const mock = createMock(defineApi({ name: 'github', auth: 'open', collections }));
    const at = async (path: string) => (await send(mock, path)).json.message;
    expect(await at('/api/v3/projects')).toContain('ends with /api/v3, pass');
    expect(await at('/projects/7/projects')).not.toContain('ends with');
    expect(await at('/a/b/any')).not.toContain('ends with');
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
