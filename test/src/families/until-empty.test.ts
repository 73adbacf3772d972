// Numbered pages without totals and links, which end with an empty page.
import { createClient, customAuth, family, InvalidRequestError, PagingError } from 'restkin';
import { diagnose } from 'restkin/doctor';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { json, record } from '../../support/recording-server.ts';
import { rejectionOf } from '../../support/shop.ts';

const declare = (firstPage: 0 | 1 = 1) => {
  const { resource, collection, defineApi } = family({
    path: '',
    query: { page: 'page', perPage: 'limit' },
    firstPage,
    list: { items: 'beers', next: 'untilEmpty' },
    identity: ['id'],
  });
  const Beer = resource({ name: z.string() });
  const collections = {
    beers: collection('beers', Beer, { paging: true }),
    all: collection('every/beers', Beer),
  };
  return defineApi({ name: 'punk', auth: 'custom', collections });
};
const api = declare();

const auth = customAuth(() => ({ 'x-api-key': 'k-12345678' }));
const connect = (baseUrl: string, declared = api) =>
  createClient({ baseUrl, auth, retry: false }).api(declared);

const all = Array.from({ length: 23 }, (_, index) => ({ id: index + 1, name: 'n' }));
const everyId = all.map(({ id }) => id);
const idsOf = (found: readonly { readonly id: number }[]) => found.map(({ id }) => id);

/** Pages of at most ten records. */
const pageOf = (url: string, firstPage: number) => {
  const { searchParams } = new URL(url, 'http://server.test');
  const size = Math.min(10, Number(searchParams.get('limit') ?? 5));
  const start = (Number(searchParams.get('page') ?? firstPage) - firstPage) * size;
  return json({ beers: all.slice(start, start + size) });
};

describe('a list that ends with an empty page', () => {
  test.each([undefined, 1, 7, 10, 23, 100])('is read whole, in pages of %s', async (perPage) => {
    await using server = await record(({ url }) => pageOf(url, 1));
    await using zero = await record(({ url }) => pageOf(url, 0));
    for (const concurrency of [1, 4]) {
      const query = { concurrency, ...(perPage !== undefined && { perPage }) };
      expect(idsOf(await connect(server.url).beers.list(query).toArray())).toEqual(everyId);
      expect(idsOf(await connect(zero.url, declare(0)).beers.list(query).toArray())).toEqual(everyId);
    }
  });

  test('is read from a page on, and from its next', async () => {
    await using server = await record(({ url }) => pageOf(url, 1));
    const { beers } = connect(server.url);
    expect(idsOf(await beers.list({ page: 3, perPage: 10 }).toArray())).toEqual([21, 22, 23]);
    const { next } = await beers.list({ perPage: 10 });
    expect(idsOf(await beers.list({ from: String(next), perPage: 10 }).toArray())).toEqual(everyId.slice(10));
  });

  test('is one list in a collection without paging', async () => {
    await using server = await record(({ url }) => pageOf(url, 1));
    expect(idsOf(await connect(server.url).all.list().toArray())).toEqual(everyId.slice(0, 5));
    expect(server.requests).toHaveLength(1);
  });

  test('fails where the server ignores the number, and gives each record once', async () => {
    await using server = await record(() => json({ beers: all.slice(0, 5) }));
    const read: number[] = [];
    const error = await rejectionOf(
      (async () => {
        for await (const { id } of connect(server.url).beers.list()) read.push(id);
      })(),
    );
    expect(error).toBeInstanceOf(PagingError);
    expect(read).toEqual([1, 2, 3, 4, 5]);
  });

  test('fails where its empty page says that more records follow', async () => {
    await using server = await record(() => json({ beers: [], has_more: true }));
    expect(await rejectionOf(connect(server.url).beers.list().toArray())).toBeInstanceOf(PagingError);
  });
});

test('the mock sends neither links nor totals, and satisfies the client and the doctor', async () => {
  const { fetch } = createMock(api, { data: { beers: all } });
  const response = await fetch('https://api.test/beers?limit=10', { headers: { 'x-api-key': 'k-12345678' } });
  expect(Object.keys(Object(await response.json()))).toEqual(['beers']);
  expect(response.headers.get('link')).toBeNull();
  const client = createClient({ baseUrl: 'https://api.test', auth, fetch }).api(api);
  expect(idsOf(await client.beers.list({ perPage: 4 }).toArray())).toEqual(everyId);
  const headers = { 'x-api-key': 'k-12345678' };
  const { findings } = await diagnose(api, { baseUrl: 'https://api.test', fetch, headers });
  expect(findings.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
});

test('a family without a name for the page is refused', () => {
  const given = () => family({ query: {}, list: { next: 'untilEmpty' } });
  expect(given).toThrow(InvalidRequestError);
  expect(given).toThrow("list.next is 'untilEmpty', so query.page must name the parameter of the page");
});
