import { collection, defineApi, expandable, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createOrdering, origin, signedIn } from './calls.ts';

const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);

describe('§4.4 sort', () => {
  test('the order follows each write, also of a related resource', async () => {
    const call = await signedIn(createOrdering());
    const first = async () => (await call('/v1/orders?sort=company.name')).json[0].id;
    expect(await first()).toBe(2);
    await call('/v1/companies/1', { method: 'PATCH', body: { name: 'Aaa' } });
    expect(await first()).toBe(1);
    await call('/v1/orders/1', { method: 'DELETE' });
    expect(await first()).toBe(4);
  });
});

describe('§4.4 fields', () => {
  test('a path below an expanded resource limits it; an unexpanded resource keeps id and self', async () => {
    const call = await signedIn(createOrdering());
    const self = `${origin}/v1/companies/1`;
    const limited = await call('/v1/orders/1?fields=company.name&expand=company');
    expect(limited.json.company).toEqual({ id: 1, self, name: 'Zeta' });
    expect((await call('/v1/orders/1?fields=company.name')).json.company).toEqual({ id: 1, self });
  });
});

describe('§7.1 what an endpoint does not support gets 400 and an item', () => {
  test.each([
    ['/v1/orders?page=99999999999999999999', 'page'],
    ['/v1/orders?perPage=1&perPage=2', 'perPage'],
    ['/v1/orders?fields=device.nothing', 'fields'],
    ['/v1/companies/1/orders?expand=company', 'expand'],
    ['/v1/orders?status=open', 'status'],
  ])('%s', async (path, field) => {
    const { status, json } = await (await signedIn(createOrdering()))(path);
    expect(status).toBe(400);
    expect(json.errors).toEqual([{ field, code: 'invalid', message: expect.any(String) }]);
  });
});

const things = defineApi({
  name: 'things',
  version: 1,
  auth: 'open',
  collections: {
    things: collection('things', resource({ kind: z.string(), size: z.number(), sold: z.boolean() }), {
      params: z.object({
        kind: z.optional(z.string().transform((text) => text.length)),
        size: z.optional(z.int()),
        sold: z.optional(z.boolean()),
        largerThan: z.optional(z.number()),
        kinds: z.optional(z.array(z.string())),
      }),
    }),
    needy: collection('needy', resource({ kind: z.string() }), { params: z.object({ since: z.string() }) }),
  },
});

const data = {
  things: [
    { kind: 'a', size: 1, sold: true },
    { kind: 'b', size: 2, sold: false },
    { kind: 'a', size: 3, sold: false },
  ],
};

describe("an endpoint's own query parameters", () => {
  test.each([
    ['kind=a', [1, 3]],
    ['size=2', [2]],
    ['sold=false', [2, 3]],
    ['sold=false&kind=a', [3]],
    ['largerThan=2', [1, 2, 3]],
  ])('a parameter that is named like a field selects by it: %s', async (query, expected) => {
    const response = await createMock(things, { data }).respond(new Request(`${origin}/v1/things?${query}`));
    expect(ids(await response.json())).toEqual(expected);
  });

  test('filter gets the parsed parameters', async () => {
    const mock = createMock(things, {
      data,
      filter: {
        things: (row, { largerThan, kinds }) =>
          Number(row.size) > Number(largerThan) && (kinds as string[]).includes(String(row.kind)),
      },
    });
    const response = await mock.respond(new Request(`${origin}/v1/things?largerThan=1&kinds=a,c`));
    expect(ids(await response.json())).toEqual([3]);
  });
});

describe('a parameter that is named like a field selects the rows that have its value', () => {
  const Firm = resource({ name: z.string() });
  const Item = resource({
    kind: z.string(),
    size: z.number(),
    tags: z.array(z.string()),
    firm: z.optional(expandable(Firm)),
    note: z.optional(z.nullable(z.string())),
  });
  const idsFor = async (params: Readonly<Record<string, z.ZodType>>, query: string) => {
    const shape = Object.fromEntries(Object.entries(params).map(([name, type]) => [name, z.optional(type)]));
    const api = defineApi({
      name: 'items',
      version: 1,
      auth: 'open',
      collections: {
        items: collection('items', Item, { params: z.object(shape) }),
        firms: collection('firms', Firm),
      },
    });
    const items = [
      { kind: 'a', size: 1, tags: ['x', 'y'], firm: 1, note: null },
      { kind: 'b', size: 2, tags: ['y'], firm: 2 },
      { kind: 'c', size: 3, tags: [], note: '2026-01-01T00:00:00.000Z' },
    ];
    const mock = createMock(api, { data: { items, firms: [{ name: 'A' }, { name: 'B' }] } });
    const response = await mock.respond(new Request(`${origin}/v1/items?${query}`));
    return ids(await response.json());
  };

  test.each([
    ['a list means any of its values', { kind: z.array(z.string()) }, 'kind=a,c', [1, 3]],
    ['an empty list selects none', { kind: z.array(z.string()) }, 'kind=', []],
    ['a list field has one of them', { tags: z.array(z.string()) }, 'tags=x,z', [1]],
    ['a relation has its id', { firm: z.int() }, 'firm=2', [2]],
    ['a relation has its id as a string', { firm: z.string() }, 'firm=1', [1]],
    ['a literal may be a number', { size: z.literal([1, 2]) }, 'size=2', [2]],
    ['so may a value of an enum', { size: z.enum({ Small: 1, Large: 3 }) }, 'size=3', [3]],
    ['a date is compared as the client writes it', { note: z.date() }, 'note=2026-01-01T00:00:00.000Z', [3]],
    ['what is null or missing has no value', { note: z.string() }, 'note=null', []],
  ])('%s: %o %s', async (_rule, params, query, expected) => {
    expect(await idsFor(params, query)).toEqual(expected);
  });
});
