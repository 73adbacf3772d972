import { collection, expandable, resource } from 'restkin';
import { createMock, type Mock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import type { $ZodType } from 'zod/v4/core';
import { safeParse } from 'zod/v4/core';
import { ordering } from '../support/ordering.ts';
import { companies, declare, origin } from './calls.ts';

const rowsOf = ({ state }: Mock) => state.rows('things');

const Firm = resource({ name: z.string() });
const Part = resource({ id: z.string(), name: z.string() });

/** The values of one field in generated rows. */
const generate = (field: $ZodType, count = 40) => {
  const api = declare({ things: collection('things', resource({ field })) });
  return rowsOf(createMock(api, { generate: count })).map((row) => row.field);
};

const asDate = { decode: (text: string) => new Date(text), encode: (date: Date) => date.toISOString() };

// A literal with this flag needs a newer target.
const ofSets = (source: string): RegExp => new RegExp(source, 'v');

const kinds: Readonly<Record<string, $ZodType>> = {
  string: z.string(),
  'string of exactly 12': z.string().length(12),
  'string of parts': z.string().startsWith('a-').includes('-b-').endsWith('-c').max(20),
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
  'digits by a pattern': z.string().regex(/^\d{4}-\d+$/),
  'words by a pattern': z.string().regex(/^\w+\.\w{2,3}\+$/),
  'alternatives by a pattern': z.string().regex(/^(?:EU|US)-[A-Z0-9]{6}(,[^,]*)?$/),
  'letters of Unicode by a pattern': z.string().regex(/^\p{Lu}\p{Ll}+$/u),
  'a pattern of a certain length': z
    .string()
    .regex(/^[a-z]+$/)
    .length(20),
  'a pattern with a prefix': z
    .string()
    .regex(/^ord_[0-9]{6}$/)
    .startsWith('ord_1'),
  'a pattern with a suffix': z
    .string()
    .regex(/^[a-z]+-[a-z]+$/)
    .endsWith('-nl'),
  'a pattern that includes a part': z
    .string()
    .regex(/^[a-z-]+$/)
    .includes('zz'),
  'a pattern of an even length': z
    .string()
    .regex(/^[a-z]+-\d+$/)
    .length(26),
  'two patterns': z
    .string()
    .regex(/^[a-z0-9]+$/)
    .regex(/\d{4}$/),
  'two parts': z.string().includes('a1').includes('b2'),
  'a part behind others': z.string().includes('a1', { position: 5 }),
  'short email': z.email().max(10),
  'long email': z.email().min(60),
  'email of a company': z.email().endsWith('@acme.com'),
  'email in lower case': z.string().lowercase().email(),
  'short url': z.url().max(15),
  'long url': z.url().min(90),
  'url of an API': z.url().startsWith('https://api.acme.com/v2/'),
  'url of a host': z.url({ protocol: /^ftp$/, hostname: /^files\.acme\.io$/ }),
  'uuid with a prefix': z.uuid().startsWith('00000000-'),
  'datetime with an offset': z.iso.datetime({ offset: true }).endsWith('+02:00'),
  'date of a year': z.iso.date().startsWith('2031-'),
  'short e164': z.e164().max(9),
  'long base64': z.base64().min(100),
  'several emoji': z.emoji().min(8),
  'jwt of an algorithm': z.jwt({ alg: 'RS256' }),
  'a group without case': z.string().regex(/^(?i:ab)(?-i:c)$/),
  'a password': z.string().regex(/^(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{8,}$/),
  'Greek letters': z.string().regex(/^\p{Script=Greek}+$/u),
  'Chinese characters': z.string().regex(/^[\u4e00-\u9fff]{2,4}$/),
  'a difference of sets': z.string().regex(ofSets('^[\\p{L}--[a-z]]+$')),
  'an intersection of sets': z.string().regex(ofSets('^[[a-z]&&[aeiou]]+$')),
  nanoid: z.nanoid(),
  ulid: z.ulid(),
  cuid: z.cuid(),
  cuid2: z.cuid2(),
  xid: z.xid(),
  ksuid: z.ksuid(),
  jwt: z.jwt(),
  cidrv4: z.cidrv4(),
  cidrv6: z.cidrv6(),
  emoji: z.emoji(),
  'multiple of 2500': z.int().min(1).multipleOf(2500),
  'integer of hundredths': z.int().multipleOf(0.01),
  'multiple of several numbers': z.int().multipleOf(7).multipleOf(11).multipleOf(6.5),
  number: z.number(),
  int: z.int(),
  'number in a small range': z.number().gt(0.1).lt(0.2),
  'number in a tiny range': z.number().gt(0).lt(1e-9),
  'negative number in a tiny range': z.number().gt(-1e-6).lt(0),
  'number between two neighbours': z.number().gt(1).lt(1.0000000000000004),
  'integer between two fractions': z.int().gt(0.5).lt(1.5),
  'high 32-bit integer': z.int32().min(2_147_483_640),
  'number below -2 ** 53': z.number().lt(-(2 ** 53)),
  'number above 1e300': z.number().gt(1e300),
  'multiple of -5': z.number().multipleOf(-5),
  'multiple of 1e-7': z.number().multipleOf(1e-7).gt(0).lt(1e-6),
  'multiple of 0.1 that is 0.7': z.number().multipleOf(0.1).min(0.7).max(0.7),
  'multiple of 5': z.number().multipleOf(5),
  'multiple of 0.1': z.number().min(0).max(1).multipleOf(0.1),
  boolean: z.boolean(),
  enum: z.enum(['a', 'b']),
  literal: z.literal('x'),
  nullable: z.nullable(z.int()),
  optional: z.optional(z.string()),
  readonly: z.readonly(z.array(z.string())),
  array: z.array(z.int()),
  'array of optional strings': z.array(z.optional(z.string())),
  'array of nullable optional strings': z.array(z.nullable(z.optional(z.string()))),
  'array of 2 to 3': z.array(z.string()).min(2).max(3),
  object: z.object({ a: z.string(), b: z.optional(z.int()) }),
  record: z.record(z.string(), z.int()),
  tuple: z.tuple([z.number(), z.string()], z.int()),
  'tuple of optional numbers': z.tuple([z.optional(z.int()), z.optional(z.number()), z.optional(z.int())]),
  'tuple of optional numbers before a required one': z.tuple([
    z.optional(z.int()),
    z.optional(z.int()),
    z.int(),
  ]),
  'tuple of optional numbers at depth': z.array(
    z.object({
      a: z.array(z.object({ b: z.tuple([z.optional(z.int()), z.int(), z.optional(z.int())]) })).min(1),
    }),
  ),
  'optional options of a union': z.union([z.optional(z.int()), z.optional(z.boolean())]),
  intersection: z.intersection(z.object({ a: z.int() }), z.object({ b: z.string() })),
  'template literal': z.templateLiteral(['id-', z.int()]),
  'custom check': z.custom((value) => typeof value === 'string'),
  union: z.union([z.string(), z.int()]),
  'discriminated union': z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), a: z.int() }),
    z.object({ kind: z.literal('b'), b: z.string() }),
  ]),
  unknown: z.unknown(),
  refinement: z.int().refine((value) => value % 2 === 0),
  transform: z.string().transform((text) => text.length),
  'coerced number': z.coerce.number(),
  'coerced bigint': z.coerce.bigint().min(5n),
  'coerced date from a time on': z.coerce.date().min(new Date('2030-01-01')),
  'coerced date up to a time': z.coerce.date().max(new Date('2001-01-01')),
  'coerced date within an hour': z.coerce
    .date()
    .min(new Date('2030-01-01T10:00Z'))
    .max(new Date('2030-01-01T11:00Z')),
  'codec of a date': z.codec(z.iso.datetime(), z.date(), asDate),
  'codec of a number in text': z.codec(z.string().regex(z.regexes.number), z.number(), {
    decode: Number,
    encode: String,
  }),
  'codec over any text': z.codec(z.string(), z.date(), asDate),
  'mini object': mini.object({ a: mini.optional(mini.email()) }),
};

