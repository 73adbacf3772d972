import {
  ContentTooLargeError,
  collection,
  defineApi,
  InvalidRequestError,
  TooManyRequestsError,
} from 'restkin';
import { expect, vi } from 'vitest';
import { check, mockOf } from '../support/conformance.ts';
import { fakeClocks } from '../support/conformance-clocks.ts';
import { data, newCompany, ordering, shop } from '../support/conformance-data.ts';
import { requestToken, rowsOf, textOf } from '../support/conformance-send.ts';
import { Company } from '../support/ordering.ts';
import { rejectionOf } from '../support/shop.ts';

const filled = mockOf(shop, { data });
const tokens = mockOf(ordering, { data });

check(tokens, '§8 access token lifetime is 600 seconds', {
  fetch: async ({ authUrl, send, mock }) => {
    expect((await requestToken(authUrl)).json).toMatchObject({ expires_in: 600 });
    expect((await send('/v1/orders/1')).status).toBe(200);
    mock.clock.advance({ seconds: 601 });
    expect((await send('/v1/orders/1')).status).toBe(401);
  },
  client: async ({ api, mock }) => {
    fakeClocks();
    await api.orders.get(1);
    vi.advanceTimersByTime(601_000);
    await api.orders.get(1);
    expect(mock.requests.map(({ grant, status }) => [grant, status])).toEqual([
      ['password', 200],
      [undefined, 200],
      ['refresh_token', 200],
      [undefined, 200],
    ]);
  },
});

check(tokens, '§8 refresh token lifetime is 2592000 seconds', {
  fetch: async ({ authUrl, mock }) => {
    const { json } = await requestToken(authUrl);
    expect(json).toMatchObject({ refresh_expires_in: 2_592_000 });
    mock.clock.advance({ seconds: 2_592_001 });
    const form = { grant_type: 'refresh_token', refresh_token: textOf(json, 'refresh_token') };
    expect((await requestToken(authUrl, form)).status).toBe(401);
  },
  client: async ({ api, mock }) => {
    fakeClocks();
    await api.orders.get(1);
    vi.advanceTimersByTime(2_592_001_000);
    await api.orders.get(1);
    expect(mock.requests.flatMap(({ grant }) => grant ?? [])).toEqual(['password', 'password']);
  },
});

check(tokens, '§8 refresh token uses are one', {
  fetch: async ({ authUrl }) => {
    const token = textOf((await requestToken(authUrl)).json, 'refresh_token');
    const form = { grant_type: 'refresh_token', refresh_token: token };
    const statuses = [(await requestToken(authUrl, form)).status, (await requestToken(authUrl, form)).status];
    expect(statuses).toEqual([200, 401]);
  },
  client: async ({ api, mock }) => {
    await api.orders.get(1);
    mock.clock.advance({ minutes: 11 });
    mock.faults.next({ status: 503, token: true });
    expect((await api.orders.get(1)).id).toBe(1);
    expect(mock.requests.flatMap(({ grant }) => grant ?? [])).toEqual([
      'password',
      'refresh_token',
      'password',
    ]);
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

const paged = defineApi({
  name: 'paged',
  version: 1,
  auth: 'basic',
  collections: {
    companies: collection('companies', Company, { paging: { defaultPerPage: 2, maxPerPage: 3 } }),
  },
});

const pages = mockOf(paged, { data: { companies: [...data.companies, { ...newCompany, id: 4 }] } });

check(pages, '§8 page size has a default, and a maximum above which it is a 400', {
  fetch: async ({ send }) => {
    expect(rowsOf(await send('/v1/companies'))).toHaveLength(2);
    expect(rowsOf(await send('/v1/companies?perPage=3'))).toHaveLength(3);
    expect((await send('/v1/companies?perPage=4')).status).toBe(400);
  },
  client: async ({ api, client }) => {
    expect(await api.companies.list()).toMatchObject({ size: 2, items: { length: 2 } });
    expect((await api.companies.list({ perPage: 3 })).items).toHaveLength(3);
    expect(await rejectionOf(api.companies.list({ perPage: 4 }))).toBeInstanceOf(InvalidRequestError);
    const own = client.request({ method: 'GET', path: 'v1/companies', query: { perPage: 4 } });
    expect(await rejectionOf(own)).toMatchObject({ status: 400 });
  },
});

const bulk = defineApi({
  name: 'bulk',
  version: 1,
  auth: 'basic',
  collections: { companies: collection('companies', Company, { bulk: { maxItems: 2 } }) },
});

const named = (name: string) => ({ name, city: 'Oslo' });

check(mockOf(bulk), '§8 bulk requests have a maximum: above it 413, and nothing is created', {
  fetch: async ({ send }) => {
    const post = async (...names: readonly string[]) =>
      (await send('/v1/companies', { method: 'POST', body: names.map(named) })).status;
    expect([await post('a', 'b', 'c'), await post('a', 'b')]).toEqual([413, 201]);
    expect(rowsOf(await send('/v1/companies'))).toMatchObject([named('a'), named('b')]);
  },
  client: async ({ api, mock }) => {
    const tooMany = api.companies.createMany(['a', 'b', 'c'].map(named));
    await expect(tooMany).rejects.toBeInstanceOf(ContentTooLargeError);
    expect(await api.companies.createMany(['a', 'b'].map(named))).toMatchObject(['a', 'b'].map(named));
    expect(mock.requests.map(({ status }) => status)).toEqual([413, 201]);
  },
});
