import { InvalidRequestError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { connect, countingFetch, failureOf, orderBody } from '../../support/basic-ordering.ts';

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

describe('§4.4 the query of a list', () => {
  test.each<[object, string]>([
    [{ sort: ['nope'] }, 'sort'],
    [{ sort: ['device.nope'] }, 'sort'],
    [{ sort: 'status' }, 'sort'],
    [{ sort: '' }, 'sort'],
    [{ sort: null }, 'sort'],
    [{ sort: [null] }, 'sort'],
    [{ sort: [['status']] }, 'sort'],
    [{ fields: ['nope'] }, 'fields'],
    [{ fields: 'status' }, 'fields'],
    [{ fields: null }, 'fields'],
    [{ expand: ['device'] }, 'expand'],
    [{ expand: 'company' }, 'expand'],
    [{ expand: null }, 'expand'],
    ...[0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '10', null, 201].map(
      (perPage): [object, string] => [{ perPage }, 'perPage'],
    ),
    ...[0, -1, 1.5, Number.NaN, '1', null].map((page): [object, string] => [{ page }, 'page']),
    [{ perpage: 5 }, '"perpage"; its options are'],
    [{ region: 'x' }, 'belong in params'],
    [{ Sort: ['status'] }, '"Sort"'],
    [{ params: { since: 'x' } }, 'params'],
  ])('%o', async (query, named) => {
    expect(await refused(({ orders }) => orders.list(query))).toContain(named);
  });

  test.each<[object, string]>([
    [{ sort: ['id'] }, 'sort'],
    [{ fields: ['name'] }, 'fields'],
    [{ expand: ['company'] }, 'expand'],
    [{ params: { limit: 'five' } }, 'limit'],
    [{ params: { limit: 1.5 } }, 'limit'],
    [{ params: 5 }, 'params'],
  ])('feed does not declare %o', async (query, named) => {
    expect(await refused(({ feed }) => feed.list(query))).toContain(named);
  });

  test('companies sorts on its two names alone', async () => {
    expect(await refused(({ companies }) => companies.list({ sort: ['-id'] }))).toContain('sort');
  });

  test.each([{ limit: Number.NaN }, { limit: -1 }, { limit: '5' }, { maxPages: -1 }])(
    'options %o',
    async (options) => {
      expect(await refused(({ orders }) => orders.list(options))).not.toBe('');
    },
  );

  test.each(['pages', 'toArray', 'withResponse', 'iterator'])(
    'every way to read the list says so: %s',
    async (way) => {
      const { fetch, urls } = countingFetch();
      const { orders } = connect('https://api.test', { fetch });
      const list = orders.list({ perPage: 0 });
      const ways: Record<string, () => Promise<unknown>> = {
        pages: () => list.pages().next(),
        toArray: () => list.toArray(),
        withResponse: () => list.withResponse(),
        iterator: () => list[Symbol.asyncIterator]().next(),
      };
      expect((await failureOf(ways[way]?.() ?? Promise.resolve(), InvalidRequestError)).name).toBe(
        'InvalidRequestError',
      );
      expect(urls).toEqual([]);
    },
  );

  test.each([{ sort: ['status'] }, { page: 1 }, { perPage: 5 }, { params: { a: 1 } }, { nope: 1 }])(
    'get does not take %o',
    async (query) => {
      expect(await refused(({ orders }) => orders.get(7, query))).not.toBe('');
    },
  );
});

describe('the path', () => {
  const bad = [
    '',
    '.',
    '..',
    '\ud800',
    'a\udfff',
    Number.NaN,
    1.5,
    Number.POSITIVE_INFINITY,
    {},
    [],
    null,
    true,
  ];

  test.each(bad)('an id %o', async (id) => {
    expect(await refused(({ orders }) => orders.get(id))).not.toBe('');
    expect(await refused(({ orders }) => orders.replace(id, orderBody))).not.toBe('');
    expect(await refused(({ orders }) => orders.update(id, {}))).not.toBe('');
    expect(await refused(({ orders }) => orders.delete(id))).not.toBe('');
    expect(await refused(({ orders }) => orders.allowedMethods(id))).not.toBe('');
  });

  test.each(bad)('a path parameter %o', async (companyId) => {
    expect(await refused(({ companyOrders }) => companyOrders({ companyId }).list())).toContain('companyId');
  });

  test.each([undefined, {}, { companyID: 3 }, { companyId: undefined }])(
    'parameters %o',
    async (parameters) => {
      expect(await refused(({ companyOrders }) => companyOrders(parameters).list())).toContain('companyId');
    },
  );

  test('an id that is left out', async () => {
    expect(await refused(({ orders }) => orders.get(undefined))).not.toBe('');
    expect(await refused(({ orders }) => orders.delete())).not.toBe('');
  });
});

test('what is right is sent: the checks above do not refuse everything', async () => {
  const { api, urls } = open();
  await api.orders.list({
    sort: ['-createdAt'],
    fields: ['status'],
    expand: ['company'],
    page: 1,
    perPage: 200,
  });
  await api.companyOrders({ companyId: 'a/b' }).list({ page: 2 });
  await api.feed.list({ params: { since: 'x', limit: 5 } });
  expect(urls).toEqual([
    'https://api.test/v1/orders?sort=-createdAt&fields=status&expand=company&page=1&perPage=200',
    'https://api.test/v1/companies/a%2Fb/orders?page=2',
    'https://api.test/v1/feed?since=x&limit=5',
  ]);
});
