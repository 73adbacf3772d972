import { fileURLToPath } from 'node:url';
import { createMock, serve } from 'restkin/mocks';
import { expect, test } from 'vitest';
import { office } from '../support/endpoints.ts';
import { runHere } from './run-here.ts';
import { shipping } from './shipping.ts';

const file = fileURLToPath(new URL('../support/endpoints.ts', import.meta.url));

const get = async (...argv: readonly string[]) => {
  await using server = await serve(createMock(office, { generate: { companies: 1, orders: 1 } }));
  const env = { RESTKIN_BASE_URL: server.url, RESTKIN_USERNAME: 'ada', RESTKIN_PASSWORD: 'lovelace' };
  return await runHere(['get', file, ...argv], env);
};

test('get prints the JSON of an endpoint, selected as it is declared', async () => {
  expect(JSON.parse((await get('settings')).stdout)).toHaveProperty('currency');
  const latest = JSON.parse((await get('latestOrder', '--fields=status')).stdout);
  expect(Object.keys(latest).toSorted()).toEqual(['id', 'self', 'status']);
});

test('get reads an action by its path, or by its name with the id in --param', async () => {
  const event = { at: expect.any(String) };
  expect(JSON.parse((await get('orders/1/history', '--param=limit=5')).stdout)).toContainEqual(event);
  expect(JSON.parse((await get('orders.history', '--param=id=1')).stdout)).toContainEqual(event);
});

test('get reads an action below a collection with path parameters', async () => {
  const mock = createMock(shipping, { data: { companyOrders: [] } });
  await using server = await serve(mock);
  const env = { RESTKIN_BASE_URL: server.url, RESTKIN_USERNAME: 'ada', RESTKIN_PASSWORD: 'lovelace' };
  const shippingFile = fileURLToPath(new URL('shipping.ts', import.meta.url));
  await runHere(['get', shippingFile, 'companies/3/orders/7/parcels/2%2F1'], env);
  const inParam = ['--param=companyId=3', '--param=id=7', '--param=number=2/1'];
  await runHere(['get', shippingFile, 'companyOrders.parcel', ...inParam], env);
  expect(mock.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /v1/companies/3/orders/7/parcels/2%2F1',
    'GET /v1/companies/3/orders/7/parcels/2%2F1',
  ]);
});

test('get writes text and bytes as they are', async () => {
  expect((await get('transcript', '--param=id=3')).stdout).toBe('transcript\n');
  expect((await get('audio', '--param=id=3')).stdout).toBe('audio\n');
  expect((await get('recordings/3/audio')).stdout).toBe('audio\n');
});

test.each([
  [['report'], 'The endpoint report is POST reports, and restkin get sends GET alone'],
  [['settings', '--sort=id'], 'an endpoint, which takes --param, --fields and --expand only'],
  [
    ['orders/1/cancel'],
    'The action orders.cancel is POST orders/:id/cancel, and restkin get sends GET alone',
  ],
  [['orders.history'], 'orders.history is orders/:id/history; give --param=id=…'],
  [['audio'], 'audio is recordings/:id/audio; give --param=id=…'],
  [['adio'], 'did you mean audio?'],
  [['recording/3/audio'], 'did you mean recordings/3/audio?'],
  [['settings', '--param=nope=1'], 'settings has no option "query"'],
])('get %j is refused', async (argv, problem) => {
  expect((await get(...argv)).stderr).toContain(problem);
});
