import type { Fault } from 'restkin/mocks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { apiFile, runHere, writeTemporary } from './run-here.ts';
import { login, type Served, serveOrdering } from './served.ts';

let served: Served;
beforeAll(async () => {
  served = await serveOrdering();
});
afterEach(() => served.mock.reset());
afterAll(() => served.server.close());

const failing = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const { code, stdout, stderr } = await runHere(args, { ...served.env, ...env });
  expect(stdout).toBe('');
  expect(stderr).not.toMatch(/\n {4}at /);
  expect(stderr).not.toContain(login.password);
  return { code, stderr };
};

const get = (path: string, env?: Readonly<Record<string, string>>) => failing(['get', apiFile, path], env);

describe('the exit code', () => {
  test('is 5 for a resource that does not exist', async () => {
    const { code, stderr } = await get('orders/999');
    expect(code).toBe(5);
    expect(stderr).toMatch(`restkin: GET ${served.url}/v1/orders/999: 404 Not Found: `);
  });

  test.for<readonly [string, number, Fault]>([
    ['forbidden', 4, { status: 403 }],
    ['refused', 6, { status: 406 }],
    ['throttled', 7, { status: 429, headers: { 'retry-after': '3600' } }],
    ['a server error', 8, { status: 500, times: 4 }],
  ])('says that the request was %s: %i', async ([, code, fault]) => {
    served.mock.faults.next(fault);
    expect(await get('orders')).toMatchObject({ code });
  });

  test('is 3 for a wrong password', async () => {
    const { code, stderr } = await get('orders', { RESTKIN_PASSWORD: 'wrong' });
    expect(code).toBe(3);
    expect(stderr).toMatch(/^restkin: POST \S+\/auth\/token: 401 Unauthorized: /);
  });

  test('is 3 without credentials, with the variables to set', async () => {
    const { code, stderr } = await get('orders', { RESTKIN_PASSWORD: '' });
    expect(code).toBe(3);
    expect(stderr).toContain('set RESTKIN_USERNAME and RESTKIN_PASSWORD');
  });

  test('is 9 where no server listens', async () => {
    expect(await get('orders', { RESTKIN_BASE_URL: 'http://127.0.0.1:9' })).toMatchObject({ code: 9 });
  });

  test('is 10 for a response that does not match the declaration, and names its fields', async () => {
    const file = await writeTemporary(
      'wrong.ts',
      `import { collection, defineApi, resource } from 'restkin'; import * as z from 'zod';
      const Company = resource({ name: z.number(), city: z.string() });
      export const api = defineApi({ name: 'a', version: 1, auth: 'token',
        collections: { companies: collection('companies', Company) } });`,
    );
    const { code, stderr } = await failing(['get', file, 'companies/1']);
    expect(code).toBe(10);
    expect(stderr).toContain('\n  name: ');
  });
});

test.for<readonly [readonly string[], string]>([
  [['order'], 'declares nothing at this path; did you mean orders?'],
  [['v1/orders'], 'did you mean orders?'],
  [['companies/3/order'], 'did you mean companies/3/orders?'],
  [['compnies/3'], 'did you mean companies/3?'],
  [['invoices'], 'declares nothing at this path. Its paths, without the version, are orders, companies/'],
  [['orders', '--fields=colour'], '"colour"'],
  [['companies', '--sort=id'], '`sort`'],
  [['orders', '--per-page=500'], '`perPage` must be at most 200'],
  [['feed/3'], 'does not declare the operation "get" at this path'],
  [
    ['orders', '--base-url=127.0.0.1:4700'],
    'restkin: The base URL has no scheme; write it as http://127.0.0.1:4700',
  ],
  [
    ['orders', '--base-url=me:secret@api.example.com/v2'],
    'restkin: The base URL has no scheme; write it as https://api.example.com/v2',
  ],
  [
    ['orders', '--base-url=/api'],
    'restkin: the base URL must be an absolute URL such as https://api.example.com\n',
  ],
  [
    ['orders', '--auth-url=localhost:4011'],
    'restkin: The auth URL has no scheme; write it as http://localhost:4011',
  ],
  [['orders/7?fields=status'], 'use --sort, --fields'],
  [['orders', '--base-url=http://api.example.com'], 'use https:, or --allow-insecure'],
])('what cannot be requested ends with 2, and nothing is sent: %j', async ([args, message]) => {
  const { code, stderr } = await failing(['get', apiFile, ...args]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^restkin: [^\n]+\n$/);
  expect(stderr).toContain(message);
  expect(served.mock.requests).toEqual([]);
});

describe('the API file', () => {
  test.for<readonly [string, string, string]>([
    ['openapi.json', '{"openapi":"3.1.0"}', 'openapi.json declares no API; name a file that calls defineApi'],
    ['empty.mjs', 'export const x = { name: "x", version: 1 };', 'empty.mjs declares no API'],
    ['plain.mjs', 'export const x = { version: 1, auth: "a", collections: {} };', 'name is missing'],
    ['broken.mjs', 'export const = 1', 'broken.mjs cannot be loaded: '],
    ['throws.mjs', 'throw new Error("no \\u001b[31m way")', 'cannot be loaded: no \\u001b[31m way'],
  ])('%s ends with 2', async ([name, text, message]) => {
    const { code, stderr } = await failing(['get', await writeTemporary(name, text), 'orders']);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^restkin: [^\n]+\n$/);
  });

  test('that does not exist, or is a folder, ends with 2', async () => {
    expect(await failing(['get', './no.ts', 'orders'])).toMatchObject({ code: 2 });
    expect(await failing(['get', '.', 'orders'])).toMatchObject({ code: 2 });
  });

  test('with several declarations requires --api', async () => {
    const file = await writeTemporary(
      'two.ts',
      `import { ordering } from ${JSON.stringify(apiFile)}; export const one = ordering; export default ordering;
       export const two = { ...ordering, collections: { companies: ordering.collections.companies } };`,
    );
    const { code, stderr } = await failing(['get', file, 'companies']);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('--api=<name>') });
    expect(await runHere(['get', file, 'companies/1', '--api=two'], served.env)).toMatchObject({ code: 0 });
    expect(await failing(['get', file, 'companies/1', '--api=three'])).toMatchObject({ code: 2 });
  });
});
