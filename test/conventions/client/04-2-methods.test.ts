import { InvalidRequestError, isAccepted, UnexpectedResponseError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { inOrder, json, type Reply, record, sent } from '../../support/recording-server.ts';
import { companyRow, connect, orderBody, rejectionOf, shopAt } from '../../support/shop.ts';

const created = (headers: Reply['headers'] = { location: '/v1/companies/5' }) =>
  json(companyRow(5), 201, headers);
const company = { name: 'Company 5', city: 'Oslo' };
const done: Reply = { status: 204 };
const accepted: Reply = { status: 202 };

type Companies = ReturnType<typeof shopAt>['companies'];

const writes: readonly (readonly [string, (companies: Companies) => PromiseLike<unknown>])[] = [
  ['PUT', ({ replace }) => replace(5, company)],
  ['PATCH', ({ update }) => update(5, { city: 'Oslo' })],
  ['DELETE', (companies) => companies.delete(5)],
];

describe('§4.2 GET', () => {
  test.each([201, 202, 204])('§4.2 GET with a %i is unexpected', async (status) => {
    await using server = await record(() => ({ status }));
    const error = await rejectionOf(shopAt(server).orders.get(7));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({ status });
  });
});

describe('§4.2 POST', () => {
  test.each([
    ['absolute', 'https://api.example.com/v1/companies/5', () => 'https://api.example.com/v1/companies/5'],
    ['relative to the host', '/v1/companies/5', (url: string) => `${url}/v1/companies/5`],
    ['relative to the collection', 'companies/5', (url: string) => `${url}/v1/companies/5`],
  ])('§4.2 POST 201 gives the created resource and its Location, %s', async (_kind, location, absolute) => {
    await using server = await record(() => created({ location }));
    const { data, response } = await shopAt(server).companies.create(company).withResponse();
    expect(data).toEqual(companyRow(5));
    expect([response.status, response.location]).toEqual([201, absolute(server.url)]);
  });

  test('§4.2 POST 202 gives no created resource', async () => {
    await using server = await record(inOrder(accepted, { ...accepted, body: 'in the queue' }));
    const { companies } = shopAt(server);
    expect(await companies.create(company)).toEqual({ outcome: 'accepted' });
    expect(isAccepted(await companies.create(company))).toBe(true);
  });

  test('§4.2 POST 202 that the declaration does not name is unexpected, and is not resent', async () => {
    await using server = await record(() => ({ ...accepted, headers: { location: '/v1/jobs/1' } }));
    const retry = { attempts: 5, idempotentWrites: true, writesAfterUnavailable: true };
    const error = await rejectionOf(shopAt(server).orders.create(orderBody, { retry }));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({ status: 202, headers: { location: '/v1/jobs/1' } });
    expect(String(error)).toContain('do not resend it');
    expect(server.requests).toHaveLength(1);
  });

  test('a resource with a field `outcome` is not taken for accepted work', async () => {
    await using server = await record(() => json({ ...companyRow(5), outcome: 'accepted' }, 201));
    expect(isAccepted(await shopAt(server).companies.create(company))).toBe(false);
  });

  test.each([
    ['200', json(companyRow(5), 200)],
    ['204', done],
    ['201 without a body', { status: 201, headers: { location: '/v1/companies/5' } }],
  ])('§4.2 POST with a %s is unexpected', async (_what, reply) => {
    await using server = await record(() => reply);
    const error = await rejectionOf(shopAt(server).companies.create(company));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(server.requests).toHaveLength(1);
  });
});

test.each(writes)('§4.2 %s with a 201 is unexpected', async (_method, write) => {
  await using server = await record(() => created());
  expect(await rejectionOf(write(shopAt(server).companies))).toBeInstanceOf(UnexpectedResponseError);
});

describe('§4.2 OPTIONS', () => {
  test('§4.2 the methods of a URI are those of the Accept response header', async () => {
    await using server = await record(() => ({
      status: 200,
      headers: { accept: 'GET, POST,options', allow: 'DELETE' },
    }));
    const { companies } = shopAt(server);
    expect(await companies.allowedMethods()).toEqual(['GET', 'POST', 'OPTIONS']);
    await companies.allowedMethods(5);
    expect(sent(server)).toEqual([
      ['OPTIONS', '/v1/companies', ''],
      ['OPTIONS', '/v1/companies/5', ''],
    ]);
  });

  test('§4.2 media types in Accept are no methods: those of Allow are taken', async () => {
    await using server = await record(() => ({
      status: 200,
      headers: { accept: 'application/json, text/*;q=0.5', allow: 'GET, PUT' },
    }));
    expect(await shopAt(server).companies.allowedMethods()).toEqual(['GET', 'PUT']);
  });

  test.each([{}, { accept: 'application/json' }])(
    '§4.2 a response that names no methods is unexpected: %j',
    async (headers) => {
      await using server = await record(() => ({ status: 200, headers }));
      const error = await rejectionOf(shopAt(server).companies.allowedMethods());
      expect(error).toBeInstanceOf(UnexpectedResponseError);
    },
  );
});

describe('§4.2 what is never sent', () => {
  test.each(['GET', 'DELETE', 'OPTIONS'] as const)('§4.2 %s has no request body', async (method) => {
    await using server = await record(() => ({ status: method === 'DELETE' ? 204 : 200 }));
    // A JavaScript user has no compiler.
    const request = { method: method as 'POST', path: 'v1/orders', body: { a: 1 } } as const;
    const error = await rejectionOf(connect(server).request(request));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(server.requests).toEqual([]);
  });

  test('§4.2 DELETE has a request body by client.fetch alone, as the error says', async () => {
    await using server = await record(() => ({ status: 204 }));
    const client = connect(server);
    const body = { assignees: ['ada'] };
    const sent = client.request({ method: 'DELETE' as 'POST', path: 'v1/orders', body });
    await expect(sent).rejects.toThrow(
      'client.request: DELETE has no request body (§4.2); client.fetch sends one',
    );
    const { status } = await client.fetch('v1/orders', { method: 'DELETE', body: JSON.stringify(body) });
    expect(status).toBe(204);
    expect(server.requests).toMatchObject([{ method: 'DELETE', body: JSON.stringify(body) }]);
  });

  test('§4.2 an operation that is not declared does not exist', async () => {
    expect(Object.keys(shopAt({ url: 'http://127.0.0.1:1' }).feed).sort()).toEqual([
      'allowedMethods',
      'list',
      'query',
    ]);
  });
});
