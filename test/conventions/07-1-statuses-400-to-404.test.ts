import {
  BadRequestError,
  basicAuth,
  InvalidCredentialsError,
  NotFoundError,
  tokenAuth,
  UnauthorizedError,
} from 'restkin';
import { expect } from 'vitest';
import { check, mockOf } from '../support/conformance.ts';
import { data, newCompany, shop } from '../support/conformance-data.ts';
import { login, requestToken } from '../support/conformance-send.ts';
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
