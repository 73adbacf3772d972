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

test('the declaration is returned, frozen', () => {
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

describe('unknown options are refused, with the collection and the option named', () => {
  const declare = (options: object) => () =>
    defineApi({ ...good, collections: { orders: { path: 'orders', resource: Order, options } } });

  test.each([
    [{ pagging: true }, 'it has no option "pagging"'],
    [{ paging: { totls: false } }, 'it has no option "paging.totls"'],
    [{ bulk: { maxItem: 3 } }, 'it has no option "bulk.maxItem"'],
    [{ bodies: { patch: Order } }, 'it has no option "bodies.patch"'],
    [{ paging: 'yes' }, 'paging must be true, or an object'],
    [{ paging: false }, 'paging must be true, or an object'],
    [{ bulk: true }, 'bulk must be an object'],
    [[], 'its options must be an object'],
  ])('%o', (options, message) => {
    expect(declare(options)).toThrow(InvalidRequestError);
    expect(declare(options)).toThrow(`API "x": collection "orders": ${message}`);
  });
});

describe('§4.5.3 numbers of records per page are whole and from 1', () => {
  const declare = (paging: object) => () =>
    defineApi({ ...good, collections: { orders: { path: 'orders', resource: Order, options: { paging } } } });

  test.each([0, -2, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5'])('%j is none', (number) => {
    for (const name of ['maxPerPage', 'defaultPerPage']) {
      expect(declare({ [name]: number })).toThrow(InvalidRequestError);
      expect(declare({ [name]: number })).toThrow(`paging.${name} must be an integer from 1`);
    }
  });

  test('others are not refused', () => {
    expect(declare({ maxPerPage: 200, defaultPerPage: 1, totals: false })).not.toThrow();
    expect(declare({ maxPerPage: undefined })).not.toThrow();
  });
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

test.each([{}, { requests: 1 }, { perMs: 1 }, { requests: 1, perMs: 1, perMS: 1 }])(
  'rateLimit %j is refused',
  (rateLimit) => {
    expect(() => defineApi({ ...good, rateLimit } as never)).toThrow(InvalidRequestError);
  },
);
