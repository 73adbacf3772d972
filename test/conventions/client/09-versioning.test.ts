import { collection, defineApi, resource } from 'restkin';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { json, record } from '../../support/recording-server.ts';
import { companyRow, connect, shopAt } from '../../support/shop.ts';

const V1 = resource({ name: z.string() });
const people = <const V extends number>(version: V) => ({ name: 'people', version, auth: 'basic' }) as const;
const first = defineApi({ ...people(1), collections: { people: collection('people', V1) } });
describe('§9 versions', () => {
  test.each(['/family', '/family/', '/a/b'])('§9.3 it follows the path of the base URL %s', async (path) => {
    await using server = await record(() => json([]));
    await connect({ url: server.url + path })
      .api(first)
      .people.list();
    expect(server.requests[0]?.url).toBe(`${path.replace(/\/$/, '')}/v1/people`);
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
});
