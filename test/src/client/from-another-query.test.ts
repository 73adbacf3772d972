import { InvalidRequestError } from 'restkin';
import { expect, test } from 'vitest';
import { json, record } from '../../support/recording-server.ts';
import { orderRow, rejectionOf, shopAt } from '../../support/shop.ts';

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
  for (const given of [query, { fields: ['status'] } as const, { ...query, page: 1 }])
    expect(await orders.list({ ...given, from: next }).toArray()).toEqual([]);
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
  expect(await rejectionOf(list)).toBeInstanceOf(InvalidRequestError);
  expect(server.requests).toEqual([]);
});
