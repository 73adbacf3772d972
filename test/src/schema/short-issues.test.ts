import fc from 'fast-check';
import { resource } from 'restkin';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { selectFrom } from '../../../src/schema/select.ts';
import { withShortIssues } from '../../../src/schema/short-issues.ts';
import type { Schema } from '../../../src/schema/types/shape.ts';

// What zod says of a value, and what it says with the bound: only the number of issues may differ.

const shown = 20;
const numRuns = 1000;
// The same each time: in a union or an intersection, an issue behind the first hundred may change which issues are first.
const seed = 7;

const toResult = (result: z.ZodSafeParseResult<unknown>): unknown =>
  result.success
    ? { value: result.data }
    : result.error.issues.slice(0, shown).map(({ path, code, message }) => ({ path, code, message }));

const resultOf = (schema: Schema, value: unknown): unknown => {
  try {
    return toResult(z.safeParse(schema, value));
  } catch (error) {
    // Two sides of an intersection that cannot be merged.
    return String(error);
  }
};

const lateResultOf = async (schema: Schema, value: unknown): Promise<unknown> => {
  try {
    return toResult(await z.safeParseAsync(schema, value));
  } catch (error) {
    return String(error);
  }
};

const even = z.int().refine((value) => value % 2 === 0, 'must be even');
const upper = z.codec(z.string(), z.string(), {
  decode: (value) => value.toUpperCase(),
  encode: (value) => value.toLowerCase(),
});

const leaf = fc.constantFrom<z.ZodType>(
  z.int(),
  z.string(),
  even,
  upper,
  z.optional(z.int()),
  z.int().default(7),
  z.int().prefault(8),
  z.int().catch(9),
  z.looseObject({ id: z.int(), name: z.optional(z.string()) }),
  z.strictObject({ id: z.int() }),
  z.discriminatedUnion('kind', [
    z.looseObject({ kind: z.literal('a'), n: z.int() }),
    z.looseObject({ kind: z.literal('b'), s: upper }),
  ]),
  z.union([z.int(), z.array(z.int())]),
);

const keys = fc.constantFrom<z.core.$ZodRecordKey>(
  z.string(),
  z.string().toUpperCase(),
  z.string().regex(/^[a-y]/),
  z.coerce.number<string>(),
  z.enum(['a', 'b']),
  z.string().transform((key) => `k${key}`),
);

const around = (inner: z.ZodType): fc.Arbitrary<z.ZodType> =>
  fc.oneof(
    fc.constantFrom(
      z.array(inner),
      z.array(inner).min(3),
      z.array(inner).min(150),
      z.array(inner).max(120),
      z.array(inner).length(130),
      z.array(inner).superRefine((value, context) => {
        if (value.length > 140) context.addIssue({ code: 'custom', message: 'is long' });
      }),
      z.array(inner).default([]),
      z.array(inner).catch([]),
      z.array(inner).prefault([]),
      z.array(inner).transform((value) => value.length),
      z.array(inner).readonly(),
      z.tuple([z.int()], inner),
      z.tuple([z.string(), z.optional(z.int())], inner),
      z.intersection(z.array(inner), z.array(z.unknown()).min(120)),
      z.intersection(z.record(z.string().regex(/^a/), inner), z.record(z.string().regex(/^[^a]/), inner)),
      z.intersection(z.looseObject({}), z.record(z.string(), inner)),
      z.looseObject({ rows: z.array(inner) }),
      z.object({ id: z.int() }).catchall(inner),
    ),
    keys.map((key) => z.record(key, inner)),
    keys.map((key) => z.partialRecord(key, inner)),
    keys.map((key) => z.looseRecord(key, inner)),
  );

const schemas = leaf.chain((first) =>
  around(first).chain((second) => fc.oneof(fc.constant(second), around(second))),
);

