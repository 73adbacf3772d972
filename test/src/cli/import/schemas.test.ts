import { describe, expect, test } from 'vitest';
import { apisOf, evaluate, importOf } from '../../../support/import-document.ts';
import { fieldOf } from '../../../support/imported-parts.ts';
import {
  animals,
  documentOf,
  json,
  list,
  objectOf,
  reference,
  resourceOf,
  type Schema,
  string,
} from '../../../support/odd-document.ts';

describe('fields whose names fit a pattern', () => {
  const byDate = { '^[0-9]+$': { type: 'integer' } };

  test('alone are a record of such names', async () => {
    const schema = { type: 'object', patternProperties: byDate, additionalProperties: false };
    const { printed, unfit } = await fieldOf(schema);
    expect(printed).toBe('z.record(z.string().regex(/^[0-9]+$/u), z.int())');
    expect(unfit).toEqual([]);
  });

  test.each<[string, Schema, string]>([
    ['beside others', { type: 'object', patternProperties: byDate }, 'z.record(z.string(), z.unknown())'],
    [
      'beside named ones, without a type',
      { properties: { name: string }, patternProperties: byDate, additionalProperties: false },
      'z.object({ name: z.optional(z.string()) }).catchall(z.int())',
    ],
    [
      'with schemas for the rest',
      {
        type: 'object',
        patternProperties: { a: string, b: { type: 'null' } },
        additionalProperties: { type: 'boolean' },
      },
      'z.record(z.string(), z.nullable(z.union([z.string(), z.boolean()])))',
    ],
  ])('%s are kept, and their patterns are reported', async (_, schema, code) => {
    const { printed, unfit } = await fieldOf(schema);
    expect(printed).toBe(code);
    expect(unfit).toEqual([
      'Thing.field: `patternProperties`: each field takes what fits one of the patterns, or the rest',
    ]);
  });
});

test('a reference without a target is any value, and is reported', async () => {
  const { unfit } = await fieldOf(reference('Ordr'));
  expect(unfit).toEqual(['Ordr: the reference #/components/schemas/Ordr has no target']);
});

test('a constant beside a reference is that constant', async () => {
  const { printed } = await fieldOf({ ...reference('Kind'), const: 'cat' }, { Kind: string });
  expect(printed).toBe("z.literal('cat')");
});

test.each<[unknown, readonly string[]]>([
  ['array', ['Thing.field: `uniqueItems` is not checked']],
  [['array', 'null'], ['Thing.field: `uniqueItems` is not checked']],
  ['string', []],
])('`uniqueItems` of %j is reported where that is a list', async (type, expected) => {
  expect((await fieldOf({ type, uniqueItems: true })).unfit).toEqual(expected);
});

test.each([
  [[true], 'z.literal(true)'],
  [[1, 'a'], "z.literal([1, 'a'])"],
])('the values %j are %s', async (values, expected) => {
  expect((await fieldOf({ enum: values })).printed).toBe(expected);
});

test('options are told apart by the constant to which a reference of their field leads', async () => {
  const { code, unfit } = await fieldOf(
    {
      oneOf: [reference('Cat'), reference('Dog')],
      discriminator: { propertyName: 'kind' },
    },
    {
      CatKind: { const: 'cat' },
      Cat: objectOf({ kind: reference('CatKind') }, ['kind']),
      Dog: objectOf({ kind: { const: 'dog' } }, ['kind']),
    },
  );
  expect(code).not.toContain("z.literal('Cat')");
  expect(unfit).toEqual([]);
});

