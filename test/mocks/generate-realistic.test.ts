import { faker as german } from '@faker-js/faker/locale/de';
import fc from 'fast-check';
import { collection, defineApi, resource, type Schema } from 'restkin';
import { createMock, type MockOptions } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { safeParse } from 'zod/v4/core';

type Fields = Readonly<Record<string, Schema>>;
type Options = Pick<MockOptions, 'seed' | 'faker'> & { readonly path?: string; readonly params?: Schema };

/** Rows of one collection that has these fields. */
const rowsOf = (fields: Fields, count: number, { path = 'things', params, ...options }: Options = {}) => {
  const api = defineApi({
    name: 'things',
    version: 1,
    auth: 'custom',
    collections: { things: collection(path, resource({ ...fields }), params && { params }) },
  });
  return createMock(api, { generate: { things: count }, ...options }).state.rows('things');
};

const valuesOf = (name: string, schema: Schema, count = 40, options?: Options): string[] =>
  rowsOf({ [name]: schema }, count, options).map((row) => String(row[name]));

const customer = {
  firstName: z.string(),
  lastName: z.string(),
  email: z.email(),
  phone: z.string(),
  birthDate: z.iso.date(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  address: z.object({ street: z.string(), zipCode: z.string(), city: z.string(), country: z.string() }),
  currency: z.string().length(3),
  description: z.string(),
};

describe('rows are realistic where @faker-js/faker is installed', () => {
  test('an e-mail address fits the name beside it, in letters of an address', () => {
    const letters = (name: unknown) =>
      String(name)
        .normalize('NFD')
        .replace(/[^A-Za-z]/g, '')
        .toLowerCase();
    const people = rowsOf(customer, 200);
    const simple = people.filter(({ firstName, lastName }) =>
      /^[A-Za-z]+$/.test(String(firstName) + String(lastName)),
    );
    expect(simple.length).toBeGreaterThan(80);
    for (const { firstName, lastName, email } of simple)
      expect(email).toBe(`${letters(firstName)}.${letters(lastName)}@example.com`);
    for (const { email } of people) expect(email).toMatch(/^[a-z]+(\.[a-z]+)?@example\.com$/);
  });

  test('a full name and a user name are those of the same person', () => {
    for (const { name, username, email } of rowsOf(
      { name: z.string(), username: z.string(), email: z.string() },
      40,
    )) {
      expect(String(name)).toMatch(/^\S+ \S/);
      expect(String(username).replace(/\d+$/, '')).toBe(String(email).split('@')[0]?.replace('.', ''));
    }
  });

  test('a plain name fits the kind of its collection', () => {
    const one = (path: string) => valuesOf('name', z.string(), 1, { path })[0];
    expect(one('companies')).not.toBe(one('products'));
    expect(one('companies')).toMatch(/^\p{Lu}/u);
    expect(one('products')?.split(' ').length).toBeGreaterThan(1);
  });

  test.each<[string, Schema, RegExp]>([
    ['phone', z.string(), /^[\d()+ .x-]{7,}$/],
    ['mobileNumber', z.e164(), /^\+\d{7,15}$/],
    ['zip_code', z.string(), /^\d{5}(-\d{4})?$/],
    ['postcode', z.string().regex(/^\d{4}$/), /^\d{4}$/],
    ['country', z.string().length(2), /^[A-Z]{2}$/],
    ['countryCode', z.string(), /^[A-Z]{2}$/],
    ['currency', z.string(), /^[A-Z]{3}$/],
    ['addressLine1', z.string(), /^\d+ \S/],
    ['sku', z.string(), /^[A-Z]{3}-\d{5}$/],
    ['startDate', z.string(), /^\d{4}-\d\d-\d\d$/],
    ['shippedAt', z.string(), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/],
  ])('%s has the form that people expect', (name, schema, form) => {
    for (const value of valuesOf(name, schema)) expect(value).toMatch(form);
  });

  test('names and cities have letters beyond ASCII', () => {
    expect(valuesOf('lastName', z.string()).join('')).toMatch(/[^\p{ASCII}]/u);
    expect(valuesOf('city', z.string(), 400).join('')).toMatch(/[^\p{ASCII}]/u);
  });

  test('a field that a list is filtered by has few values', () => {
    const distinct = (name: string, options?: Options) =>
      new Set(valuesOf(name, z.string(), 300, options)).size;
    for (const name of ['city', 'country', 'currency', 'department', 'status']) {
      const few = distinct(name) > 1 && distinct(name) <= 12;
      expect({ name, few }).toEqual({ name, few: true });
    }
    expect(distinct('lastName')).toBeGreaterThan(100);
    expect(distinct('warehouse')).toBeGreaterThan(100);
    expect(distinct('warehouse', { params: z.object({ warehouse: z.optional(z.string()) }) })).toBe(6);
  });

  test('descriptions have several lengths', () => {
    const lengths = valuesOf('description', z.string()).map((value) => value.length);
    expect(Math.min(...lengths)).toBeLessThan(100);
    expect(Math.max(...lengths)).toBeGreaterThan(250);
  });

  test('dates lie in several years, births in the past, an update after the creation', () => {
    const rows = rowsOf({ ...customer, expiresAt: z.iso.datetime() }, 100);
    const years = (name: string) => new Set(rows.map((row) => String(row[name]).slice(0, 4)));
    expect(years('createdAt').size).toBeGreaterThan(5);
    expect(years('birthDate').size).toBeGreaterThan(25);
    for (const { birthDate, createdAt, updatedAt, expiresAt } of rows) {
      expect(String(birthDate) < String(createdAt)).toBe(true);
      expect(String(updatedAt) >= String(createdAt)).toBe(true);
      expect(String(expiresAt) > String(updatedAt)).toBe(true);
    }
  });

  test('numbers have the usual size', () => {
    const fields = { quantity: z.int(), age: z.int(), price: z.number(), latitude: z.number() };
    for (const { quantity, age, latitude } of rowsOf(fields, 40)) {
      expect(quantity).toBeLessThanOrEqual(20);
      expect(age).toBeGreaterThanOrEqual(18);
      expect(Math.abs(Number(latitude))).toBeLessThanOrEqual(90);
    }
  });

  test('the same seed makes the same rows, another seed others', () => {
    const rows = rowsOf(customer, 20);
    expect(rowsOf(customer, 20)).toEqual(rows);
    expect(rowsOf(customer, 20, { seed: 2 })).not.toEqual(rows);
    expect(rowsOf(customer, 10)).toEqual(rows.slice(0, 10));
  });
});

describe('the option faker', () => {
  test('false makes plain values', () => {
    expect(valuesOf('firstName', z.string(), 3, { faker: false }).join()).toMatch(/^[a-z]+ \d+,/);
  });

  test('an instance gives its locale, and keeps its own seed', () => {
    german.seed(4);
    const expected = german.person.firstName();
    german.seed(4);
    const zips = valuesOf('zipCode', z.string(), 40, { faker: german });
    expect(german.person.firstName()).toBe(expected);
    expect(zips.every((zip) => /^\d{5}$/.test(zip))).toBe(true);
    expect(valuesOf('country', z.string(), 40, { faker: german })).not.toEqual(
      valuesOf('country', z.string(), 40),
    );
  });

  test('a locale that lacks a list falls back to plain values', () => {
    const bare = new (german.constructor as new (options: object) => typeof german)({
      locale: { metadata: german.rawDefinitions.metadata },
    });
    expect(rowsOf(customer, 3, { faker: bare })).toHaveLength(3);
  });

  test('anything else is an error', () => {
    // @ts-expect-error what is missing in it is its locale
    expect(() => rowsOf(customer, 1, { faker: { seed: 1 } })).toThrow('faker must be an instance of Faker');
  });
});

const names = fc.oneof(
  fc.constantFrom(
    'email',
    'firstName',
    'name',
    'phone',
    'zipCode',
    'city',
    'country',
    'currency',
    'createdAt',
  ),
  fc.constantFrom(
    'birthDate',
    'description',
    'title',
    'sku',
    'price',
    'quantity',
    'age',
    'url',
    'status',
    'id2',
  ),
  fc.stringMatching(/^[a-zæ$_]{1,4}[A-Z]?[a-z0-9-]{1,8}$/),
);

const bounds = fc.tuple(fc.nat(60), fc.nat(60)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
const schemas: fc.Arbitrary<Schema> = fc.oneof(
  bounds.map(([from, to]) => z.string().min(from).max(to)),
  bounds.map(([from]) => z.string().length(from)),
  bounds.map(([from, to]) => z.int().min(from).max(to)),
  bounds.map(([from, to]) => z.number().min(-to).max(-from)),
  bounds.map(([step]) => z.int().multipleOf(step + 1)),
  fc.constantFrom<Schema>(
    z.email(),
    z.url(),
    z.uuid(),
    z.iso.date(),
    z.iso.datetime({ precision: 0 }),
    z.iso.time(),
    z.e164(),
    z.string().startsWith('a-').endsWith('-z'),
    z.string().uppercase(),
    z.string().lowercase(),
    z.string().trim().min(1),
    z.string().regex(/^\d+$/),
    z.string().regex(/^[A-Z]+$/),
    z.enum(['a', 'b']),
    z.literal('only'),
    z.string().refine((value) => value.length % 2 === 0),
    z.codec(z.string(), z.date(), {
      decode: (value) => new Date(value),
      encode: (date) => date.toISOString(),
    }),
  ),
);
const wrapped = fc
  .tuple(schemas, fc.constantFrom('plain', 'optional', 'nullable', 'array', 'object'), names)
  .map(([schema, wrap, name]): Schema => {
    if (wrap === 'optional') return z.optional(schema);
    if (wrap === 'nullable') return z.nullable(schema);
    if (wrap === 'array') return z.array(schema);
    return wrap === 'object' ? z.object({ [name]: schema }) : schema;
  });

describe('the schema wins over the name of a field', () => {
  test('every generated row fits a random schema', () => {
    const fields = fc.dictionary(names, wrapped, { minKeys: 1, maxKeys: 6, noNullPrototype: true });
    fc.assert(
      fc.property(fields, fc.nat(), (shape, seed) => {
        for (const row of rowsOf(shape, 4, { seed })) {
          const { id, ...values } = row;
          expect(id).toEqual(expect.any(Number));
          expect(safeParse(z.object(shape as z.ZodRawShape), values).error).toBeUndefined();
        }
      }),
      { numRuns: 300 },
    );
  });
});