const scalar = fc.constantFrom<unknown>(
  0,
  1,
  2,
  'a',
  'zz',
  null,
  undefined,
  {},
  { id: 1 },
  { id: 'x' },
  { id: 1, more: 2 },
  { kind: 'a', n: 1 },
  { kind: 'b' },
  [],
  [1],
  ['a'],
  ['a', 1, 2],
);

// Mostly of one kind, so that long lists which fit are made, too.
const repeated = (item: fc.Arbitrary<unknown>): fc.Arbitrary<unknown[]> =>
  fc
    .tuple(
      item,
      fc.constantFrom(0, 3, 99, 100, 101, 130, 199, 200, 201, 260),
      fc.array(fc.tuple(fc.nat(260), item), { maxLength: 3 }),
    )
    .map(([value, length, others]) => {
      const list: unknown[] = Array.from({ length }, () => value);
      for (const [at, other] of others) if (at < length) list[at] = other;
      return list;
    });

const names = fc.constantFrom<(index: number) => string>(
  (index) => `a${index}`,
  (index) => `z${index}`,
  (index) => `${index}`,
  (index) => (index === 50 ? '__proto__' : `b${index}`),
  (index) => (index % 2 === 0 ? `A${index}` : `a${index - 1}`),
);

const recordOf = (list: readonly unknown[], name: (index: number) => string): unknown =>
  Object.fromEntries(list.map((value, index) => [name(index), value]));

const listOrRecord = (item: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    repeated(item),
    fc.tuple(repeated(item), names).map(([list, name]) => recordOf(list, name)),
  );

const flat = listOrRecord(scalar);
const values = fc.oneof(
  flat,
  fc.record({ rows: flat }),
  // oxlint-disable-next-line no-sparse-arrays -- a program may pass one
  fc.constantFrom<unknown>(
    Object.assign([1], { 150: 2 }),
    Object.assign(Object.create({}), recordOf(Array(120).fill(1), String)),
  ),
  fc.tuple(flat, fc.constantFrom(1, 3, 101)).map(([value, length]) => Array.from({ length }, () => value)),
);

const countOf = (issues: readonly unknown[]): number =>
  issues.length +
  issues
    .flatMap((issue) => (issue as { readonly errors?: readonly (readonly unknown[])[] }).errors ?? [])
    .reduce((sum, errors) => sum + countOf(errors), 0);

/** As it is inside of a resource, where a selection is read. */
const selected = (schema: z.ZodType): Schema => withShortIssues(selectFrom(resource({ value: schema }), {}));
const declared = (schema: z.ZodType): Schema =>
  z.looseObject({ id: z.int(), self: z.string(), value: schema });

