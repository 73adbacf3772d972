import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, compilers, createConsumer } from '../support/consumer.ts';
import { type Editor, openEditor } from '../support/editor.ts';

// What an editor shows and offers, asked of the server of each compiler, for the packed package.

const paths = [
  ...['id', 'self', 'status', 'createdAt', 'note', 'device', 'device.model', 'device.serial', 'lines'],
  ...['lines.id', 'lines.self', 'lines.sku', 'lines.quantity'],
  ...['company', 'company.id', 'company.self', 'company.name', 'company.city'],
];
const sorts = [...paths, ...paths.map((path) => `-${path}`)];
const call = ['signal', 'timeoutMs', 'deadlineMs', 'retry', 'headers'];
const list = [...call, 'limit', 'maxPages', 'concurrency', 'onPage', 'from'];
const fault = [
  ...['collection', 'method', 'token', 'status', 'times', 'headers', 'retryAfterS', 'body', 'contentType'],
  ...['delayMs', 'cut', 'badJson', 'wrongShape', 'without'],
];
const upper = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'TRACK'];
const methods = [...upper, ...upper.map((method) => method.toLowerCase())];
const collections = ['orders', 'companyOrders', 'companies', 'feed'];

/** Lines of a program, each with the names that are offered at its bar. */
const offered: readonly (readonly [line: string, names: readonly string[]])[] = [
  ["void orders.list({ sort: ['|'] });", sorts],
  ["void orders.list({ sort: ['status', '|'] });", sorts],
  ["void orders.list({ fields: ['|'] });", paths],
  ["void orders.get(7, { expand: ['|'] });", ['company']],
  ['void orders.list({ | });', [...list, 'sort', 'fields', 'expand', 'page', 'perPage']],
  ['void companies.list({ | });', [...list, 'sort', 'page', 'perPage']],
  ['void orders.get(7, { | });', [...call, 'ifNoneMatch', 'modifiedSince', 'fields', 'expand']],
  ['void feed.list({ params: { | } });', ['since', 'limit']],
  ["orders.query().sort('|');", sorts],
  ["orders.query().sort('status', '|');", sorts],
  ["orders.query().fields('|');", paths],
  ["orders.query().expand('|');", ['company']],
  // The text of an error is no name.
  ["orders.query().sort('xyz|');", []],
  ["orders.query().fields('status', 'xyz|');", []],
  ["orders.query().fields('de|');", ['device', 'device.model', 'device.serial']],
  ['orders.query().|;', ['value', 'toString', 'list', 'sort', 'fields', 'expand', 'page', 'perPage']],
  ['companies.query().|;', ['value', 'toString', 'list', 'sort', 'page', 'perPage']],
  ["collection('x', Order, { sort: ['|'] });", paths],
  ["collection('x', Order, { expand: ['|'] });", ['company']],
  ["collection('x', Order, { paging: { | } });", ['maxPerPage', 'defaultPerPage', 'totals']],
  ["collection('x', Order, { paging: { totals: false, | } });", ['maxPerPage', 'defaultPerPage']],
  ["collection('x', Order, { references: { '|': '' } });", paths],
  ["collection('x', Order, { references: { id: '', '|': '' } });", paths.slice(1)],
  ['assertRequests(mock, [{ | }]);', ['method', 'path', 'collection', 'status', 'query', 'times']],
  ["assertRequests(mock, [{ collection: '|' }]);", collections],
  ["assertRequests(mock, [{ method: '|' }]);", methods],
  ['mock.faults.next({ | });', fault],
  ["mock.faults.next({ collection: '|' });", collections],
  ["mock.faults.random({ method: '|' });", methods],
  ['mock.faults.outage({ | });', ['collection', 'method', 'token', 'forMs', 'until', 'retryAfter']],
  ['createMock(ordering, { data: { | } });', collections],
  ['createMock(ordering, { data: { orders: [{ | }] } });', paths.filter((path) => !path.includes('.'))],
  ["createMock(ordering, { data: { orders: [{ status: '|' }] } });", ['open', 'shipped', 'cancelled']],
  ['createMock(ordering, { data: { orders: [{ company: { | } }] } });', ['id', 'self', 'name', 'city']],
  ["mock.state.setRows('orders', [{ device: { | } }]);", ['model', 'serial']],
];