describe('a keyword that is not checked is reported', () => {
  test.each<[string, Schema, string]>([
    ['uniqueItems', { type: 'array', items: string, uniqueItems: true }, '`uniqueItems` is not checked'],
    ['not', { ...string, not: { const: 'a' } }, '`not` is not checked'],
    ['dependentRequired', objectOf({ a: string }), '`dependentRequired` is not checked'],
    ['minLength', { minLength: 2 }, '`minLength` has no type beside it, and is not checked'],
    ['const', { const: [1] }, '`const` of a list or an object is not checked'],
    [
      'pattern',
      { ...string, pattern: '^[a' },
      '`pattern` is no regular expression of JavaScript, and is not checked',
    ],
    [
      'anyOf',
      { ...objectOf({ a: string, b: string }), anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      'an option of `anyOf` that is only `required` is not checked',
    ],
  ])('%s', async (name, field, reason) => {
    const own = name === 'dependentRequired' ? { ...field, [name]: { a: ['b'] } } : field;
    const { unfit, code } = await fieldOf(own);
    expect(unfit).toEqual([`Thing.field: ${reason}`]);
    expect(code).toContain(reason);
  });

  test('unless it says nothing', async () => {
    const field = { type: 'array', items: string, uniqueItems: false, unevaluatedItems: false };
    expect((await fieldOf(field)).unfit).toEqual([]);
  });
});

test('a field that is read-only beside its reference is in no body', async () => {
  const owner = { ...reference('Base'), readOnly: true };
  const document = documentOf(
    {
      '/v1/things': {
        post: {
          requestBody: json(objectOf({ owner, name: string }, ['name'])),
          responses: { 201: json(resourceOf({ owner, name: string })) },
        },
      },
    },
    animals,
  );
  expect((await importOf(document)).declarations).toContain('ThingCreate = z.object({ name: z.string() });');
});

describe('null', () => {
  test.each<[string, Schema]>([
    ['in a part of `allOf`', { allOf: [reference('Base'), { nullable: true }] }],
    ['beside `allOf`', { nullable: true, allOf: [reference('Base')] }],
    ['beside `oneOf`', { nullable: true, oneOf: [reference('Base')] }],
  ])('%s makes the whole nullable', async (_, field) => {
    const { printed } = await fieldOf(field, animals, { openapi: '3.0.3' });
    expect(printed).toBe('z.nullable(Base)');
  });
});

test('a field keeps a name that a query cannot write', async () => {
  const imported = await importOf(
    documentOf({ '/v1/things': list(resourceOf({ 'a.b': string, '-c': string })) }),
  );
  expect(imported.declarations).toContain("'a.b': z.optional(z.string()), '-c': z.optional(z.string())");
  expect(evaluate(imported)).toHaveProperty('shopAPI');
});

test.each(['email', 'time'])('a format of which zod takes a part is a string: %s', async (format) => {
  expect((await fieldOf({ type: 'string', format })).printed).toBe('z.string()');
});

const thingsOf = (item: Schema, schemas: Schema = {}) => documentOf({ '/v1/things': list(item) }, schemas);

describe('a part that a person would write in another way', () => {
  const cat = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' }, lives: {} } };
  const dog = { ...cat, properties: { kind: { type: 'string' }, bark: {} } };
  const either = { oneOf: [reference('Cat'), reference('Dog')] };
  const mapping = { cat: '#/components/schemas/Cat', dog: 'Dog' };

  test.each<[string, Schema, string]>([
    [
      'a list of a fixed length',
      { type: 'array', items: {}, minItems: 3, maxItems: 3 },
      'z.array(z.unknown()).min(3).max(3)',
    ],
    [
      'a record of named keys',
      { type: 'object', propertyNames: reference('Key') },
      'z.partialRecord(Key, z.unknown())',
    ],
    ['options of which a value may fit several', { anyOf: either.oneOf }, 'z.union([Cat, Dog])'],
    [
      'options that a field tells apart',
      { ...either, discriminator: { propertyName: 'kind', mapping } },
      "z.discriminatedUnion('kind', [ z.looseObject({ kind: z.literal('cat'), lives: z.optional(z.unknown()) }), " +
        "z.looseObject({ kind: z.literal('dog'), bark: z.optional(z.unknown()) }), ])",
    ],
  ])('%s', async (_, schema, code) => {
    const imported = await importOf(
      thingsOf(resourceOf({ a: schema }), { Cat: cat, Dog: dog, Key: { enum: ['x', 'y'] } }),
    );
    expect(imported.declarations.replace(/\s+/g, ' ')).toContain(`a: z.optional(${code}`);
    expect(apisOf(imported)).toHaveLength(1);
  });

  test('an option of `anyOf` keeps the fields of the others', async () => {
    const item = resourceOf({ a: { anyOf: either.oneOf } });
    const { declarations } = await importOf(thingsOf(item, { Cat: cat, Dog: dog }));
    expect(declarations).toContain('Cat = z.looseObject(');
  });
});

test('a pattern is a regular expression of JavaScript', async () => {
  const name = { type: 'string', pattern: '^[\\p{IsHan}]+$' };
  const letters = { type: 'string', pattern: '^\\p{L}+$' };
  const imported = await importOf(documentOf({ '/v1/things': list(resourceOf({ name, letters })) }));
  expect(imported.declarations).toContain('name: z.optional(z.string())');
  expect(imported.declarations).toContain('letters: z.optional(z.string().regex(/^\\p{L}+$/u))');
});
