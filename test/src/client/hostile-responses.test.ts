import { CrossOriginUrlError, collection, defineApi, resource, UnexpectedResponseError } from 'restkin';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { basicOrdering, connect, failureOf, order, orderBody } from '../../support/basic-ordering.ts';
import { Order } from '../../support/ordering.ts';
import { type Reply, type Responder, startRawServer } from '../../support/raw-server.ts';

const facing = async (answer: Reply | Responder, options = {}) => {
  const server = await startRawServer(typeof answer === 'function' ? answer : () => answer);
  return { server, ...connect(server.url, options) };
};

describe('an invalid success', () => {
  test.each<[string, Reply]>([
    ['no content type and no JSON', { headers: { 'content-type': '' }, body: 'oops' }],
    ['206', { status: 206, body: JSON.stringify(order(7)) }],
    ['null', { body: 'null' }],
    ['a list', { body: '[]' }],
  ])('of %s is an error, and is not retried', async (_name, reply) => {
    const { orders } = await facing(reply);
    const error = await failureOf(orders.get(7), UnexpectedResponseError);
    expect(error).toMatchObject({ status: reply.status ?? 200, method: 'GET', code: 'unexpected_response' });
    expect(error.attempts).toHaveLength(1);
  });

  test('the wrong shape: issues have paths, and the body is not shown', async () => {
    const wrong = {
      ...order(7),
      status: 's3cret',
      device: { model: 5 },
      lines: [{ id: 1, sku: 'a', quantity: 0 }],
    };
    const { orders } = await facing({ body: JSON.stringify(wrong) });
    const error = await failureOf(orders.get(7), UnexpectedResponseError);
    const paths = error.issues.map(({ path }) => path);
    expect(paths).toEqual(['status', 'device.model', 'device.serial', 'lines.0.quantity']);
    expect(error.message).toContain('status');
    expect(JSON.stringify([error.message, error.issues])).not.toContain('s3cret');
  });

  test('ids of another type: the message says what to declare', async () => {
    const { orders } = await facing({ body: JSON.stringify([{ ...order(1), id: 'a' }]) });
    const { message } = await failureOf(orders.list(), UnexpectedResponseError);
    expect(message).toContain('at `0.id`');
    expect(message).toContain('resource({ id: z.string(), ... })');
  });

  test('a record that is no object is named by its index', async () => {
    const { orders } = await facing({ body: '["open"]' });
    const { issues } = await failureOf(orders.list(), UnexpectedResponseError);
    expect(issues).toEqual([{ path: '0', message: expect.stringContaining('object') }]);
  });

  test('the check of a list ends after twenty issues', async () => {
    const check = vi.fn<() => boolean>(() => false);
    const Row = resource({ name: z.string().refine(check) });
    const rows = defineApi({ ...basicOrdering, collections: { rows: collection('rows', Row) } });
    const body = JSON.stringify(Array.from({ length: 300 }, (_, id) => ({ id, self: 'x', name: 'a' })));
    const { client } = await facing({ body });
    const { issues } = await failureOf(client.api(rows).rows.list(), UnexpectedResponseError);
    expect(issues).toMatchObject([{ path: '0.name', id: 0, records: 20 }]);
    expect(check).toHaveBeenCalledTimes(20);
  });
});

test('a Location or self link to another origin is not followed', async () => {
  const other = await startRawServer(() => ({ body: JSON.stringify(order(7)) }));
  const elsewhere = `${other.url}/v1/orders/7`;
  const body = JSON.stringify({ ...order(7), self: elsewhere });
  const { orders, client, server } = await facing({ status: 201, headers: { location: elsewhere }, body });
  const { response } = await orders.create(orderBody).withResponse();
  expect(response.location).toBe(elsewhere);
  for (const link of [elsewhere, { self: elsewhere }, server.url.replace('http', 'https'), '//127.0.0.2/x']) {
    const error = await failureOf(client.follow(Order, link), CrossOriginUrlError);
    expect(error).toMatchObject({ code: 'cross_origin_url', status: undefined });
  }
  expect([server.requests.length, other.requests.length]).toEqual([1, 0]);
});
