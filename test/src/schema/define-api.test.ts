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
    'its path must be like orders or companies/:companyId/orders, without a slash',
  );
});

test.each([1.5, -1, Number.NaN, Number.POSITIVE_INFINITY])('version %j is refused', (version) => {
  expect(() => defineApi({ ...good, version })).toThrow(InvalidRequestError);
});

test.each([{ name: '' }, { auth: '' }, { auth: [] as never }])('%j is refused', (part) => {
  expect(() => defineApi({ ...good, ...part })).toThrow(InvalidRequestError);
});

test('an array in place of the options of paging is refused', () => {
  const orders = collection('orders', Order, { paging: [] as never });
  expect(() => defineApi({ ...good, collections: { orders } })).toThrow('paging must be true, or an object');
});

describe('unknown options are refused, with the collection and the option named', () => {
  const declare = (options: object) => () =>
    defineApi({ ...good, collections: { orders: { path: 'orders', resource: Order, options } } });

  test.each([
    [{ pagging: true }, ' has no option "pagging"'],
    [{ paging: { totls: false } }, ': paging has no option "totls"'],
    [{ bulk: { maxItem: 3 } }, ': bulk has no option "maxItem"'],
    [{ bodies: { patch: Order } }, ': bodies has no option "patch"'],
    [{ paging: 'yes' }, ': paging must be true, or an object'],
    [{ paging: false }, ': paging must be true, or an object'],
    [{ references: { statu: 'https://docs.test' } }, ': `references` names the unknown field "statu"'],
    [{ bulk: true }, ': bulk takes its options as an object'],
    [[], ' takes its options as an object'],
  ])('%o', (options, message) => {
    expect(declare(options)).toThrow(InvalidRequestError);
    expect(declare(options)).toThrow(`API "x": collection "orders"${message}`);
  });
});

describe('what resource(), collection() and zod did not make is refused, with what to write', () => {
  const Plain = z.object({ status: z.string() });
  const declare = (declared: unknown) => () =>
    defineApi({ ...good, collections: { orders: declared } } as unknown as typeof good);
  const ofOptions = (options: object) => ({ path: 'orders', resource: Order, options });

  test.each([
    ['a z.object()', collection('orders', Plain as never), 'its resource must be made by resource('],
    ['fields without resource()', collection('orders', { status: z.string() } as never), 'its resource must'],
    ['a list of a resource', collection('orders', z.array(Order) as never), 'its resource must'],
    ['no resource', collection('orders', undefined as never), 'its resource must be made by resource('],
    [
      'arguments in another order',
      collection(Order as never, 'orders' as never),
      'it must be what collection()',
    ],
    ['a resource', Order, 'it must be what collection() returns'],
    ['nothing', undefined, 'it must be what collection() returns'],
    [
      'params that are no schema',
      ofOptions({ params: { city: z.string() } }),
      'params must be an object schema',
    ],
    ['a body that is no schema', ofOptions({ bodies: { create: {} } }), 'bodies.create must be a zod schema'],
    ['one operation', ofOptions({ operations: 'list' }), 'operations must be an array'],
    [
      'a 202 to PUT',
      ofOptions({ accepts: ['create', 'replace'] }),
      "accepts must be an array that can only name 'create'",
    ],
    ['a bulk request of no bytes', ofOptions({ bulk: { maxBytes: 0 } }), 'bulk.maxBytes must be an integer'],
  ])('%s', (_what, declared, message) => {
    expect(declare(declared)).toThrow(InvalidRequestError);
    expect(declare(declared)).toThrow(`API "x": collection "orders": ${message}`);
  });

  test.each([
    [{ ...good, collection: {} }, 'defineApi has no option "collection"; its options are name,'],
    [{ ...good, collections: undefined }, 'API "x": its collections must be an object of collection()'],
    [{ ...good, collections: [collection('orders', Order)] }, 'API "x": its collections must be an object'],
    [{ ...good, auth: { kind: 'token' } }, 'API "x": it must name the scheme it takes'],
    [{ ...good, auth: ['token', 5] }, 'API "x": it must name the scheme it takes'],
    [undefined, 'its name must be a string that is not empty'],
  ])('%o', (declaration, message) => {
    const declareAll = () => defineApi(declaration as unknown as typeof good);
    expect(declareAll).toThrow(InvalidRequestError);
    expect(declareAll).toThrow(message);
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
