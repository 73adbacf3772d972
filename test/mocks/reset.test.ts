import { createMock, type Mock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import { ordering } from '../support/ordering.ts';
import { createOrdering, order, origin, requestTokens, send, signedIn } from './calls.ts';

const message = 'The mock was reset while this request was on its way';

const writes = [
  ['POST', '/v1/orders', order(0, { company: { id: 1 } })],
  ['PUT', '/v1/orders/1', order(0, { company: { id: 1 }, note: 'late' })],
  ['PATCH', '/v1/orders/1', { note: 'late' }],
  ['DELETE', '/v1/orders/1', undefined],
] as const;

describe.each(writes)('a %s in flight when the mock is reset', (method, path, body) => {
  const startLate = async (mock: Mock) => (await signedIn(mock))(path, { method, body });

  test('stores nothing after a delay', async () => {
    const mock = createOrdering();
    const before = mock.state.rows('orders');
    mock.faults.next({ delayMs: 5, collection: 'orders' });
    const late = startLate(mock);
    while (mock.faults.waiting.length > 0) await new Promise((resolve) => setImmediate(resolve));
    mock.reset();
    const { status, json } = await late;
    expect([status, json]).toEqual([500, { message }]);
    expect(mock.state.rows('orders')).toEqual(before);
    expect(mock.requests).toEqual([]);
  });

  test('stores nothing, whatever step it has reached', async () => {
    for (let steps = 0; steps < 20; steps += 1) {
      const mock = createOrdering();
      const before = mock.state.rows('orders');
      const call = await signedIn(mock);
      const late = call(path, { method, body });
      for (let step = 0; step < steps; step += 1) await Promise.resolve();
      mock.reset();
      await late;
      expect(mock.state.rows('orders')).toEqual(before);
    }
  });
});

test('a token that was requested before a reset does not work after it', async () => {
  for (let steps = 0; steps < 20; steps += 1) {
    const mock = createMock(ordering);
    const late = requestTokens(mock);
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
    mock.reset();
    const { json } = await late;
    const headers = { authorization: `Bearer ${json.access_token}` };
    expect((await send(mock, '/v1/orders', { headers })).status).toBe(401);
  }
});

test('a request from before a reset does not meet a fault from after it', async () => {
  const mock = createOrdering();
  const late = mock.fetch(`${origin}/v1/orders`);
  mock.reset();
  mock.faults.next({ status: 503 });
  await late;
  expect(mock.faults.waiting).toHaveLength(1);
});