describe('the bound of issues', () => {
  test('changes neither a value nor the first issues', () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        const bounded = withShortIssues(schema);
        const expected = resultOf(schema, value);
        expect(resultOf(bounded, value)).toEqual(expected);
        expect(resultOf(bounded, value)).toEqual(expected);
      }),
      { numRuns, seed },
    );
  });

  test('changes neither of them inside of a resource', () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        const row = { id: 1, self: 'x', value };
        expect(resultOf(selected(schema), row)).toEqual(resultOf(declared(schema), row));
      }),
      { numRuns, seed },
    );
  });

  test('changes neither what fits a union nor a few issues of one', () => {
    const unions = fc
      .tuple(schemas, schemas)
      .chain(([one, other]) =>
        fc.constantFrom(
          z.union([one, other]),
          z.array(z.union([z.string(), one])),
          z.union([z.string(), other]),
        ),
      );
    fc.assert(
      fc.property(unions, values, (schema, value) => {
        const results = [withShortIssues(schema), schema].map((one) => resultOf(one, value));
        // Of many issues, zod has one for the union where an issue behind the first hundred decides so.
        const isMany =
          Array.isArray(results[1]) && countOf(z.safeParse(schema, value).error?.issues ?? []) >= 100;
        const [actual, expected] = results.map((result) => (isMany ? Array.isArray(result) : result));
        expect(actual).toEqual(expected);
      }),
      { numRuns, seed },
    );
  });

  test('changes neither of them with asynchronous checks', async () => {
    const late = schemas.map((schema) => z.array(schema.refine(async () => true)));
    await fc.assert(
      fc.asyncProperty(late, values, async (schema, value) => {
        const list = Array.isArray(value) ? value : [value];
        const [bounded, plain] = [withShortIssues(schema), schema].map((one) => lateResultOf(one, list));
        const results = await Promise.all([bounded, plain]);
        // Of many issues zod has those first that are ready first.
        const [actual, expected] = results.map((one) =>
          Array.isArray(one) && one.length === shown ? shown : one,
        );
        expect(actual).toEqual(expected);
      }),
      { numRuns: numRuns / 4, seed },
    );
  });

  test.each<[string, (member: z.ZodType) => z.ZodType]>([
    ['a list', (member) => z.array(member)],
    ['a list with checks', (member) => z.array(member).min(1)],
    ['a list in a list', (member) => z.array(z.array(member))],
    ['a record', (member) => z.record(z.string(), member)],
    ['the rest of a tuple', (member) => z.tuple([z.unknown()], member)],
    ['other fields', (member) => z.object({}).catchall(member)],
  ])('ends the check of %s each time', (_what, whole) => {
    const check = vi.fn<() => boolean>(() => false);
    const schema = whole(z.unknown().refine(check));
    const isNested = schema instanceof z.ZodArray && schema.element instanceof z.ZodArray;
    const wrong: unknown[] = Array.from({ length: 300 }, () => (isNested ? Array(300).fill(1) : 1));
    const isList = schema instanceof z.ZodArray || schema instanceof z.ZodTuple;
    const value = isList ? wrong : { ...Object.fromEntries(wrong.entries()) };
    const bounded = selected(schema);
    for (const times of [1, 2]) {
      expect(resultOf(bounded, { id: 1, self: 'x', value })).toHaveLength(shown);
      expect(check).toHaveBeenCalledTimes(100 * times);
    }
  });

  test('ends the check of lists in unions, which have their issues in one', () => {
    const check = vi.fn<() => boolean>(() => false);
    const orList = (schema: z.ZodType): z.ZodType => z.union([z.string(), z.array(schema)]);
    const many = (value: unknown): unknown[] => Array.from({ length: 101 }, () => value);
    const schema = z.object({ rows: orList(orList(z.lazy(() => orList(z.unknown().refine(check))))) });
    resultOf(withShortIssues(schema), { rows: many(many(many(1))) });
    expect(check.mock.calls.length).toBeLessThan(20_000);
  });

  test.each([
    ['numbers', z.record(z.number(), z.string())],
    ['names of which some are refused', z.looseRecord(z.string().regex(/^x/), z.string())],
  ])('reads a record with thousands of %s as keys to its end', (_what, schema) => {
    const names = Array.from({ length: 12_000 }, (_, index) => String(index));
    const value = { ...Object.fromEntries(names.map((name) => [name, name])), x: 1, 12000: 1 };
    expect(resultOf(withShortIssues(schema), value)).toEqual(resultOf(schema, value));
    expect(resultOf(withShortIssues(schema), value)).not.toHaveProperty('value');
  });

  test('gives a check of the whole no member that is not decoded', () => {
    const schema = z
      .array(
        z.codec(z.string(), z.date(), { decode: (at) => new Date(at), encode: String }).refine(() => false),
      )
      .superRefine((dates) => void dates.map((date) => date.getTime()));
    const result = z.safeParse(withShortIssues(schema), Array(300).fill('2026-01-01'));
    expect(result.error?.issues).toHaveLength(100);
  });

  test('an asynchronous check that fails itself is what the call fails with', async () => {
    const failing = z.array(z.int().refine(async () => Promise.reject(new Error('no database'))));
    const check = z.safeParseAsync(withShortIssues(failing), Array(300).fill(1));
    await expect(check).rejects.toThrow('no database');
  });
});
