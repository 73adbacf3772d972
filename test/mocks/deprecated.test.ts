import { collection, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { declare, origin, send } from './calls.ts';

const people = (version: number) =>
  declare({ people: collection('people', resource({ name: z.string() }), { paging: true }) }, version);
const data = { people: [{ name: 'Ada' }, { name: 'Grace' }] };
const deprecated = { since: new Date('2026-01-02T03:04:05.678Z') };

test('§9.4 the link to the next major is beside those of paging, below the base URL', async () => {
  const mock = createMock([people(1), people(2)], { data, deprecated, baseUrl: `${origin}/rest` });
  const link = (await send(mock, '/rest/v1/people?perPage=1')).headers.get('link');
  expect(link).toMatch(/rel="next".*rel="last"/);
  expect(link).toContain(`<${origin}/rest/v2/people>; rel="successor-version"`);
});

test('§9.4 the only major of a mock is deprecated', async () => {
  const { headers } = await send(createMock(people(1), { deprecated }), '/v1/people');
  const fields = ['deprecation', 'sunset', 'link'].map((name) => headers.get(name));
  expect(fields).toEqual(['@1767323045', null, null]);
});
