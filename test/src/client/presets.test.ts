import { type ApiError, createClient, customAuth, family, ValidationError } from 'restkin';
import type { Family } from 'restkin/families';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { readFamily } from '../../../src/families/read-family.ts';
import { failureOf } from '../../support/basic-ordering.ts';
import { inBodies } from './samples/in-bodies.ts';
import { inHeaders } from './samples/in-headers.ts';
import type { Sample, Sent } from './samples/sample.ts';

const origin = 'https://api.test';
const auth = customAuth(() => ({ 'x-api-key': 'k-12345678' }));
const versions: Readonly<Record<string, number>> = { gitlab: 4, wordpress: 2 };

const declare = (given: Family) => {
  const { resource, expandable, collection, defineApi } = family(given);
  const { name, query } = readFamily(given);
  const { sort, fields, expand } = query;
  const Author = resource({ name: z.string() });
  const Book = resource({
    title: z.string(),
    ...(expand !== undefined && { author: z.optional(expandable(Author)) }),
  });
  // A literal of the options that this family has would need one declaration for each.
  const options = {
    ...(sort !== undefined && { sort: true }),
    ...(fields !== undefined && { fields: true }),
    ...(expand !== undefined && { expand: ['author'] }),
    paging: true,
  };
  const books = collection('books', Book, options as { readonly paging: true });
  return defineApi({ name: 'library', version: versions[name] ?? 1, auth: 'custom', collections: { books } });
};

/** A client of a server that responds to each URL as the sample has it, and the requests that it got. */
const connect = (preset: Family, replies: Readonly<Record<string, Sample>>) => {
  const requests: string[] = [];
  const bodies: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const method = init?.method ?? 'GET';
    const path = String(input).slice(origin.length);
    requests.push(`${method} ${path}`);
    if (init?.body) bodies.push(JSON.parse(String(init.body)));
    const { status = 200, headers = {}, body } = replies[`${method} ${path}`] ?? { status: 404, body: {} };
    return Response.json(body, { status, headers });
  };
  const { books } = createClient({ baseUrl: origin, auth, fetch, retry: false }).api(declare(preset));
  return { books, requests, bodies };
};

const repliesOf = ({
  pages,
  item: [itemUrl, item],
  created,
  updated,
}: Sent): Readonly<Record<string, Sample>> => {
  const collection = itemUrl.replace(/1(?=\/?$)/, '').replace(/\/\/$/, '/');
  const listUrl = itemUrl.endsWith('/') ? collection : collection.replace(/\/$/, '');
  return {
    ...Object.fromEntries(pages.map(([url, sample]) => [`GET ${url}`, sample])),
    [`GET ${itemUrl}`]: { body: item },
    [`POST ${listUrl}`]: created,
    [`PATCH ${itemUrl}`]: updated,
    [`PUT ${itemUrl}`]: updated,
    [`DELETE ${itemUrl}`]: { body: {} },
  };
};

