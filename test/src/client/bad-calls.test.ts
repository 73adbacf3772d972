import { runInNewContext } from 'node:vm';
import { InvalidRequestError, type ItemList } from 'restkin';
import { describe, expect, test } from 'vitest';
import { connect, countingFetch, failureOf, orderBody } from '../../support/basic-ordering.ts';
import { Order } from '../../support/ordering.ts';

// What a JavaScript user, or a value read from somewhere, can do against the types.
type Anything = (...given: unknown[]) => PromiseLike<unknown>;
type Name = 'list' | 'get' | 'create' | 'replace' | 'update' | 'delete' | 'allowedMethods';
type Loose = Readonly<Record<Name, Anything>>;
interface LooseApi {
  readonly orders: Loose;
  readonly companies: Loose;
  readonly feed: Loose;
  readonly companyOrders: (parameters?: unknown) => Loose;
}

const open = () => {
  const { fetch, urls } = countingFetch();
  const { client, ...api } = connect('https://api.test', { fetch });
  return { api: api as unknown as LooseApi, client, urls };
};

/** The call is refused, with a message, and nothing is sent. */
const refused = async (call: (api: LooseApi) => PromiseLike<unknown>): Promise<string> => {
  const { api, urls } = open();
  const error = await failureOf((async () => call(api))(), InvalidRequestError);
  expect(urls).toEqual([]);
  expect(error.message).not.toBe('');
  return error.message;
};

describe('the body', () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const hostile = {
    toJSON: () => {
      throw new TypeError('no');
    },
  };
  test.each([
    ['a cycle', cycle],
    ['a bigint', { a: 1n }],
    ['undefined', undefined],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a toJSON that throws', hostile],
  ])(
    // prettier-ignore
    '%s is not JSON',
    async (_name, body) => {
      expect(await refused(({ orders }) => orders.create(body))).not.toBe('');
      expect(await refused(({ orders }) => orders.replace(7, body))).not.toBe('');
      expect(await refused(({ orders }) => orders.update(7, body))).not.toBe('');
    },
  );

  // JSON writes a promise as `{}`: a PATCH that changes nothing, and succeeds.
  test.each([
    ['a promise', Promise.resolve(orderBody), 'the body is a promise; await it'],
    ['nothing', undefined, 'the body is missing'],
  ])('%s is refused, and the message names the call', async (_name, body, message) => {
    expect(await refused(({ orders }) => orders.create(body))).toContain(`orders.create: ${message}`);
    expect(await refused(({ orders }) => orders.update(7, body))).toContain(`orders.update: ${message}`);
  });

  test('a body with empty objects of any realm, dates and values with a toJSON is written', async () => {
    const { api, urls } = open();
    const tags = Object.assign(new Map([['a', 1]]), { toJSON: () => ({}) });
    const foreign: unknown = runInNewContext('({})');
    await api.orders.update(7, { a: {}, b: Object.create(null), c: [{}], at: new Date(0), tags, foreign });
    expect(urls).toHaveLength(1);
  });
});

describe('an argument of another kind', () => {
  test.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [Number.NaN, 'NaN'],
    [1.5, '1.5'],
    [7n, 'a bigint'],
    [new Date(0), 'an object'],
    [{ id: 7 }, 'an object'],
    [true, 'a boolean'],
  ])('the id %o is refused, and the message says what it is', async (id, what) => {
    expect(await refused(({ orders }) => orders.get(id))).toBe(
      `"orders": id must be a string or an integer, not ${what}`,
    );
    expect(await refused(({ companyOrders }) => companyOrders({ companyId: id }).list())).toBe(
      `"companyOrders": companyId must be a string or an integer, not ${what}`,
    );
  });

  test.each([undefined, 3, 'Acme'])('%o in place of the parameters of a path is refused', async (given) => {
    expect(await refused(({ companyOrders }) => companyOrders(given).list())).toMatch(
      /^"companyOrders": companyId/,
    );
  });

  test.each([undefined, 7, { outcome: 'done' }, '', { id: 7 }, { id: 7, self: '' }])(
    '%o in place of a link is refused',
    async (link) => {
      const { client, urls } = open();
      const follow = client.follow as unknown as Anything;
      const error = await failureOf((async () => follow(Order, link))(), InvalidRequestError);
      expect(error.message).toBe('client.follow takes a URL, or a resource that has `self` (§2.1)');
      expect(urls).toEqual([]);
    },
  );

  test('nothing in place of the declaration is refused', () => {
    const { client } = open();
    const api = client.api as unknown as (declaration: unknown) => unknown;
    expect(() => api(undefined)).toThrow(
      new InvalidRequestError('client.api needs the declaration that defineApi returned'),
    );
  });

  test.each([
    [
      'a misspelt name',
      { sinse: '2026-01-01' },
      '"feed": `params` has no "sinse"; the collection() declares since, limit',
    ],
    ['URLSearchParams', new URLSearchParams('limit=5'), '"feed": `params` must be a plain object'],
    ['a string', 'limit=5', '"feed": `params` must be a plain object'],
  ])(
    '%s in params is refused, because the list would be longer than asked for',
    async (_what, params, message) => {
      expect(await refused(({ feed }) => feed.list({ params }))).toBe(message);
    },
  );
});

