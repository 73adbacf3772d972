// Collections of one API whose families differ in where they have records: `{ droplets: [...] }` beside
// `{ images: [...] }`. The client against a server that was written for the test, the mock, the doctor and the
// OpenAPI document.
import { type ApiDeclaration, createClient, customAuth, endpoint, family } from 'restkin';
import { diagnose } from 'restkin/doctor';
import type { Family } from 'restkin/families';
import { createMock } from 'restkin/mocks';
import { toOpenApi } from 'restkin/openapi';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { json, record } from '../../support/recording-server.ts';

/** As DigitalOcean has it. */
const shared = {
  path: 'v{version}',
  query: { page: 'page', perPage: 'per_page' },
  identity: ['id'],
  written: 'resource',
  created: [201],
} as const satisfies Family;

const listAt = <const Path extends string>(items: Path) =>
  ({
    items,
    next: { body: 'links.pages.next', optional: true },
    totalCount: { body: 'meta.total' },
  }) as const;

const clouds = family({ ...shared, list: listAt('droplets'), item: 'droplet', body: 'droplet' });
const { defineApi, resource } = clouds;
const Droplet = resource({ name: z.string() });
const Image = resource({ id: z.string(), slug: z.string() });
const droplets = clouds.collection('droplets', Droplet, {
  paging: true,
  actions: { reboot: endpoint('POST', 'reboot', { response: Droplet }) },
});
const images = family({ ...shared, list: listAt('images'), item: 'image', body: 'image' }).collection(
  'images',
  Image,
  { paging: true },
);
const api = defineApi({ name: 'cloud', version: 2, auth: 'custom', collections: { droplets, images } });
const headers = { 'x-api-key': 'k-12345678' };
const auth = customAuth(() => headers);

test('the client reads and writes each where its family has it', async () => {
  const droplet = { id: 7, name: 'web' };
  const image = { id: 'i1', slug: 'debian' };
  await using server = await record(({ url, headers: { host } }) => {
    if (url.includes('images')) return json({ images: [image], links: {}, meta: { total: 1 } });
    if (!url.includes('?')) return json({ droplet }, url.endsWith('droplets') ? 201 : 200);
    const isLast = url.includes('page=2');
    const pages = isLast ? {} : { next: `http://${host}/v2/droplets?page=2&per_page=1` };
    return json({ droplets: [{ ...droplet, id: isLast ? 8 : 7 }], links: { pages }, meta: { total: 2 } });
  });
  const cloud = createClient({ baseUrl: server.url, auth, retry: false }).api(api);
  expect(await cloud.images.list().toArray()).toEqual([image]);
  expect(await cloud.droplets.list({ perPage: 1 }).toArray()).toEqual([droplet, { ...droplet, id: 8 }]);
  expect(await cloud.droplets.get(7)).toEqual(droplet);
  expect(await cloud.droplets.create({ name: 'web' })).toEqual(droplet);
  expect(await cloud.droplets.reboot(7)).toEqual(droplet);
  const sent = server.requests.map(({ method, url, body }) => `${method} ${url} ${body}`.trim());
  expect(sent).toEqual([
    'GET /v2/images',
    'GET /v2/droplets?per_page=1',
    'GET /v2/droplets?page=2&per_page=1',
    'GET /v2/droplets/7',
    'POST /v2/droplets {"droplet":{"name":"web"}}',
    'POST /v2/droplets/7/reboot',
  ]);
});

