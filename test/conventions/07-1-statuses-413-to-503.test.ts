import {
  BadRequestError,
  ContentTooLargeError,
  collection,
  defineApi,
  InternalServerError,
  ServiceUnavailableError,
  TooManyRequestsError,
  UnsupportedMediaTypeError,
} from 'restkin';
import { expect } from 'vitest';
import { check, mockOf } from '../support/conformance.ts';
import { data, newCompany, shop } from '../support/conformance-data.ts';
import { rowsOf } from '../support/conformance-send.ts';
import { Company } from '../support/ordering.ts';
import { rejectionOf } from '../support/shop.ts';

const filled = mockOf(shop, { data });

const writes = { POST: '/v1/companies', PUT: '/v1/companies/1', PATCH: '/v1/companies/1' } as const;

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
    const tooMany = api.companies.createMany([newCompany, newCompany, newCompany]);
    expect(await rejectionOf(tooMany)).toBeInstanceOf(ContentTooLargeError);
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
