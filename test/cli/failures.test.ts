import { createClient, tokenAuth } from 'restkin';
import type { Fault } from 'restkin/mocks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { toExitCode } from '../../src/cli/failure.ts';
import { rejectionOf } from '../support/shop.ts';
import { type Environment, run } from './run-command.ts';
import { login, type Served, serveOrdering } from './served.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

let workspace: Workspace;
let served: Served;
beforeAll(async () => {
  [workspace, served] = await Promise.all([createWorkspace(), serveOrdering()]);
  await workspace.write('broken.ts', '\nexport const x: = 1');
});
afterEach(() => served.mock.reset());
afterAll(async () => {
  await served.server.close();
  await workspace.remove();
});

const failing = async (args: readonly string[], env: Environment = {}) => {
  const { code, stdout, stderr } = await run(args, workspace.folder, { ...served.env, ...env });
  expect(stdout).toBe('');
  expect(stderr).not.toMatch(/\n {4}at /);
  expect(stderr).not.toContain(login.password);
  return { code, stderr };
};

const get = (path: string, env?: Environment) => failing(['get', './api.ts', path], env);

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
    ['a server error', 8, { status: 500, times: 3 }],
    ['unavailable', 8, { status: 503, times: 3 }],
  ])('says that the request was %s: %i', async ([, code, fault]) => {
    served.mock.faults.next(fault);
    expect(await get('orders')).toMatchObject({ code });
  });

  test('is 3 for a wrong password', async () => {
    expect(await get('orders', { RESTKIN_PASSWORD: 'wrong' })).toEqual({
      code: 3,
      stderr: expect.stringMatching(
        /^restkin: POST \S+\/auth\/token: 401 Unauthorized: the username or password was refused/,
      ),
    });
  });

  test('is 3 without credentials, and the message says how to pass them', async () => {
    const { code, stderr } = await get('orders', { RESTKIN_PASSWORD: '' });
    expect(code).toBe(3);
    expect(stderr).toContain('RESTKIN_PASSWORD, or run "restkin login"');
  });

  test.each([
    ['HTML', () => new Response('<p>Welcome</p>', { headers: { 'content-type': 'text/html' } })],
    ['a redirect', () => new Response('', { status: 302, headers: { location: '/login' } })],
    ['404', () => new Response('', { status: 404 })],
  ])('is 10 for %s in place of a token: there is no token endpoint', async (_what, respond) => {
    const auth = tokenAuth({ authUrl: 'https://auth.test', username: 'ada', password: 'lovelace' });
    const client = createClient({ baseUrl: 'https://api.test', auth, fetch: async () => respond() });
    const error = await rejectionOf(Promise.resolve(client.request({ method: 'GET', path: 'me' })));
    expect(toExitCode(error)).toBe(10);
  });

  test('is 9 where no server listens', async () => {
    const { server } = await serveOrdering();
    await server.close();
    expect(await get('orders', { RESTKIN_BASE_URL: server.url })).toMatchObject({ code: 9 });
  });

  test('is 10 for a response that does not match the declaration, and names its fields', async () => {
    const text = `import { collection, defineApi, resource } from 'restkin'; import * as z from 'zod';
      const Company = resource({ name: z.number(), city: z.string() });
      export const api = defineApi({ name: 'a', version: 1, auth: 'token',
        collections: { companies: collection('companies', Company) } });`;
    await workspace.write('wrong.ts', text);
    const { code, stderr } = await failing(['get', './wrong.ts', 'companies/1']);
    expect(code).toBe(10);
    expect(stderr).toContain('\n  name: ');
  });
});

