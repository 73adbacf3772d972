import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import type { $ZodType } from 'zod/v4/core';
import { safeParse } from 'zod/v4/core';
import { generateField } from './calls.ts';

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
  'a bracket in a class': z.string().regex(/^[[a]{3}$/),
  'an escape in a class': z.string().regex(/^[\]a]{4}$/),
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
  'a single number': z.number().min(5).max(5),
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
  'a union, of which one option throws for the values of another': z.union([
    z.string().transform((text) => JSON.parse(text) as unknown),
    z.literal('none'),
  ]),
  'mini object': mini.object({ a: mini.optional(mini.email()) }),
};

describe('a generated value fits its schema as it goes over the wire', () => {
  test.each(Object.entries(kinds))('%s', (_name, schema) => {
    const values = generateField(schema);
    expect(values).toHaveLength(40);
    const wrong = values.filter((value) => !safeParse(schema, value).success);
    expect(wrong).toEqual([]);
    const sent = values.map((value) => value ?? null);
    expect(JSON.parse(JSON.stringify(sent))).toEqual(sent);
  });

  test('has words in capitals where a string must be upper case', () => {
    const values = generateField(z.string().uppercase());
    expect(values.filter((value) => /^[A-Z]{3,}/.test(String(value))).length).toBeGreaterThan(20);
  });

  test('values vary: optional fields may be missing, nullable ones null', () => {
    expect(new Set(generateField(z.string())).size).toBeGreaterThan(30);
    expect(new Set(generateField(z.enum(['a', 'b', 'c'])))).toEqual(new Set(['a', 'b', 'c']));
    expect(new Set(generateField(z.optional(z.literal(1))))).toEqual(new Set([1, undefined]));
    expect(new Set(generateField(z.nullable(z.literal(1))))).toEqual(new Set([1, null]));
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
    expect(() => generateField(schema, 1)).toThrow(problem);
    const message = `generate.things: the field "${path}" of the collection "things": `;
    expect(() => generateField(schema, 1)).toThrow(message);
  },
);
