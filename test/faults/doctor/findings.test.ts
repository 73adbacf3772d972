import { collection, defineApi, resource } from 'restkin';
import { type Diagnosis, diagnose } from 'restkin/doctor';
import { createMock, serve } from 'restkin/mocks';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { examineBroken, login } from './server.ts';

const findingOf = ({ findings }: Diagnosis, rule: string, where: string) =>
  findings.find((finding) => finding.rule === rule && finding.where === where);

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
