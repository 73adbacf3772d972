import { describe, expect, test } from 'vitest';
import { apisOf, evaluate, importOf } from '../../../support/import-document.ts';
import { documentOf, json, list, reference, resourceOf, type Schema } from '../../../support/odd-document.ts';

const objectOf = (properties: Schema, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const string = { type: 'string' };

/** The code of a resource that has one field of a schema. */
const fieldOf = async (field: Schema, schemas: Schema = {}, rest: Schema = {}) => {
  const imported = await importOf(documentOf({ '/v1/things': list(resourceOf({ field })) }, schemas, rest));
  expect(apisOf(imported)).toHaveLength(1);
  const code = imported.declarations.replace(/\s+/g, ' ').replaceAll(', }', ' }').replaceAll(', ]', ' ]');
  const [, printed = ''] = /field: z\.optional\((.*?)\) \}\);/.exec(code) ?? [];
  return { printed, code, unfit: imported.unfit };
};

const schemas = {
  Base: objectOf({ name: string }, ['name']),
  Cat: objectOf({ lives: { type: 'integer' } }, ['lives']),
  Dog: objectOf({ bark: string }),
};

describe('fields beside a union', () => {
  const options = [reference('Cat'), reference('Dog')];
  const expected =
    'z.union([ z.looseObject({ name: z.string(), lives: z.int() }), z.looseObject({ name: z.string(), bark: z.optional(z.string()) }) ])';

  test.each<[string, Schema]>([
    ['`properties` beside `anyOf`', { ...schemas.Base, anyOf: options }],
    ['`properties` beside `oneOf`', { ...schemas.Base, oneOf: options }],
    ['`allOf` with a `oneOf` inside', { allOf: [reference('Base'), { oneOf: options }] }],
    ['`allOf` beside `oneOf`', { allOf: [reference('Base')], oneOf: options }],
  ])('%s belong to each option', async (_, field) => {
    const { printed, unfit } = await fieldOf(field, schemas);
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
    ['a type, then its values', parts(string, { enum: ['x', 'y'] }), "z.enum(['x', 'y'])"],
    ['values, then their type', parts({ enum: ['x', 'y'] }, string), "z.enum(['x', 'y'])"],
    ['values of both', parts({ enum: ['x', 'y', 'z'] }, { enum: ['z', 'y', 'v'] }), "z.enum(['y', 'z'])"],
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
    const { printed, unfit } = await fieldOf(field, schemas);
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
    const { printed, unfit } = await fieldOf(field, schemas);
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
    const { declarations } = await importOf(documentOf({ '/v1/report': { post } }, schemas));
    expect(declarations).toContain('MakeBody = z.object({ size: z.optional(z.string()) });');
  });
});

describe('what cannot be combined', () => {
  test('is any value, with a comment and a line of the report', async () => {
    const { printed, code, unfit } = await fieldOf({ allOf: [{ ...string, minLength: 1 }, schemas.Base] });
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
    const { printed, unfit } = await fieldOf({ allOf: [wide, schemas.Base] });
    expect(printed).toBe('z.unknown()');
    expect(unfit).toHaveLength(1);
  });
});

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

test('a reference that leads nowhere is any value, and is reported', async () => {
  const { unfit } = await fieldOf(reference('Ordr'));
  expect(unfit).toEqual(['Ordr: the reference #/components/schemas/Ordr leads nowhere']);
});

test('a constant beside a reference is that constant', async () => {
  const { printed } = await fieldOf({ ...reference('Kind'), const: 'cat' }, { Kind: string });
  expect(printed).toBe("z.literal('cat')");
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
      "z.enum(['a', 'b'])",
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
    schemas,
  );
  expect((await importOf(document)).declarations).toContain('ThingCreate = z.object({ name: z.string() });');
});

describe('null', () => {
  test.each<[string, Schema]>([
    ['in a part of `allOf`', { allOf: [reference('Base'), { nullable: true }] }],
    ['beside `allOf`', { nullable: true, allOf: [reference('Base')] }],
    ['beside `oneOf`', { nullable: true, oneOf: [reference('Base')] }],
  ])('%s makes the whole nullable', async (_, field) => {
    const { printed } = await fieldOf(field, schemas, { openapi: '3.0.3' });
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

describe('header fields and cookies that an operation needs', () => {
  const parameters = ['X-Tenant', 'Authorization'].map((name) => ({
    in: 'header',
    name,
    required: true,
    schema: string,
  }));
  const cookie = { in: 'cookie', name: 'sid', required: true, schema: string };
  const optional = { in: 'header', name: 'X-Trace', schema: string };
  const needs = { parameters: [...parameters, optional, cookie] };

  test('are reported for a collection', async () => {
    const { unfit, declarations } = await importOf(documentOf({ '/v1/things': list(resourceOf({}), needs) }));
    expect(unfit).toEqual([
      'shopAPI.things: list: the header field `X-Tenant`, which it needs: pass it in `headers`',
      'shopAPI.things: list: the header field `X-Trace`: pass it in `headers`',
      'shopAPI.things: list: the cookie `sid`, which it needs: pass it in `headers`',
    ]);
    expect(declarations).toContain('// Not declared: list: the header field `X-Tenant`');
  });

  test('are reported for an endpoint', async () => {
    const report = { operationId: 'report', ...needs, responses: { 200: json({}) } };
    const { unfit, declarations } = await importOf(documentOf({ '/v1/report': { get: report } }));
    expect(unfit).toContain('shopAPI.report: the cookie `sid`, which it needs: pass it in `headers`');
    expect(declarations).toContain(
      '// Not declared: the header field `X-Tenant`, which it needs: pass it in `headers`.',
    );
  });
});
