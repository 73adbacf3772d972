import { BadRequestError, isAccepted, isNotModified } from 'restkin';
import { expect } from 'vitest';
import { check, mockOf } from '../support/conformance.ts';
import { data, newCompany, shop } from '../support/conformance-data.ts';
import { rejectionOf } from '../support/shop.ts';

const filled = mockOf(shop, { data });
const later = mockOf(shop, { data, accepted: true });

const writes = { POST: '/v1/companies', PUT: '/v1/companies/1', PATCH: '/v1/companies/1' } as const;

check(later, '§7.1 202 says that a write passed validation and is processed asynchronously', {
  fetch: async ({ send }) => {
    for (const [method, path] of [...Object.entries(writes), ['DELETE', '/v1/companies/1'] as const]) {
      const answer = await send(path, { method, ...(method !== 'DELETE' && { body: newCompany }) });
      expect([answer.status, answer.text]).toEqual([202, '']);
    }
    expect((await send('/v1/companies', { method: 'POST', body: { name: 'a' } })).status).toBe(400);
  },
  client: async ({ api: { companies } }) => {
    const results = [
      await companies.create(newCompany),
      await companies.replace(1, newCompany),
      await companies.update(1, newCompany),
      await companies.delete(1),
    ];
    expect(results.map(isAccepted)).toEqual(results.map(() => true));
    // A JavaScript user has no compiler.
    const invalid = companies.create({ name: 'a' } as unknown as typeof newCompany);
    expect(await rejectionOf(invalid)).toBeInstanceOf(BadRequestError);
  },
});

check(filled, '§7.1 304 is the response to a GET whose If-None-Match names the current entity tag', {
  fetch: async ({ send }) => {
    const first = await send('/v1/companies/1');
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    const again = await send('/v1/companies/1', { headers });
    expect([again.status, again.text]).toEqual([304, '']);
    await send('/v1/companies/1', { method: 'PATCH', body: { city: 'Voss' } });
    expect((await send('/v1/companies/1', { headers })).status).toBe(200);
    expect((await send('/v1/companies/1')).status).toBe(200);
  },
  client: async ({ api: { companies }, mock }) => {
    const { response } = await companies.get(1).withResponse();
    const options = { ifNoneMatch: response.etag };
    expect(isNotModified(await companies.get(1, options))).toBe(true);
    await companies.update(1, { city: 'Voss' });
    expect(await companies.get(1, options)).toMatchObject({ city: 'Voss' });
    expect(mock.requests.map(({ status }) => status)).toEqual([200, 304, 204, 200]);
  },
});

const modifiedSince = [
  '§7.1 304 is the response to a GET with Modified-Since, when nothing was modified since',
  '§7.1 304 without If-Modified-Since is the rule; a change in the same second gets 200',
] as const;

check(filled, modifiedSince, {
  fetch: async ({ send }) => {
    const get = (headers = {}) => send('/v1/companies/1', { headers });
    const patch = (city: string) => send('/v1/companies/1', { method: 'PATCH', body: { city } });
    const date = (await get()).headers.get('last-modified') ?? '';
    expect((await get({ 'if-modified-since': date })).status).toBe(200);
    expect((await get({ 'modified-since': date })).status).toBe(304);
    await patch('Voss');
    const seen = (await get()).headers.get('last-modified') ?? '';
    await patch('Bodø');
    expect(await get({ 'modified-since': seen })).toMatchObject({ status: 200, json: { city: 'Bodø' } });
  },
  client: async ({ api: { companies }, mock }) => {
    const modifiedSince = new Date(mock.clock.now());
    expect(isNotModified(await companies.get(1, { modifiedSince }))).toBe(true);
    await companies.update(1, { city: 'Voss' });
    expect(await companies.get(1, { modifiedSince })).toMatchObject({ city: 'Voss' });
    mock.clock.advance({ minutes: 1 });
    expect(await companies.get(1, { modifiedSince })).toMatchObject({ city: 'Voss' });
  },
});
