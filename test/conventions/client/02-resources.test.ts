import { collection, defineApi, resource, UnexpectedResponseError } from 'restkin';
import { createMock, serve } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { Company } from '../../support/ordering.ts';
import { json, record, sent } from '../../support/recording-server.ts';
import {
  companyRow,
  companyStub,
  connect,
  orderBody,
  orderRow,
  rejectionOf,
  shop,
  shopAt,
} from '../../support/shop.ts';

const mockData = {
  companies: [{ id: 3, name: 'Company 3', city: 'Oslo' }],
  orders: [{ ...orderBody, id: 7 }],
};

describe('§2.1 id and self', () => {
  test('§2.1 id and self are returned under field limiting, at every level', async () => {
    await using server = await serve(createMock(shop, { data: mockData }));
    const order = await shopAt(server).orders.get(7, { fields: ['device.model', 'company'] });
    expect(order).toEqual({
      id: 7,
      self: `${server.url}/v1/orders/7`,
      device: { model: 'M1' },
      company: { id: 3, self: `${server.url}/v1/companies/3` },
    });
  });

  test('§2.1 a nested resource that cannot be fetched on its own has an id and no self', async () => {
    await using server = await record(() => json(orderRow(7)));
    const order = await shopAt(server).orders.get(7);
    expect(order.lines).toEqual([{ id: 1, sku: 'a', quantity: 2 }]);
  });

  test('§2.1 resources of a list that cannot be fetched on their own need no self', async () => {
    const rows = [{ id: 1, name: 'Company 1', city: 'Oslo' }];
    await using server = await record(() => json(rows));
    expect(await shopAt(server).feed.list().toArray()).toEqual(rows);
  });

  test('§2.1 the mock gives no self where nothing can be fetched, and the client reads that', async () => {
    const Event = resource({ text: z.string() });
    const api = defineApi({
      name: 'events',
      version: 1,
      auth: 'basic',
      collections: { events: collection('events', Event, { operations: ['list', 'create'] }) },
    });
    await using server = await serve(createMock(api, { data: { events: [{ text: 'a' }] } }));
    const { events } = connect(server).api(api);
    expect(await events.list().toArray()).toEqual([{ id: 1, text: 'a' }]);
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

  test('§2.1 an id may be a string where the API says so', async () => {
    const Line = resource({ id: z.string(), name: z.string() });
    const api = defineApi({
      name: 'lines',
      version: 1,
      auth: 'basic',
      collections: { lines: collection('lines', Line) },
    });
    const row = { id: '31/20 a', self: 'https://api.example.com/v1/lines/1', name: 'x' };
    await using server = await record(() => json(row));
    expect(await connect(server).api(api).lines.get('31/20 a')).toEqual(row);
    expect(sent(server)).toEqual([['GET', '/v1/lines/31%2F20%20a', '']]);
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

  test('§2.1 timestamps stay ISO 8601 strings', async () => {
    await using server = await record(() => json(orderRow(7)));
    expect((await shopAt(server).orders.get(7)).createdAt).toBe('2026-01-02T03:04:05Z');
  });

  test('§2.1 a dotted path limits and sorts by a nested field', async () => {
    const data = {
      ...mockData,
      orders: [orderBody, { ...orderBody, device: { model: 'M0', serial: 'S0' } }],
    };
    await using server = await serve(createMock(shop, { data }));
    const orders = await shopAt(server)
      .orders.list({ sort: ['device.model'], fields: ['device.model'] })
      .toArray();
    expect(orders.map(({ id, device }) => [id, device])).toEqual([
      [2, { model: 'M0' }],
      [1, { model: 'M1' }],
    ]);
  });
});

describe('§2.1 nested resources', () => {
  test('§2.1 a nested resource is id and self until it is expanded', async () => {
    await using server = await serve(createMock(shop, { data: mockData }));
    const { orders } = shopAt(server);
    const stub = { id: 3, self: `${server.url}/v1/companies/3` };
    expect((await orders.get(7)).company).toEqual(stub);
    expect((await orders.get(7, { expand: ['company'] })).company).toEqual({
      ...stub,
      name: 'Company 3',
      city: 'Oslo',
    });
  });

  test('§2.1 a stub in place of an expanded resource is refused', async () => {
    await using server = await record(() => json(orderRow(7)));
    const error = await rejectionOf(shopAt(server).orders.get(7, { expand: ['company'] }));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({ issues: [{ path: 'company.name' }, { path: 'company.city' }] });
  });

  test('§2.1 the self of a stub fetches the resource', async () => {
    const company = { ...companyStub(3), self: '/v1/companies/3' };
    await using server = await record(() => json(companyRow(3)));
    expect(await connect(server).follow(Company, company)).toEqual(companyRow(3));
    expect(sent(server)).toEqual([['GET', '/v1/companies/3', '']]);
  });
});