describe('a generated value fits its schema as it goes over the wire', () => {
  test.each(Object.entries(kinds))('%s', (_name, schema) => {
    const values = generate(schema);
    expect(values).toHaveLength(40);
    const wrong = values.filter((value) => !safeParse(schema, value).success);
    expect(wrong).toEqual([]);
    const sent = values.map((value) => value ?? null);
    expect(JSON.parse(JSON.stringify(sent))).toEqual(sent);
  });

  test('values vary: optional fields may be missing, nullable ones null', () => {
    expect(new Set(generate(z.string())).size).toBeGreaterThan(30);
    expect(new Set(generate(z.enum(['a', 'b', 'c'])))).toEqual(new Set(['a', 'b', 'c']));
    expect(new Set(generate(z.optional(z.literal(1))))).toEqual(new Set([1, undefined]));
    expect(new Set(generate(z.nullable(z.literal(1))))).toEqual(new Set([1, null]));
  });
});

describe('generated rows', () => {
  const ordersOf = (count: number, seed = 1) =>
    createMock(ordering, { generate: { orders: count, companies: 5 }, seed }).state.rows('orders');

  test('are as many as requested, with ids from 1 and relations to rows that exist', () => {
    const orders = ordersOf(30);
    expect(orders.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    const related = new Set(orders.map(({ company }) => (company as { id: number }).id));
    expect([...related].toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
    const lines = orders.flatMap((row) => row.lines as { id: number }[]);
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
  });

  test('are the same for the same seed, whatever else is generated', () => {
    const orders = ordersOf(30);
    expect(ordersOf(30)).toEqual(orders);
    expect(ordersOf(30, 2)).not.toEqual(orders);
    const statusesOf = (rows: typeof orders) => rows.map(({ status }) => status);
    expect(statusesOf(ordersOf(10))).toEqual(statusesOf(orders.slice(0, 10)));
  });

  test('a single number applies to every collection without data', () => {
    const { state } = createMock(ordering, { data: { companies }, generate: 2 });
    const counts = (['companies', 'orders', 'feed'] as const).map((key) => state.rows(key).length);
    expect(counts).toEqual([3, 2, 2]);
  });

  test('fit a check of the whole row', () => {
    const Range = resource({ from: z.int().max(9), to: z.int().max(9) });
    Range._zod.def.checks = [z.refine<{ from: number; to: number }>(({ from, to }) => from <= to)];
    const api = declare({ things: collection('ranges', Range) });
    const rows = rowsOf(createMock(api, { generate: 20 }));
    expect(rows.every(({ from, to }) => Number(from) <= Number(to))).toBe(true);
  });
});

describe('nested collections', () => {
  const Device = resource({ model: z.string() });
  const Reading = resource({ value: z.number(), deviceId: z.number() });
  const api = declare({
    readings: collection('firms/:firmId/devices/:deviceId/readings', Reading),
    devices: collection('firms/:firmId/devices', Device),
    firms: collection('firms', Firm),
    alarms: collection('alarms', resource({ device: expandable(Device) })),
  });
  const get = async (mock: Mock, path: string) => (await mock.fetch(`${origin}/v1/${path}`)).json();

  test('a single number fills each of them below the rows of its parent in turn', async () => {
    const mock = createMock(api, { generate: 4 });
    const device = { id: 2, self: `${origin}/v1/firms/2/devices/2`, model: expect.any(String) };
    expect(await get(mock, 'firms/2/devices')).toEqual([device]);
    expect(await get(mock, 'firms/3/devices/3/readings')).toMatchObject([{ id: 3, deviceId: 3 }]);
    expect(await get(mock, 'firms/3/devices/2/readings')).toEqual([]);
  });

  test('a link to a resource that only a nested collection serves leads there', async () => {
    const mock = createMock(api, { generate: 4 });
    for (const { device } of await get(mock, 'alarms')) {
      expect(device.self).toBe(`${origin}/v1/firms/${device.id}/devices/${device.id}`);
    }
  });

  test('rows without a parent are an error that names the collection that lacks them', () => {
    const create = () => createMock(api, { generate: { devices: 3 } });
    expect(create).toThrow('the collection "firms" above it has no rows');
  });
});

describe('a function for the rows of a collection', () => {
  const Phone = resource({ cli: z.string().regex(/^(\d)\1{3}$/), firm: expandable(Firm) });
  const api = declare({ things: collection('numbers', Phone) });

  test('gives fields and ids, and the schema the others', () => {
    const row = (index: number) => ({ cli: String(index).repeat(4), ...(index === 1 && { id: 1 }) });
    const rows = rowsOf(createMock(api, { generate: { things: { count: 3, row } } }));
    expect(rows).toMatchObject([
      { id: 2, cli: '0000' },
      { id: 1, cli: '1111' },
      { id: 3, cli: '2222', firm: { name: expect.any(String) } },
    ]);
  });

  test('gives each row an id of its own', () => {
    const create = (row: (index: number) => { id: number; cli: string }) =>
      createMock(api, {
        data: { things: [{ id: 8, cli: '8888', firm: { id: 1, name: 'a' } }] },
        generate: { things: { count: 3, row } },
      });
    const cli = '1111';
    expect(() => create(() => ({ id: 7, cli }))).toThrow('generate.things.row: the id 7 is a duplicate');
    expect(() => create((index) => ({ id: 6 + index, cli }))).toThrow('the id 8 is a duplicate');
  });

  test('may give half of the ids: the others are above the highest', () => {
    const ids = (row: (index: number) => object, id: $ZodType = z.int()) => {
      const declared = declare({ things: collection('things', resource({ id })) });
      return rowsOf(createMock(declared, { generate: { things: { count: 400, row } } })).map((one) => one.id);
    };
    const numbers = ids((index) => (index < 200 ? { id: 201 + index } : {}));
    expect(numbers.slice(200)).toEqual(Array.from({ length: 200 }, (_, index) => 401 + index));
    const prefixed = ids((index) => (index < 1 ? { id: 'ord_9' } : {}), z.string().startsWith('ord_'));
    expect(prefixed.slice(0, 3)).toEqual(['ord_9', 'ord_10', 'ord_11']);
  });

  test('may give a field that only some generated values fit', () => {
    const Range = resource({ from: z.int().max(9), to: z.int().max(9) });
    Range._zod.def.checks = [
      z.refine<{ from: number; to: number }>(({ from, to }) => from <= to, { path: ['to'], error: 'is low' }),
    ];
    const ranges = declare({ things: collection('ranges', Range) });
    const create = (row: (index: number) => object, count = 8) =>
      createMock(ranges, { generate: { things: { count, row } } });
    const rows = rowsOf(create((index) => ({ to: index })));
    expect(rows.map(({ to }) => to)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(rows.every(({ from, to }) => Number(from) <= Number(to))).toBe(true);
    expect(() => create(() => ({ to: 10 }))).toThrow('generate.things.row gives an invalid "to": ');
    expect(() => create(() => ({ from: 2, to: 1 }))).toThrow(
      'the field "to" of the collection "things": the given value fits with no generated ones: is low; ',
    );
  });

  test('is what the error of a field that cannot be generated asks for', () => {
    expect(() => createMock(api, { generate: 1 })).toThrow('or the field in generate.things.row');
  });
});

describe('relations and ids', () => {
  test('a resource that contains itself relates to rows of its own collection', () => {
    const Person = resource({
      name: z.string(),
      get boss(): $ZodType {
        return z.optional(expandable(Person));
      },
    });
    const api = declare({ things: collection('people', Person, { expand: ['boss'] }) });
    const rows = rowsOf(createMock(api, { generate: 20 }));
    const bosses = rows.flatMap(({ boss }) => (boss === undefined ? [] : [(boss as { id: number }).id]));
    expect(bosses.length).toBeGreaterThan(5);
    expect(bosses.every((id) => id >= 1 && id <= 20)).toBe(true);
  });

  test('a nested resource that contains itself ends, unless it must contain itself', () => {
    const Node = resource({
      get parts(): $ZodType {
        return z.array(Node);
      },
      get next(): $ZodType {
        return z.nullable(Node);
      },
    });
    const rows = rowsOf(createMock(declare({ things: collection('nodes', Node) }), { generate: 3 }));
    expect(JSON.stringify(rows)).toContain('"parts":[]');
    const Endless = resource({
      get next(): $ZodType {
        return Endless;
      },
    });
    const create = () => createMock(declare({ things: collection('nodes', Endless) }), { generate: 1 });
    expect(create).toThrow('its schema contains itself without an end');
  });

  test('a union that contains itself ends with an option that does not', () => {
    const tree: $ZodType = z.lazy(() =>
      z.union([z.object({ left: tree }), z.object({ right: tree }), z.literal('leaf')]),
    );
    const depths = generate(tree, 200).map((value) => JSON.stringify(value).split('{').length);
    expect(Math.max(...depths)).toBeLessThan(6);
  });

  test('an id that is not a number differs for each row', () => {
    const ids = (id: $ZodType) =>
      rowsOf(createMock(declare({ things: collection('firms', resource({ id })) }), { generate: 12 })).map(
        (row) => row.id,
      );
    expect(ids(z.string())).toEqual(Array.from({ length: 12 }, (_, index) => String(index + 1)));
    const uuids = ids(z.uuid());
    expect(new Set(uuids).size).toBe(12);
    expect(ids(z.uuid())).toEqual(uuids);
    expect(() => ids(z.enum(['a', 'b']))).toThrow('no 12 different ids can be generated');
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
    const create = (firm: $ZodType) =>
      createMock(
        declare({ firms: collection('firms', Firm), things: collection('orders', resource({ firm })) }),
        { generate: { things: 5 } },
      );
    expect(rowsOf(create(z.optional(expandable(Firm)))).every(({ firm }) => firm === undefined)).toBe(true);
    expect(() => create(expandable(Firm))).toThrow('the collection "firms" has no rows');
  });

  test('a list of relations to an empty collection is empty, unless it may not be', () => {
    const create = (firms: $ZodType) =>
      createMock(
        declare({ firms: collection('firms', Firm), things: collection('orders', resource({ firms })) }),
        { generate: { things: 5 } },
      );
    const rows = rowsOf(create(z.array(expandable(Firm))));
    expect(rows.map(({ firms }) => firms)).toEqual([[], [], [], [], []]);
    expect(() => create(z.array(expandable(Firm)).min(1))).toThrow('the collection "firms" has no rows');
  });
});

test.each<[string, $ZodType, string, RegExp]>([
  ['bounds that leave nothing', z.number().gt(5).lte(5), 'field', /no number is above 5 below 5/],
  [
    'a pattern that refers to a group',
    z.string().regex(/^(\w+)=\1$/),
    'field',
    /the part \\1 of the pattern \/\^/,
  ],
  [
    'a pattern that refers to a name',
    z.string().regex(/^(?<q>a)\k<q>$/),
    'field',
    /the part \\k of the pattern/,
  ],
  ['a pattern without an end', z.string().regex(/^(?:a{1000}){1000000}$/), 'field', /the part \(\?:a\{1000/],
  ['a pattern that nothing matches', z.string().regex(/^a$b/), 'field', /a string that matches \/\^a\$b\//],
  ['a format that is never so short', z.uuid().max(10), 'field', /expected string to have <=10 characters/],
  [
    'lengths that exclude each other',
    z.string().min(5).max(3),
    'field',
    /its least length, 5, is above its greatest, 3/,
  ],
  [
    'a list that is too long',
    z.array(z.int()).min(1e9),
    'field',
    /its length, 1000000000 or more, is above 100000/,
  ],
  [
    'multiples that are not in the range',
    z.number().multipleOf(7).gt(0).max(5),
    'field',
    /no multiple of 7 is above 0 to 5/,
  ],
  [
    'a union whose options have no value',
    z.union([z.date(), z.object({ code: z.string().regex(/^(a)\1$/) })]),
    'field',
    /none of the options of a union has a value \(field\.code: .*the part \\1 .*, or .*a date: /,
  ],
  [
    'a codec that throws',
    z.codec(z.string(), z.int(), {
      decode: () => {
        throw new TypeError('secret');
      },
      encode: String,
    }),
    'field',
    /a pipe: a function of the schema threw TypeError;/,
  ],
  ['a BigInt', z.bigint(), 'field', /a bigint: .*; JSON has none, so declare a z\.codec\(\);/],
  ['a Date, which has no JSON', z.date(), 'field', /a date/],
  ['a range without numbers', z.int().min(5).max(4), 'field', /a number: no integer is from 5 to 4/],
  ['a refinement of a list', z.array(z.string()).refine(() => false), 'field', /no generated value fits/],
  ['a nested field', z.object({ code: z.array(z.object({ at: z.date() })) }), 'field.code.at', /a date/],
])(
  'a field that cannot be generated is an error with collection and path: %s',
  (_name, schema, path, problem) => {
    expect(() => generate(schema, 1)).toThrow(problem);
    const message = `generate.things: the field "${path}" of the collection "things": `;
    expect(() => generate(schema, 1)).toThrow(message);
  },
);