test('client and mock agree, and the doctor is satisfied', async () => {
  const mock = createMock(api, { generate: { droplets: 30, images: 12 } });
  const cloud = createClient({ baseUrl: 'https://cloud.test', auth, fetch: mock.fetch }).api(api);
  expect(await cloud.droplets.list({ perPage: 7 }).toArray()).toHaveLength(30);
  expect(await cloud.images.list({ perPage: 5 }).toArray()).toHaveLength(12);
  const made = await cloud.droplets.create({ name: 'web' });
  expect(await cloud.droplets.update(made.id, { name: 'db' })).toEqual({ id: made.id, name: 'db' });
  expect((await cloud.droplets.reboot(made.id)).name).toBe('db');
  const raw = await mock.fetch('https://cloud.test/v2/images?per_page=1', { headers });
  expect(await raw.json()).toMatchObject({ images: [{}], meta: { total: 12 } });
  const { findings } = await diagnose(api, {
    baseUrl: 'https://cloud.test',
    fetch: mock.fetch,
    headers,
    allowWrites: true,
  });
  expect(findings.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
  expect(findings.filter(({ outcome }) => outcome === 'pass').length).toBeGreaterThan(10);
});

test('one list may be continued by cursors, and another by numbers', async () => {
  const byCursor = family({
    ...shared,
    query: { perPage: 'limit' },
    list: { items: 'events', next: { body: 'after', parameter: 'after' } },
  });
  const Event = byCursor.resource({ kind: z.string() });
  const byNumber = family({ ...shared, list: { next: 'number', totalCount: { header: 'X-Total' } } });
  const events = byCursor.collection('events', Event, { paging: { totals: false } });
  const regions = byNumber.collection('regions', byNumber.resource({ name: z.string() }), { paging: true });
  const mixed = defineApi({
    name: 'mixed',
    version: 2,
    auth: 'custom',
    collections: { droplets, events, regions },
  });
  const mock = createMock(mixed, { generate: { droplets: 9, events: 23, regions: 31 } });
  const client = createClient({ baseUrl: 'https://cloud.test', auth, fetch: mock.fetch }).api(mixed);
  expect(await client.events.list({ perPage: 4 }).toArray()).toHaveLength(23);
  expect(await client.regions.list({ perPage: 4, page: 1 }).toArray()).toHaveLength(31);
  expect(await client.droplets.list({ perPage: 4 }).toArray()).toHaveLength(9);
  const [first, second] = mock.requests.filter(({ url }) => url.includes('events'));
  expect(first?.url).toMatch(/\/v2\/events\?limit=4$/);
  expect(second?.url).toMatch(/\/v2\/events\?limit=4&after=/);
  const { findings } = await diagnose(mixed, { baseUrl: 'https://cloud.test', fetch: mock.fetch, headers });
  expect(findings.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
});

test('the OpenAPI document has each where its family has it', () => {
  const securitySchemes = { custom: { type: 'apiKey', in: 'header', name: 'x-api-key' } } as const;
  const document = JSON.parse(JSON.stringify(toOpenApi(api as ApiDeclaration, { securitySchemes })));
  const schemaOf = (path: string, method: string, status: number): object =>
    document.paths[path][method].responses[status].content['application/json'].schema.properties;
  expect(Object.keys(schemaOf('/v2/droplets', 'get', 200))).toContain('droplets');
  expect(Object.keys(schemaOf('/v2/images', 'get', 200))).toContain('images');
  expect(Object.keys(schemaOf('/v2/images', 'post', 201))).toEqual(['image']);
  expect(Object.keys(schemaOf('/v2/droplets/{id}/reboot', 'post', 201))).toEqual(['droplet']);
});

test('an action has the names of its collection for what it selects, in the client and in OpenAPI', async () => {
  const selecting = (fields: string) =>
    family({ ...shared, query: { ...shared.query, fields }, list: listAt('plans') });
  const { resource: define, collection } = selecting('select');
  const Plan = define({ name: z.string() });
  const newest = endpoint('GET', 'newest', { response: Plan, fields: true });
  const plans = collection('plans', Plan, { actions: { newest } });
  const mixed = selecting('only').defineApi({
    name: 'cloud',
    version: 2,
    auth: 'custom',
    collections: { plans },
  });
  await using server = await record(() => json({ id: 7, name: 'basic' }));
  const cloud = createClient({ baseUrl: server.url, auth, retry: false }).api(mixed);
  await cloud.plans.newest(7, { fields: ['name'] });
  expect(server.requests.map(({ url }) => url)).toEqual(['/v2/plans/7/newest?select=name']);
  const securitySchemes = { custom: { type: 'apiKey', in: 'header', name: 'x-api-key' } } as const;
  const { paths } = toOpenApi(mixed as ApiDeclaration, { securitySchemes });
  const names = paths['/v2/plans/{id}/newest']?.get?.parameters?.map(({ name }) => name);
  expect(names).toContain('select');
});

test('families of one API that differ in a part of the API are refused', () => {
  const other = family({ ...shared, list: listAt('images'), trailingSlash: true });
  const collections = { droplets, images: other.collection('images', Image) };
  expect(() => defineApi({ name: 'cloud', version: 2, auth: 'custom', collections })).toThrow(
    'and its API with "unnamed", which has another `trailingSlash`; take collection and defineApi of one',
  );
});
