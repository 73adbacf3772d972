// Families whose lists are continued by a cursor in the body: the client against a server that was written
// for the test, the mock, the doctor and the OpenAPI document.
import { createClient, customAuth, family, InvalidRequestError, PagingError } from 'restkin';
import { diagnose } from 'restkin/doctor';
import type { Family } from 'restkin/families';
import { createMock } from 'restkin/mocks';
import { toOpenApi } from 'restkin/openapi';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { json, record } from '../../support/recording-server.ts';
import { rejectionOf } from '../../support/shop.ts';

const cursors = {
  path: 'api',
  query: { perPage: 'limit', sort: 'order' },
  list: { items: 'members', next: { body: 'response_metadata.next_cursor', parameter: 'cursor' } },
  identity: ['id'],
} as const satisfies Family;

const { resource, collection, defineApi } = family(cursors);
const Member = resource({ name: z.string() });
const options = {
  paging: { maxPerPage: 100 },
  sort: true,
  params: z.object({ team: z.optional(z.string()) }),
} as const;
const team = defineApi({
  name: 'team',
  auth: 'custom',
  collections: { members: collection('members', Member, options) },
});

const auth = customAuth(() => ({ 'x-api-key': 'k-12345678' }));
const all = Array.from({ length: 250 }, (_, index) => ({ id: index + 1, name: `n${index}` }));

/** Slices the list as Slack does: an opaque cursor, and an empty one on the last page. */
const serve = (toCursor: (next: number | undefined) => unknown) =>
  record(({ url }) => {
    const { searchParams } = new URL(url, 'http://localhost');
    const size = Number(searchParams.get('limit') ?? 30);
    const start = Number(atob(searchParams.get('cursor') ?? '').replace('after:', '') || 0);
    const end = start + size;
    const next = toCursor(end < all.length ? end : undefined);
    return json({ members: all.slice(start, end), response_metadata: { next_cursor: next } });
  });

const opaque = (next: number | undefined): string => (next === undefined ? '' : btoa(`after:${next}`));

const connect = (baseUrl: string) => createClient({ baseUrl, auth, retry: false }).api(team).members;

