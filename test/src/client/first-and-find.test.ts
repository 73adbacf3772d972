import { NotFoundError, PagingError } from 'restkin';
import { expect, test } from 'vitest';
import { json, record } from '../../support/recording-server.ts';
import { companyRow, rejectionOf, shopAt } from '../../support/shop.ts';

const missing = json({ message: 'There is none' }, 404);

test('find gives the resource, or undefined where get throws', async () => {
  await using server = await record(({ url }) => (url === '/v1/companies/1' ? json(companyRow(1)) : missing));
  const { companies } = shopAt(server);
  expect(await companies.find(1)).toEqual(companyRow(1));
  expect(await companies.find(2)).toBeUndefined();
  expect(await rejectionOf(companies.get(2))).toBeInstanceOf(NotFoundError);
});

test('find keeps the response of a 404, and other errors are thrown', async () => {
  await using server = await record(({ url }) =>
    url === '/v1/companies/2' ? missing : json({ message: 'no' }, 403),
  );
  const { companies } = shopAt(server);
  const { data, response } = await companies.find(2).withResponse();
  expect([data, response.status, response.attempts.length]).toEqual([undefined, 404, 1]);
  expect(await rejectionOf(companies.find(3))).toMatchObject({ status: 403 });
});

test.each([
  ['a page of a gateway', '<html><h1>404 Not Found</h1></html>'],
  ['JSON of another server', '{"error":"not found"}'],
  ['no body', ''],
])('§7.2.2 find does not take a 404 with %s for a missing resource', async (_what, body) => {
  await using server = await record(() => ({ status: 404, body }));
  const { companies } = shopAt(server);
  const error = await rejectionOf(companies.find(2));
  expect(error).toBeInstanceOf(NotFoundError);
  expect(error).toMatchObject({ message: expect.stringContaining('check `baseUrl`') });
});

test('first gives the first record with the query as it is, and loads nothing ahead', async () => {
  const rows = [companyRow(1), companyRow(2)];
  await using server = await record(() => json(rows, 200, { link: '</v1/companies?page=2>; rel="next"' }));
  const { companies } = shopAt(server);
  expect(await companies.list({ sort: ['name'], concurrency: 8 }).first()).toEqual(companyRow(1));
  expect(server.requests.map(({ url }) => url)).toEqual(['/v1/companies?sort=name']);
});

test('a limit of the list holds for first and toArray too', async () => {
  const rows = [companyRow(1), companyRow(2)];
  await using server = await record(() => json(rows));
  const { companies } = shopAt(server);
  expect(await companies.list({ limit: 0 }).first()).toBeUndefined();
  expect(server.requests).toEqual([]);
  expect(await companies.list({ limit: 1 }).toArray({ limit: 2 })).toEqual([companyRow(1)]);
});

test('an awaited list has no more records than its limit', async () => {
  await using server = await record(() => json([companyRow(1), companyRow(2)]));
  const { companies } = shopAt(server);
  expect((await companies.list({ limit: 1 })).items).toEqual([companyRow(1)]);
  expect((await companies.list({ limit: 1 }).withResponse()).data.items).toEqual([companyRow(1)]);
});

test('first reads on where a page is empty, and gives undefined for an empty list', async () => {
  await using server = await record(({ url }) =>
    url === '/v1/companies'
      ? json([], 200, { link: '</v1/companies?page=2>; rel="next"' })
      : json(url.endsWith('page=2') ? [companyRow(9)] : []),
  );
  const { companies, companyOrders } = shopAt(server);
  expect(await companies.list().first()).toEqual(companyRow(9));
  expect(await companyOrders({ companyId: 3 }).list().first()).toBeUndefined();
});

test('the first page is refused where it says that it is the last one and more follow', async () => {
  const headers = {
    link: '</v1/companies>; rel="first"',
    'x-pagination-current-page': '1',
    'x-pagination-total-pages': '2',
  };
  await using server = await record(() => json([companyRow(1)], 200, headers));
  const { companies } = shopAt(server);
  expect(await rejectionOf(companies.list())).toBeInstanceOf(PagingError);
  expect(await rejectionOf(companies.list().withResponse())).toBeInstanceOf(PagingError);
  expect(server.requests).toHaveLength(2);
});
