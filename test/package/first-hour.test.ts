import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer, outerCompilers } from '../support/consumer.ts';
import {
  blocksOf,
  brokenPromise,
  codeOf,
  commandOf,
  isServed,
  promisedBy,
  readDocument,
  readShared,
  runBlocks,
  withMock,
  writeBlocks,
} from './docs-blocks.ts';

// What a new user types in the first hour, and what the packed package shows then.

const readme = await readDocument('README.md');

const declaration = `import { basicAuth, collection, createClient, defineApi, expandable, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import * as z from 'zod';

export const Company = resource({ name: z.string(), city: z.string() });
const Device = resource({ model: z.string() });
const Order = resource({ status: z.enum(['open', 'shipped']), device: expandable(Device) });
export const shop = defineApi({
  name: 'shop',
  version: 1,
  auth: 'basic',
  collections: {
    companies: collection('companies', Company, { sort: true, fields: true, paging: true }),
    devices: collection('companies/:companyId/devices', Device, { paging: true }),
    orders: collection('orders', Order, { expand: ['device'], paging: true }),
  },
});
export const auth = basicAuth({ username: 'ada', password: 'lovelace' });
export const baseUrl = 'https://api.example.com';
export const connect = (fetch, url = baseUrl) => createClient({ baseUrl: url, auth, fetch }).api(shop);
export const mock = createMock(shop, { generate: 5 });
export const { companies, devices, orders } = connect(mock.fetch);
`;

let consumer: Consumer;
let programs = 0;
beforeAll(async () => {
  consumer = await createConsumer();
  await consumer.write('shop.ts', declaration);
  await writeBlocks(consumer, 'readme', blocksOf(readme));
}, 60_000);
afterAll(() => consumer.remove());

/**
 * Runs the statements in a program beside `shop.ts`, and gives the lines that it prints; those of errors are
 * their messages.
 */
const type = async (code: string): Promise<readonly string[]> => {
  const name = `program-${++programs}.ts`;
  const names = 'auth, baseUrl, companies, Company, connect, devices, mock, orders, shop';
  const head = `import { ${names} } from './shop.ts';
import * as restkin from 'restkin';
import { createMock } from 'restkin/mocks';
import * as z from 'zod';
const failure = async (call) => console.log(await (async () => call())().then(() => 'no error', (error) => error.message));
`;
  await consumer.write(name, `${head}${code}\n`);
  return (await consumer.node([name])).stdout.trim().split('\n');
};

