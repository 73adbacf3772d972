import { type Collection, collection, defineApi, expandable, resource } from 'restkin';
import { diagnose } from 'restkin/doctor';
import { createMock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { type Break, breakServer, examineBroken, examineNotes, findingOf, login, reach } from './server.ts';

test('a body that is only for POST is not sent by PUT', async () => {
  const Note = resource({ title: z.string(), text: z.string() });
  const notes = collection('notes', Note, { bodies: { create: z.object({ title: z.string() }) } });
  const diagnosis = await examineNotes(notes, [{ title: 'a', text: 'b' }], undefined, { allowWrites: true });
  expect(findingOf(diagnosis, '§4.2 PUT')).toMatchObject({
    outcome: 'cannotTell',
    reason: 'POST has a body of its own',
  });
  expect(diagnosis.counts.fail).toBe(0);
});

test('a field that the server takes from the path is not left out of a body', async () => {
  const Shop = resource({ name: z.string() });
  const Note = resource({ title: z.string(), shop: expandable(Shop) });
  const collections = { shops: collection('shops', Shop), notes: collection('shops/:shopId/notes', Note) };
  const api = defineApi({ name: 'shops', version: 1, auth: 'custom', collections });
  const { fetch } = createMock(api, { generate: { shops: 2, notes: 6 } });
  const options = { baseUrl: 'https://shops.test', fetch, headers: { 'x-api-key': 'k' }, allowWrites: true };
  expect(findingOf(await diagnose(api, options), '§7.2.3', 'notes')).toMatchObject({
    outcome: 'cannotTell',
    reason: 'no field of a body is required',
  });
});

test('nothing is sorted by the fields of a list, also of one that may be missing', async () => {
  const Note = resource({ lines: z.optional(z.array(z.object({ sku: z.string() }))) });
  const rows = [1, 2, 3].map((id) => ({ id, lines: [{ sku: `b${id}` }, { sku: `a${id}` }] }));
  const diagnosis = await examineNotes(collection('notes', Note, { sort: true }), rows);
  const sorts = diagnosis.mock.requests.flatMap(({ url }) => new URL(url).searchParams.getAll('sort'));
  expect(findingOf(diagnosis, '§4.4 sort')).toMatchObject({ outcome: 'pass' });
  expect(sorts).toEqual(['id', '-id', 'restkinDoctorNone']);
});

test('timestamps that cannot be read are no wrong order', async () => {
  const notes = collection('notes', resource({ at: z.iso.datetime() }), { sort: true });
  const rows = [1, 2, 3].map((day) => ({ at: `2026-01-0${day}T00:00:00Z` }));
  const diagnosis = await examineNotes(notes, rows, async (seen, next) => {
    const reply = await next(seen);
    return { ...reply, body: reply.body.replaceAll(/2026-01-0(\d)T00:00:00Z/g, '2026-W0$1') };
  });
  expect(findingOf(diagnosis, '§2.1 timestamps')?.outcome).toBe('fail');
  expect(findingOf(diagnosis, '§4.4 sort')?.outcome).toBe('pass');
});

test('a server with another status for an unknown id fails that rule alone, not DELETE too', async () => {
  const { findings } = await examineBroken(
    async (seen, next) => {
      const reply = await next(seen);
      return seen.method === 'GET' && reply.status === 404 ? { ...reply, status: 400 } : reply;
    },
    { allowWrites: true },
  );
  const failed = findings.filter(({ outcome }) => outcome === 'fail').map(({ rule }) => rule);
  expect([...new Set(failed)]).toEqual(['§7.1 404']);
});

test.each([
  ['no value', { title: undefined }, 'no `title` (0.title)'],
  ['null', { title: null }, '`title` of the type null that does not fit (0.title)'],
  ['another type', { title: 5 }, '`title` of the type number that does not fit (0.title)'],
])('a field with %s is described by its path, where it is, and its type', async (_, changed, found) => {
  const notes = collection('notes', resource({ title: z.string() }));
  const diagnosis = await examineNotes(notes, [{ title: 'a' }], async (seen, next) => {
    const reply = await next(seen);
    if (seen.method !== 'GET' || reply.status !== 200) return reply;
    const change = (row: object) => ({ ...row, ...changed });
    return { ...reply, body: JSON.stringify(JSON.parse(reply.body).map(change)) };
  });
  const expected = 'data that fits the declaration';
  expect(findingOf(diagnosis, '§2.1 specific fields')).toMatchObject({ expected, found });
});

test('a reason shows no id that may be an address', async () => {
  const notes = collection('notes', resource({ id: z.string(), title: z.string() }));
  const diagnosis = await examineNotes(
    notes,
    [{ id: '1', title: 'a' }],
    async (seen, next) => {
      const url = new URL(seen.url);
      url.pathname = url.pathname.replace('ada%40example.com', '2');
      const reply = await next({ ...seen, url });
      if (seen.method === 'POST') return { ...reply, body: reply.body.replace('"2"', '"ada@example.com"') };
      const isOfOne = seen.method === 'GET' && seen.url.pathname.endsWith('%40example.com');
      return isOfOne && reply.status === 200 ? { ...reply, body: `[${reply.body}]` } : reply;
    },
    { allowWrites: true },
  );
  const reason = 'the response to GET http://127.0.0.1:9/v1/notes/*** is not a resource';
  expect(findingOf(diagnosis, '§4.2 PATCH')).toMatchObject({ outcome: 'cannotTell', reason });
});

const dropSelves: Break = async (seen, next) => {
  const reply = await next(seen);
  if (seen.method !== 'GET' || reply.status !== 200) return reply;
  return { ...reply, body: reply.body.replaceAll(/"self":"[^"]*",?/g, '').replaceAll(',}', '}') };
};

test('no `self` is no failure where the declaration makes it optional, also of a reference', async () => {
  const self = z.optional(z.string());
  const Shop = resource({ self, name: z.string() });
  const Note = resource({ self, title: z.string(), shop: expandable(Shop) });
  const collections = { shops: collection('shops', Shop), notes: collection('notes', Note) };
  const api = defineApi({ name: 'shops', version: 1, auth: 'token', collections });
  const { respond } = createMock(api, { users: [login], generate: { shops: 2, notes: 6 } });
  const diagnosis = await diagnose(api, reach(breakServer(respond, dropSelves)));
  expect(findingOf(diagnosis, '§2.1 self')).toMatchObject({
    outcome: 'notDeclared',
    reason: '`self` is optional in the declaration, and no resource has one',
  });
  expect(findingOf(diagnosis, '§2.1 nested resource')).toMatchObject({ outcome: 'pass' });
  expect(diagnosis).toMatchObject({ works: true, counts: { fail: 0 } });
});

test('`fields` without a `self` is no failure where the declaration makes it optional', async () => {
  const limitSelf: Break = async (seen, next) =>
    seen.url.searchParams.has('fields') ? dropSelves(seen, next) : next(seen);
  const outcomeOf = async (notes: Collection) => {
    const diagnosis = await examineNotes(notes, [{ title: 'a' }], limitSelf);
    return findingOf(diagnosis, '§4.4 fields')?.outcome;
  };
  const Open = resource({ self: z.optional(z.string()), title: z.string() });
  expect(await outcomeOf(collection('notes', Open, { fields: true }))).toBe('pass');
  const Note = resource({ title: z.string() });
  expect(await outcomeOf(collection('notes', Note, { fields: true }))).toBe('fail');
});

test('no `self` is fatal where the declaration requires it, also if it cannot be fetched', async () => {
  const Note = resource({ self: z.string(), title: z.string() });
  const notes = collection('notes', Note, { operations: ['list'] });
  const rows = [{ title: 'a', self: 'https://notes.test/1' }];
  const diagnosis = await examineNotes(notes, rows, dropSelves);
  expect(findingOf(diagnosis, '§2.1 self')).toMatchObject({ outcome: 'fail', isFatal: true });
});

test('links with `http:` behind a proxy that ends TLS are followed as the client follows them', async () => {
  const Note = resource({ title: z.string() });
  const notes = collection('notes', Note, { paging: true });
  const api = defineApi({ name: 'notes', version: 1, auth: 'custom', collections: { notes } });
  const authorize = ({ headers }: Request) => headers.has('x-api-key');
  const mock = createMock(api, { generate: { notes: 30 }, authorize });
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await mock.fetch(input, init);
    const toPlain = (written: string) => written.replaceAll('https:', 'http:');
    const headers = [...response.headers].map(([name, value]): [string, string] => [name, toPlain(value)]);
    const body = toPlain(await response.text());
    return new Response(body === '' ? null : body, { status: response.status, headers });
  };
  const options = { baseUrl: 'https://notes.test', fetch, headers: { 'x-api-key': 'k' }, allowWrites: true };
  const { findings } = await diagnose(api, options);
  expect(findings.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
});

test('a login at another path than that of the conventions is not called theirs', async () => {
  const diagnosis = await examineBroken((seen, next) => next(seen), { tokenPath: 'oauth/token' });
  expect(findingOf(diagnosis, '§4.1 method and path', 'token endpoint')).toMatchObject({
    outcome: 'fail',
    expected: '200 for a login with a password',
    found: '404',
    exchange: { request: expect.stringContaining('/oauth/token') },
  });
});
