import { collection, defineApi, type Events, InvalidRequestError, resource } from 'restkin';
import { expect } from 'vitest';
import * as z from 'zod';
import { check, mockOf } from '../support/conformance.ts';
import { data, shop } from '../support/conformance-data.ts';
import { rowsOf } from '../support/conformance-send.ts';

const people = <const V extends number, const S extends z.core.$ZodLooseShape>(version: V, shape: S) =>
  defineApi({
    name: 'people',
    version,
    auth: 'basic',
    collections: { people: collection('people', resource(shape), { paging: true, sort: true }) },
  });

const first = people(1, { name: z.string() });
const second = people(2, { fullName: z.string() });
const row = { name: 'Ada', fullName: 'Ada Lovelace' };

const filled = mockOf(shop, { data });
const both = mockOf([first, second], { data: { people: [row] } });

check(filled, '§9.1 semantic versions show their major number alone', {
  fetch: async ({ send, url }) => {
    const [row] = rowsOf(await send('/v1/companies'));
    expect(row?.self).toBe(`${url}/v1/companies/1`);
  },
  client: async ({ api, mock, url }) => {
    expect((await api.companies.get(1)).self).toBe(`${url}/v1/companies/1`);
    expect(mock.requests.map(({ path }) => path)).toEqual(['/v1/companies/1']);
    for (const version of [1.5, -1, Number.NaN]) {
      expect(() => defineApi({ ...shop, version })).toThrow(InvalidRequestError);
    }
  },
});

/** What a minor release adds to the first version: a field, a parameter, a collection. */
const minor = defineApi({
  ...first,
  collections: {
    people: collection('people', resource({ name: z.string(), email: z.optional(z.string()) }), {
      paging: true,
      sort: true,
      fields: true,
      params: z.object({ email: z.optional(z.string()) }),
    }),
    teams: collection('teams', resource({ name: z.string() })),
  },
});

const released = mockOf(minor, { data: { people: [{ name: 'Ada', email: 'a@example.com' }], teams: [] } });

check(released, '§9.2 what a minor release adds breaks no request of the release before', {
  fetch: async ({ send }) => {
    const [person] = rowsOf(await send('/v1/people?sort=name&perPage=1'));
    expect(person).toMatchObject({ id: 1, name: 'Ada', email: 'a@example.com' });
    const created = await send('/v1/people', { method: 'POST', body: { name: 'Grace' } });
    expect(created.status).toBe(201);
  },
  client: async ({ client }) => {
    const old = client.api(first);
    const [person] = await old.people.list({ sort: ['name'], perPage: 1 }).toArray();
    expect(person).toMatchObject({ id: 1, name: 'Ada', email: 'a@example.com' });
    expect(await old.people.create({ name: 'Grace' })).toMatchObject({ name: 'Grace' });
  },
});

check(both, '§9.3 a major version is a segment in front of the resource path', {
  fetch: async ({ send, url }) => {
    expect((await send('/v1/people/1')).json).toMatchObject({ self: `${url}/v1/people/1`, name: 'Ada' });
    expect((await send('/v2/people/1')).json).toMatchObject({
      self: `${url}/v2/people/1`,
      fullName: 'Ada Lovelace',
    });
  },
  client: async ({ client, mock }) => {
    await client.api(first).people.get(1);
    await client.api(second).people.get(1);
    expect(mock.requests.map(({ path }) => path)).toEqual(['/v1/people/1', '/v2/people/1']);
  },
});

const deprecated = { since: new Date('2026-01-01T00:00:00Z'), sunset: new Date('2027-01-01T00:00:00Z') };

check(
  mockOf([first, second], { data: { people: [row] }, deprecated }),
  [
    '§9.4 the previous major keeps working next to the new one',
    '§9.4 header fields say since when, until when, and what comes next',
  ],
  {
    fetch: async ({ send, url }) => {
      const old = await send('/v1/people/1');
      expect(old).toMatchObject({ status: 200, json: { name: 'Ada' } });
      expect(old.headers.get('deprecation')).toBe('@1767225600');
      expect(old.headers.get('sunset')).toBe('Fri, 01 Jan 2027 00:00:00 GMT');
      expect(old.headers.get('link')).toBe(`<${url}/v2/people/1>; rel="successor-version"`);
      const next = await send('/v2/people/1');
      expect(next.json).toMatchObject({ fullName: 'Ada Lovelace' });
      expect(next.headers.has('deprecation')).toBe(false);
    },
    client: async ({ connect }) => {
      const events: Events['deprecation'][] = [];
      const client = connect({ on: { deprecation: (event) => events.push(event) } });
      for (const _ of [1, 2]) expect((await client.api(first).people.get(1)).name).toBe('Ada');
      expect((await client.api(second).people.get(1)).fullName).toBe('Ada Lovelace');
      expect(events).toEqual([expect.objectContaining({ api: 'people', sunset: deprecated.sunset })]);
    },
  },
);
