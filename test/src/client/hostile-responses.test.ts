import {
  ApiError,
  BadRequestError,
  CrossOriginUrlError,
  collection,
  defineApi,
  InternalServerError,
  isValidationError,
  NotFoundError,
  RedirectRefusedError,
  resource,
  UnauthorizedError,
  UnexpectedResponseError,
} from 'restkin';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { basicOrdering, connect, failureOf, order, orderBody } from '../../support/basic-ordering.ts';
import { Order } from '../../support/ordering.ts';
import { type Reply, type Responder, startRawServer } from '../../support/raw-server.ts';

const facing = async (answer: Reply | Responder, options = {}) => {
  const server = await startRawServer(typeof answer === 'function' ? answer : () => answer);
  return { server, ...connect(server.url, options) };
};
const html = { headers: { 'content-type': 'text/html' }, body: '<html><h1>It works!</h1></html>' };

describe('error responses', () => {
  test.each([
    [500, InternalServerError, '500 Internal Server Error'],
    [404, NotFoundError, '404 Not Found'],
    [502, ApiError, '502'],
    [401, UnauthorizedError, '401 Unauthorized'],
  ])('%d with an HTML page, with broken JSON, and with nothing', async (status, type, message) => {
    for (const reply of [html, { body: '{"message":' }, { body: '' }]) {
      const { orders } = await facing({ ...reply, status });
      const error = await failureOf<ApiError>(orders.get(7), type);
      expect(error).toMatchObject({
        status,
        message: expect.stringContaining(`: ${message}`),
        method: 'GET',
      });
      expect(error.attempts).toEqual([expect.objectContaining({ status })]);
    }
  });

  test.each<[string, unknown]>([
    ['a message that is no text', { message: { a: 1 } }],
    ['errors that are no list', { message: 5, errors: { field: 'a' } }],
    ['items that are no items', { errors: [null, 5, 'x', [], { code: 'invalid' }] }],
    ['a list', [{ message: 'x' }]],
  ])('a 400 with %s', async (_name, body) => {
    const { orders } = await facing({ status: 400, body: JSON.stringify(body) });
    const error = await failureOf(orders.create(orderBody), BadRequestError);
    expect(error.message).toMatch(/: 400 Bad Request$/);
    expect(isValidationError(error)).toBe(false);
  });

  test('__proto__ in an error body reaches no prototype', async () => {
    const body =
      '{"__proto__":{"status":200},"message":"m","errors":[{"field":"__proto__","code":"invalid"}]}';
    const { orders } = await facing({ status: 400, body });
    const error = await failureOf(orders.create(orderBody), BadRequestError);
    expect(error).toMatchObject({
      status: 400,
      detail: 'm',
      fieldErrors: { ['__proto__']: expect.anything() },
    });
    expect(Reflect.get({}, 'status')).toBeUndefined();
  });
});

describe('an invalid success', () => {
  test.each<[string, Reply]>([
    ['truncated JSON', { body: '{"id":7,"sta' }],
    ['HTML', html],
    ['nothing', { body: '' }],
    ['no content type and no JSON', { headers: { 'content-type': '' }, body: 'oops' }],
    ['204', { status: 204 }],
    ['206', { status: 206, body: JSON.stringify(order(7)) }],
    ['304 to an unconditional request', { status: 304 }],
    ['null', { body: 'null' }],
    ['a list', { body: '[]' }],
  ])('%s', async (_name, reply) => {
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

  test('a wrong record in a list is named', async () => {
    const { orders } = await facing({ body: JSON.stringify([order(1), { ...order(2), id: '2' }]) });
    const error = await failureOf(orders.list(), UnexpectedResponseError);
    expect(error.issues).toEqual([expect.objectContaining({ path: '1.id' })]);
  });

  test.each([
    ['very long', 'k'.repeat(1_000_000), ''],
    ['long, and made of words', 'key '.repeat(250_000), 'key key'],
    ['spread over lines', 'a\n\u001b[2K\u009b2K\u2028b', 'a [2K 2K b'],
  ])('a name in the body that is %s is shown cut and on one line', async (_name, key, shown) => {
    const { client } = await facing({ body: JSON.stringify({ [key]: 1 }) });
    const schema = z.record(z.string(), z.string());
    const call = client.request({ method: 'GET', path: 'v1/tags', schema });
    const error = await failureOf(call, UnexpectedResponseError);
    expect(JSON.stringify(error).length).toBeLessThan(10_000);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
    expect(error.message + error.issues[0]?.path).not.toMatch(/[\0-\x1f\x7f-\x9f\u2028\u2029]/);
    expect(error.message).toContain(shown);
  });

  test('the check of a list ends after twenty issues', async () => {
    const check = vi.fn<() => boolean>(() => false);
    const Row = resource({ name: z.string().refine(check) });
    const rows = defineApi({ ...basicOrdering, collections: { rows: collection('rows', Row) } });
    const body = JSON.stringify(Array.from({ length: 300 }, (_, id) => ({ id, self: 'x', name: 'a' })));
    const { client } = await facing({ body });
    const { issues } = await failureOf(client.api(rows).rows.list(), UnexpectedResponseError);
    expect(issues.map(({ path }) => path)).toEqual(Array.from({ length: 20 }, (_, id) => `${id}.name`));
    expect(check).toHaveBeenCalledTimes(20);
  });

  test.each([200, 203, 206])('a POST that gets %d', async (status) => {
    const { orders } = await facing({ status, body: JSON.stringify(order(7)) });
    expect((await failureOf(orders.create(orderBody), UnexpectedResponseError)).status).toBe(status);
  });

  test('OPTIONS that names no methods', async () => {
    const { orders } = await facing({});
    expect((await failureOf(orders.allowedMethods(), UnexpectedResponseError)).status).toBe(200);
  });
});

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])(
    '%d is refused, and the other server gets no request',
    async (status) => {
      const other = await startRawServer(() => ({ body: JSON.stringify(order(7)) }));
      const { orders, client, server } = await facing({
        status,
        headers: { location: `${other.url}/v1/orders/7` },
      });
      for (const call of [
        () => orders.get(7),
        () => orders.create(orderBody),
        () => orders.list(),
        () => client.follow(Order, '/v1/orders/7'),
      ]) {
        const error = await failureOf(call(), RedirectRefusedError);
        expect(error).toMatchObject({ status, code: 'redirect_refused' });
      }
      expect([server.requests.length, other.requests.length]).toEqual([4, 0]);
    },
  );
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
