import { NotAcceptableError, UnsupportedMediaTypeError } from 'restkin';
import { expect } from 'vitest';
import { bothTransports, check, mockOf } from '../support/conformance.ts';
import { data, newCompany, shop } from '../support/conformance-data.ts';
import { idsOf, rowsOf } from '../support/conformance-send.ts';
import { rejectionOf } from '../support/shop.ts';

const filled = mockOf(shop, { data });
const report = { status: 200, body: 'id;name\n1;Zeta\n', headers: { 'content-type': 'text/csv' } } as const;

check(
  filled,
  '§4.3.1 JSON is supported both ways, encoded in UTF-8',
  {
    fetch: async ({ send }) => {
      const body = { name: 'Ærø ✓', city: '東京' };
      const { headers, json } = await send('/v1/companies', { method: 'POST', body });
      expect(headers.get('content-type')).toBe('application/json');
      expect(json).toMatchObject(body);
    },
    client: async ({ api }) => {
      const body = { name: 'Ærø ✓', city: '東京' };
      expect(await api.companies.create(body)).toMatchObject(body);
      expect(await api.companies.get(4)).toMatchObject(body);
    },
  },
  bothTransports,
);

const ownType = [
  '§4.3.1 another content type of an API arrives as it is',
  '§1 own rules of an API may be a content type',
] as const;

check(filled, ownType, {
  fetch: async ({ send, mock }) => {
    mock.faults.next(report);
    const answer = await send('/v1/companies', { headers: { accept: 'text/csv' } });
    expect([answer.headers.get('content-type'), answer.text]).toEqual(['text/csv', report.body]);
  },
  client: async ({ client, mock }) => {
    mock.faults.next(report);
    const own = { method: 'GET', path: 'v1/companies', accept: 'text/csv', as: 'text' } as const;
    expect(await client.request(own)).toBe(report.body);
  },
});

check(filled, '§4.3.2 Accept states what the client takes', {
  fetch: async ({ send, mock }) => {
    const { status } = await send('/v1/companies', { headers: { accept: 'application/json' } });
    expect([status, mock.requests[0]?.headers.get('accept')]).toEqual([200, 'application/json']);
  },
  client: async ({ api, mock }) => {
    await api.companies.list();
    await api.companies.create(newCompany);
    await api.companies.update(1, { city: 'Voss' });
    await api.companies.delete(1);
    expect(mock.requests.map(({ headers }) => headers.get('accept'))).toEqual(
      Array.from({ length: 4 }, () => 'application/json'),
    );
  },
});

const several = 'text/html, application/json;q=0.5';

check(filled, '§4.3.3 the content type matches Accept, and of several the API picks its own', {
  fetch: async ({ send }) => {
    for (const accept of [several, 'application/*', '*/*']) {
      const answer = await send('/v1/companies', { headers: { accept } });
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(idsOf(rowsOf(answer))).toEqual([1, 2, 3]);
    }
  },
  client: async ({ client }) => {
    const rows = await client.request({ method: 'GET', path: 'v1/companies', accept: several });
    expect(rows).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
  },
});

const unsupported = [
  '§4.3.4 nothing in Accept that is supported gets 415, and nothing is done',
  '§4.3.4 or 406 depends on the method: a GET gets 406, another method 415',
  '§7.1 406 is for a GET that does not accept the content type of the resource',
] as const;

check(filled, unsupported, {
  fetch: async ({ send }) => {
    const headers = { accept: 'text/csv, application/xml' };
    expect((await send('/v1/companies/1', { headers })).status).toBe(406);
    const answer = await send('/v1/companies', { method: 'POST', body: newCompany, headers });
    expect(answer).toMatchObject({ status: 415, json: { message: expect.any(String) } });
    expect((await send('/v1/companies/1', { method: 'DELETE', headers })).status).toBe(415);
    expect(idsOf(rowsOf(await send('/v1/companies')))).toEqual([1, 2, 3]);
  },
  client: async ({ client, api }) => {
    const own = { path: 'v1/companies', accept: 'text/csv' } as const;
    const read = client.request({ method: 'GET', ...own });
    expect(await rejectionOf(read)).toBeInstanceOf(NotAcceptableError);
    const create = client.request({ method: 'POST', ...own, body: newCompany });
    expect(await rejectionOf(create)).toBeInstanceOf(UnsupportedMediaTypeError);
    expect(idsOf(await api.companies.list().toArray())).toEqual([1, 2, 3]);
  },
});