const completions = `import { type Client, collection } from 'restkin';
import { assertRequests, createMock } from 'restkin/mocks';
import { Order, ordering } from './support/ordering.ts';
declare const client: Client<'token'>;
const { orders, companies, feed } = client.api(ordering);
const mock = createMock(ordering);
${offered.map(([line]) => line.replace('|', '')).join('\n')}
`;

/** The same declaration twice: as it is inferred, and with names of its own. */
const declarations = `import { collection, defineApi } from 'restkin';
import { Company, Order } from './support/ordering.ts';
const declared = collection('orders', Order, { sort: true, fields: true, expand: ['company'], paging: true });
type Declared = typeof declared;
export interface Orders extends Declared {}
const orders: Orders = declared;
const api = defineApi({
  name: 'named',
  version: 1,
  auth: 'token',
  collections: { orders, companies: collection('companies', Company) },
});
type Api = typeof api;
export interface Named extends Api {}
export const named: Named = api;
`;
const hovers = `import { type Client, type FieldPath } from 'restkin';
import { named } from './declarations.ts';
import { Order, ordering } from './support/ordering.ts';
declare const client: Client<'token'>;
export const inferred = client.api(ordering).orders;
export const { orders } = client.api(named);
export const { list, get, find } = orders;
export const query = orders.query();
export const { sort, fields, expand } = query;
export type Path = FieldPath<typeof Order>;
`;

let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer();
  const ordering = await readFile(new URL('../support/ordering.ts', import.meta.url), 'utf8');
  await consumer.write('support/ordering.ts', ordering);
  await consumer.write('declarations.ts', declarations);
  await consumer.write('completions.ts', completions);
  await consumer.write('hovers.ts', hovers);
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: true },
    ...{
      module: 'nodenext',
      target: 'es2023',
      types: ['node'],
      allowImportingTsExtensions: true,
      noEmit: true,
    },
  };
  await consumer.write('tsconfig.json', JSON.stringify({ compilerOptions }));
}, 60_000);
afterAll(() => consumer.remove());

describe.each(compilers)('an editor with %s', (compiler) => {
  const opened = new Map<string, Editor>();
  const open = (name: string): Editor => {
    const editor = opened.get(name) ?? openEditor(compiler, consumer.folder, name);
    opened.set(name, editor);
    return editor;
  };
  afterAll(() => {
    for (const editor of opened.values()) editor.close();
  });

  test('offers names of the declaration, and nothing else', async () => {
    const editor = open('completions.ts');
    const found: (readonly [line: string, names: readonly string[]])[] = [];
    for (const [line] of offered) {
      const offset = completions.indexOf(line.replace('|', '')) + line.indexOf('|');
      found.push([line, (await editor.complete(completions, offset)).toSorted()]);
    }
    expect(found).toEqual(offered.map(([line, names]) => [line, names.toSorted()]));
  }, 120_000);

  test('shows an inferred collection with its fields in their order', async () => {
    const shown = await open('hovers.ts').hover(hovers, hovers.indexOf('inferred'));
    const fields = paths.filter((path) => !path.includes('.'));
    const places = fields.map((field) => shown.indexOf(`readonly ${field}: `));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  }, 120_000);

  test('shows a collection and an API that have a name by it, in at most 400 characters', async () => {
    const editor = open('hovers.ts');
    const names = [
      'api(named',
      'orders }',
      'list,',
      'get,',
      'find }',
      'query =',
      'sort,',
      'fields,',
      'expand }',
    ];
    const shown: string[] = [];
    for (const name of names) shown.push(await editor.hover(hovers, hovers.indexOf(name)));
    expect(shown.filter((hover) => !/\b(?:Orders|Named)\b/.test(hover) || hover.length > 400)).toEqual([]);
  }, 120_000);

  test('shows every path of a resource in at most 400 characters', async () => {
    const shown = await open('hovers.ts').hover(hovers, hovers.indexOf('Path ='));
    expect(shown.match(/(?<=")[\w.]+(?=")/g)?.toSorted()).toEqual(paths.toSorted());
    expect(shown.length).toBeLessThanOrEqual(400);
  }, 120_000);
});
