import type { ApiDeclaration } from 'restkin';
import { createMock, type MockOptions, serve } from 'restkin/mocks';
import { expect, test } from 'vitest';
import { runHere, writeTemporary } from './run-here.ts';

/** An API whose codecs decode to values that JSON cannot write. */
const decoding = `import { expandable, collection, defineApi, endpoint, resource } from 'restkin';
  import * as z from 'zod';
  class Money { #cents; constructor(text) { this.#cents = text; } get text() { return this.#cents; } }
  const money = z.codec(z.string().regex(/^\\d+\\.\\d{2}$/), z.instanceof(Money), {
    decode: (text) => new Money(text), encode: ({ text }) => text });
  const tags = z.codec(z.array(z.string()), z.set(z.string()), {
    decode: (list) => new Set(list), encode: (set) => [...set] });
  const time = z.codec(z.iso.datetime(), z.date(), {
    decode: (text) => new Date(text), encode: (date) => date.toISOString() });
  const Company = resource({ worth: money });
  const Order = resource({ total: money, tags, at: time, device: z.object({ price: money }),
    note: z.string().transform((text) => text.length), company: expandable(Company) });
  export const api = defineApi({ name: 'decoding', version: 1, auth: 'basic',
    collections: {
      orders: collection('orders', Order, { fields: true, expand: ['company'], paging: true, actions: {
        bill: endpoint('GET', 'bill', { response: z.object({ total: money }) }) } }),
      companies: collection('companies', Company) },
    endpoints: { totals: endpoint('GET', 'totals', { response: z.array(z.object({ total: money, tags })) }),
      latest: endpoint('GET', 'latest', { response: Order }) } });`;

const order = {
  id: 1,
  total: '8.02',
  tags: ['amber', 'blue'],
  at: '2026-01-02T03:04:05Z',
  device: { price: '1.50' },
  note: 'four',
  company: { id: 3 },
};
const totals = [{ total: '9.99', tags: ['amber'] }];
const self = expect.any(String);
const sent = { ...order, self, company: { id: 3, self } };

const get = async (argv: readonly string[], isTTY = false) => {
  const file = await writeTemporary('decoding.ts', decoding);
  const { api } = (await import(file)) as { readonly api: ApiDeclaration };
  const endpoints = {
    totals: () => totals,
    latest: () => ({ ...order, self: 'x', company: { id: 3, self: 'y' } }),
    'orders.bill': () => ({ total: '9.99' }),
  };
  const data = { orders: [order], companies: [{ id: 3, worth: '7.00' }] };
  await using server = await serve(createMock(api, { data, endpoints } as MockOptions));
  const env = { RESTKIN_BASE_URL: server.url, RESTKIN_USERNAME: 'ada', RESTKIN_PASSWORD: 'lovelace' };
  return await runHere(['get', file, ...argv], env, { isTTY });
};

test.each<[string, readonly string[], unknown]>([
  ['of a list', ['orders'], sent],
  ['of one record', ['orders/1'], sent],
  [
    'with --fields',
    ['orders', '--fields=total,device.price'],
    { id: 1, self, total: '8.02', device: { price: '1.50' } },
  ],
  ['with --expand', ['orders/1', '--expand=company'], { ...sent, company: { id: 3, self, worth: '7.00' } }],
  ['of an endpoint', ['totals'], totals],
  ['of an endpoint that returns a resource', ['latest'], sent],
  ['of an action', ['orders/1/bill'], { total: '9.99' }],
])('get prints the values that a codec decodes as the server sent them: %s', async (_, argv, expected) => {
  const { code, stdout, stderr } = await get(argv);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual(expected);
});

test('a table has the values that a codec decodes as the server sent them', async () => {
  const { stdout } = await get(['orders', '--fields=total,tags,at,device.price'], true);
  const cells = (stdout.split('\n')[3] ?? '').split('│').map((cell) => cell.trim());
  expect(cells).toEqual(expect.arrayContaining(['8.02', '["amber","blue"]', '2026-01-02T03:04:05Z', '1.50']));
});
