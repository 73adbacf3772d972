import { describe, expect, test } from 'vitest';
import { createOrdering, order, signedIn } from './calls.ts';

const slow = () => createOrdering({ accepted: true, finishesAfterMs: 5_000 });

describe('§7.1 work that gets 202', () => {
  test('is done at once by default', async () => {
    const mock = createOrdering({ accepted: ['DELETE'] });
    const call = await signedIn(mock);
    const { status, text } = await call('/v1/orders/1', { method: 'DELETE' });
    expect([status, text]).toEqual([202, '']);
    expect((await call('/v1/orders/1')).status).toBe(404);
    expect((await call('/v1/orders/2', { method: 'PATCH', body: { note: 'x' } })).status).toBe(204);
  });

  test('with finishesAfterMs is not visible before the clock has moved', async () => {
    const mock = slow();
    const call = await signedIn(mock);
    const statuses = [
      (await call('/v1/orders', { method: 'POST', body: order(0, { note: 'new' }) })).status,
      (await call('/v1/orders/1', { method: 'PUT', body: order(1) })).status,
      (await call('/v1/orders/2', { method: 'PATCH', body: { note: 'later' } })).status,
      (await call('/v1/orders/3', { method: 'DELETE' })).status,
    ];
    expect(statuses).toEqual([202, 202, 202, 202]);
    const seen = async () => [
      (await call('/v1/orders/8')).json?.note,
      (await call('/v1/orders/1')).json.status,
      (await call('/v1/orders/2')).json.note,
      (await call('/v1/orders/3')).status,
      mock.state.rows('orders').length,
    ];
    mock.clock.advance({ seconds: 4 });
    expect(await seen()).toEqual([undefined, 'open', undefined, 200, 7]);
    mock.clock.advance({ seconds: 1, ms: 500 });
    expect(await seen()).toEqual(['new', 'shipped', 'later', 404, 7]);
  });

  test('is visible in mock.state when it is due', async () => {
    const mock = slow();
    const call = await signedIn(mock);
    await call('/v1/orders/3', { method: 'DELETE' });
    expect(mock.state.row('orders', 3)).toBeDefined();
    mock.clock.advance({ seconds: 6 });
    expect(mock.state.row('orders', 3)).toBeUndefined();
  });

  test('changes the rows as they are when it is due, in the order of the due times', async () => {
    const mock = slow();
    const call = await signedIn(mock);
    await call('/v1/orders/1', { method: 'PATCH', body: { note: 'first' } });
    mock.clock.advance({ seconds: 1 });
    await call('/v1/orders/1', { method: 'PATCH', body: { note: 'second' } });
    await call('/v1/orders/2', { method: 'DELETE' });
    await call('/v1/orders/2', { method: 'PATCH', body: { note: 'too late' } });
    mock.clock.advance({ minutes: 1 });
    expect(mock.state.row('orders', 1)).toMatchObject({ note: 'second' });
    expect(mock.state.row('orders', 2)).toBeUndefined();
  });

  test('is forgotten by reset', async () => {
    const mock = slow();
    const call = await signedIn(mock);
    await call('/v1/orders/1', { method: 'DELETE' });
    mock.reset();
    mock.clock.advance({ minutes: 1 });
    expect(mock.state.row('orders', 1)).toBeDefined();
  });

  test('is dropped if it creates an id that is taken by then', async () => {
    const mock = slow();
    const call = await signedIn(mock);
    const body = (name: string) => ({ id: 40, name, city: 'Oslo' });
    await call('/v1/companies', { method: 'POST', body: body('first') });
    await call('/v1/companies', { method: 'POST', body: body('second') });
    mock.clock.advance({ minutes: 1 });
    expect(mock.state.row('companies', 40)).toMatchObject({ name: 'first' });
  });
});
