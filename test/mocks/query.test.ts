import { collection, createClient, customAuth, defineApi, expandable, resource } from 'restkin';
import { createMock, type MockOptions } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createOrdering, declare, origin, send, signedIn } from './calls.ts';

test('§4.4 fields: a path below an expanded resource limits it; an unexpanded one keeps id and self', async () => {
  const call = await signedIn(createOrdering());
  const self = `${origin}/v1/companies/1`;
  const limited = await call('/v1/orders/1?fields=company.name&expand=company');
  expect(limited.json.company).toEqual({ id: 1, self, name: 'Zeta' });
  expect((await call('/v1/orders/1?fields=company.name')).json.company).toEqual({ id: 1, self });
});

test.each([
  ['page=99999999999999999999', 'page'],
  ['perPage=1&perPage=2', 'perPage'],
  ['fields=device.nothing', 'fields'],
])('§7.1 what an endpoint does not support gets 400 and an item: %s', async (query, field) => {
  const { status, json } = await (await signedIn(createOrdering()))(`/v1/orders?${query}`);
  expect([status, json.errors]).toEqual([400, [{ field, code: 'invalid', message: expect.any(String) }]]);
});

test('§4.4 `fields` that are listed: the identity is none of them, as it is implied', async () => {
  const fields = ['name'] as const;
  const firms = collection('firms', resource({ name: z.string() }), { fields });
  const mock = createMock(declare({ firms }));
  expect((await send(mock, '/v1/firms?fields=name')).status).toBe(200);
  const { status, json } = await send(mock, '/v1/firms?fields=name,id');
  expect([status, json.errors]).toMatchObject([400, [{ message: '"id" is not supported by fields here' }]]);
});

