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
const declare = (declared: unknown) => () =>
  defineApi({ ...good, collections: { orders: declared } } as unknown as typeof good);
const withOptions = (options: unknown) => declare({ path: 'orders', resource: Order, options });

test('the declaration is returned, frozen', () => {
  const api = defineApi(good);
  expect(api).toEqual(good);
  expect(Object.isFrozen(api)).toBe(true);
});

test.each([
  [
    { ...good, collection: {} },
    ' has no option "collection"; its options are name, version, auth, collections, endpoints',
  ],
  [{ ...good, name: '' }, ': name must be'],
  [{ ...good, version: 1.5 }, ': version must be an integer from 0'],
  [{ ...good, version: -1 }, ': version must be an integer from 0'],
  [{ ...good, collections: undefined }, ': collections is missing'],
  [{ ...good, collections: [] }, ': collections must be an object of collection()'],
  [{ ...good, auth: '' }, ': auth must be the name of the scheme'],
  [{ ...good, auth: [] }, ': auth must be the name of the scheme'],
  [{ ...good, auth: ['token', 5] }, ': auth must be the name of the scheme'],
  [{ name: 'x', auth: 'token' }, ': collections is missing'],
  [undefined, ': name is missing'],
])('%o is refused', (declaration, message) => {
  const declareAll = () => defineApi(declaration as unknown as typeof good);
  expect(declareAll).toThrow(InvalidRequestError);
  expect(declareAll).toThrow(`defineApi${message}`);
  expect(declareAll).not.toThrow(/wire/);
});

test.each(['orders', 'v2-orders', 'a/b/c', 'a.b', 'companies/:companyId/orders', ':a/:b', '~me', '2024'])(
  'path %s',
  (path) => {
    expect(declare(collection(path, Order))).not.toThrow();
  },
);

test.each(['', '/orders', 'orders/', 'a//b', '..', '%2e%2e', 'a b', 'a?b', 'a#b', ':1', 'a:b', 'ö', 'a\n'])(
  'path %j is refused',
  (path) => {
    expect(declare(collection(path, Order))).toThrow('its path must be like orders or companies/:companyId');
  },
);

describe('a collection is refused by its name, with what to write', () => {
  test.each([
    ['a z.object()', collection('orders', z.object({}) as never), 'its resource must be made by resource('],
    ['a list of a resource', collection('orders', z.array(Order) as never), 'its resource must be made by'],
    ['no resource', collection('orders', undefined as never), 'its resource must be made by resource('],
    ['a resource', Order, 'it must be what collection() returns'],
    ['nothing', undefined, 'it must be what collection() returns'],
  ])('%s', (_what, declared, message) => {
    expect(declare(declared)).toThrow(InvalidRequestError);
    expect(declare(declared)).toThrow(`API "x": collection "orders": ${message}`);
  });

  test.each([
    [{ pagging: true }, ' has no option "pagging"'],
    [{ paging: { totls: false } }, ': paging has no option "totls"'],
    [{ paging: false }, ': paging takes its options as an object'],
    [{ paging: [] }, ': paging takes its options as an object'],
    [{ paging: { maxPerPage: 0 } }, ': paging.maxPerPage must be an integer from 1'],
    [{ paging: { defaultPerPage: '5' } }, ': paging.defaultPerPage must be an integer from 1'],
    [{ bulk: { maxItem: 3 } }, ': bulk has no option "maxItem"'],
    [{ bulk: { maxBytes: 0 } }, ': bulk.maxBytes must be an integer'],
    [{ bodies: { patch: Order } }, ': bodies has no option "patch"'],
    [{ bodies: { create: {} } }, ': bodies.create must be a zod schema'],
    [
      { bodies: { create: z.instanceof(FormData) } },
      ': bodies.create must be a zod schema of JSON; see endpoint()',
    ],
    [
      { bodies: { replace: z.instanceof(File) } },
      ': bodies.replace must be a zod schema of JSON; see endpoint()',
    ],
    [{ bodies: { update: z.file() } }, ': bodies.update must be a zod schema of JSON; see endpoint()'],
    [{ params: { city: z.string() } }, ': params must be an object schema'],
    [{ params: z.string() }, ': params must be an object schema'],
    [{ references: null }, ': references must be an object'],
    [{ references: ['status'] }, ': references must be an object'],
    [{ paging: true, params: z.object({ perPage: z.int() }) }, ': params cannot declare "perPage"'],
    [{ params: z.object({ ['__proto__']: z.string() }) }, ': params cannot declare "__proto__"'],
    [{ operations: ['list', 'destroy'] }, ': operations must be an array'],
    [{ accepts: ['create', 'replace'] }, ": accepts must be ['create']"],
    [{ references: { statu: 'https://docs.test' } }, ': `references` names the unknown field "statu"'],
    [{ key: 'statu' }, ': `key` names the unknown field "statu"; did you mean "status"?'],
    [{ key: 5 }, ': key must be a string that is not empty'],
    [{ sort: ['nope'] }, ': `sort` names the unknown field "nope"'],
    [{ fields: ['company.nope'] }, ': `fields` names the unknown field "company.nope"'],
    [{ expand: ['status'] }, ': `expand` names a field that is not expandable(): "status"'],
    [[], ' takes its options as an object'],
  ])('%o', (options, message) => {
    expect(withOptions(options)).toThrow(InvalidRequestError);
    expect(withOptions(options)).toThrow(`API "x": collection "orders"${message}`);
  });

  test('all that is declared well is taken', () => {
    const options = {
      key: 'status',
      sort: ['status', 'company.name'],
      fields: true,
      expand: ['company'],
      params: z.object({ since: z.string() }),
      paging: { maxPerPage: 200, defaultPerPage: 1, totals: false },
      operations: ['get'],
      bodies: { create: z.string(), replace: z.instanceof(class Money {}), update: z.any() },
    };
    expect(withOptions(options)).not.toThrow();
    expect(withOptions({ paging: { maxPerPage: undefined } })).not.toThrow();
  });
});
