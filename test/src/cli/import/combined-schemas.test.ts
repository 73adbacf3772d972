import { describe, expect, test } from 'vitest';
import { importOf } from '../../../support/import-document.ts';
import { fieldOf } from '../../../support/imported-parts.ts';
import {
  animals,
  documentOf,
  json,
  objectOf,
  reference,
  response,
  type Schema,
  string,
} from '../../../support/odd-document.ts';

// Parts of `allOf`, and what stands beside a union.

describe('fields beside a union', () => {
  const options = [reference('Cat'), reference('Dog')];
  const expected =
    'z.union([ z.looseObject({ name: z.string(), lives: z.int() }), z.looseObject({ name: z.string(), bark: z.optional(z.string()) }) ])';

  test.each<[string, Schema]>([
    ['`properties` beside `anyOf`', { ...animals.Base, anyOf: options }],
    ['`properties` beside `oneOf`', { ...animals.Base, oneOf: options }],
    ['`allOf` with a `oneOf` inside', { allOf: [reference('Base'), { oneOf: options }] }],
    ['`allOf` beside `oneOf`', { allOf: [reference('Base')], oneOf: options }],
  ])('%s belong to each option', async (_, field) => {
    const { printed, unfit } = await fieldOf(field, animals);
    expect(printed).toBe(expected);
    expect(unfit).toEqual([]);
  });

  test('leave the field that tells the options apart as each option has it', async () => {
    const kind = (value: string) => objectOf({ kind: { const: value } }, ['kind']);
    const { printed } = await fieldOf({
      ...objectOf({ kind: string, name: string }),
      oneOf: [kind('cat'), kind('dog')],
      discriminator: { propertyName: 'kind' },
    });
    expect(printed).toBe(
      "z.discriminatedUnion('kind', [ z.looseObject({ kind: z.literal('cat'), name: z.optional(z.string()) }), " +
        "z.looseObject({ kind: z.literal('dog'), name: z.optional(z.string()) }) ])",
    );
  });

  test('are a plain union where the field that tells them apart may be missing', async () => {
    const kind = (value: string) => objectOf({ kind: { enum: [value] } });
    const { printed, unfit } = await fieldOf({
      oneOf: [kind('cat'), kind('dog')],
      discriminator: { propertyName: 'kind' },
    });
    expect(printed).toMatch(/^z\.union\(\[ z\.looseObject\(\{ kind: z\.optional\(/);
    expect(unfit).toEqual([]);
  });

  test('belong to the options that extend their own base', async () => {
    const extended = (properties: Schema) => ({ allOf: [reference('Pet'), objectOf(properties)] });
    const { code, unfit } = await fieldOf(reference('Pet'), {
      Pet: { ...objectOf({ name: string }), oneOf: [reference('Kitten'), reference('Puppy')] },
      Kitten: extended({ lives: { type: 'integer' } }),
      Puppy: extended({ bark: string }),
    });
    expect(unfit).toEqual([]);
    expect(code).toContain('name: z.optional(z.string()), lives: z.optional(z.int())');
    expect(code).toContain('name: z.optional(z.string()), bark: z.optional(z.string())');
  });
});

describe('a field of several parts of `allOf` is what all of them say', () => {
  const parts = (...fields: readonly Schema[]) => ({ allOf: fields.map((a) => objectOf({ a })) });
  const items = (item: Schema) => ({ type: 'array', items: item });

  test.each<[string, Schema, string]>([
    [
      'one that says nothing',
      parts({ ...string, minLength: 1 }, { description: 'its name' }),
      'z.string().min(1)',
    ],
    ['one that is only read-only', parts(string, { readOnly: true }), 'z.string()'],
    ['bounds', parts({ ...string, minLength: 1 }, { ...string, maxLength: 3 }), 'z.string().min(1).max(3)'],
    ['a type, then its values', parts(string, { enum: ['x', 'y'] }), "openEnum(['x', 'y'])"],
    ['values, then their type', parts({ enum: ['x', 'y'] }, string), "openEnum(['x', 'y'])"],
    ['values of both', parts({ enum: ['x', 'y', 'z'] }, { enum: ['z', 'y', 'v'] }), "openEnum(['y', 'z'])"],
    ['values, and one of them', parts({ enum: ['x', 'y'] }, { const: 'y' }), "z.literal('y')"],
    ['null in one', parts({ type: ['string', 'null'] }, { ...string, minLength: 1 }), 'z.string().min(1)'],
    [
      'null in both',
      parts({ type: ['string', 'null'] }, { type: ['string', 'null'], minLength: 1 }),
      'z.nullable(z.string().min(1))',
    ],
    [
      'a component and its refinement',
      parts(reference('Base'), reference('Cat')),
      'z.object({ name: z.string(), lives: z.int() })',
    ],
    ['the same component', parts(reference('Base'), reference('Base')), 'Base'],
    ['items', parts(items({}), items(string)), 'z.array(z.string())'],
    [
      'items of both',
      parts(items({ ...string, minLength: 1 }), items({ ...string, maxLength: 2 })),
      'z.array(z.string().min(1).max(2))',
    ],
  ])('%s', async (_, field, code) => {
    const { printed, unfit } = await fieldOf(field, animals);
    expect(printed).toBe(`z.object({ a: z.optional(${code}) })`);
    expect(unfit).toEqual([]);
  });

  test.each<[string, Schema, string]>([
    ['other types', parts(string, { type: 'boolean' }), 'z.boolean()'],
    ['other values', parts({ enum: ['x'] }, { enum: ['y'] }), "z.enum(['y'])"],
    [
      'two patterns',
      parts({ ...string, pattern: 'a' }, { ...string, pattern: 'b' }),
      'z.string().regex(/b/u)',
    ],
  ])('or the last of them with a report: %s', async (_, field, code) => {
    const { printed, unfit } = await fieldOf(field, animals);
    expect(printed).toBe(`z.object({ a: z.optional(${code}) })`);
    expect(unfit).toEqual([
      'Thing.field.a: parts of `allOf` that cannot be one schema: the last one is declared',
    ]);
  });

  test('beside an object of any names', async () => {
    const any = { type: 'object', additionalProperties: string };
    const { printed } = await fieldOf({ allOf: [objectOf({ a: { type: 'integer' } }), any] });
    expect(printed).toBe('z.object({ a: z.optional(z.int()) }).catchall(z.string())');
  });

  test('also where they contain themselves', async () => {
    const node = (name: string) => objectOf({ next: reference(name), [name]: string });
    const { unfit } = await fieldOf(
      { allOf: [reference('A'), reference('B')] },
      { A: node('A'), B: node('B') },
    );
    expect(unfit).toHaveLength(1);
    const { code } = await fieldOf(reference('B'), {
      A: objectOf({ next: reference('A') }),
      B: { allOf: [reference('A'), objectOf({ next: reference('B') })] },
    });
    expect(code).toContain('return z.optional(B)');
  });

  test('and is in no body where one of them is read-only', async () => {
    const body = { allOf: [reference('Base'), objectOf({ name: { readOnly: true }, size: string })] };
    const post = { operationId: 'make', requestBody: json(body), responses: {} };
    const { declarations } = await importOf(documentOf({ '/v1/report': { post } }, animals));
    expect(declarations).toContain('MakeBody = z.object({ size: z.optional(z.string()) });');
  });
});

describe('what cannot be combined', () => {
  test('is any value, with a comment and a line of the report', async () => {
    const { printed, code, unfit } = await fieldOf({ allOf: [{ ...string, minLength: 1 }, animals.Base] });
    expect(printed).toBe('z.unknown()');
    expect(code).toContain('// Not declared: `field`: parts of `allOf`');
    expect(unfit).toEqual([expect.stringMatching(/^Thing\.field: parts of `allOf`, .* any value is taken$/)]);
  });

  test('in a component is reported by the name of its constant', async () => {
    const { code, unfit } = await fieldOf(reference('Odd'), {
      Odd: objectOf({ values: { enum: [[1], [2]] } }),
    });
    expect(code).toContain(
      '// Not declared: `values`: an `enum` of lists or objects: any value is taken. export const Odd',
    );
    expect(unfit).toEqual(['Odd.values: an `enum` of lists or objects: any value is taken']);
  });

  test('as unions of unions without end is any value', async () => {
    const wide = { anyOf: Array.from({ length: 40 }, (_, index) => objectOf({ [`f${index}`]: string })) };
    const { printed, unfit } = await fieldOf({ allOf: [wide, animals.Base] });
    expect(printed).toBe('z.unknown()');
    expect(unfit).toHaveLength(1);
  });
});

describe('bounds in a part of `allOf`', () => {
  const longName = { ...string, minLength: 2, maxLength: 8 };
  test.each<[string, Schema, string]>([
    ['without a type', { allOf: [string, { minLength: 2 }] }, 'z.string().min(2)'],
    ['beside a type', { ...string, allOf: [{ pattern: '^a' }] }, 'z.string().regex(/^a/u)'],
    ['of a component', { allOf: [reference('Name'), { minLength: 3 }] }, 'z.string().min(3).max(8)'],
    ['of the same type', { allOf: [longName, { ...string, maxLength: 5 }] }, 'z.string().min(2).max(5)'],
    [
      'of a list',
      { allOf: [{ type: 'array', items: string }, { minItems: 1 }] },
      'z.array(z.string()).min(1)',
    ],
    ['of an integer', { allOf: [{ type: 'number', maximum: 9 }, { type: 'integer' }] }, 'z.int().max(9)'],
    [
      'of known strings',
      { allOf: [{ ...string, enum: ['a', 'b'] }, { minLength: 1 }] },
      "openEnum(['a', 'b'])",
    ],
    ['beside a reference', { ...reference('Name'), minLength: 4 }, 'z.string().min(4).max(8)'],
    [
      'in options without a type',
      { ...string, anyOf: [{ maxLength: 2 }, { pattern: '^x' }] },
      'z.union([z.string().max(2), z.string().regex(/^x/u)])',
    ],
  ])('%s are kept', async (_, field, code) => {
    const { printed, unfit } = await fieldOf(field, { Name: longName });
    expect(printed).toBe(code);
    expect(unfit).toEqual([]);
  });
});

test('a field is required where a part requires it that leaves its schema to another part', async () => {
  const Page = { type: 'object', required: ['rows', 'total'], properties: { total: { type: 'integer' } } };
  const rows = objectOf({ rows: { type: 'array', items: string } });
  const get = { operationId: 'page', responses: { 200: response({ allOf: [reference('Page'), rows] }) } };
  const { declarations } = await importOf(documentOf({ '/v1/page': { get } }, { Page }));
  expect(declarations).toContain('z.object({ total: z.int(), rows: z.array(z.string()) })');
});
