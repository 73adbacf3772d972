import {
  BadRequestError,
  basicAuth,
  ContentTooLargeError,
  collection,
  defineApi,
  InternalServerError,
  InvalidCredentialsError,
  NotFoundError,
  ServiceUnavailableError,
  TooManyRequestsError,
  tokenAuth,
  UnauthorizedError,
  UnsupportedMediaTypeError,
} from 'restkin';
import { expect } from 'vitest';
import { check, mockOf } from '../support/conformance.ts';
import { data, newCompany, shop } from '../support/conformance-data.ts';
import { login, requestToken, rowsOf } from '../support/conformance-send.ts';
import { Company } from '../support/ordering.ts';
import { rejectionOf } from '../support/shop.ts';

const filled = mockOf(shop, { data });

const writes = { POST: '/v1/companies', PUT: '/v1/companies/1', PATCH: '/v1/companies/1' } as const;

const causedByInput = [
  '§7.1 400 is for a parameter or a body that is missing or invalid',
  '§7.2.1 what the input causes is a 400',
  '§4.2 POST requires a request body',
] as const;

check(filled, causedByInput, {
  fetch: async ({ send }) => {
    const invalid = { name: 1, city: 'Voss' };
    const statuses = [
      await send('/v1/orders?page=x'),
      await send('/v1/orders?perPage=201'),
      await send('/v1/orders?sort=nothing'),
      await send(writes.POST, { method: 'POST' }),
      await send(writes.POST, { method: 'POST', body: '{"name":' }),
      await send(writes.POST, { method: 'POST', body: { name: 'lacks its city' } }),
      await send(writes.PUT, { method: 'PUT', body: invalid }),
      await send(writes.PATCH, { method: 'PATCH', body: { name: 1 } }),
      await send('/v1/companies/1?force=true', { method: 'DELETE' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual(statuses.map(() => 400));
  },
  client: async ({ client, api: { companies } }) => {
    // A JavaScript user has no compiler.
    const invalid = { name: 1, city: 'Voss' } as unknown as typeof newCompany;
    const own = (method: 'GET' | 'DELETE', path: string, query: object) =>
      client.request({ method, path, query: { ...query } });
    for (const call of [
      () => own('GET', 'v1/orders', { page: 'x' }),
      () => own('GET', 'v1/orders', { perPage: 201 }),
      () => own('GET', 'v1/orders', { sort: 'nothing' }),
      () => own('DELETE', 'v1/companies/1', { force: true }),
      () => client.request({ method: 'POST', path: 'v1/companies' }),
      () => companies.create(invalid),
      () => companies.replace(1, invalid),
      () => companies.update(1, invalid),
    ]) {
      expect(await rejectionOf(call())).toBeInstanceOf(BadRequestError);
    }
  },
});

const guarded = mockOf(shop, { data, users: [login] });

check(guarded, '§7.1 401 is for no credentials and for wrong ones', {
  fetch: async ({ send, authUrl }) => {
    expect((await send('/v1/orders', { anonymous: true })).status).toBe(401);
    const headers = { authorization: 'Basic YWRhOndyb25n' };
    expect((await send('/v1/orders', { anonymous: true, headers })).status).toBe(401);
    const wrong = { grant_type: 'password', username: 'ada', password: 'wrong' };
    expect((await requestToken(authUrl, wrong)).status).toBe(401);
  },
  client: async ({ connect, authUrl, mock }) => {
    const wrong = { username: 'ada', password: 'wrong' };
    const basic = connect({ auth: basicAuth(wrong) }).api(shop);
    expect(await rejectionOf(basic.companies.get(1))).toBeInstanceOf(UnauthorizedError);
    const token = connect({ auth: tokenAuth({ authUrl, ...wrong }) });
    const call = token.request({ method: 'GET', path: 'v1/companies/1' });
    expect(await rejectionOf(call)).toBeInstanceOf(InvalidCredentialsError);
    expect(mock.requests.map(({ status }) => status)).toEqual([401, 401]);
  },
});

check(filled, '§7.1 404 is for a resource that does not exist', {
  fetch: async ({ send }) => {
    const body = newCompany;
    const statuses = [
      await send('/v1/companies/99'),
      await send('/v1/companies/99', { method: 'PUT', body }),
      await send('/v1/companies/99', { method: 'PATCH', body }),
      await send('/v1/companies/99', { method: 'DELETE' }),
      await send('/v1/companies/99/orders', { method: 'POST', body: {} }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 404, 404, 404]);
  },
  client: async ({ api: { companies } }) => {
    for (const call of [
      () => companies.get(99),
      () => companies.replace(99, newCompany),
      () => companies.update(99, newCompany),
      () => companies.delete(99),
    ]) {
      expect(await rejectionOf(call())).toBeInstanceOf(NotFoundError);
    }
  },
});

const bulk = defineApi({
  name: 'bulk',
  version: 1,
  auth: 'basic',
  collections: { companies: collection('companies', Company, { bulk: { maxItems: 2, maxBytes: 200 } }) },
});

const tooLarge = [
  '§7.1 413 is for a bulk request with too many items or bytes',
  '§8 bulk requests have a maximum: above it 413, and nothing is created',
] as const;

check(mockOf(bulk), tooLarge, {
  fetch: async ({ send }) => {
    const post = async (body: unknown) => (await send('/v1/companies', { method: 'POST', body })).status;
    expect(await post([newCompany, newCompany, newCompany])).toBe(413);
    expect(await post([{ ...newCompany, name: 'x'.repeat(200) }])).toBe(413);
    expect(await post([newCompany, newCompany])).toBe(201);
    expect(rowsOf(await send('/v1/companies'))).toMatchObject([newCompany, newCompany]);
  },
  client: async ({ api, mock }) => {
    const tooLarge = api.companies.createMany([{ ...newCompany, name: 'x'.repeat(200) }]);
    expect(await rejectionOf(tooLarge)).toBeInstanceOf(ContentTooLargeError);
    expect(await api.companies.createMany([newCompany])).toMatchObject([newCompany]);
    expect(mock.requests.map(({ status }) => status)).toEqual([413, 201]);
  },
});

check(filled, '§7.1 415 is for a request body of another content type', {
  fetch: async ({ send }) => {
    const headers = { 'content-type': 'text/csv' };
    for (const [method, path] of Object.entries(writes)) {
      expect((await send(path, { method, headers, body: 'a,b' })).status).toBe(415);
    }
  },
  client: async ({ client }) => {
    for (const [method, path] of Object.entries(writes)) {
      const call = client.request({
        method: method as 'POST' | 'PUT' | 'PATCH', // the keys of `writes`
        path: path.slice(1),
        body: 'a,b',
        headers: { 'content-type': 'text/csv' },
      });
      expect(await rejectionOf(call)).toBeInstanceOf(UnsupportedMediaTypeError);
    }
  },
});

const faults = [
  [429, TooManyRequestsError, 'the throttling limit is reached'],
  [500, InternalServerError, 'processing failed'],
  [503, ServiceUnavailableError, 'the service is not available'],
] as const;

for (const [status, Class, what] of faults) {
  check(filled, `§7.1 ${status} says that ${what}, with an error body`, {
    fetch: async ({ send, mock }) => {
      mock.faults.next({ status });
      const json = { message: expect.any(String) };
      expect(await send('/v1/companies/1')).toMatchObject({ status, json });
      expect((await send('/v1/companies/1')).status).toBe(200);
    },
    client: async ({ api, mock }) => {
      mock.faults.next({ status });
      expect(await rejectionOf(api.companies.get(1, { retry: false }))).toBeInstanceOf(Class);
      expect(mock.requests.map((request) => request.status)).toEqual([status]);
      expect((await api.companies.get(1)).id).toBe(1);
    },
  });
}

check(filled, '§7.1 500 is no response to invalid input', {
  fetch: async ({ send }) => {
    const bodies = ['{', '[]', 'null', '"x"', '{"__proto__":1}', '{"name":{}}', '\u0000', '[[[[['];
    for (const body of bodies) {
      expect((await send('/v1/companies', { method: 'POST', body })).status).toBe(400);
    }
  },
  client: async ({ client }) => {
    for (const body of [[], null, 'x', { name: {} }, 1]) {
      const call = client.request({ method: 'POST', path: 'v1/companies', body });
      expect(await rejectionOf(call)).toBeInstanceOf(BadRequestError);
    }
  },
});

check(filled, '§8 throttling is a 429, and may say when to come back', {
  fetch: async ({ send, mock }) => {
    mock.faults.next({ status: 429, headers: { 'retry-after': '7' } });
    const { status, headers } = await send('/v1/companies');
    expect([status, headers.get('retry-after')]).toEqual([429, '7']);
    expect((await send('/v1/companies')).status).toBe(200);
  },
  client: async ({ api, connect, mock }) => {
    mock.faults.next({ status: 429, times: 2, headers: { 'retry-after': '0' } });
    expect((await api.companies.list()).items).toHaveLength(3);
    expect(mock.requests.map(({ status }) => status)).toEqual([429, 429, 200]);
    mock.faults.next({ status: 429, headers: { 'retry-after': '3600' } });
    const error = await rejectionOf(connect().api(shop).companies.list());
    expect(error).toBeInstanceOf(TooManyRequestsError);
    expect(error).toMatchObject({ retryAfterMs: 3_600_000 });
  },
});
