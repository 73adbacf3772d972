import { createClient, customAuth } from 'restkin';
import { expect, test } from 'vitest';
import { apisOf, importOf } from '../../../support/import-document.ts';
import {
  documentOf,
  json,
  list,
  query,
  reference,
  resourceOf,
  response,
} from '../../../support/odd-document.ts';

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

test.each([
  ["GitHub's official OpenAPI spec + Octokit extension", 'gitHubsOfficialOpenAPISpec'],
  ['Acme-Order-Management-and-Fulfilment-Service', 'acmeOrderManagementAnd'],
  ['Donaudampfschifffahrtsgesellschaft API', 'donaudampfschifffahrtsgesellschaft'],
  ['--', 'api'],
])('the API of %j is the constant %s', async (title, name) => {
  const imported = await importOf(documentOf({ '/v1/things': list(thing) }, {}, { info: { title } }));
  expect(imported.declarations).toContain(`export const ${name} = defineApi({`);
  expect(apisOf(imported)).toMatchObject([{ name: title }]);
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

test('what goes over the wire keeps the names of the document: fields, parameters and those of bodies', async () => {
  const order = resourceOf({ created_at: { type: 'string' }, 'Line-Items': { type: 'integer' } });
  const { get } = list(order, { operationId: 'list_orders', parameters: [query('created_after', {})] });
  const report = {
    operationId: 'make_report',
    parameters: [idPath('report-id'), query('sort_by', {})],
    requestBody: json({ type: 'object', properties: { from_date: { type: 'string' } } }),
    responses: { 200: response({ type: 'object', properties: { total_count: integer } }) },
  };
  const post = { requestBody: json(order), responses: { 201: response(order) } };
  const paths = { '/v1/orders': { get, post }, '/v1/reports/{report-id}': { put: report } };
  const [api] = apisOf(await importOf(documentOf(paths)));
  const row = { id: 1, self: '/v1/orders/1', created_at: 'now', 'Line-Items': 3 };
  const sent: unknown[] = [];
  const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const body = await request.text();
    sent.push([request.method, pathname + search, body === '' ? undefined : JSON.parse(body)]);
    if (request.method === 'GET') return Response.json([row]);
    return request.method === 'POST'
      ? Response.json(row, { status: 201 })
      : Response.json({ total_count: 7 });
  };
  const auth = { token: customAuth(() => undefined) };
  type Call = (...given: readonly unknown[]) => PromiseLike<unknown> & { toArray(): Promise<unknown> };
  const client = createClient({ baseUrl: 'https://api.test', auth, fetch }).api(api as never) as unknown as {
    readonly orders: Readonly<Record<'list' | 'create', Call>>;
    readonly makeReport: Call;
  };
  expect(await client.orders.list({ params: { created_after: 'x' } }).toArray()).toEqual([row]);
  const { id: _id, self: _self, ...body } = row;
  expect(await client.orders.create(body)).toEqual(row);
  const given = { reportId: 5, query: { sort_by: 'a' }, body: { from_date: 'x' } };
  expect(await client.makeReport(given)).toEqual({ total_count: 7 });
  expect(sent).toEqual([
    ['GET', '/v1/orders?created_after=x', undefined],
    ['POST', '/v1/orders', body],
    ['PUT', '/v1/reports/5?sort_by=a', { from_date: 'x' }],
  ]);
});