describe('the first hour of a new user', () => {
  test('1: generated rows fill nested collections below their parents, and links lead there', async () => {
    const printed = await type(`
console.log((await Promise.all([1, 2, 3, 4, 5].map((companyId) => devices({ companyId }).list().toArray()))).flat().length);
const device = (await orders.get(1)).device;
console.log(/^https:..api.example.com.v1.companies.\\d+.devices.\\d+$/.test(device.self), (await orders.get(1, { expand: ['device'] })).device.model !== undefined);
await failure(() => createMock(shop, { generate: { devices: 5 } }));`);
    expect(printed).toEqual(['5', 'true true', expect.stringContaining('collection "companies"')]);
    await withMock(consumer, ['shop.ts', '--generate', '500'], async (url) => {
      const headers = { authorization: `Basic ${btoa('ada:lovelace')}` };
      const response = await fetch(`${url}/v1/companies/1/devices`, { headers });
      expect(await response.json()).not.toEqual([]);
    });
  }, 30_000);

  test('2: find() with /v1 in the base URL fails as get() does', async () => {
    const [get, find] = await type(`
const doubled = connect(mock.fetch, baseUrl + '/v1');
await failure(() => doubled.orders.get(1));
await failure(() => doubled.orders.find(1));`);
    expect(find).toContain('restkin adds /v1 itself');
    expect(find).toBe(get);
  });

  test('3: an awaited list keeps its limit, and a resumed one counts from where it resumed', async () => {
    const printed = await type(`
console.log((await companies.list({ limit: 3 })).items.length);
const many = connect(createMock(shop, { generate: { companies: 120 } }).fetch).companies;
const { next } = await many.list({ perPage: 50 });
await many.list({ from: next, onPage: ({ records, totalCount }) => console.log(records, totalCount) }).toArray();`);
    expect(printed).toEqual(['3', '100 120', '120 120']);
  });

  const mistakes = [
    ["collection('x', z.object({ name: z.string() }));", 'make it with resource({ ... }), not with z.object'],
    ["collection('x', Company, { sort: ['nme'] });", '"city"'],
    ["collection('x', Company, listed);", 'options in a variable need `as const`'],
    [
      'client.api(tokens);',
      'the API \\"tokens\\" needs the scheme \\"token\\"; pass it in createClient({ auth })',
    ],
    ["void companies.list({ sort: ['nme'] });", '"-city"'],
    ["void companies.list({ sortt: ['name'] });", "but 'sortt' does not exist in type 'KnownNames<"],
    ["void companies.list({ sortt: ['name'] });", "Did you mean to write 'sort'?"],
    [
      'void companies.list({ pageSize: 5 });',
      "Object literal may only specify known properties, and 'pageSize'",
    ],
    ['void companies.list({ pageSize: 5 });', '"limit" | '],
  ] as const;
  test.each(outerCompilers)(
    '4: the first line of the compiler says what is wrong: %s',
    async (compiler) => {
      const program = `import { collection, createClient, defineApi } from 'restkin';
import * as z from 'zod';
import { auth, companies, Company } from './shop.ts';
const client = createClient({ baseUrl: 'https://api.example.com', auth });
const tokens = defineApi({ name: 'tokens', version: 1, auth: 'token', collections: {} });
const listed = { sort: ['name'], operations: ['list'] };
`;
      await consumer.write('mistakes.ts', program + mistakes.map(([line]) => line).join('\n'));
      const options = ['--noImplicitAny', 'false'];
      const errors = (await consumer.compile(compiler, ['mistakes.ts'], options)).match(/^\S+ error TS.*$/gm);
      expect(errors).toEqual(mistakes.map(([, message]) => expect.stringContaining(message)));
    },
    60_000,
  );

  test('4: without a compiler, the errors say it', async () => {
    const printed = await type(`
await failure(() => restkin.createClient(shop));
await failure(() => restkin.defineApi({ name: 'x', version: 1, auth: 'basic', collections: { x: restkin.collection('x', z.object({})) } }));
await failure(() => companies.list({ pageSize: 5 }));`);
    expect(printed).toEqual([
      expect.stringContaining('createClient({ ... }).api(declaration)'),
      expect.stringContaining('its resource must be made by resource('),
      expect.stringMatching(/^companies\.list has no option "pageSize"; its options are .*limit.*perPage/),
    ]);
  });

  test('5: a validation error names the fields, and a response with other ids what to declare', async () => {
    const [refused, other] = await type(`
await failure(() => companies.create({ name: 5 }));
const rows = [{ id: 'a', self: baseUrl + '/v1/companies/a', name: 'Acme', city: 'Oslo' }];
await failure(() => connect(async () => Response.json(rows)).companies.list());`);
    expect(refused).toMatch(/: name \(invalid\), city \(missingField\)$/);
    expect(other).toContain('at `0.id`');
    expect(other).toContain('resource({ id: z.string(), ... })');
  });

  test('6: the tsconfig is strict, and a schema of zod 3 is refused by its name', async () => {
    expect(JSON.parse(codeOf(readme, 'json')[0] ?? '')).toMatchObject({ compilerOptions: { strict: true } });
    const printed = await type(`const old = await import('zod/v3');
await failure(() => restkin.resource({ name: old.z.string() }));`);
    expect(printed).toEqual([expect.stringContaining('the field "name" must be a schema of zod 4')]);
  });

  test('7: the comments of the README are what its mock gives', async () => {
    await consumer.write('ordering.ts', (await readShared())[0]?.code ?? '');
    const own = blocksOf(readme);
    await withMock(consumer, ['ordering.ts', '--generate', '120'], async (url) => {
      const client = own.find(({ file }) => file === 'client.ts')?.code ?? '';
      await consumer.write('readme/client.ts', client.replaceAll(/https:\/\/a\w+\.example\.com/g, url));
      await consumer.write('readme/network.ts', 'export const reset = () => undefined;');
      const served = own.filter(isServed);
      const files = served.map(({ file }) => file);
      const printed = await runBlocks(consumer, 'readme', files);
      const broken = served.map((block) => brokenPromise(promisedBy(block), printed.get(block.file) ?? ''));
      expect(broken.filter((promise) => promise !== undefined)).toEqual([]);
    });
  }, 60_000);

  test('7: an import shadows no global', async () => {
    const thing = { type: 'object', required: ['id', 'self'], properties: { id: { type: 'integer' } } };
    const list = { type: 'array', items: { $ref: '#/components/schemas/Number' } };
    const content = { 'application/json': { schema: list } };
    const get = { operationId: 'listNumbers', responses: { 200: { description: '', content } } };
    const paths = { '/v1/numbers': { get } };
    const document = { openapi: '3.1.0', info: { title: 'Sums', version: '1' }, paths };
    const components = { schemas: { Number: thing } };
    await consumer.write('sums.json', JSON.stringify({ ...document, components }));
    await consumer.node([commandOf(consumer), 'import', 'sums.json', '--out', 'sums.ts']);
    expect(await readFile(join(consumer.folder, 'sums.ts'), 'utf8')).not.toMatch(/(?:const|type) Number\b/);
    expect(await consumer.compile('typescript-7', ['sums.ts'])).toBe('');
  });

  test('7: the application of the guide to Express reports no visitor who leaves, and their mistakes as 400', async () => {
    const guide = blocksOf(await readDocument('docs/servers.md'));
    await consumer.write(
      'servers/express-app.ts',
      guide.find(({ file }) => file === 'express-app.ts')?.code ?? '',
    );
    await consumer.write(
      'servers/client.ts',
      `import { connect, shop } from '../shop.ts';
import { createMock } from 'restkin/mocks';
export const mock = createMock(shop, { generate: 9 });
export const { orders } = connect(mock.fetch);
`,
    );
    await consumer.write(
      'servers/visit.ts',
      `import { app } from './express-app.ts';
import { mock } from './client.ts';
const server = app.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const visit = (id, signal) => fetch('http://127.0.0.1:' + server.address().port + '/orders/' + id, { signal });
for (const id of [7, 999, 'seven']) {
  const response = await visit(id);
  console.log(id, response.status, response.headers.get('content-type')?.split(';')[0]);
}
mock.faults.next({ delayMs: Number.POSITIVE_INFINITY });
const requests = mock.requests.length;
const leaving = new AbortController();
const left = visit(7, leaving.signal).catch((error) => console.log(error.name));
while (mock.requests.length === requests) await new Promise((resolve) => setTimeout(resolve, 5));
leaving.abort();
await left;
server.close();
`,
    );
    const { stdout, stderr } = await consumer.node(['servers/visit.ts']);
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n')).toEqual([
      '7 200 application/json',
      '999 404 application/json',
      'seven 400 application/json',
      'AbortError',
    ]);
  }, 30_000);

  test('8: the README has each option of a client in one table', async () => {
    const table = /^## Options of a client\n\n([\s\S]*?)\n\n/m.exec(readme)?.[1] ?? '';
    const cells = [...table.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = '']) => cell.split(', '));
    const names = cells.map((cell) => `  ${cell.replaceAll('`', '')}: true,\n`);
    const program = `import type { ClientOptions } from 'restkin';
export const table: Record<keyof ClientOptions, true> = {\n${names.join('')}};\n`;
    await consumer.write('options.ts', program);
    expect(await consumer.compile('typescript-7', ['options.ts'])).toBe('');
  });
});
