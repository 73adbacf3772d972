import { collection, defineApi, expandable, resource } from 'restkin';
import { createMock, type Mock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import type { $ZodType } from 'zod/v4/core';
import { safeParse } from 'zod/v4/core';
import { ordering } from '../support/ordering.ts';
import { companies } from './calls.ts';

const rowsOf = (mock: Mock, key = 'things') => mock.state.rows(key);

/** A mock of one collection of rows with one field. */
const generate = (field: $ZodType, count = 40, seed = 1) => {
  const api = defineApi({
    name: 'things',
    version: 1,
    auth: 'custom',
    collections: { things: collection('things', resource({ field })) },
  });
  return rowsOf(createMock(api, { generate: { things: count }, seed })).map((row) => row.field);
};

const kinds: Readonly<Record<string, $ZodType>> = {
  string: z.string(),
  'string of exactly 12': z.string().length(12),
  'string with a beginning, a middle and an end': z
    .string()
    .startsWith('a-')
    .includes('-b-')
    .endsWith('-c')
    .max(20),
  'lower case': z.string().lowercase(),
  email: z.email(),
  url: z.url(),
  uuid: z.uuid(),
  ipv4: z.ipv4(),
  ipv6: z.ipv6(),
  base64url: z.base64url(),
  e164: z.e164(),
  hostname: z.hostname(),
  datetime: z.iso.datetime(),
  'datetime to the microsecond': z.iso.datetime({ precision: 6 }),
  date: z.iso.date(),
  time: z.iso.time(),
  duration: z.iso.duration(),
  'capitals by a pattern': z.string().regex(/^[A-Z]+$/),
  number: z.number(),
  int: z.int(),
  'number in a small range': z.number().gt(0.1).lt(0.2),
  'multiple of 5': z.number().multipleOf(5),
  'multiple of 0.1': z.number().min(0).max(1).multipleOf(0.1),
  boolean: z.boolean(),
  enum: z.enum(['a', 'b']),
  literal: z.literal('x'),
  nullable: z.nullable(z.int()),
  optional: z.optional(z.string()),
  readonly: z.readonly(z.array(z.string())),
  array: z.array(z.int()),
  'array of 2 to 3': z.array(z.string()).min(2).max(3),
  object: z.object({ a: z.string(), b: z.optional(z.int()) }),
  record: z.record(z.string(), z.int()),
  union: z.union([z.string(), z.int()]),
  'discriminated union': z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), a: z.int() }),
    z.object({ kind: z.literal('b'), b: z.string() }),
  ]),
  unknown: z.unknown(),
  refinement: z.int().refine((value) => value % 2 === 0),
  transform: z.string().transform((text) => text.length),
  'coerced number': z.coerce.number(),
  'codec of a date': z.codec(z.iso.datetime(), z.date(), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  }),
  'codec of a number in text': z.codec(z.string().regex(z.regexes.number), z.number(), {
    decode: Number,
    encode: String,
  }),
  'codec over any text': z.codec(z.string(), z.date(), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  }),
  'mini object': mini.object({ a: mini.optional(mini.email()) }),
};

describe('a generated value fits its schema as it goes over the wire', () => {
  test.each(Object.entries(kinds))('%s', (_name, schema) => {
    const values = generate(schema);
    expect(values).toHaveLength(40);
    const wrong = values.filter((value) => !safeParse(schema, value).success);
    expect(wrong).toEqual([]);
    expect(JSON.parse(JSON.stringify({ values: values.map((value) => value ?? null) }))).toEqual({
      values: values.map((value) => value ?? null),
    });
  });

  test('values vary: optional fields may be missing, nullable ones null', () => {
    expect(new Set(generate(z.string())).size).toBeGreaterThan(30);
    expect(new Set(generate(z.enum(['a', 'b', 'c'])))).toEqual(new Set(['a', 'b', 'c']));
    expect(new Set(generate(z.optional(z.literal(1))))).toEqual(new Set([1, undefined]));
    expect(new Set(generate(z.nullable(z.literal(1))))).toEqual(new Set([1, null]));
    expect(new Set(generate(z.array(z.int())).map((list) => (list as number[]).length)).size).toBeGreaterThan(
      1,
    );
  });
});

