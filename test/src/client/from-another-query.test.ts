import { collection, defineApi, InvalidRequestError, PagingError, resource } from 'restkin';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { json, record } from '../../support/recording-server.ts';
import { connect, orderRow, rejectionOf, shopAt } from '../../support/shop.ts';

/** A list with a parameter of its own. */
const search = defineApi({
  name: 'search',
  version: 1,
  auth: 'basic',
  collections: {
    found: collection('found', resource({ createdAt: z.string() }), {
      sort: true,
      paging: true,
      params: z.object({ q: z.string().optional() }),
    }),
  },
});

/** A server with two pages, and the link from the first one. */
const start = async () => {
  const server = await record(({ url }) =>
    url.includes('page=2') ? json([]) : json([orderRow(1)], 200, { link: `<${url}&page=2>; rel="next"` }),
  );
  const { orders } = shopAt(server);
  const query = { sort: ['-createdAt'], fields: ['status'], perPage: 2 } as const;
  const { next } = await orders.list(query);
  return { server, orders, query, next };
};

test.each([
  [{ fields: ['device'] }, 'fields'],
  [{ fields: ['status', 'device'] }, 'fields'],
  [{ fields: ['status'], sort: ['createdAt'] }, 'sort'],
  // The type of the records would promise every field.
  [{}, 'fields'],
])('the next of a page is refused for a list with %o, and nothing is sent', async (query, name) => {
  const { server, orders, next } = await start();
  await using _ = server;
  for (const list of [orders.list({ ...query, from: next } as object)]) {
    for (const read of [list, list.toArray()]) {
      const error = await rejectionOf(read);
      expect(error).toBeInstanceOf(InvalidRequestError);
      expect(String(error)).toContain(`another \`${name}\``);
    }
  }
  expect(server.requests).toHaveLength(1);
});

test('a link that expands is refused for a list that does not', async () => {
  await using server = await record(() => json([]));
  const { orders } = shopAt(server);
  const from = `${server.url}/v1/orders?expand=company&page=2`;
  expect(String(await rejectionOf(orders.list({ from })))).toContain('another `expand`');
});

test('a list continues with the whole query, or with the part that decides the type of its records', async () => {
  const { server, orders, query, next } = await start();
  await using _ = server;
  for (const given of [query, { fields: ['status'] } as const])
    expect(await orders.list({ ...given, from: next }).toArray()).toEqual([]);
});

test('a page is refused beside from, which says where the list begins', async () => {
  const { server, orders, query, next } = await start();
  await using _ = server;
  const error = await rejectionOf(orders.list({ ...query, page: 3, from: next }));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(String(error)).toContain('`from` and `page` both say where the list begins');
  expect(server.requests).toHaveLength(1);
});

test.each([
  [{ perPage: 3 }, 'page=2', 'from is a link without `perPage`'],
  [{ perPage: 3 }, 'page=2&perPage=25', 'another `perPage`'],
  [{ params: { q: 'Oslo' } }, 'page=2', 'from is a link without `q`'],
  [{ params: { q: 'Oslo' } }, 'page=2&q=Bergen', 'another `q`'],
  [{ params: { q: 'Oslo' } }, 'cursor=abc&q=Bergen', 'another `q`'],
  [{ sort: ['-createdAt', 'id'] }, 'page=2&sort=id,-createdAt', 'another `sort`'],
  [{ sort: ['id'] }, 'page=2&sort=-createdAt,id', 'another `sort`'],
  [{ sort: ['id'] }, 'page=2', 'from is a link without `sort`'],
])('%o is refused beside a link with %s', async (query, link, message) => {
  await using server = await record(() => json([]));
  const { found } = connect(server).api(search);
  const error = await rejectionOf(found.list({ ...query, from: `${server.url}/v1/found?${link}` } as object));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(String(error)).toContain(message);
  expect(server.requests).toEqual([]);
});

test.each([
  [{ perPage: 3, sort: ['id'], params: { q: 'Oslo' } }, 'cursor=abc'],
  [{ params: { q: 'Oslo' } }, 'page=2&perPage=25&q=%4Fslo'],
  [{ params: { q: '' } }, 'page=2'],
])('%o continues from a link with %s', async (query, link) => {
  await using server = await record(() => json([]));
  const { found } = connect(server).api(search);
  await found.list({ ...query, from: `${server.url}/v1/found?${link}` } as object);
  expect(server.requests.map(({ url }) => url)).toEqual([`/v1/found?${link}`]);
});

test('a list that continues refuses a link that loses what the link it began with has', async () => {
  await using server = await record(() => json([orderRow(1)], 200, { link: '<?page=3>; rel="next"' }));
  const { found } = connect(server).api(search);
  const from = `${server.url}/v1/found?page=2&q=Oslo`;
  const error = await rejectionOf(found.list({ from }).toArray());
  expect(error).toBeInstanceOf(PagingError);
  expect(String(error)).toContain('the next link has lost `q` of the query');
});

test('a link that names nothing of the query, or more of it, is followed', async () => {
  await using server = await record(() => json([]));
  const { orders } = shopAt(server);
  for (const link of ['cursor=abc', 'sort=-createdAt,id&fields=id,self,status&perPage=2&cursor=abc']) {
    const from = `${server.url}/v1/orders?${link}`;
    await orders.list({ sort: ['-createdAt'], fields: ['status'], perPage: 2, from });
    expect(server.requests.at(-1)?.url).toBe(`/v1/orders?${link}`);
  }
});

test('a link of another collection is refused', async () => {
  await using server = await record(() => json([]));
  const { companyOrders } = shopAt(server);
  const from = `${server.url}/v1/companies/2/orders?page=2`;
  const list = companyOrders({ companyId: 3 }).list({ from });
  const error = await rejectionOf(list);
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(String(error)).toContain('at /v1/companies/3/orders, and leads to /v1/companies/2/orders');
  expect(server.requests).toEqual([]);
});

test('a link without the path of the base URL is refused with both paths', async () => {
  await using server = await record(() => json([]));
  const { orders } = shopAt({ url: `${server.url}/api` });
  const error = await rejectionOf(orders.list({ from: `${server.url}/v1/orders?page=2` }));
  expect(String(error)).toContain('from leads to /v1/orders, without the path /api of `baseUrl`');
});
