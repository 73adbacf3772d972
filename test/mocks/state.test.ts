import { isDeepStrictEqual } from 'node:util';
import { collection, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ordering } from '../support/ordering.ts';
import { createOrdering, declare, order, send, signedIn } from './calls.ts';

describe('mock.state', () => {
  test('sets the rows of a collection until reset', async () => {
    const mock = createOrdering();
    const call = await signedIn(mock);
    mock.state.setRows('orders', [order(3, { id: 9 }), order(4)]);
    const ids = async () =>
      (await call('/v1/orders?sort=-createdAt')).json.map(({ id }: { id: number }) => id);
    expect(await ids()).toEqual([10, 9]);
    expect((await call('/v1/companies/1/orders')).json).toHaveLength(1);
    mock.reset();
    expect(mock.state.rows('orders')).toHaveLength(7);
  });

  test('of a nested collection replaces the rows of the parents that are named', () => {
    const mock = createOrdering();
    const rowsOf = (isOfFirst: boolean) =>
      mock.state.rows('orders').filter(({ company }) => isDeepStrictEqual(company, { id: 1 }) === isOfFirst);
    const others = rowsOf(false);
    mock.state.setRows('companyOrders', [order(0, { id: 50, company: 1 })]);
    expect(rowsOf(false)).toEqual(others);
    expect(rowsOf(true)).toMatchObject([{ id: 50 }]);
  });

  test('of a nested collection refuses an empty list, which names no parent', () => {
    const mock = createOrdering();
    expect(() => mock.state.setRows('companyOrders', [])).toThrow('set the rows of "orders"');
    expect(mock.state.rows('orders')).toHaveLength(7);
  });

  test('changes nothing when a row does not fit', () => {
    const mock = createOrdering();
    const rows = [order(0), order(1, { status: 'lost' })];
    expect(() => mock.state.setRows('orders', rows)).toThrow(/setRows: orders\[1\].*status/);
    const twice = [order(0, { id: 3 }), order(1, { id: 3 })];
    expect(() => mock.state.setRows('orders', twice)).toThrow(/setRows: orders\[1\].*duplicate/);
    expect(mock.state.rows('orders')).toHaveLength(7);
  });

  test('refuses an unknown collection by name', () => {
    const mock = createMock(ordering);
    // @ts-expect-error the compiler knows the keys
    expect(() => mock.state.rows('invoices')).toThrow('mock.state: there is no collection "invoices"');
  });

  test('changes all of several APIs with the key, or none', async () => {
    const version = (number: number, city: z.ZodType) =>
      declare({ places: collection('places', resource({ name: z.string(), city })) }, number);
    const mock = createMock([version(1, z.string().optional()), version(2, z.string())]);
    mock.state.setRows('places', [{ name: 'Port', city: 'Oslo' }]);
    expect(() => mock.state.setRows('places', [{ name: 'Mill' }])).toThrow('setRows: places[0]');
    for (const path of ['/v1/places', '/v2/places'])
      expect((await send(mock, path)).json).toMatchObject([{ id: 1, name: 'Port' }]);
  });
});