describe('generated rows', () => {
  const mockOf = (count: number, seed = 1) =>
    createMock(ordering, { generate: { orders: count, companies: 5 }, seed });

  test('are as many as requested, with ids from 1 and relations to rows that exist', () => {
    const mock = mockOf(30);
    const orders = mock.state.rows('orders');
    expect(orders.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    const related = new Set(orders.map(({ company }) => (company as { id: number }).id));
    expect(related.size).toBeGreaterThan(2);
    for (const id of related) expect(mock.state.row('companies', id)).toBeDefined();
    const lines = orders.flatMap((row) => row.lines as { id: number }[]);
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
  });

  test('are the same for the same seed, whatever else is generated', () => {
    const orders = mockOf(30).state.rows('orders');
    expect(mockOf(30).state.rows('orders')).toEqual(orders);
    expect(mockOf(30, 2).state.rows('orders')).not.toEqual(orders);
    expect(
      mockOf(10)
        .state.rows('orders')
        .map(({ status }) => status),
    ).toEqual(orders.slice(0, 10).map(({ status }) => status));
  });

  test('a single number applies to every collection without data', () => {
    const mock = createMock(ordering, { data: { companies }, generate: 3 });
    expect(['companies', 'orders', 'feed'].map((key) => mock.state.rows(key as 'orders').length)).toEqual([
      3, 3, 3,
    ]);
    expect(mock.state.rows('orders')[0]?.company).toEqual({ id: expect.any(Number) });
  });

  test('fit a check of the whole row', () => {
    const Range = resource({ from: z.int().max(9), to: z.int().max(9) });
    Range._zod.def.checks = [z.refine<{ from: number; to: number }>(({ from, to }) => from <= to)];
    const api = defineApi({
      name: 'ranges',
      version: 1,
      auth: 'custom',
      collections: { ranges: collection('ranges', Range) },
    });
    const rows = createMock(api, { generate: { ranges: 20 } }).state.rows('ranges');
    expect(rows.every(({ from, to }) => Number(from) <= Number(to))).toBe(true);
  });
});

describe('a function for the rows of a collection', () => {
  const Phone = resource({
    cli: z.string().regex(/^(\d)\1{3}$/),
    firm: expandable(resource({ name: z.string() })),
  });
  const api = defineApi({
    name: 'numbers',
    version: 1,
    auth: 'custom',
    collections: { numbers: collection('numbers', Phone) },
  });

  test('gives fields, and the schema the others', () => {
    const row = (index: number) => ({ cli: String(index).repeat(4) });
    const rows = rowsOf(createMock(api, { generate: { numbers: { count: 3, row } } }), 'numbers');
    expect(rows.map(({ cli }) => cli)).toEqual(['0000', '1111', '2222']);
    expect(rows[0]?.firm).toMatchObject({ name: expect.any(String) });
  });

  test('gives ids, which the others avoid', () => {
    const row = (index: number) => ({ cli: '1111', ...(index === 1 && { id: 1 }) });
    const rows = rowsOf(createMock(api, { generate: { numbers: { count: 3, row } } }), 'numbers');
    expect(rows.map(({ id }) => id)).toEqual([2, 1, 3]);
  });

  test('is what the error of a field that cannot be generated asks for', () => {
    expect(() => createMock(api, { generate: 1 })).toThrow('or the field in generate.numbers.row');
  });
});

describe('relations and ids', () => {
  const Part = resource({ id: z.string(), name: z.string() });

  const declare = (collections: Parameters<typeof defineApi>[0]['collections']) =>
    defineApi({ name: 'some', version: 1, auth: 'custom', collections });
  const Firm = resource({ name: z.string() });

  test('a resource that contains itself relates to rows of its own collection', () => {
    const Person = resource({
      name: z.string(),
      get boss(): $ZodType {
        return z.optional(expandable(Person));
      },
    });
    const rows = createMock(declare({ people: collection('people', Person) }), {
      generate: { people: 20 },
    }).state.rows('people');
    const bosses = rows.flatMap(({ boss }) => (boss === undefined ? [] : [(boss as { id: number }).id]));
    expect(bosses.length).toBeGreaterThan(5);
    expect(bosses.every((id) => id >= 1 && id <= 20)).toBe(true);
  });

  test('a nested resource that contains itself ends', () => {
    const Node = resource({
      name: z.string(),
      get parts(): $ZodType {
        return z.array(Node);
      },
      get next(): $ZodType {
        return z.nullable(Node);
      },
    });
    const rows = createMock(declare({ nodes: collection('nodes', Node) }), { generate: 3 }).state.rows(
      'nodes',
    );
    expect(JSON.stringify(rows)).toContain('"parts":[]');
  });

  test('a union that contains itself ends with an option that does not', () => {
    const tree: $ZodType = z.lazy(() =>
      z.union([z.object({ left: tree }), z.object({ right: tree }), z.literal('leaf')]),
    );
    const depths = generate(tree, 200).map((value) => JSON.stringify(value).split('{').length);
    expect(Math.max(...depths)).toBeLessThan(6);
  });

  test('a resource that must contain itself is an error', () => {
    const Node = resource({
      get next(): $ZodType {
        return Node;
      },
    });
    const create = () => createMock(declare({ nodes: collection('nodes', Node) }), { generate: 1 });
    expect(create).toThrow('its schema contains itself without an end');
  });

  test('an id that is not a number differs for each row', () => {
    const ids = (id: $ZodType) =>
      createMock(declare({ firms: collection('firms', resource({ id, name: z.string() })) }), {
        generate: 12,
      })
        .state.rows('firms')
        .map((row) => row.id);
    expect(ids(z.string())).toEqual(Array.from({ length: 12 }, (_, index) => String(index + 1)));
    const uuids = ids(z.uuid());
    expect(new Set(uuids).size).toBe(12);
    expect(ids(z.uuid())).toEqual(uuids);
  });

  test('a relation to a resource without a collection has its own `self`', async () => {
    const mock = createMock(declare({ orders: collection('orders', resource({ firm: expandable(Firm) })) }), {
      generate: { orders: 1 },
    });
    expect(mock.state.rows('orders')[0]).toMatchObject({
      firm: {
        id: expect.any(Number),
        self: expect.stringMatching(/^urn:firm:\d+$/),
        name: expect.any(String),
      },
    });
  });

  test.each<[string, (part: typeof Part) => $ZodType]>([
    ['a record', (part) => z.record(z.string(), part)],
    ['a union', (part) => z.union([part, z.object({ other: z.string() })])],
    ['a field that may be expanded, of a resource without a collection', expandable],
  ])('a nested resource has an id of its type in %s', (_name, hold) => {
    const schema = hold(Part);
    for (const value of generate(schema, 20)) expect(safeParse(schema, value).error).toBeUndefined();
  });

  test('an optional relation to an empty collection is left out, a required one is an error', () => {
    const collections = (firm: $ZodType) =>
      declare({ firms: collection('firms', Firm), orders: collection('orders', resource({ firm })) });
    const optional = createMock(collections(z.optional(expandable(Firm))), { generate: { orders: 5 } });
    expect(optional.state.rows('orders').every((row) => row.firm === undefined)).toBe(true);
    expect(() => createMock(collections(expandable(Firm)), { generate: { orders: 5 } })).toThrow(
      'generate.orders: the field "firm" of the collection "orders": the collection "firms" has no rows',
    );
  });
});

describe('a field that cannot be generated is an error with its collection and path', () => {
  test.each<[string, $ZodType, RegExp]>([
    ['a pattern that refers to a group', z.string().regex(/^(\w+)=\1$/), /a string/],
    ['a Date, which has no JSON', z.date(), /a date/],
    ['a range without numbers', z.int().min(5).max(4), /a number/],
    ['a refinement that nothing passes', z.string().refine(() => false), /a string/],
    ['a refinement of a list', z.array(z.string()).refine(() => false), /no generated value fits/],
  ])('%s', (_name, schema, message) => {
    expect(() => generate(schema, 1)).toThrow(
      /^generate\.things: the field "field" of the collection "things": .*; give its rows in data\.things, or the field in generate\.things\.row$/,
    );
    expect(() => generate(schema, 1)).toThrow(message);
  });

  test('a nested field is named by its dotted path', () => {
    expect(() => generate(z.object({ code: z.array(z.object({ at: z.date() })) }), 1)).toThrow(
      '"field.code.at"',
    );
  });

  test('an unknown collection and an invalid number are refused', () => {
    // @ts-expect-error the compiler knows the keys
    expect(() => createMock(ordering, { generate: { invoices: 1 } })).toThrow('generate.invoices');
    expect(() => createMock(ordering, { generate: -1 })).toThrow('generate must be a number of rows');
  });
});