describe('what the API does not declare ends with 2, and nothing is sent', () => {
  test.for<readonly [string, readonly string[], string]>([
    ['no number', ['get', './api.ts', 'orders', '--limit=0x10'], '--limit must be an integer of at least 1'],
    [
      'an unknown format',
      ['get', './api.ts', 'orders', '--output=xml'],
      '--output must be one of table, json',
    ],
    ['an unknown path', ['get', './api.ts', 'order'], 'did you mean orders?'],
    [
      'an unknown field',
      ['get', './api.ts', 'orders', '--fields=colour'],
      '`fields` names the unknown field "colour"',
    ],
    [
      'a sort that is not declared',
      ['get', './api.ts', 'companies', '--sort=id'],
      '`sort` is not declared for the field',
    ],
    [
      'a page that is too large',
      ['get', './api.ts', 'orders', '--per-page=500'],
      '`perPage` must be at most 200',
    ],
    [
      'no operation for it',
      ['get', './api.ts', 'feed/3'],
      'does not declare the operation "get" at this path',
    ],
    [
      'no URL',
      ['get', './api.ts', 'orders', '--base-url=api'],
      '--base-url (or RESTKIN_BASE_URL) must be an absolute URL',
    ],
    [
      'a URL without its scheme',
      ['get', './api.ts', 'orders', '--base-url=localhost:4010'],
      '--base-url (or RESTKIN_BASE_URL) must be an absolute URL such as https://api.example.com',
    ],
    [
      'a parameter of the path without its value',
      ['get', './api.ts', 'companies/:companyId/orders'],
      'write its value in place of :companyId',
    ],
    ['a query in the path', ['get', './api.ts', 'orders/7?fields=status'], 'use --sort, --fields'],
    [
      'plain http',
      ['get', './api.ts', 'orders', '--base-url=http://api.example.com'],
      '--base-url is plain http: to api.example.com; use https:, or --allow-insecure\n',
    ],
  ])('%s', async ([, args, message]) => {
    const { code, stderr } = await failing(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^restkin: [^\n]+\n$/);
    expect(stderr).toContain(message);
    expect(served.mock.requests).toEqual([]);
  });
});

describe('the API file', () => {
  test.for<readonly [string, string | undefined, string]>([
    ['missing.ts', undefined, './missing.ts does not exist'],
    ['node_modules', undefined, './node_modules is a folder; name the file that calls defineApi'],
    [
      'openapi.json',
      '{"openapi":"3.1.0"}',
      './openapi.json declares no API; name a file that calls defineApi',
    ],
    ['empty.ts', 'export const x = { name: "x", version: 1 };', './empty.ts declares no API'],
    ['enum.ts', 'export enum A { B }', './enum.ts cannot be loaded: '],
    ['package.ts', 'import "no-such-package";', "cannot be loaded: Cannot find package 'no-such-package'"],
    ['api.sh', '', './api.sh cannot be loaded: it must be a JavaScript or TypeScript file'],
    ['broken.mjs', 'export const = 1', './broken.mjs cannot be loaded: '],
    ['broken.ts', undefined, '(broken.ts:2)\n'],
    ['imports-broken.ts', 'import "./broken.ts";', '(broken.ts:2)\n'],
    ['late.ts', '\n\nthrow new Error("no");', './late.ts cannot be loaded: no (late.ts:3)\n'],
    [
      'throws.mjs',
      'throw new Error("no \\u001b[31m way")',
      './throws.mjs cannot be loaded: no \\u001b[31m way',
    ],
  ])('%s ends with 2', async ([name, text, message]) => {
    if (text !== undefined) await workspace.write(name, text);
    const { code, stderr } = await failing(['get', `./${name}`, 'orders']);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^restkin: [^\n]+\n$/);
  });

  test('with several declarations requires --api', async () => {
    await workspace.write(
      'two.ts',
      `import { ordering } from './api.ts'; export const one = ordering; export default ordering;
       export const two = { ...ordering, collections: { companies: ordering.collections.companies } };`,
    );
    const { code, stderr } = await failing(['get', './two.ts', 'companies']);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('--api=<name>') });
    const args = ['get', './two.ts', 'companies/1', '--api=two'];
    expect(await run(args, workspace.folder, served.env)).toMatchObject({ code: 0, stderr: '' });
    expect(await failing([...args.slice(0, 3), '--api=three'])).toMatchObject({ code: 2 });
  });
});
