import { collection, defineApi, expandable, InvalidRequestError, resource } from 'restkin';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';

const Company = resource({ name: z.string() });
const Order = resource({ status: z.string(), company: expandable(Company) });
const good = {
  name: 'x',
  version: 1,
  auth: 'token',
  collections: { orders: collection('orders', Order) },
} as const;

test('what was declared comes back, frozen', () => {
  const api = defineApi(good);
  expect(api).toEqual(good);
  expect(Object.isFrozen(api)).toBe(true);
});

test.each(['orders', 'v2-orders', 'a/b/c', 'a.b', 'companies/:companyId/orders', ':a/:b', '~me', '2024'])(
  'path %s',
  (path) => {
    expect(() => defineApi({ ...good, collections: { a: collection(path, Order) } })).not.toThrow();
  },
);

test.each([
  '',
  '/orders',
  'orders/',
  'a//b',
  '.',
  '..',
  'a/../b',
  '%2e%2e',
  'a b',
  'a?b',
  'a#b',
  'a\\b',
  ':',
  ':1',
  'a:b',
  ':a-b',
  'ö',
  'a\n',
])('path %j is refused', (path) => {
  expect(() => defineApi({ ...good, collections: { a: collection(path, Order) } })).toThrow(
    InvalidRequestError,
  );
});

test.each([1.5, -1, Number.NaN, Number.POSITIVE_INFINITY])('version %j is refused', (version) => {
  expect(() => defineApi({ ...good, version })).toThrow(InvalidRequestError);
});

test.each([{ name: '' }, { auth: '' }, { auth: [] as const }])('%j is refused', (part) => {
  expect(() => defineApi({ ...good, ...part })).toThrow(InvalidRequestError);
});

describe('names that the resource does not have are refused, with the collection named', () => {
  const declare = (options: object) => () =>
    defineApi({ ...good, collections: { orders: { path: 'orders', resource: Order, options } } });

  test.each([
    { sort: ['nope'] },
    { fields: ['company.nope'] },
    { expand: ['status'] },
    { operations: ['list', 'destroy'] },
    { params: z.object({ sort: z.string() }) },
    { params: z.object({ perPage: z.int() }) },
  ])('%o', (options) => {
    expect(declare(options)).toThrow(InvalidRequestError);
    expect(declare(options)).toThrow('"orders"');
  });

  test('what it has is not', () => {
    const options = {
      sort: ['status', 'company.name'],
      fields: true,
      expand: ['company'],
      params: z.object({ since: z.string() }),
      operations: ['get'],
    };
    expect(declare(options)).not.toThrow();
  });
});
