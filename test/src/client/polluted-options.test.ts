import {
  basicAuth,
  collection,
  createClient,
  defineApi,
  type Fetch,
  isNotModified,
  resource,
  tokenAuth,
  waitFor,
} from 'restkin';
import { createMock } from 'restkin/mocks';
import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod';

const baseUrl = 'https://api.test';
const prototype = Object.prototype as Record<string, unknown>;

/** What another package could have left on `Object.prototype`, by the option that it would be taken for. */
const polluted: Readonly<Record<string, unknown>> = {
  headers: { 'x-polluted': '1' },
  sort: ['polluted'],
  fields: ['polluted'],
  expand: ['polluted'],
  page: 99,
  perPage: 99,
  params: { polluted: 'yes' },
  limit: 1,
  maxPages: 1,
  concurrency: 0.5,
  from: '/v1/polluted',
  onPage: 5,
  ifNoneMatch: '"polluted"',
  modifiedSince: new Date(0),
  timeoutMs: -1,
  deadlineMs: -1,
  retry: { attempts: -1 },
  operations: [],
  accepts: ['create'],
  paging: { maxPerPage: 1 },
  bulk: { maxItems: 1 },
  maxItems: 1,
  bodies: {},
  references: {},
  validation: 'polluted',
  on: 5,
  request: 5,
  allowInsecure: true,
  fetch: () => Promise.reject(new Error('polluted')),
  tokens: { accessToken: 'polluted' },
  credentials: () => ({ username: 'polluted', password: 'polluted' }),
  store: {},
  events: {},
  open: {},
  first: {},
  before: {},
  target: {},
  leaseMs: -1,
  readAs: 'bytes',
  user: 'polluted',
  mayBeMissing: true,
  query: { polluted: 'yes' },
  contentType: 'polluted/polluted',
  type: 'polluted/polluted',
  accept: 'polluted/polluted',
  schema: z.never(),
  api: 5,
  everyMs: -1,
  seed: 'polluted',
  accepted: true,
  generate: 5,
};

afterEach(() => {
  for (const name of [...Object.keys(polluted), 'body']) delete prototype[name];
});

const tokenAnswer = {
  access_token: 'a.b.c',
  token_type: 'bearer',
  expires_in: 600,
  refresh_token: 'd.e.f',
  refresh_expires_in: 2_592_000,
};

const Thing = resource({ name: z.string() });

/** Everything that takes options, each of them left out: what was sent, and what came of it. */
const use = async () => {
  const things = defineApi({
    name: 'things',
    version: 1,
    auth: ['token', 'basic'],
    collections: {
      things: collection('things', Thing, {
        paging: true,
        sort: true,
        bulk: {},
        params: z.object({ name: z.optional(z.string()) }),
      }),
    },
  });
  const data = { things: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] };
  const mock = createMock(things, { data, defaultPerPage: 2 });
  const login = { username: 'ada', password: 'lovelace' };
  const results: unknown[] = [];
  for (const auth of [tokenAuth({ authUrl: baseUrl, ...login }), basicAuth(login)]) {
    const client = createClient({ baseUrl, auth, fetch: mock.fetch });
    const api = client.api(things).things;
    const created = await api.create({ name: 'd' }, {});
    results.push(
      created,
      await api.list({}).toArray({}),
      await api.list({ sort: ['name'] }),
      await api.query().sort('name').list({}).first(),
      await api.get(1, {}),
      await api.find(99, {}),
      await api.createMany([{ name: 'e' }, { name: 'f' }], {}),
      await api.replace(1, { name: 'g' }, {}),
      await api.update(1, { name: 'h' }, {}),
      await api.delete(created.id, {}),
      await api.allowedMethods(1, {}),
      await client.follow(Thing, `${baseUrl}/v1/things/1`, {}),
      await client.request({ method: 'GET', path: 'v1/things/1' }),
      await waitFor(
        () => api.get(1),
        () => true,
        {},
      ),
    );
  }
  const sent = mock.requests.map(({ method, path, url, headers, body, status, grant }) => [
    method,
    path,
    [...new URL(url).searchParams],
    [...headers].filter(([name]) => name !== 'authorization'),
    body,
    status,
    grant,
  ]);
  return { sent, results };
};

const clean = await use();

test.each(Object.keys(polluted))('a prototype with %j changes no request and no result', async (name) => {
  prototype[name] = polluted[name];
  const dirty = await use();
  delete prototype[name];
  // zod copies what an object inherits into one that keeps unknown fields: that is in a result, and not its doing.
  const text = (seen: object) => JSON.stringify(seen, (key, value) => (key === name ? undefined : value), 1);
  expect(text(dirty)).toBe(text(clean));
});

test('a prototype with `validation` does not make a wrong response right', async () => {
  const things = defineApi({
    name: 't',
    version: 1,
    auth: 'basic',
    collections: { things: collection('things', Thing) },
  });
  prototype.validation = 'off';
  const fetch = async () => Response.json({ id: 1 });
  const client = createClient({ baseUrl, auth: basicAuth({ username: 'a', password: 'b' }), fetch });
  const failure = client.api(things).things.get(1);
  await expect(failure).rejects.toMatchObject({ code: 'unexpected_response' });
});

test('a prototype with `allowInsecure` does not allow plain http', () => {
  prototype.allowInsecure = true;
  const fetch = vi.fn<typeof globalThis.fetch>();
  expect(() =>
    createClient({ baseUrl: 'http://api.test', auth: basicAuth({ username: 'a', password: 'b' }), fetch }),
  ).toThrow('https:');
});

test('a prototype with `tokens` does not replace a login', async () => {
  const things = defineApi({
    name: 't',
    version: 1,
    auth: 'token',
    collections: { things: collection('things', Thing) },
  });
  prototype.tokens = { accessToken: 'stolen' };
  const mock = createMock(things, {
    users: [{ username: 'ada', password: 'lovelace' }],
    data: { things: [{ name: 'a' }] },
  });
  const auth = tokenAuth({ authUrl: baseUrl, username: 'ada', password: 'lovelace' });
  const found = await createClient({ baseUrl, auth, fetch: mock.fetch }).api(things).things.get(1);
  expect([isNotModified(found), mock.requests.map(({ grant }) => grant)]).toEqual([
    false,
    ['password', undefined],
  ]);
});

test('a prototype with `body` is in no request, nor in a token request', async () => {
  const things = defineApi({
    name: 't',
    version: 1,
    auth: 'token',
    collections: { things: collection('things', Thing) },
  });
  const bodies: unknown[] = [];
  const fetch: Fetch = async (url, init) => {
    bodies.push(init?.body ?? undefined);
    // Node's own Request and Response do not work while it is there.
    delete prototype.body;
    return Response.json(
      String(url).endsWith('/auth/token') ? tokenAnswer : { id: 1, self: `${baseUrl}/x`, name: 'a' },
    );
  };
  const auth = tokenAuth({ authUrl: baseUrl, username: 'ada', password: 'lovelace' });
  const { get, delete: remove } = createClient({ baseUrl, auth, fetch }).api(things).things;
  prototype.body = 'polluted';
  await get(1);
  prototype.body = 'polluted';
  await remove(1);
  expect(bodies).toEqual(['grant_type=password&username=ada&password=lovelace', undefined, undefined]);
});
