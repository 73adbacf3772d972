import { collection, defineApi, expandable, resource } from 'restkin';
import { type Diagnosis, diagnose } from 'restkin/doctor';
import { createMock, serve } from 'restkin/mocks';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { breakServer, examineBroken, login } from './server.ts';
import { shop } from './shop.ts';

const findingOf = ({ findings }: Diagnosis, rule: string, where: string) =>
  findings.find((finding) => finding.rule === rule && finding.where === where);

test('no rule of the token endpoint is declared for an API that takes Basic', async () => {
  const basic = defineApi({ ...shop, auth: 'basic' });
  const server = await serve(createMock(basic, { users: [login], generate: 12 }));
  const { findings } = await diagnose(basic, { baseUrl: server.url, ...login });
  await server.close();
  const ofTokens = findings.filter(({ where }) => where === 'token endpoint');
  expect(ofTokens.length).toBeGreaterThan(10);
  expect(new Set(ofTokens.map(({ outcome }) => outcome))).toEqual(new Set(['notDeclared']));
});

test('a resource that is null cannot be patched, and the diagnosis continues', async () => {
  const diagnosis = await examineBroken(
    async (seen, next) => {
      const reply = await next(seen);
      const isNew = seen.method === 'GET' && seen.url.pathname === '/v1/orders/41';
      return isNew && reply.status === 200 ? { ...reply, body: 'null' } : reply;
    },
    { allowWrites: true },
  );
  expect(findingOf(diagnosis, '§4.2 PATCH', 'orders')).toMatchObject({ outcome: 'cannotTell' });
  expect(diagnosis.leftBehind).toEqual([]);
});

test('a body that is only for POST is not sent by PUT', async () => {
  const Note = resource({ title: z.string(), text: z.string() });
  const api = defineApi({
    name: 'notes',
    version: 1,
    auth: 'token',
    collections: {
      notes: collection('notes', Note, { bodies: { create: z.object({ title: z.string() }) } }),
    },
  });
  const mock = createMock(api, { users: [login], data: { notes: [{ id: 1, title: 'a', text: 'b' }] } });
  const server = await serve(mock);
  const options = { baseUrl: server.url, authUrl: server.url, ...login, allowWrites: true };
  const diagnosis = await diagnose(api, options);
  await server.close();
  expect(findingOf(diagnosis, '§4.2 PUT', 'notes')).toMatchObject({
    outcome: 'cannotTell',
    reason: 'POST has a body of its own',
  });
  expect(diagnosis.counts.fail).toBe(0);
});

test('nothing is sorted by the fields of a list, also of one that may be missing', async () => {
  const Note = resource({ lines: z.optional(z.array(z.object({ sku: z.string() }))) });
  const api = defineApi({
    name: 'notes',
    version: 1,
    auth: 'token',
    collections: { notes: collection('notes', Note, { sort: true }) },
  });
  const notes = [1, 2, 3].map((id) => ({ id, lines: [{ sku: `b${id}` }, { sku: `a${id}` }] }));
  const mock = createMock(api, { users: [login], data: { notes } });
  const server = await serve(mock);
  const diagnosis = await diagnose(api, { baseUrl: server.url, authUrl: server.url, ...login });
  await server.close();
  const sorts = mock.requests.flatMap(({ url }) => new URL(url).searchParams.getAll('sort'));
  expect(findingOf(diagnosis, '§4.4 sort', 'notes')).toMatchObject({ outcome: 'pass' });
  expect(sorts).toEqual(['id', '-id', 'restkinDoctorNone']);
});

test('an id that no path can have is not put into one', async () => {
  const Note = resource({ text: z.string() });
  const api = defineApi({
    name: 'notes',
    version: 1,
    auth: 'token',
    collections: {
      books: collection('books', Note),
      notes: collection('books/:bookId/notes', Note),
    },
  });
  const mock = createMock(api, { users: [login], data: { books: [{ id: 1, text: 'a' }], notes: [] } });
  const respond = breakServer(mock.respond, async (seen, next) => {
    const reply = await next(seen);
    return { ...reply, body: reply.body.replace('"id":1', '"id":".."') };
  });
  const server = await serve({ respond });
  const diagnosis = await diagnose(api, { baseUrl: server.url, authUrl: server.url, ...login });
  await server.close();
  expect(findingOf(diagnosis, '§4.2 GET', 'notes')).toMatchObject({
    outcome: 'cannotTell',
    reason: 'no value is known for the parameters of books/:bookId/notes',
  });
});

const nested = (() => {
  const Country = resource({ code: z.string() });
  const Company = resource({ name: z.string(), country: expandable(Country) });
  return defineApi({
    name: 'nested',
    version: 1,
    auth: 'token',
    collections: {
      orders: collection('orders', resource({ note: z.string(), company: expandable(Company) }), {
        expand: ['company.country', 'company'],
      }),
      companies: collection('companies', Company),
      countries: collection('countries', Country),
    },
  });
})();

test.each([
  ['both names', (names: string | null) => names, 'pass'],
  ['only the first name', (names: string | null) => names?.split(',')[0], 'fail'],
])('a dotted name is one of several to expand: a server that expands %s', async (_, expandOnly, outcome) => {
  const mock = createMock(nested, { users: [login], generate: 6 });
  const server = await serve({
    respond: breakServer(mock.respond, (seen, next) => {
      const names = expandOnly(seen.url.searchParams.get('expand'));
      if (typeof names === 'string') seen.url.searchParams.set('expand', names);
      return next(seen);
    }),
  });
  const diagnosis = await diagnose(nested, { baseUrl: server.url, authUrl: server.url, ...login });
  await server.close();
  expect(findingOf(diagnosis, '§4.4 expand of several', 'orders')).toMatchObject({ outcome });
  expect(findingOf(diagnosis, '§4.4 expand', 'orders')).toMatchObject({ outcome: 'pass' });
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