describe('a list with cursors', () => {
  test.each([1, 7, 100])('of pages of %i gives each record once', async (perPage) => {
    await using server = await serve(opaque);
    const read = await connect(server.url).list({ perPage, concurrency: 8 }).toArray();
    expect(read.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  });

  test('keeps the query, and replaces the cursor alone', async () => {
    await using server = await serve(opaque);
    await connect(server.url)
      .list({ perPage: 100, sort: ['-name'], params: { team: 'a b' } })
      .toArray();
    const query = '/api/members?order=-name&limit=100&team=a%20b';
    expect(server.requests.map(({ url }) => url)).toEqual([
      query,
      `${query}&cursor=YWZ0ZXI6MTAw`,
      `${query}&cursor=YWZ0ZXI6MjAw`,
    ]);
  });

  test('is continued from a page that was kept', async () => {
    await using server = await serve(opaque);
    const members = connect(server.url);
    const page = await members.list({ perPage: 100 });
    expect(page).toMatchObject({ number: undefined, totalCount: undefined });
    const rest = await members.list({ perPage: 100, from: page.next }).toArray();
    expect(rest.map(({ id }) => id)).toEqual(all.slice(100).map(({ id }) => id));
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['an empty string', ''],
    ['false', false],
    ['0', 0],
    ['0 in a string', '0'],
  ])('ends with %s', async (_, last) => {
    await using server = await serve((next) => (next === undefined ? last : opaque(next)));
    expect(await connect(server.url).list({ perPage: 100 }).toArray()).toHaveLength(250);
  });

  test.each<[string, unknown, string]>([
    ['lacks it', undefined, 'the response lacks `response_metadata.next_cursor` of the body'],
    ['has an object', {}, 'the response lacks a cursor in `response_metadata.next_cursor` of the body'],
  ])('fails where a page %s', async (_, given, message) => {
    await using server = await serve(() => given);
    const error = await rejectionOf(connect(server.url).list({ perPage: 100 }).toArray());
    expect(error).toBeInstanceOf(PagingError);
    expect(String(error)).toContain(message);
  });

  test('fails where the server gives the same cursor again', async () => {
    await using server = await serve(() => opaque(100));
    const error = await rejectionOf(connect(server.url).list({ perPage: 100 }).toArray());
    expect(error).toBeInstanceOf(PagingError);
    expect(server.requests).toHaveLength(2);
  });

  test('takes a number for a cursor', async () => {
    await using server = await record(({ url }) => {
      const after = Number(new URL(url, 'http://localhost').searchParams.get('cursor') ?? 0);
      const members = all.filter(({ id }) => id > after).slice(0, 100);
      const next = members.length < 100 ? null : members.at(-1)?.id;
      return json({ members, response_metadata: { next_cursor: next } });
    });
    expect(await connect(server.url).list({ perPage: 100 }).toArray()).toHaveLength(250);
  });

  test('has no page numbers to begin with', async () => {
    // @ts-expect-error the family has no name for `page`
    const list = connect('https://api.test').list({ page: 2 });
    const error = await rejectionOf(list);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(String(error)).toContain('page: the family "unnamed" has no page numbers');
  });

  test('shows no cursor in an error', async () => {
    await using server = await record((_, index) =>
      index === 0
        ? json({ members: all.slice(0, 1), response_metadata: { next_cursor: 'c-secret' } })
        : json({}, 500),
    );
    const error = await rejectionOf(connect(server.url).list().toArray());
    expect(String(error)).not.toContain('c-secret');
  });
});

describe('the mock of a family with cursors', () => {
  const mock = () => createMock(team, { data: { members: all } });
  const get = async (path: string) => {
    const response = await mock().fetch(`https://api.test${path}`, { headers: { 'x-api-key': 'k' } });
    return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
  };

  test('sends a cursor, and null with the last page', async () => {
    let search = '?limit=100';
    const seen: unknown[] = [];
    for (let page = 1; page <= 3; page++) {
      const { body } = await get(`/api/members${search}`);
      const { next_cursor: cursor } = body.response_metadata as Readonly<Record<string, string | null>>;
      seen.push([(body.members as unknown[]).length, cursor === null ? 'the last page' : typeof cursor]);
      search = `?limit=100&cursor=${cursor}`;
    }
    expect(seen).toEqual([
      [100, 'string'],
      [100, 'string'],
      [50, 'the last page'],
    ]);
  });

  test('refuses an unknown cursor', async () => {
    expect((await get('/api/members?cursor=another')).status).toBe(400);
  });

  test('is read by the client to its end', async () => {
    const client = createClient({ baseUrl: 'https://api.test', auth, fetch: mock().fetch });
    expect(await client.api(team).members.list({ perPage: 7 }).toArray()).toHaveLength(250);
  });

  test('satisfies the doctor', async () => {
    const { fetch } = mock();
    const { findings } = await diagnose(team, {
      baseUrl: 'https://api.test',
      fetch,
      headers: { 'x-api-key': 'k-12345678' },
      allowWrites: true,
    });
    expect(findings.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
    expect(findings.find(({ rule }) => rule === '§4.5 Link')?.outcome).toBe('pass');
  });
});

test('a link in the mock of a family without page numbers leads to the next page', async () => {
  const linked = family({ path: '', query: { perPage: 'limit' }, identity: ['id'] });
  const items = linked.collection('items', linked.resource({ name: z.string() }), { paging: true });
  const api = linked.defineApi({ name: 'linked', auth: 'custom', collections: { items } });
  const mock = createMock(api, { data: { items: all } });
  const client = createClient({ baseUrl: 'https://api.test', auth, fetch: mock.fetch });
  expect(await client.api(api).items.list({ perPage: 100 }).toArray()).toHaveLength(250);
});

test('the OpenAPI document has the cursor as a parameter and in the list', () => {
  const { paths } = toOpenApi(team, {
    securitySchemes: { custom: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
  });
  const operation = paths['/members']?.get ?? paths['/api/members']?.get;
  expect(operation?.parameters).toContainEqual(expect.objectContaining({ name: 'cursor', in: 'query' }));
  expect(JSON.stringify(operation?.responses)).toContain(
    '"response_metadata":{"type":"object","properties":{"next_cursor":{"type":["string","null"]}},"required":["next_cursor"]}',
  );
});

test.each<[Family, string]>([
  [
    { query: { page: 'page' }, list: cursors.list },
    'a list with cursors or offsets has no page numbers; leave query.page out',
  ],
  [{ query: { perPage: 'cursor' }, list: cursors.list }, 'the parameter "cursor" has two meanings'],
  [{ query: {}, list: { items: 'a', next: { body: 'next', parameter: '' } } }, 'list.next must be'],
])('a family that is not valid is refused: %j', (given, message) => {
  expect(() => family(given)).toThrow(InvalidRequestError);
  expect(() => family(given)).toThrow(message);
});
