import { UnexpectedResponseError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { json, record } from '../../support/recording-server.ts';
import { orderRow, rejectionOf, shopAt } from '../../support/shop.ts';

describe('§2.1 id and self', () => {
  test('§2.1 resources of a list that cannot be fetched on their own need no self', async () => {
    const rows = [{ id: 1, name: 'Company 1', city: 'Oslo' }];
    await using server = await record(() => json(rows));
    expect(await shopAt(server).feed.list().toArray()).toEqual(rows);
  });

  test('§2.1 a response without its ids is refused under field limiting too', async () => {
    await using server = await record(() => json({ status: 'open', lines: [{ sku: 'a' }] }));
    const error = await rejectionOf(shopAt(server).orders.get(7, { fields: ['status', 'lines.sku'] }));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    const { issues } = error as UnexpectedResponseError;
    expect(issues.map(({ path }) => path)).toEqual(expect.arrayContaining(['id', 'lines.0.id']));
  });

  test.each([
    ['an id', { ...orderRow(7), id: undefined }, 'id'],
    ['a nested id', { ...orderRow(7), lines: [{ sku: 'a', quantity: 1 }] }, 'lines.0.id'],
    ['a declared field', { ...orderRow(7), status: undefined }, 'status'],
  ])('§2.1 a response without %s is not the resource', async (_what, row, path) => {
    await using server = await record(() => json(row));
    const error = await rejectionOf(shopAt(server).orders.get(7));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({ status: 200, issues: [{ path }] });
  });
});

describe('§2.1 fields', () => {
  test('§2.1 fields that the declaration does not know pass through, at every level', async () => {
    const row = {
      ...orderRow(7),
      priority: 'high',
      device: { model: 'M1', serial: 'S1', colour: { name: 'red' } },
      lines: [{ id: 1, sku: 'a', quantity: 2, extra: [1] }],
    };
    await using server = await record(() => json(row));
    expect(await shopAt(server).orders.get(7)).toEqual(row);
  });
});

describe('§2.1 nested resources', () => {
  test('§2.1 a stub in place of an expanded resource is refused', async () => {
    await using server = await record(() => json(orderRow(7)));
    const error = await rejectionOf(shopAt(server).orders.get(7, { expand: ['company'] }));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({ issues: [{ path: 'company.name' }, { path: 'company.city' }] });
  });
});
