import { collection, resource } from 'restkin';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { examineBroken, examineNotes, findingOf } from './server.ts';

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

test('nothing is sorted by the fields of a list, also of one that may be missing', async () => {
  const Note = resource({ lines: z.optional(z.array(z.object({ sku: z.string() }))) });
  const rows = [1, 2, 3].map((id) => ({ id, lines: [{ sku: `b${id}` }, { sku: `a${id}` }] }));
  const diagnosis = await examineNotes(collection('notes', Note, { sort: true }), rows);
  const sorts = diagnosis.mock.requests.flatMap(({ url }) => new URL(url).searchParams.getAll('sort'));
  expect(findingOf(diagnosis, '§4.4 sort')).toMatchObject({ outcome: 'pass' });
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
