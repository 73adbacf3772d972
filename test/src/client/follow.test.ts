import { collection, defineApi, family, InvalidRequestError } from 'restkin';
import { drf } from 'restkin/families';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { connect } from '../../support/connect.ts';
import { Order } from '../../support/ordering.ts';

const api = defineApi({
  name: 'ordering',
  version: 1,
  auth: 'basic',
  collections: { orders: collection('orders', Order) },
});
const self = 'https://api.test/v1/orders/7';
const company = { id: 3, self: 'https://api.test/v1/companies/3', name: 'Acme', city: 'Utrecht' };

describe('follow', () => {
  test('requests fields and nested resources, and checks the response by them', async () => {
    const { client, sent } = connect(api, () => ({ id: 7, self, status: 'open', company }));
    const options = { fields: ['status', 'company'], expand: ['company'] } as const;
    const order = await client.follow(Order, { self }, options);
    expect([order.status, order.company.name]).toEqual(['open', 'Acme']);
    expect(sent[0]?.url).toBe(`${self}?fields=status%2Ccompany&expand=company`);
    const whole = client.follow(Order, self);
    await expect(whole).rejects.toMatchObject({
      issues: expect.arrayContaining([{ path: 'createdAt', message: expect.any(String) }]),
    });
  });

  test('keeps the query of the link, and puts its own parameters in place of the same ones', async () => {
    const { client, sent } = connect(api, () => ({ id: 7, self, status: 'open' }));
    await client.follow(Order, `${self}?tenant=a%20b&fields=note`, { fields: ['status'] });
    const url = new URL(sent[0]?.url ?? '');
    expect([...url.searchParams]).toEqual([
      ['tenant', 'a b'],
      ['fields', 'status'],
    ]);
  });

  test('appends to a signed link, whose own query stays byte for byte', async () => {
    const { client, sent } = connect(api, () => ({ id: 7, self, status: 'open' }));
    const signed = `${self}?who=Ada%20L&path=a/b&&flag&sig=a%2Fb%3D`;
    await client.follow(Order, signed, { fields: ['status'] });
    await client.follow(Order, `${signed}&fie%6Cds=note`, { fields: ['status'] });
    await client.follow(Order, `${self}?`, { fields: ['status'] });
    expect(sent.map(({ url }) => url)).toEqual([
      `${signed}&fields=status`,
      `${signed}&fields=status`,
      `${self}?fields=status`,
    ]);
  });

  test('speaks to the server as the family of the resource does', async () => {
    const { resource } = family({ ...drf, item: 'data', idField: '_id', query: { fields: 'only' } });
    const Ticket = resource({ title: z.string(), state: z.string() });
    const { client, sent } = connect(api, () => ({ data: { _id: 7, title: 'Leak' } }));
    expect(await client.follow(Ticket, 'https://api.test/tickets/7', { fields: ['title'] })).toEqual({
      id: 7,
      title: 'Leak',
    });
    expect(sent[0]?.url).toBe('https://api.test/tickets/7?only=title');
    const expanded = client.follow(Ticket, 'https://api.test/tickets/7', { expand: [] });
    await expect(expanded).rejects.toThrow('`expand` is not declared');
  });

  test('takes the resource first', async () => {
    const { client } = connect(api, () => ({}));
    await expect(client.follow(company as never, Order as never)).rejects.toThrow('takes a resource, then');
  });

  test.each([
    ['a field that does not exist', { fields: ['nope'] }],
    ['a nested resource that cannot be expanded', { expand: ['device'] }],
    ['fields that are no list', { fields: 'status' }],
  ])('%s is refused before anything is sent', async (_what, options) => {
    const { client, sent } = connect(api, () => ({}));
    await expect(client.follow(Order, self, options as object)).rejects.toThrow(InvalidRequestError);
    expect(sent).toEqual([]);
  });
});
