import { expect, test } from 'vitest';
import { importOf } from '../../../support/import-document.ts';
import { documentOf, json, list, reference, resourceOf } from '../../../support/odd-document.ts';

// Names that no program has, or that are not those of its language, are written in another way, with a line.

const integer = { type: 'integer' };
const thing = resourceOf({});
const post = (operationId: string) => ({ post: { operationId, responses: { 204: {} } } });
const idPath = (name: string) => ({ in: 'path', name, required: true, schema: integer });

const renamedIn = async (...[paths, schemas]: Parameters<typeof documentOf>) =>
  (await importOf(documentOf(paths, schemas))).names;

test('operations, path parameters and schemas are counted, with the first of each', async () => {
  const paths = {
    '/v1/orders': list(reference('order')),
    '/v1/orders/{order-id}/cancel': { parameters: [idPath('order-id')], ...post('orders/cancel') },
    '/v1/send-mail': post('send-mail'),
    '/v1/send_all': post('send_all'),
    '/v1/Sync': post('Sync'),
    '/health': post('check_health'),
  };
  expect(await renamedIn(paths, { order: thing })).toBe(
    'Renamed: 5 operations (orders/cancel as orders.cancel, send-mail as sendMail, send_all as sendAll, …), ' +
      '1 path parameter (order-id as orderId), 1 schema (order as Order)',
  );
});

test.each([
  ['HTTPStatus', 'httpStatus'],
  ['GET_orders', 'getOrders'],
  ['GetOrders', 'getOrders'],
  ['SMS', 'sms'],
  ['iOSApps', undefined],
])('the operation %s is %s', async (operationId, name) => {
  const line = name === undefined ? '' : `Renamed: 1 operation (${operationId} as ${name})`;
  expect(await renamedIn({ '/v1/other': post(operationId) })).toBe(line);
});

test('a name that another one has already is another one', async () => {
  const paths = { '/v1/things': list(thing), '/v1/other': post('things') };
  expect(await renamedIn(paths)).toBe('Renamed: 1 operation (things as things2)');
});

test('there is no line where the program has each name of the document', async () => {
  const requestBody = { ...json(reference('Body')), required: true };
  const mail = { post: { operationId: 'sendMail', requestBody, responses: { 204: {} } } };
  const paths = {
    '/v1/orders': list(reference('Order')),
    '/v1/orders/{order_id}/cancel': { parameters: [idPath('order_id')], ...post('ordersCancel') },
    '/v1/mail': mail,
    // The name of a method and a path is the program's own.
    '/v1/unnamed-one': { post: { responses: { 204: {} } } },
  };
  const body = { type: 'object', properties: { at: { type: 'string', readOnly: true }, to: integer } };
  expect(await renamedIn(paths, { Order: thing, Body: body })).toBe('');
});
