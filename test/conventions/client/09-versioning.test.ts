import { basicAuth, collection, createClient, defineApi, InvalidRequestError, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { json, record } from '../../support/recording-server.ts';
import { companyRow, connect, shopAt } from '../../support/shop.ts';

const V1 = resource({ name: z.string() });
const V2 = resource({ fullName: z.string() });
const people = <const V extends number>(version: V) => ({ name: 'people', version, auth: 'basic' }) as const;
const first = defineApi({ ...people(1), collections: { people: collection('people', V1) } });
const second = defineApi({ ...people(2), collections: { people: collection('people', V2) } });

describe('§9 versions', () => {
  test.each([0, 1, 2, 12])('§9.3 the major version %i is a path segment', async (version) => {
    await using server = await record(() => json([]));
    const api = defineApi({ ...people(version), collections: { people: collection('people', V1) } });
    await connect(server).api(api).people.list();
    expect(server.requests[0]?.url).toBe(`/v${version}/people`);
  });

  test.each(['/family', '/family/', '/a/b'])('§9.3 it follows the path of the base URL %s', async (path) => {
    await using server = await record(() => json([]));
    await connect({ url: server.url + path })
      .api(first)
      .people.list();
    expect(server.requests[0]?.url).toBe(`${path.replace(/\/$/, '')}/v1/people`);
  });

  test.each([1.5, -1, Number.NaN, '1'])('§9.1 %s is no major version', (version) => {
    // A JavaScript user has no compiler.
    const declare = () => defineApi({ ...people(version as number), collections: {} });
    expect(declare).toThrow(InvalidRequestError);
  });

  test('§9.4 several majors live in one client', async () => {
    const data = { people: [{ name: 'Ada', fullName: 'Ada Lovelace' }] };
    const mocks = { v1: createMock(first, { data }), v2: createMock(second, { data }) };
    const fetch: typeof globalThis.fetch = (input, init) => {
      const { pathname } = new URL(new Request(input, init).url);
      return (pathname.startsWith('/v2/') ? mocks.v2 : mocks.v1).fetch(input, init);
    };
    const client = createClient({
      baseUrl: 'https://api.example.com',
      auth: basicAuth({ username: 'a', password: 'b' }),
      fetch,
    });
    expect((await client.api(first).people.get(1)).name).toBe('Ada');
    expect((await client.api(second).people.get(1)).fullName).toBe('Ada Lovelace');
    expect([mocks.v1, mocks.v2].map(({ requests }) => requests.map(({ path }) => path))).toEqual([
      ['/v1/people/1'],
      ['/v2/people/1'],
    ]);
  });

  test('§9.2 what a minor release adds breaks nothing', async () => {
    const row = { ...companyRow(1), vatNumber: 'NO1' };
    const headers = { 'x-new': '1', link: '</v1/companies?page=2>; rel="newer"' };
    await using server = await record(() => json([row], 200, headers));
    expect(await shopAt(server).companies.list().toArray()).toEqual([row]);
  });

  test('§9.4 a response of a deprecated version says so', async () => {
    const headers = {
      deprecation: '@1767225600',
      sunset: 'Fri, 01 Jan 2027 00:00:00 GMT',
      link: '</v2/companies/1>; rel="successor-version"',
    };
    await using server = await record((_request, index) =>
      json(companyRow(1), 200, index === 0 ? headers : {}),
    );
    const { companies } = shopAt(server);
    const { response } = await companies.get(1).withResponse();
    expect(response.deprecation).toEqual({
      since: new Date('2026-01-01T00:00:00Z'),
      sunset: new Date('2027-01-01T00:00:00Z'),
      successor: '/v2/companies/1',
    });
    expect((await companies.get(1).withResponse()).response.deprecation).toBeUndefined();
  });

  test("§9.3 an API's own endpoint writes its version into its path", async () => {
    await using server = await record(() => json({}));
    await connect(server).request({ method: 'GET', path: 'v3/reports' });
    expect(server.requests[0]?.url).toBe('/v3/reports');
  });
});