describe('options of a call', () => {
  test.each([
    { timeoutMs: 0 },
    { timeoutMs: Number.NaN },
    { timeoutMs: -1 },
    { timeoutMs: '5' },
    { deadlineMs: 0 },
    { deadlineMs: Number.NaN },
    { retry: { attempts: 0 } },
    { retry: { attempts: 1.5 } },
    { retry: { baseDelayMs: -1 } },
    { retry: { maxRetryAfterMs: Number.NaN } },
    { modifiedSince: new Date(Number.NaN) },
    { modifiedSince: '2026-01-01' },
    { ifNoneMatch: '"a"\r\nx: y' },
    { ifNoneMatch: '"é"' },
    ...[0, 3, true, null, 'no'].map((retry) => ({ retry })),
    ...[{ sort: ['status'] }, { page: 1 }, { perPage: 5 }, { params: { a: 1 } }, { nope: 1 }],
  ])('%o', async (options) => {
    expect(await refused(({ orders }) => orders.get(7, options))).not.toBe('');
  });

  test.each([{ 'x-key': 's3cret\r\nx: y' }, { Authorization: 's3cret' }])(
    'header fields %o; the message does not hold the value',
    async (headers) => {
      for (const call of [
        ({ orders }: LooseApi) => orders.get(7, { headers }),
        ({ orders }: LooseApi) => orders.create(orderBody, { headers }),
        ({ orders }: LooseApi) => orders.list({ headers }),
      ]) {
        expect(await refused(call)).not.toContain('s3cret');
      }
    },
  );
});

describe('§4.4 the query of a list', () => {
  test.each<[object, string]>([
    [{ sort: 'status' }, 'sort'],
    [{ sort: '' }, 'sort'],
    [{ sort: null }, 'sort'],
    [{ sort: [null] }, 'sort'],
    [{ sort: [['status']] }, 'sort'],
    [{ fields: 'status' }, 'fields'],
    [{ fields: null }, 'fields'],
    [{ expand: 'company' }, 'expand'],
    [{ expand: null }, 'expand'],
    ...[-1, Number.NaN, Number.POSITIVE_INFINITY, '10', null].map((perPage): [object, string] => [
      { perPage },
      'perPage',
    ]),
    ...[-1, Number.NaN, '1', null].map((page): [object, string] => [{ page }, 'page']),
    ...[Number.NaN, -1, '5'].map((limit): [object, string] => [{ limit }, 'limit']),
    [{ maxPages: -1 }, 'maxPages'],
    [{ perpage: 5 }, '"perpage"; its options are'],
    [{ region: 'x' }, 'belong in params'],
    [{ Sort: ['status'] }, '"Sort"'],
    [{ params: { since: 'x' } }, 'params'],
  ])('%o', async (query, named) => {
    expect(await refused(({ orders }) => orders.list(query))).toContain(named);
  });

  test.each<[object, string]>([
    [{ params: { limit: 'five' } }, 'limit'],
    [{ params: { limit: 1.5 } }, 'limit'],
    [{ params: 5 }, 'params'],
  ])('feed does not declare %o', async (query, named) => {
    expect(await refused(({ feed }) => feed.list(query))).toContain(named);
  });

  test.each<[string, (list: ItemList<unknown>) => PromiseLike<unknown>]>([
    ['pages', (list) => list.pages().next()],
    ['toArray', (list) => list.toArray()],
    ['withResponse', (list) => list.withResponse()],
    ['iterator', (list) => list[Symbol.asyncIterator]().next()],
  ])('every way to read the list says so: %s', async (_way, read) => {
    const { fetch, urls } = countingFetch();
    const { orders } = connect('https://api.test', { fetch });
    await failureOf(read(orders.list({ perPage: 0 })), InvalidRequestError);
    expect(urls).toEqual([]);
  });
});

describe('the path', () => {
  test.each(['', '..', '\ud800', undefined])('an id or a path parameter %o', async (id) => {
    for (const call of [
      ({ orders }: LooseApi) => orders.get(id),
      ({ orders }: LooseApi) => orders.update(id, {}),
      ({ orders }: LooseApi) => orders.delete(id),
      ({ companyOrders }: LooseApi) => companyOrders({ companyId: id }).list(),
    ])
      expect(await refused(call)).toMatch(/id/i);
  });
});
