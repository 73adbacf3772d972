import { fileURLToPath } from 'node:url';
import type { ApiDeclaration } from 'restkin';
import { createMock, serve } from 'restkin/mocks';
import { expect, test } from 'vitest';
import { office } from '../support/endpoints.ts';
import { runHere, writeTemporary } from './run-here.ts';
import { shipping } from './shipping.ts';

const file = fileURLToPath(new URL('../support/endpoints.ts', import.meta.url));

const get = async (...argv: readonly string[]) => {
  await using server = await serve(createMock(office, { generate: { companies: 1, orders: 1 } }));
  const env = { RESTKIN_BASE_URL: server.url, RESTKIN_USERNAME: 'ada', RESTKIN_PASSWORD: 'lovelace' };
  return await runHere(['get', file, ...argv], env);
};

test('get prints the JSON of an endpoint', async () => {
  expect(JSON.parse((await get('settings')).stdout)).toHaveProperty('currency');
});

test('get selects of an endpoint what --fields names', async () => {
  const latest = JSON.parse((await get('latestOrder', '--fields=status')).stdout);
  expect(Object.keys(latest).toSorted()).toEqual(['id', 'self', 'status']);
});

test.each([
  ['its path', ['orders/1/history', '--param=limit=5']],
  ['its name, with the id in --param', ['orders.history', '--param=id=1']],
])('get reads an action by %s', async (_, argv) => {
  expect(JSON.parse((await get(...argv)).stdout)).toContainEqual({ at: expect.any(String) });
});

test.each([
  ['its path', ['companies/3/orders/7/parcels/2%2F1']],
  [
    'its name, with all parameters in --param',
    ['companyOrders.parcel', '--param=companyId=3', '--param=id=7', '--param=number=2/1'],
  ],
])('get reads an action below a collection with path parameters by %s', async (_, argv) => {
  const mock = createMock(shipping, { data: { companyOrders: [] } });
  await using server = await serve(mock);
  const env = { RESTKIN_BASE_URL: server.url, RESTKIN_USERNAME: 'ada', RESTKIN_PASSWORD: 'lovelace' };
  await runHere(['get', fileURLToPath(new URL('shipping.ts', import.meta.url)), ...argv], env);
  const sent = mock.requests.map(({ method, path }) => `${method} ${path}`);
  expect(sent).toEqual(['GET /v1/companies/3/orders/7/parcels/2%2F1']);
});

test.each([
  ['text', ['transcript', '--param=id=3'], 'transcript\n'],
  ['bytes by the name of their endpoint', ['audio', '--param=id=3'], 'audio\n'],
  ['bytes by the path of their endpoint', ['recordings/3/audio'], 'audio\n'],
])('get writes %s as they are', async (_, argv, written) => {
  expect((await get(...argv)).stdout).toBe(written);
});

const lists = `import { defineApi, endpoint } from 'restkin'; import * as z from 'zod';
  const item = z.enum(['open']);
  export const api = defineApi({ name: 'lists', version: 1, auth: 'basic', collections: {}, endpoints: {
    states: endpoint('GET', 'states', { response: z.array(item).length(2) }),
    rows: endpoint('GET', 'rows', { response: z.array(z.object({ state: item })).length(1) }) } });`;

test('on a terminal, a table is for objects, and a list of strings is JSON', async () => {
  const listsFile = await writeTemporary('lists.ts', lists);
  const { api } = (await import(listsFile)) as { readonly api: ApiDeclaration };
  await using server = await serve(createMock(api));
  const env = { RESTKIN_BASE_URL: server.url, RESTKIN_USERNAME: 'ada', RESTKIN_PASSWORD: 'lovelace' };
  const show = async (name: string) => (await runHere(['get', listsFile, name], env, { isTTY: true })).stdout;
  expect(await show('states')).toBe('["open","open"]\n');
  expect((await show('rows')).split('\n')[3]).toBe('│ open  │');
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
