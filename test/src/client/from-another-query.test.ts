import { InvalidRequestError } from 'restkin';
import { expect, test } from 'vitest';
import { json, record } from '../../support/recording-server.ts';
import { orderRow, rejectionOf, shopAt } from '../../support/shop.ts';

const rows = [orderRow(1), orderRow(2)];

/** A server with one page more, and the position behind the first record of a list. */
const stopped = async () => {
  const server = await record(({ url }) =>
    url.includes('page=2') ? json([]) : json(rows, 200, { link: `<${url}&page=2>; rel="next"` }),
  );
  const { orders } = shopAt(server);
  const query = { sort: ['-createdAt'], fields: ['status'], perPage: 2 } as const;
  const list = orders.list(query);
  for await (const _order of list) break;
  const { next } = await orders.list(query);
  return { server, orders, query, position: list.position ?? '', next };
};

const others = [
  { sort: ['createdAt'], fields: ['status'] },
  { fields: ['device'] },
  { fields: ['status'], expand: ['company'] },
  { fields: ['status'], perPage: 5 },
  // The result's type would promise every field.
  {},
] as const;

test.each(others)('a position is refused for a list with %o, and nothing is sent', async (query) => {
  const { server, orders, position } = await stopped();
  await using _ = server;
  const sent = server.requests.length;
  const list = orders.list({ ...query, from: position } as object);
  for (const read of [list, list.toArray()]) {
    const error = await rejectionOf(read);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(String(error)).toMatch(/another (sort|fields|expand|perPage)/);
  }
  expect(server.requests).toHaveLength(sent);
});

test('the next of a page is refused where its URL names other fields or another order', async () => {
  const { server, orders, next } = await stopped();
  await using _ = server;
  for (const query of [{ sort: ['createdAt'], fields: ['status'] }, { fields: ['device'] }, {}] as const) {
    expect(await rejectionOf(orders.list({ ...query, from: next } as object))).toBeInstanceOf(
      InvalidRequestError,
    );
  }
});

test('a list continues with the query that the position came from, or with the part that decides its result', async () => {
  const { server, orders, query, position, next } = await stopped();
  await using _ = server;
  for (const from of [position, next]) {
    const whole = await orders.list({ ...query, from }).toArray();
    expect(await orders.list({ fields: ['status'], from }).toArray()).toEqual(whole);
  }
});

test('a position of a list that continued keeps the first query', async () => {
  const { server, orders, query, position } = await stopped();
  await using _ = server;
  const list = orders.list({ fields: ['status'], from: position });
  for await (const _order of list) break;
  expect(await orders.list({ ...query, from: list.position }).toArray()).toEqual([]);
  const again = orders.list({ sort: ['status'], fields: ['status'], from: list.position });
  expect(String(await rejectionOf(again))).toContain('another sort');
});

test('a next is refused that sorts by the same fields in another order, or has another page size', async () => {
  await using server = await record(() => json([]));
  const { orders } = shopAt(server);
  const from = `${server.url}/v1/orders?sort=id,-createdAt&perPage=20`;
  for (const query of [{ sort: ['-createdAt', 'id'] }, { perPage: 2 }, { perPage: 200 }] as const) {
    expect(String(await rejectionOf(orders.list({ ...query, from })))).toMatch(/another (sort|perPage)/);
  }
  expect(server.requests).toEqual([]);
});

test('the page of a query is that of the next it continues from', async () => {
  const { server, orders, query, next } = await stopped();
  await using _ = server;
  expect(await orders.list({ ...query, page: 1, from: next }).toArray()).toEqual([]);
});

test('the position of a list without records is its URL', async () => {
  await using server = await record(() => json([]));
  const list = shopAt(server).orders.list({ perPage: 2 });
  await list.pages().next();
  expect(list.position).toBe(`${server.url}/v1/orders?perPage=2`);
});

test('a next that names nothing of the query, or more of it, is followed', async () => {
  await using server = await record(() => json([]));
  const { orders } = shopAt(server);
  for (const link of ['cursor=abc', 'sort=-createdAt,id&fields=id,self,status&perPage=2&cursor=abc']) {
    const from = `${server.url}/v1/orders?${link}`;
    await orders.list({ sort: ['-createdAt'], fields: ['status'], perPage: 2, from });
    expect(server.requests.at(-1)?.url).toBe(`/v1/orders?${link}`);
  }
});
