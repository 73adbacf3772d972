import {
  collection,
  defineApi,
  endpoint,
  expandable,
  InvalidRequestError,
  type Resource,
  resource,
} from 'restkin';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { connect } from '../../support/connect.ts';

const isoDate = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});
const Event = resource({ at: isoDate, title: z.string(), ends: z.optional(isoDate) });
const calendar = defineApi({
  name: 'calendar',
  version: 1,
  auth: 'basic',
  collections: {
    events: collection('events', Event, {
      fields: true,
      paging: true,
      bulk: { maxItems: 2 },
      params: z.object({ since: z.optional(isoDate) }),
      actions: { move: endpoint('POST', 'move', { body: z.object({ to: isoDate }) }) },
    }),
    notes: collection('notes', resource({ text: z.string() }), {
      bodies: {
        create: z.object({ text: z.string(), remindAt: z.optional(isoDate) }),
        update: z.object({ remindAt: z.nullable(isoDate) }),
      },
    }),
  },
});

const at = new Date('2026-01-02T03:04:05.000Z');
const text = at.toISOString();
const self = 'https://api.test/v1/events/1';
const wire = { id: 1, self, title: 'a', at: text };

test('a codec is decoded in a resource, in a list and in the response to a POST', async () => {
  const { api } = connect(calendar, (request) =>
    request.url.endsWith('/events') && request.method === 'GET' ? [wire] : wire,
  );
  expect((await api.events.get(1)).at).toEqual(at);
  expect((await api.events.get(1, { fields: ['at'] })).at).toEqual(at);
  expect((await api.events.list()).items[0]?.at).toEqual(at);
  const created = await api.events.create({ at, title: 'a' });
  expect(created).toMatchObject({ at });
});

test('a codec is encoded in the bodies of create, replace, update and createMany', async () => {
  const { api, bodies } = connect(calendar, ({ body }) => (Array.isArray(body) ? [] : wire));
  await api.events.create({ at, title: 'a', ends: at });
  await api.events.replace(1, { at, title: 'b' });
  await api.events.update(1, { ends: at });
  await api.events.createMany([{ at, title: 'c' }]).catch(() => undefined);
  expect(bodies()).toEqual([
    { at: text, title: 'a', ends: text },
    { at: text, title: 'b' },
    { ends: text },
    [{ at: text, title: 'c' }],
  ]);
});

test('a value that its codec cannot encode is refused before anything is sent', async () => {
  const { api, bodies } = connect(calendar, () => wire);
  const wrong = new Date(Number.NaN);
  const refused = api.events.create({ at: wrong, title: 'a' });
  await expect(refused).rejects.toThrow(InvalidRequestError);
  await expect(refused).rejects.toThrow(
    'events.create: body.at cannot be encoded; pass what its codec decodes to: a valid date',
  );
  await expect(api.events.update(1, { at: wrong })).rejects.toThrow(
    'events.update: body.at cannot be encoded',
  );
  await expect(
    api.events.createMany([
      { at, title: 'a' },
      { at: wrong, title: 'b' },
    ]),
  ).rejects.toThrow('events.createMany: items.1.at cannot be encoded');
  await expect(api.events.list({ params: { since: wrong } })).rejects.toThrow(
    '"events": params.since cannot be encoded',
  );
  await expect(api.events.move(1, { to: wrong })).rejects.toThrow('events.move: body.to cannot be encoded');
  expect(bodies()).toEqual([]);
});

test("a declaration's own bodies are encoded by their own schemas", async () => {
  const note = { id: 1, self: 'https://api.test/v1/notes/1', text: 'a' };
  const { api, bodies } = connect(calendar, () => note);
  await api.notes.create({ text: 'a', remindAt: at });
  await api.notes.update(1, { remindAt: null });
  await api.notes.update(1, { remindAt: at });
  await api.notes.replace(1, { text: 'b' });
  expect(bodies()).toEqual([
    { text: 'a', remindAt: text },
    { remindAt: null },
    { remindAt: text },
    { text: 'b' },
  ]);
});

test('a codec is encoded in the parameters of a list, and its default too', async () => {
  const day = z.codec(z.string(), z.int(), {
    decode: (text) => Number(text.slice(1)),
    encode: (value) => `d${value}`,
  });
  const search = collection('search', Event, {
    params: z.object({ after: isoDate, day, until: z._default(day, 9) }),
  });
  const api = defineApi({ name: 'calendar', version: 1, auth: 'basic', collections: { search } });
  const urls: string[] = [];
  const { api: client } = connect(api, ({ url }) => {
    urls.push(url);
    return [];
  });
  await client.search.list({ params: { after: at, day: 7 } });
  const query = new URL(urls[0] ?? '').searchParams;
  expect(Object.fromEntries(query)).toEqual({ after: text, day: 'd7', until: 'd9' });
  // The builder shows what its list sends.
  expect(client.search.query().params({ after: at, day: 7 }).toString()).toBe(query.toString());
});

test.each<[string, z.ZodType]>([
  ['codec', z.codec(z.string(), z.date(), { decode: async (written) => new Date(written), encode: String })],
  ['refinement', z.string().refine(async () => Promise.reject(new Error('the check is down')))],
])('an asynchronous %s is refused', async (_kind, at) => {
  const visits = defineApi({
    name: 'visits',
    version: 1,
    auth: 'basic',
    collections: {
      visits: collection('visits', resource({ at }), { params: z.object({ at: z.optional(at) }) }),
    },
  });
  const { api } = connect(visits, ({ url }) => (url.includes('/visits/') ? wire : [wire]));
  for (const call of [
    () => api.visits.get(1),
    () => api.visits.list(),
    () => api.visits.list({ params: { at: text } as never }),
  ]) {
    await expect(call()).rejects.toBeInstanceOf(InvalidRequestError);
  }
});

test('a resource that contains itself is read, and the codecs of an expanded one decode', async () => {
  const Folder: Resource = resource({
    get parent(): z.ZodOptional<Resource> {
      return z.optional(Folder);
    },
  });
  const Node = resource({ folder: Folder, room: expandable(resource({ since: isoDate })) });
  const nodes = collection('nodes', Node, { expand: ['room'] });
  const tree = defineApi({ name: 'tree', version: 1, auth: 'basic', collections: { nodes } });
  const folder = { id: 2, self, parent: { id: 3, self } };
  const { api } = connect(tree, () => ({ id: 1, self, folder, room: { id: 5, self, since: text } }));
  const read = await api.nodes.get(1, { expand: ['room'] });
  expect(read).toMatchObject({ folder, room: { since: at } });
});
