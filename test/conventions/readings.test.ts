import { collection, defineApi, expandable, resource } from 'restkin';
import { expect, vi } from 'vitest';
import * as z from 'zod';
import { bothTransports, check, mockOf } from '../support/conformance.ts';
import { fakeClocks } from '../support/conformance-clocks.ts';
import { data, newCompany, ordering, shop } from '../support/conformance-data.ts';
import { requestToken, rowsOf, textOf } from '../support/conformance-send.ts';

const filled = mockOf(shop, { data });

const Country = resource({ name: z.string() });
const City = resource({ name: z.string(), country: expandable(Country) });
const Firm = resource({ name: z.string(), city: expandable(City) });
const Stop = resource({ firm: expandable(Firm), city: expandable(City) });
const trips = defineApi({
  name: 'trips',
  version: 1,
  auth: 'basic',
  collections: {
    stops: collection('stops', Stop, {
      sort: true,
      expand: ['firm', 'city', 'firm.city', 'firm.city.country'],
    }),
    firms: collection('firms', Firm, { bulk: {} }),
    cities: collection('cities', City),
    countries: collection('countries', Country),
    recent: collection('recent', Country, { operations: ['list'] }),
  },
});
const travelled = mockOf(trips, {
  data: {
    countries: [{ id: 1, name: 'Norway' }],
    recent: [
      { id: 1, name: 'Norway' },
      { id: 2, name: 'Atlantis' },
    ],
    cities: [
      { id: 1, name: 'Oslo', country: 1 },
      { id: 2, name: 'Bergen', country: 1 },
    ],
    firms: [
      { id: 1, name: 'Zeta', city: 1 },
      { id: 2, name: 'Alfa', city: 2 },
    ],
    stops: [
      { id: 1, firm: 1, city: 2 },
      { id: 2, firm: 2, city: 1 },
    ],
  },
});

check(travelled, '§2.1 self of what exists is its URI, and a row of a list alone has none', {
  fetch: async ({ send, url }) => {
    const [known, unknown] = rowsOf(await send('/v1/recent'));
    expect(known?.self).toBe(`${url}/v1/countries/1`);
    expect((await send(String(known?.self))).json).toEqual(known);
    expect(unknown).toEqual({ id: 2, name: 'Atlantis' });
  },
  client: async ({ client, api }) => {
    const [known, unknown] = await api.recent.list().toArray();
    expect(await client.follow(Country, { self: known?.self ?? '' })).toEqual(known);
    expect(unknown).not.toHaveProperty('self');
  },
});

check(travelled, '§4.2 bulk requests are arrays, and all of their items are created or none', {
  fetch: async ({ send, url }) => {
    const items = [
      { name: 'A', city: { id: 1 } },
      { name: 'B', city: { id: 2 } },
    ];
    const made = await send('/v1/firms', { method: 'POST', body: items });
    expect([made.status, made.headers.get('location')]).toEqual([201, `${url}/v1/firms`]);
    expect(rowsOf(made).map(({ id, name }) => [id, name])).toEqual([
      [3, 'A'],
      [4, 'B'],
    ]);
    const broken = await send('/v1/firms', { method: 'POST', body: [...items, { name: 'C' }] });
    expect(broken).toMatchObject({ status: 400, json: { errors: [{ field: '2.city' }] } });
    expect(rowsOf(await send('/v1/firms'))).toHaveLength(4);
  },
  client: async ({ api }) => {
    const created = await api.firms.createMany([{ name: 'A', city: { id: 1 } }]);
    expect(created).toMatchObject([{ id: 3, name: 'A' }]);
  },
});

check(travelled, '§4.4 sort of an unexpanded resource is by the fields that it has when it is expanded', {
  fetch: async ({ send, url }) => {
    const rows = rowsOf(await send('/v1/stops?sort=firm.name'));
    expect(rows.map(({ firm }) => firm)).toEqual([
      { id: 2, self: `${url}/v1/firms/2` },
      { id: 1, self: `${url}/v1/firms/1` },
    ]);
  },
  client: async ({ api }) => {
    const stops = await api.stops.list({ sort: ['-firm.city.name'] }).toArray();
    expect(stops.map(({ id }) => id)).toEqual([1, 2]);
  },
});

check(travelled, '§4.4 expand of several resources has commas, and dots for one inside another', {
  fetch: async ({ send }) => {
    const { json } = await send('/v1/stops/1?expand=city,firm.city.country');
    expect(json).toMatchObject({
      city: { name: 'Bergen', country: { id: 1 } },
      firm: { name: 'Zeta', city: { name: 'Oslo', country: { name: 'Norway' } } },
    });
  },
  client: async ({ api }) => {
    const stop = await api.stops.get(1, { expand: ['city', 'firm', 'firm.city'] });
    expect([stop.city.name, stop.firm.city.name]).toEqual(['Bergen', 'Oslo']);
  },
});

const strict = mockOf(ordering, { data, tokens: { refusedRefreshStatus: 400 } });

check(strict, '§5.2.7 or 400 is what a server says of a used refresh token', {
  fetch: async ({ authUrl }) => {
    const token = textOf((await requestToken(authUrl)).json, 'refresh_token');
    const form = { grant_type: 'refresh_token', refresh_token: token };
    const statuses = [(await requestToken(authUrl, form)).status, (await requestToken(authUrl, form)).status];
    expect(statuses).toEqual([200, 400]);
  },
  client: async ({ api, mock }) => {
    fakeClocks();
    await api.orders.get(1);
    mock.reset();
    vi.advanceTimersByTime(601_000);
    expect((await api.orders.get(1)).id).toBe(1);
    expect(mock.requests.map(({ grant, status }) => [grant, status])).toEqual([
      ['refresh_token', 400],
      ['password', 200],
      [undefined, 200],
    ]);
  },
});

check(
  filled,
  '§7.1 413 without bulk does not exist: a resource of 2 MB is created',
  {
    fetch: async ({ send }) => {
      const body = { ...newCompany, name: 'x'.repeat(2_000_000) };
      expect((await send('/v1/companies', { method: 'POST', body })).status).toBe(201);
    },
    client: async ({ api, mock }) => {
      await api.companies.update(1, { name: 'x'.repeat(2_000_000) });
      expect(mock.requests.map(({ status }) => status)).toEqual([204]);
    },
  },
  bothTransports,
);
