import { InvalidRequestError, isNotModified, resource } from 'restkin';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { record } from '../../support/recording-server.ts';
import { connect, rejectionOf, shopAt } from '../../support/shop.ts';

const unchanged = () => record(() => ({ status: 304 }));
const Thing = resource({ name: z.string() });

const conditions = [{ ifNoneMatch: '"a"' }, { modifiedSince: new Date(0) }];
const headers = [
  { 'If-None-Match': '"a"' },
  { 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
  { 'Modified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
];

test.each(conditions)(
  '§7.1 a 304 to get, find, follow and request with %o is not modified',
  async (condition) => {
    await using server = await unchanged();
    const client = connect(server);
    const { orders } = shopAt(server);
    const url = `${server.url}/v1/things/1`;
    const own = { method: 'GET', path: 'v1/reports/3' } as const;
    const results = [
      await orders.get(7, condition),
      await orders.find(7, condition),
      await client.follow(Thing, url, condition),
      await client.request({ ...own, ...condition }),
      await client.request({ ...own, as: 'text', ...condition }),
      await client.request({ ...own, as: 'bytes', ...condition }),
      await client.request({ ...own, schema: Thing, ...condition }),
    ];
    expect(results.map(isNotModified)).toEqual(results.map(() => true));
    expect(isNotModified({ id: 7, outcome: 'notModified' })).toBe(false);
  },
);

test.each(conditions)('a list refuses %o by name, and nothing is sent', async (condition) => {
  await using server = await unchanged();
  // A JavaScript user has no compiler.
  const error = await rejectionOf(shopAt(server).orders.list(condition as object));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(String(error)).toMatch(/has no option/);
  expect(server.requests).toHaveLength(0);
});

test.each(headers)(
  'the headers %o are refused, because options set them, and nothing is sent',
  async (fields) => {
    await using server = await unchanged();
    const { orders } = shopAt(server);
    const calls = [orders.get(7, { headers: fields }), orders.list({ headers: fields })];
    for (const call of calls)
      expect(String(await rejectionOf(call))).toContain('use ifNoneMatch or modifiedSince');
    expect(server.requests).toHaveLength(0);
  },
);

test.each(['PUT', 'PATCH', 'DELETE'] as const)(
  '§4.2 a 200 to %s is done, and its body is not read',
  async (method) => {
    await using server = await record(() => ({ status: 200, body: 'anything' }));
    const { companies } = shopAt(server);
    const body = { name: 'A', city: 'B' };
    const calls = {
      PUT: () => companies.replace(1, body),
      PATCH: () => companies.update(1, body),
      DELETE: () => companies.delete(1),
    };
    expect(await calls[method]()).toEqual({ outcome: 'done' });
  },
);
