import { collection, defineApi, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ordering } from '../support/ordering.ts';
import { createOrdering, order, send, signedIn } from './calls.ts';

describe('mock.state', () => {
  test('sets the rows of a collection until reset', async () => {
    const mock = createOrdering();
    const call = await signedIn(mock);
    await call('/v1/orders?sort=-createdAt');
    mock.state.setRows('orders', [order(3, { id: 9 }), order(4)]);
    const ids = async () =>
      (await call('/v1/orders?sort=-createdAt')).json.map(({ id }: { id: number }) => id);
    expect(await ids()).toEqual([10, 9]);
    expect((await call('/v1/companies/1/orders')).json).toHaveLength(1);
    mock.reset();
    expect(mock.state.rows('orders')).toHaveLength(7);
  });

  test('changes nothing when a row does not fit', () => {
    const mock = createOrdering();
    const rows = [order(0), order(1, { status: 'lost' })];
    expect(() => mock.state.setRows('orders', rows)).toThrow(/data\.orders\[1\].*status/);
    const twice = [order(0, { id: 3 }), order(1, { id: 3 })];
    expect(() => mock.state.setRows('orders', twice)).toThrow(/data\.orders\[1\].*duplicate/);
    expect(mock.state.rows('orders')).toHaveLength(7);
  });

  test('refuses an unknown collection by name', () => {
    const mock = createMock(ordering);
    // @ts-expect-error the compiler knows the keys
    expect(() => mock.state.rows('invoices')).toThrow('mock.state: there is no collection "invoices"');
  });

  test('changes all of several APIs with the key, or none', async () => {
    const version = (number: number, city: z.ZodString | z.ZodOptional<z.ZodString>) =>
      defineApi({
        name: 'places',
        version: number,
        auth: 'open',
        collections: { places: collection('places', resource({ name: z.string(), city })) },
      });
    const apis = [version(1, z.string().optional()), version(2, z.string())] as const;
    const mock = createMock(apis);
    mock.state.setRows('places', [{ name: 'Port', city: 'Oslo' }]);
    const names = async () => (await send(mock, '/v1/places')).json.map(({ name }: { name: string }) => name);
    expect(await names()).toEqual(['Port']);
    expect(() => mock.state.setRows('places', [{ name: 'Mill' }])).toThrow('data.places[0]');
    expect(mock.state.rows('places')).toEqual([{ id: 1, name: 'Port', city: 'Oslo' }]);
    expect(await names()).toEqual(['Port']);
  });
});
