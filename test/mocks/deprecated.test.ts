import { collection, defineApi, resource } from 'restkin';
import { createMock, type MockOptions } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { linksOf, origin, send } from './calls.ts';

const people = (version: number) =>
  defineApi({
    name: 'people',
    version,
    auth: 'custom',
    collections: { people: collection('people', resource({ name: z.string() }), { paging: true }) },
  });
const [first, second, _third] = [people(1), people(2), people(3)];
const data = { people: [{ name: 'Ada' }, { name: 'Grace' }] };
const deprecated: NonNullable<MockOptions['deprecated']> = {
  since: new Date('2026-01-02T03:04:05.678Z'),
  sunset: new Date('2027-01-02T03:04:05Z'),
};

describe('§9.4 the previous major is deprecated', () => {
  test('the link to it is beside those of paging, below the base URL', async () => {
    const mock = createMock([first, second], { data, deprecated, baseUrl: `${origin}/rest` });
    const list = await send(mock, '/rest/v1/people?perPage=1');
    expect(linksOf(list)).toEqual({
      next: `${origin}/rest/v1/people?perPage=1&page=2`,
      last: `${origin}/rest/v1/people?perPage=1&page=2`,
      'successor-version': `${origin}/rest/v2/people`,
    });
  });

  test('the only major of a mock is deprecated', async () => {
    const { headers } = await send(createMock(first, { deprecated: { since: new Date(0) } }), '/v1/people');
    expect([headers.get('deprecation'), headers.get('sunset'), headers.get('link')]).toEqual([
      '@0',
      null,
      null,
    ]);
  });
});