describe("an endpoint's own query parameters", () => {
  const Firm = resource({ name: z.string() });
  const Item = resource({
    kind: z.string(),
    size: z.number(),
    sold: z.boolean(),
    tags: z.array(z.string()),
    firm: z.optional(expandable(Firm)),
    note: z.optional(z.nullable(z.string())),
  });
  const idsOf = async (
    params: Readonly<Record<string, z.ZodType>>,
    query: string,
    filter: MockOptions['filter'] = {},
  ) => {
    const shape = Object.fromEntries(Object.entries(params).map(([name, type]) => [name, z.optional(type)]));
    const items = collection('items', Item, { params: z.object(shape) });
    const api = declare({ items, firms: collection('firms', Firm) });
    const data = {
      items: [
        { kind: 'a', size: 1, sold: true, tags: ['x', 'y'], firm: 1, note: null },
        { kind: 'b', size: 2, sold: false, tags: ['y'], firm: 2 },
        { kind: 'c', size: 3, sold: false, tags: [], note: '2026-01-01T00:00:00.000Z' },
      ],
      firms: [{ name: 'A' }, { name: 'B' }],
    };
    const { json } = await send(createMock(api, { data, filter }), `/v1/items?${query}`);
    return json.map(({ id }: { id: number }) => id);
  };

  test.each<[string, Readonly<Record<string, z.ZodType>>, string, readonly number[]]>([
    ['several hold together', { size: z.int(), sold: z.boolean() }, 'size=2&sold=false', [2]],
    ['a transform counts as it was sent', { kind: z.string().transform(Boolean) }, 'kind=b', [2]],
    ['a list means any of its values', { kind: z.array(z.string()) }, 'kind=a,c', [1, 3]],
    ['an empty list selects none', { kind: z.array(z.string()) }, 'kind=', []],
    ['a list field has one of them', { tags: z.array(z.string()) }, 'tags=x,z', [1]],
    ['a relation has its id', { firm: z.int() }, 'firm=2', [2]],
    ['a value of an enum may be a number', { size: z.enum({ Small: 1, Large: 3 }) }, 'size=3', [3]],
    ['a date is compared as the client writes it', { note: z.date() }, 'note=2026-01-01T00:00:00.000Z', [3]],
    ['what is null or missing has no value', { note: z.string() }, 'note=null', []],
    ['`all` of an enum means any value', { kind: z.enum(['a', 'b', 'all']) }, 'kind=all', [1, 2, 3]],
    ['`all` of several', { kind: z.array(z.enum(['a', 'all'])) }, 'kind=a,all', [1, 2, 3]],
    ['`all` of any strings is one of them', { kind: z.string() }, 'kind=all', []],
  ])('named like a field select by it: %s', async (_rule, params, query, expected) => {
    expect(await idsOf(params, query)).toEqual(expected);
  });

  test('named like a field that lists `all` itself: it is a value like any other', async () => {
    const audience = z.enum(['staff', 'all']);
    const posts = collection('posts', resource({ audience }), { params: z.object({ audience }) });
    const data = [{ audience: 'staff' }, { audience: 'all' }] as const;
    const mock = createMock(declare({ posts }), { data: { posts: data } });
    expect((await send(mock, '/v1/posts?audience=all')).json).toEqual([
      { id: 2, self: `${origin}/v1/posts/2`, audience: 'all' },
    ]);
  });

  test('are parsed for the filter of the collection', async () => {
    const params = { largerThan: z.number(), kinds: z.array(z.string()) };
    const items = (
      row: { readonly size?: unknown; readonly kind?: unknown },
      asked: Record<string, unknown>,
    ) => Number(row.size) > Number(asked.largerThan) && (asked.kinds as string[]).includes(String(row.kind));
    expect(await idsOf(params, 'largerThan=1&kinds=a,c', { items })).toEqual([3]);
  });

  test('without a field and a filter are refused, also one named like a method of objects', async () => {
    for (const name of ['after', 'toString']) {
      const firms = collection('firms', Firm, { params: z.object({ [name]: z.string() }) });
      const mock = createMock(declare({ firms }), { filter: { firms: {} } });
      const { status, json } = await send(mock, `/v1/firms?${name}=x`);
      expect([status, json.message]).toEqual([400, expect.stringContaining('does not know which rows')]);
    }
  });

  test('are written as code in the message about a missing filter', async () => {
    const name = 'created_at[gte]';
    const params = z.object({ [name]: z.optional(z.string()), since: z.optional(z.string()) });
    const api = declare({ 'all-firms': collection('firms', Firm, { params }) });
    const messageOf = async (query: string) =>
      (await send(createMock(api), `/v1/firms?${query}`)).json.message;
    expect(await messageOf(`${name}=x`)).toContain(`{ "all-firms": { "${name}": (row, value) => … } }`);
    expect(await messageOf('since=x')).toContain('{ "all-firms": { since: (row, value) => … } }');
  });

  test('have a filter each, which gets the parsed value; the others select by their fields', async () => {
    const params = { after: z.string().transform(Number), sold: z.boolean() };
    const after = (row: { readonly size?: unknown }, value: unknown) =>
      Number(row.size) > Number(value) && typeof value === 'number';
    expect(await idsOf(params, 'after=1', { items: { after } })).toEqual([2, 3]);
    expect(await idsOf(params, 'after=1&sold=true', { items: { after } })).toEqual([]);
    expect(await idsOf(params, 'sold=true', { items: { after } })).toEqual([1]);
  });

  test.each<[string, z.ZodType, unknown]>([
    ['a number', z.number(), -1.5],
    ['a BigInt', z.bigint(), 9_007_199_254_740_993n],
    ['BigInts', z.array(z.bigint()), [1n, -2n]],
    ['a date', z.date(), new Date(5000)],
    ['a tuple', z.tuple([z.string(), z.number()]), ['km', 5]],
    ['a tuple of any length', z.tuple([z.string()], z.number()), ['km', 5, 6]],
    ['a codec', z.codec(z.string(), z.number(), { decode: Number, encode: String }), 7],
  ])('are read as the client writes them: %s', async (_, schema, value) => {
    const firms = collection('firms', Firm, { params: z.object({ near: schema }) });
    const api = defineApi({ name: 'firms', version: 1, auth: 'custom', collections: { firms } });
    const seen: unknown[] = [];
    const near = (_row: unknown, given: unknown) => seen.push(given) > 0;
    const { fetch } = createMock(api, { data: { firms: [{ name: 'a' }] }, filter: { firms: { near } } });
    const client = createClient({ baseUrl: origin, auth: customAuth(() => ({})), fetch });
    await client.api(api).firms.list({ params: { near: value } });
    expect(seen).toEqual([value]);
  });

  test('without a field and without a filter are refused, and the message says what to write', async () => {
    const firms = collection('firms', Firm, { params: z.object({ q: z.optional(z.string()) }) });
    const mock = createMock(declare({ firms }), { generate: 3 });
    expect((await send(mock, '/v1/firms')).json).toHaveLength(3);
    const { status, json } = await send(mock, '/v1/firms?q=x');
    expect(status).toBe(400);
    expect(json.message).toContain('the parameter "q" selects');
    expect(json.message).toContain('filter: { firms: { q: (row, value) =>');
  });
});

test('§4.4 a schema of parameters that takes unknown ones takes them in the mock too', async () => {
  const Firm = resource({ name: z.string() });
  const options = { params: z.looseObject({ near: z.string() }) };
  const mock = createMock(declare({ firms: collection('firms', Firm, options) }), {
    filter: { firms: { near: () => true, other: () => true } },
  });
  expect((await send(mock, '/v1/firms?near=x&other=y')).status).toBe(200);
  expect((await send(mock, '/v1/firms?near=x&sort=name')).status).toBe(400);
});
