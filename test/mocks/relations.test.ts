import { collection, defineApi, expandable, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { $ZodType } from 'zod/v4/core';
import { ordering } from '../support/ordering.ts';
import { companies, createOrdering, order, signedIn } from './calls.ts';

describe('rows that relate to missing rows', () => {
  test('are refused in data, with their place', () => {
    const orders = [order(0), order(1, { company: { id: 99 } })];
    expect(() => createMock(ordering, { data: { companies, orders } })).toThrow(
      'data.orders[1] does not fit the collection "orders": company: there is no row with the id 99 in "companies"',
    );
  });

  test('are accepted if the other collection has no rows at all, because the test does not need it', () => {
    const mock = createMock(ordering, { data: { orders: [order(0, { company: { id: 99 } })] } });
    expect(mock.state.rows('orders')).toMatchObject([{ company: { id: 99 } }]);
  });

  test('are refused by setRows, which then replaces nothing', async () => {
    const mock = createOrdering();
    const before = mock.state.rows('orders');
    expect(() => mock.state.setRows('orders', [order(0), order(1, { company: 99 })])).toThrow(
      /data\.orders\[1\].*company.*99/,
    );
    expect(mock.state.rows('orders')).toEqual(before);
    const call = await signedIn(mock);
    expect((await call('/v1/orders', { method: 'POST', body: order(0) })).json.id).toBe(8);
  });

  test('may come before or after their targets, and may relate to generated rows', () => {
    expect(() => createMock(ordering, { data: { orders: [order(0)], companies } })).not.toThrow();
    const generate = { companies: 3 };
    expect(() => createMock(ordering, { data: { orders: [order(2)] }, generate })).not.toThrow();
  });

  test('may relate to rows of the same collection', () => {
    const Person = resource({
      name: z.string(),
      get boss(): $ZodType {
        return z.optional(expandable(Person));
      },
    });
    const api = defineApi({
      name: 'people',
      version: 1,
      auth: 'open',
      collections: { people: collection('people', Person) },
    });
    const people = [
      { name: 'Ann', boss: 2 },
      { name: 'Bob', boss: { id: 1 } },
    ];
    const mock = createMock(api, { data: { people } });
    mock.state.setRows('people', people);
    expect(mock.state.row('people', 2)).toEqual({ id: 2, name: 'Bob', boss: { id: 1 } });
    expect(() => mock.state.setRows('people', [{ name: 'Ann', boss: 3 }])).toThrow('the id 3');
  });
});

describe('a relation that is given in full', () => {
  test('needs no row', async () => {
    const company = { id: 99, name: 'Acme', city: 'Utrecht' };
    const mock = createMock(ordering, { data: { orders: [order(0, { company })] } });
    const call = await signedIn(mock);
    const { json } = await call('/v1/orders/1?expand=company&fields=company');
    expect(json.company).toMatchObject(company);
  });

  test.each([
    [{ id: 99, name: 'Acme' }, 'company.city: a required field is missing'],
    [{ id: 1, name: 5, city: 'Oslo' }, 'company.name: '],
  ])('fits its resource: %j', (company, message) => {
    const orders = [order(0, { company })];
    expect(() => createMock(ordering, { data: { companies, orders } })).toThrow(`data.orders[0]`);
    expect(() => createMock(ordering, { data: { companies, orders } })).toThrow(message);
  });
});
