// The tests of the desk, in vitest. msw stands between `fetch` and the network.
// vitest run --root examples/test-suite
import { setupServer } from 'msw/node';
import { ForbiddenError, NotFoundError, ServiceUnavailableError } from 'restkin';
import { createMock } from 'restkin/mocks';
import { handlers } from 'restkin/msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ordering } from '../ordering.ts';
import { createOrderDesk } from './order-desk.ts';

const baseUrl = 'https://api.example.com';
const ada = { username: 'ada', password: 'lovelace' };
const guest = { username: 'guest', password: 'welcome' };

const mock = createMock(ordering, {
  data: { companies: [{ id: 1, name: 'Acme', city: 'Utrecht' }] },
  // The same 150 orders in each run; what a test needs to be so, it sets itself.
  generate: { orders: 150 },
  users: [ada, { ...guest, permissions: ({ method }) => method === 'GET' }],
});
const server = setupServer(...handlers(mock));

// A request that leads nowhere in the mock fails its test.
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => mock.reset());
afterAll(() => server.close());

/** The paths and statuses of the requests with a method. */
const sent = (method: string) =>
  mock.requests.filter((request) => request.method === method).map(({ path, status }) => `${path} ${status}`);

test('counts the orders of each company over all pages', async () => {
  expect(await createOrderDesk({ baseUrl, ...ada }).countByCompany()).toEqual({ Acme: 150 });
  const read = mock.requests.filter(({ collection }) => collection === 'orders');
  expect(read.map(({ search }) => [search.get('fields'), search.get('expand')])).toEqual(
    Array(2).fill(['company', 'company']),
  );
});

test('ships an open order, once', async () => {
  const desk = createOrderDesk({ baseUrl, ...ada });
  mock.state.setRows('orders', [{ ...mock.state.row('orders', 1), status: 'open' }]);

  expect(await desk.ship(1)).toBe(true);
  expect(await desk.ship(1)).toBe(false);

  expect(mock.state.row('orders', 1)).toMatchObject({ status: 'shipped' });
  expect(sent('PATCH')).toEqual(['/v1/orders/1 204']);
});

test('says what is wrong with a purchase', async () => {
  const placed = await createOrderDesk({ baseUrl, ...ada }).place({ companyId: 1, sku: 'S', quantity: 0 });
  expect(placed).toMatchObject({ ok: false, problems: [{ field: 'lines.0.quantity', code: 'invalid' }] });
  expect(mock.state.rows('orders')).toHaveLength(150);
});

test('gets over a short outage when it reads, and places no order twice', async () => {
  const desk = createOrderDesk({ baseUrl, ...ada });
  mock.faults.next({ status: 503, times: 2 });
  await expect(desk.countByCompany()).resolves.toEqual({ Acme: 150 });

  mock.faults.next({ method: 'POST', status: 503 });
  const placing = desk.place({ companyId: 1, sku: 'S', quantity: 1 });
  await expect(placing).rejects.toBeInstanceOf(ServiceUnavailableError);
  expect(sent('POST')).toEqual(['/auth/token 200', '/v1/orders 503']);
});

test('stays logged in for a day', async () => {
  const desk = createOrderDesk({ baseUrl, ...ada });
  for (let hour = 0; hour < 24; hour++) {
    await desk.ship(1);
    mock.clock.advance({ hours: 1 });
  }
  const grants = mock.requests.flatMap(({ grant }) => grant ?? []);
  expect(grants).toEqual(['password', ...Array(23).fill('refresh_token')]);
});

test('distinguishes missing from forbidden', async () => {
  await expect(createOrderDesk({ baseUrl, ...ada }).ship(999)).rejects.toBeInstanceOf(NotFoundError);
  const placing = createOrderDesk({ baseUrl, ...guest }).place({ companyId: 1, sku: 'S', quantity: 1 });
  await expect(placing).rejects.toBeInstanceOf(ForbiddenError);
});
