// The desk's tests in node:test. The desk is given `mock.fetch`, nothing is intercepted:
// node --test examples/test-suite/order-desk.node.ts
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { ForbiddenError, NotFoundError, ServiceUnavailableError } from 'restkin';
import { createMock } from 'restkin/mocks';
import { ordering } from '../ordering.ts';
import { createOrderDesk } from './order-desk.ts';

const ada = { username: 'ada', password: 'lovelace' };
const guest = { username: 'guest', password: 'welcome' };

const mock = createMock(ordering, {
  data: { companies: [{ id: 1, name: 'Acme', city: 'Utrecht' }] },
  generate: { orders: 150 },
  users: [ada, { ...guest, permissions: ({ method }) => method === 'GET' }],
});

const deskOf = (login: typeof ada) =>
  createOrderDesk({ baseUrl: 'https://api.example.com', fetch: mock.fetch, ...login });

afterEach(() => {
  assert(mock.requests.every(({ handled }) => handled));
  mock.reset();
});

/** The paths and statuses of the requests with a method. */
const sent = (method: string) =>
  mock.requests.filter((request) => request.method === method).map(({ path, status }) => `${path} ${status}`);

test('counts the orders of each company over all pages', async () => {
  assert.deepEqual(await deskOf(ada).countByCompany(), { Acme: 150 });
  const read = mock.requests.filter(({ collection }) => collection === 'orders');
  assert.deepEqual(
    read.map(({ search }) => [search.get('fields'), search.get('expand')]),
    Array(2).fill(['company', 'company']),
  );
});

test('ships an open order, once', async () => {
  const desk = deskOf(ada);
  mock.state.setRows('orders', [{ ...mock.state.row('orders', 1), status: 'open' }]);
  assert.equal(await desk.ship(1), true);
  assert.equal(await desk.ship(1), false);
  assert.equal(mock.state.row('orders', 1)?.status, 'shipped');
  assert.deepEqual(sent('PATCH'), ['/v1/orders/1 204']);
});

test('says what is wrong with a purchase', async () => {
  const placed = await deskOf(ada).place({ companyId: 1, sku: 'S', quantity: 0 });
  assert.partialDeepStrictEqual(placed, { ok: false, problems: [{ field: 'lines.0.quantity' }] });
  assert.equal(mock.state.rows('orders').length, 150);
});

test('gets over a short outage when it reads, and places no order twice', async () => {
  const desk = deskOf(ada);
  mock.faults.next({ status: 503, times: 2 });
  assert.deepEqual(await desk.countByCompany(), { Acme: 150 });

  mock.faults.next({ method: 'POST', status: 503 });
  await assert.rejects(desk.place({ companyId: 1, sku: 'S', quantity: 1 }), ServiceUnavailableError);
  assert.deepEqual(sent('POST'), ['/auth/token 200', '/v1/orders 503']);
});

test('stays logged in for a day', async () => {
  const desk = deskOf(ada);
  for (let hour = 0; hour < 24; hour++) {
    await desk.ship(1);
    mock.clock.advance({ hours: 1 });
  }
  const grants = mock.requests.flatMap(({ grant }) => grant ?? []);
  assert.deepEqual(grants, ['password', ...Array(23).fill('refresh_token')]);
});

test('distinguishes missing from forbidden', async () => {
  await assert.rejects(deskOf(ada).ship(999), NotFoundError);
  await assert.rejects(deskOf(guest).place({ companyId: 1, sku: 'S', quantity: 1 }), ForbiddenError);
});