describe.each(Object.entries({ ...inHeaders, ...inBodies }))('what a server of %s sends', (_, sent) => {
  const { preset, pages, item, hasTotal = true } = sent;
  const replies = repliesOf(sent);

  test('a query is written with its names', async () => {
    const { books, requests } = connect(preset, {});
    const { sort, fields, expand } = readFamily(preset).query;
    const query = {
      ...(sort !== undefined && { sort: ['-title'] }),
      ...(fields !== undefined && { fields: ['title'] }),
      ...(expand !== undefined && { expand: ['author'] }),
      page: 2,
      perPage: 2,
    };
    await books.list(query as { readonly page: number }).then(undefined, () => undefined);
    expect(requests).toEqual([`GET ${sent.query}`]);
  });

  test('a page has its records and numbers', async () => {
    const { books } = connect(preset, replies);
    const page = await books.list({ perPage: 2 });
    expect(page.items.map(({ id }) => id)).toEqual([1, 2]);
    expect(page.totalCount).toBe(hasTotal ? 3 : undefined);
    expect(page.next).toBeDefined();
  });

  test.each([1, 4])(
    'a list is read to its end, and no page behind it is requested: concurrency %i',
    async (concurrency) => {
      const { books, requests } = connect(preset, replies);
      const all = await books.list({ perPage: 2, concurrency }).toArray();
      expect(all.map(({ id, title }) => [id, title])).toEqual([
        [1, 'A'],
        [2, 'B'],
        [3, 'C'],
      ]);
      expect(requests).toEqual(pages.map(([url]) => `GET ${url}`));
    },
  );

  test('a list continues at the next page', async () => {
    // Without the number of the page in the response, an empty page shows the end.
    const third = (pages[1]?.[0] ?? '').replace('page=2', 'page=3');
    const { books } = connect(preset, { [`GET ${third}`]: sent.past[1], ...replies });
    const { next } = await books.list({ perPage: 2 });
    const rest = await books.list({ from: next as string, perPage: 2 }).toArray();
    expect(rest.map(({ id }) => id)).toEqual([3]);
  });

  test('a page behind the end has no records, or is an error', async () => {
    const { books, requests } = connect(preset, { [`GET ${sent.past[0]}`]: sent.past[1] });
    const { status = 200 } = sent.past[1];
    const read = books.list({ page: 9, perPage: 2 }).then(
      ({ items, next }) => ({ status: 200, items, next }),
      (error: unknown) => ({ status: (error as ApiError).status }),
    );
    const empty = { status: 200, items: [], next: undefined };
    expect(await read).toEqual(status === 200 ? empty : { status });
    expect(requests).toEqual([`GET ${sent.past[0]}`]);
  });

  test('one record is read, and a missing one is not found', async () => {
    const { books, requests } = connect(preset, replies);
    expect(await books.get(1)).toEqual({ id: 1, title: 'A' });
    expect(await books.find(7)).toBeUndefined();
    expect(requests[0]).toBe(`GET ${item[0]}`);
  });

  test('writes send the body where the server has it, and give the resource', async () => {
    const { books, bodies } = connect(preset, replies);
    expect(await books.create({ title: 'A' })).toEqual({ id: 1, title: 'A' });
    expect(await books.update(1, { title: 'A' })).toEqual({ id: 1, title: 'A' });
    expect(await books.replace(1, { title: 'A' })).toEqual({ id: 1, title: 'A' });
    expect(await books.delete(1)).toEqual({ outcome: 'done' });
    const body = sent.body ?? { title: 'A' };
    expect(bodies).toEqual([body, body, body]);
  });

  test.runIf(sent.invalid)('invalid fields are in `fieldErrors`', async () => {
    const [post = ''] = Object.keys(replies).filter((key) => key.startsWith('POST'));
    const { books } = connect(preset, { [post]: sent.invalid ?? {} });
    const error = await failureOf<ValidationError>(books.create({ title: '' }), ValidationError);
    expect(Object.keys(error.fieldErrors)).toEqual(['title']);
  });
});

test('the lists of Redmine, which has `offset` and also takes `page`, are read to their end', async () => {
  const { resource, collection, defineApi } = family({
    path: '',
    query: { page: 'page', perPage: 'limit', sort: 'sort' },
    sortAs: 'field:desc',
    clampsSize: true,
    list: {
      items: 'issues',
      next: 'number',
      totalCount: { body: 'total_count' },
      size: { body: 'limit' },
    },
    identity: ['id'],
  });
  const issues = collection('issues.json', resource({ subject: z.string() }), { sort: true, paging: true });
  const api = defineApi({ name: 'redmine', auth: 'custom', collections: { issues } });
  const all = Array.from({ length: 130 }, (_, index) => ({ id: index + 1, subject: `S${index}` }));
  const fetch = async (input: string): Promise<Response> => {
    const { searchParams } = new URL(input);
    const limit = Math.min(Number(searchParams.get('limit') ?? 25), 100);
    const offset = (Number(searchParams.get('page') ?? 1) - 1) * limit;
    const body = { issues: all.slice(offset, offset + limit), total_count: all.length, offset, limit };
    return Response.json(body);
  };
  const client = createClient({ baseUrl: origin, auth, fetch }).api(api);
  for (const perPage of [undefined, 7, 100, 500]) {
    const query = perPage === undefined ? {} : { perPage };
    expect((await client.issues.list({ ...query, concurrency: 4 }).toArray()).length).toBe(130);
  }
});
