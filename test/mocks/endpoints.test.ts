import { setupServer } from 'msw/node';
import {
  type ApiClient,
  BadRequestError,
  collection,
  createClient,
  defineApi,
  endpoint,
  expandable,
  family,
  isAccepted,
  NotFoundError,
  resource,
  UnauthorizedError,
} from 'restkin';
import { drf } from 'restkin/families';
import { createMock, type Mock, type MockOptions, serve } from 'restkin/mocks';
import { handlers } from 'restkin/msw';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { failureOf, login } from '../support/basic-ordering.ts';
import { office } from '../support/endpoints.ts';
import { Order } from '../support/ordering.ts';
import { auth, baseUrl, officeOf, optionsOf } from './office.ts';

const send = (mock: Pick<Mock, 'fetch'>, method: string, path: string, body?: unknown) =>
  mock.fetch(`${baseUrl}/v1/${path}`, {
    method,
    headers: {
      authorization: `Basic ${btoa(`${login.username}:${login.password}`)}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

const query = { from: '2026-11-01' };

const checkEach = async ({ orders, companyOrders, ...api }: ApiClient<typeof office>) => {
  expect((await api.settings()).since).toBeInstanceOf(Date);
  const done = { outcome: 'done' };
  expect(await api.saveSettings({ body: { currency: 'EUR', since: new Date(0) } })).toEqual(done);
  const audio = await api.audio({ id: 3 });
  expect(audio.headers.get('content-type')).toBe('audio/wav');
  expect((await audio.arrayBuffer()).byteLength).toBeGreaterThan(0);
  expect(await api.transcript({ id: 3 })).not.toBe('');
  expect(await api.upload({ body: new FormData() })).toHaveProperty('id');
  const report = await api.report({ query: { ...query, tags: ['a', 'b'] }, body: { title: 'x' } });
  expect(isAccepted(report)).toBe(false);
  const latest = await api.latestOrder({ fields: ['company'], expand: ['company'] });
  expect(typeof latest.company.name).toBe('string');
  expect((await orders.cancel(2, { reason: 'late' })).id).toBe(2);
  expect(await orders.history(2, { query: { limit: 2 } })).toBeInstanceOf(Array);
  expect(await orders.unlabel(2, { label: 'new' })).toEqual(done);
  const { company } = await orders.get(2);
  expect(await companyOrders({ companyId: company.id }).ship(2)).toEqual(done);
};

describe('the client and the mock agree on each kind of endpoint', () => {
  test('over fetch', () => checkEach(officeOf().client.api(office)));

  test('over msw', async () => {
    const server = setupServer(...handlers(createMock(office, optionsOf())));
    server.listen();
    try {
      await checkEach(createClient({ baseUrl, auth }).api(office));
    } finally {
      server.close();
    }
  });

  test('over HTTP', async () => {
    await using server = await serve(createMock(office, optionsOf()));
    await checkEach(createClient({ baseUrl: server.url, auth }).api(office));
  });
});

describe('a declared endpoint of the mock', () => {
  test.each([
    ['POST', 'reports?from=2026-11-01', {}, { field: 'title', code: 'missingField' }],
    ['POST', 'reports?from=2026-11-01', { title: 5 }, { field: 'title', code: 'invalid' }],
    ['POST', 'reports', { title: 'x' }, { field: 'from' }],
    ['POST', 'reports?from=2026-11-01&to=x', { title: 'x' }, { field: 'to', code: 'invalid' }],
    ['POST', 'orders/1/cancel', {}, { field: 'reason', code: 'missingField' }],
    ['GET', 'settings?nope=1', undefined, { field: 'nope', code: 'invalid' }],
    ['GET', 'latest-order?fields=nope', undefined, { field: 'fields', code: 'invalid' }],
  ])('%s %s with %o is refused (§7.2.3)', async (method, path, body, item) => {
    const response = await send(officeOf().mock, method, path, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [item] });
  });

  test('checks the credentials, the row and the method', async () => {
    const { mock, orders } = officeOf();
    expect((await mock.fetch(`${baseUrl}/v1/settings`)).status).toBe(401);
    await failureOf(orders.cancel(99, { reason: 'x' }), NotFoundError);
    const refused = await send(mock, 'DELETE', 'settings');
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, PUT, OPTIONS']);
    const users = [{ username: 'someone', password: 'else' }];
    await failureOf(officeOf({ users }).settings(), UnauthorizedError);
  });

  test('is in `requests`, and takes faults', async () => {
    const { mock, orders, settings } = officeOf();
    mock.faults.next({ collection: 'orders', status: 400 });
    await settings();
    await failureOf(orders.cancel(1, { reason: 'late' }), BadRequestError);
    expect(
      mock.requests.map(({ path, collection, body, status }) => [path, collection, body, status]),
    ).toEqual([
      ['/v1/settings', undefined, undefined, 200],
      ['/v1/orders/1/cancel', 'orders', { reason: 'late' }, 400],
    ]);
    expect(mock.serves(`${baseUrl}/v1/orders/1/labels/x`)).toBe(true);
  });

  test('takes the faults that name it, and no other request does', async () => {
    const { mock, orders, settings, saveSettings } = officeOf();
    mock.faults.next({ endpoint: 'orders.cancel', status: 400 });
    mock.faults.next({ endpoint: 'settings', status: 404 });
    await orders.get(1);
    expect(await orders.history(1, { query: { limit: 2 } })).toBeInstanceOf(Array);
    // The same path, by another method.
    await saveSettings({ body: { currency: 'EUR', since: new Date(0) } });
    expect((await send(mock, 'GET', 'orders/1/cancel')).status).toBe(405);
    expect(mock.faults.waiting).toHaveLength(2);
    await failureOf(settings(), NotFoundError);
    await failureOf(orders.cancel(1, { reason: 'late' }), BadRequestError);
    expect(mock.faults.waiting).toEqual([]);
  });

  test('shows relations whole, of the stored rows where there are some', async () => {
    const Company = resource({ name: z.string() });
    const response = z.object({ company: expandable(Company), others: z.array(expandable(Company)) });
    const companies = collection('companies', Company);
    const endpoints = { overview: endpoint('GET', 'overview', { response }) };
    const api = defineApi({ name: 'x', version: 1, auth: 'basic', collections: { companies }, endpoints });
    const mock = createMock(api, { data: { companies: [{ id: 7, name: 'Acme' }] } });
    const { overview } = createClient({ baseUrl, auth, fetch: mock.fetch }).api(api);
    expect((await overview()).company).toMatchObject({ id: 7, name: 'Acme' });
  });

  test('does it later where it may and the mock says so (202)', async () => {
    const { report, companyOrders, orders } = officeOf({ accepted: true });
    expect(isAccepted(await report({ query, body: { title: 'x' } }))).toBe(true);
    const { company } = await orders.get(1);
    expect(isAccepted(await companyOrders({ companyId: company.id }).ship(1))).toBe(true);
  });

  test('§9.4 of a deprecated major says so', async () => {
    const { mock, settings } = officeOf({ deprecated: { sunset: new Date('2027-01-01T00:00:00Z') } });
    await settings();
    expect((await send(mock, 'GET', 'settings')).headers.get('sunset')).toBe('Fri, 01 Jan 2027 00:00:00 GMT');
  });

  test('§7.1 406: a response of another type than JSON is refused', async () => {
    const authorization = `Basic ${btoa(`${login.username}:${login.password}`)}`;
    const headers = { authorization, accept: 'text/csv' };
    const { status } = await officeOf().mock.fetch(`${baseUrl}/v1/settings`, { headers });
    expect(status).toBe(406);
  });

  test('is replaced by a handler at its path', async () => {
    const { settings } = officeOf({
      endpoints: { 'v1/settings': () => Response.json({ currency: 'NOK', since: '2026-11-01' }) },
    });
    expect((await settings()).currency).toBe('NOK');
  });
});

test('endpoints of a family have its path, its slash, its envelope of a resource and its errors', async () => {
  const own = family({ ...drf, path: 'api', item: 'data', body: 'data' });
  const Note = own.resource({ text: z.string() });
  const api = own.defineApi({
    name: 'notes',
    auth: 'basic',
    collections: {
      notes: own.collection('notes', Note, {
        actions: { archive: endpoint('POST', 'archive', { response: Note }) },
      }),
    },
    endpoints: {
      pinned: endpoint('PUT', 'pinned', { body: z.object({ text: z.string() }), response: Note }),
      raw: endpoint('GET', 'raw', { response: z.object({ count: z.int() }) }),
      latest: endpoint('GET', 'latest', { response: z.array(Note) }),
    },
  });
  const mock = createMock(api, { generate: { notes: 2 }, baseUrl: 'https://api.test/site' });
  const options = { baseUrl: 'https://api.test/site', auth, fetch: mock.fetch, retry: false } as const;
  const { pinned, raw, latest, notes } = createClient(options).api(api);
  expect((await notes.archive(2)).id).toBe(2);
  expect((await pinned({ body: { text: 'x' } })).text).toBe(mock.state.row('notes', 1)?.text);
  expect(typeof (await raw()).count).toBe('number');
  expect(mock.requests.map(({ path }) => path)).toEqual([
    '/site/api/notes/2/archive/',
    '/site/api/pinned/',
    '/site/api/raw/',
  ]);
  await failureOf(notes.archive(9), NotFoundError);
  expect(await latest()).toBeInstanceOf(Array);
  const error = await failureOf(pinned({ body: { text: 5 as unknown as string } }), BadRequestError);
  expect(error.status).toBe(400);
});

describe('the `self` of a resource that no collection has', () => {
  const Profile = resource({ name: z.string() });
  const api = defineApi({
    name: 'profiles',
    version: 1,
    auth: 'basic',
    collections: { profiles: collection('profiles', Profile, { operations: ['list'] }) },
    endpoints: {
      profile: endpoint('GET', 'users/:user/profile', { response: Profile, fields: true }),
      own: endpoint('GET', 'profile', { response: z.nullable(Profile) }),
      rename: endpoint('POST', 'profile', { response: Profile }),
    },
  });
  const profilesOf = (options: MockOptions<typeof api> = {}) =>
    createClient({ baseUrl, auth, fetch: createMock(api, options).fetch }).api(api);

  test('is the URL of the GET that returns it (§2.1)', async () => {
    const { profile, own } = profilesOf();
    const url = `${baseUrl}/v1/users/a%2Fb/profile`;
    expect((await profile({ user: 'a/b', fields: ['name'] })).self).toBe(url);
    expect((await own())?.self).toBe(`${baseUrl}/v1/profile`);
  });

  test('also where a handler returns it, unless it has one of its own', async () => {
    const endpoints = {
      profile: () => ({ id: 1, name: 'Ada' }),
      own: () => ({ id: 1, name: 'Ada', self: `${baseUrl}/v1/people/1` }),
    };
    const { profile, own } = profilesOf({ endpoints });
    expect((await profile({ user: 'ada' })).self).toBe(`${baseUrl}/v1/users/ada/profile`);
    expect((await own())?.self).toBe(`${baseUrl}/v1/people/1`);
  });

  test('is a URN where nothing returns it', async () => {
    expect((await profilesOf().rename()).self).toMatch(/^urn:rename:/);
  });

  test('stands beside an id that is an integer, as those of rows are', async () => {
    const users = Array.from({ length: 20 }, (_, user) => ({ user }));
    const { profile } = profilesOf();
    const ids = await Promise.all(users.map(async (user) => (await profile(user)).id));
    expect(ids.every(Number.isInteger)).toBe(true);
  });
});

describe('the methods of a path that several declarations share', () => {
  const shared = defineApi({
    name: 'shared',
    version: 1,
    auth: 'basic',
    collections: { orders: collection('orders', Order, { operations: ['list', 'get'] }) },
    endpoints: {
      replaceAll: endpoint('PUT', 'orders'),
      archive: endpoint('POST', 'orders/archive'),
      file: endpoint('GET', 'files/:id', { as: 'text' }),
      removeFile: endpoint('DELETE', 'files/:fileId'),
    },
  });
  const mock = createMock(shared);

  test.each([
    ['orders', 'a collection and an endpoint', 'GET, OPTIONS, PUT'],
    ['orders/archive', 'a resource and an endpoint', 'GET, OPTIONS, POST'],
    ['orders/7', 'a resource alone', 'GET, OPTIONS'],
    ['files/7', 'two endpoints whose parameters have different names', 'DELETE, GET, OPTIONS'],
  ])(
    '%s, %s: OPTIONS needs credentials (§7.1), and lists with 405 the methods of both',
    async (path, _, methods) => {
      const anonymous = await mock.fetch(`${baseUrl}/v1/${path}`, { method: 'OPTIONS' });
      expect([anonymous.status, anonymous.headers.has('accept')]).toEqual([401, false]);
      const sorted = (listed: string | null) => listed?.split(', ').toSorted().join(', ');
      const options = await send(mock, 'OPTIONS', path);
      expect(sorted(options.headers.get('accept'))).toBe(methods);
      const refused = await send(mock, 'PATCH', path, {});
      expect(refused.status).toBe(405);
      expect(sorted(refused.headers.get('allow'))).toBe(methods);
    },
  );

  test('the message of a 405 names them', async () => {
    const refused = await send(mock, 'PATCH', 'orders/7', {});
    const message = 'PATCH is not supported here; this path takes GET, OPTIONS';
    expect(await refused.json()).toMatchObject({ message });
  });
});
