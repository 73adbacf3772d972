// A total in `Content-Range` (RFC 9110 §14.4), as finale-rest and PostgREST have it.
import {
  createClient,
  customAuth,
  family,
  InvalidRequestError,
  PagingError,
  UnexpectedResponseError,
} from 'restkin';
import type { Family } from 'restkin/families';
import { createMock } from 'restkin/mocks';
import { toOpenApi } from 'restkin/openapi';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { json, record } from '../../support/recording-server.ts';
import { rejectionOf } from '../../support/shop.ts';

const { resource, collection, defineApi } = family({
  path: '',
  query: { perPage: 'count' },
  list: { next: { offset: 'offset' }, totalCount: { header: 'Content-Range' } },
  identity: ['id'],
});
const users = collection('users', resource({ name: z.string() }), { paging: true });
const api = defineApi({ name: 'office', auth: 'custom', collections: { users } });

const auth = customAuth(() => ({ 'x-api-key': 'k-12345678' }));
const connect = (baseUrl: string) => createClient({ baseUrl, auth, retry: false }).api(api).users;

const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ id: from + index, name: 'n' }));

describe('the client', () => {
  test.each(['items', 'users', 'bytes'])('reads the total of %s 0-2/5', async (unit) => {
    await using server = await record(({ url }) => {
      const from = Number(new URL(url, 'http://server.test').searchParams.get('offset') ?? 0);
      const to = Math.min(5, from + 3);
      return json(rows(from, to), 206, { 'Content-Range': `${unit} ${from}-${to - 1}/5` });
    });
    const page = await connect(server.url).list();
    expect(page.totalCount).toBe(5);
    const all = await connect(server.url).list().toArray();
    expect(all.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4]);
  });

  test('takes no 206 where the family has its total elsewhere', async () => {
    const {
      resource: make,
      collection: declareUsers,
      defineApi: define,
    } = family({
      path: '',
      list: { totalCount: { header: 'X-Total' } },
      identity: ['id'],
    });
    const others = define({
      name: 'office',
      auth: 'custom',
      collections: { users: declareUsers('users', make({ name: z.string() }), { paging: true }) },
    });
    await using server = await record(() => json(rows(0, 3), 206, { 'X-Total': '5' }));
    const { users: list } = createClient({ baseUrl: server.url, auth, retry: false }).api(others);
    const error = await rejectionOf(list.list().toArray());
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(String(error)).toContain('the status must be 200 (§4.2)');
  });

  test('reads an empty list', async () => {
    await using server = await record(() => json([], 200, { 'Content-Range': '*/0' }));
    const page = await connect(server.url).list();
    expect(page.items).toEqual([]);
    expect(page.totalCount).toBe(0);
  });

  test('names the header where the total is unknown, and the family demands one', async () => {
    await using server = await record(() => json(rows(0, 3), 206, { 'Content-Range': '0-2/*' }));
    const error = await rejectionOf(connect(server.url).list().toArray());
    expect(error).toBeInstanceOf(PagingError);
    expect(String(error)).toContain('Content-Range');
    expect(String(error)).toContain('make it optional there');
  });
});

test('the mock sends the range of each page', async () => {
  const { fetch } = createMock(api, { generate: { users: 23 } });
  const rangeOf = async (query: string): Promise<string | null> => {
    const response = await fetch(`https://api.test/users?${query}`, {
      headers: { 'x-api-key': 'k-12345678' },
    });
    return response.headers.get('content-range');
  };
  expect(await rangeOf('count=10')).toBe('items 0-9/23');
  expect(await rangeOf('count=10&offset=5')).toBe('items 5-14/23');
  expect(await rangeOf('count=10&offset=20')).toBe('items 20-22/23');
  expect(await rangeOf('count=10&offset=30')).toBe('items */23');
  const client = createClient({ baseUrl: 'https://api.test', auth, fetch }).api(api);
  expect(await client.users.list({ perPage: 10, concurrency: 3 }).toArray()).toHaveLength(23);
});

test.each([0, 1] as const)('the mock sends the range of a page by its number from %i', async (firstPage) => {
  const numbered = family({
    path: '',
    query: { page: 'page', perPage: 'count' },
    firstPage,
    list: { next: 'number', totalCount: { header: 'Content-Range' } },
    identity: ['id'],
  });
  const User = numbered.resource({ name: z.string() });
  const collections = { users: numbered.collection('users', User, { paging: true }) };
  const { fetch } = createMock(numbered.defineApi({ name: 'office', auth: 'custom', collections }), {
    generate: { users: 23 },
  });
  const response = await fetch(`https://api.test/users?count=10&page=${firstPage + 2}`, {
    headers: { 'x-api-key': 'k-12345678' },
  });
  expect(response.headers.get('content-range')).toBe('items 20-22/23');
});

test('OpenAPI has a string', () => {
  const { paths } = toOpenApi(api, { securitySchemes: { custom: { type: 'http', scheme: 'bearer' } } });
  const { headers } = Object(paths['/users']?.get?.responses[200]);
  expect(headers).toEqual({ 'content-range': { schema: { type: 'string', examples: ['items 0-24/57'] } } });
});

const range = { header: 'content-range' };

test.each<[string, NonNullable<Family['list']>]>([
  ['totalPages', { items: 'data', next: 'number', totalPages: range }],
  ['number', { next: 'link', number: range }],
  ['size', { next: 'link', size: range }],
])('no other number is in it: list.%s', (name, list) => {
  const declare = () => family({ query: { page: 'page' }, list });
  expect(declare).toThrow(InvalidRequestError);
  expect(declare).toThrow(
    `family: list.${name} is in Content-Range, which has the total alone; name it in list.totalCount`,
  );
});
