import { collection, defineApi, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createOrdering, origin, signedIn } from './calls.ts';

const paginationOf = (headers: Headers) =>
  ['total-pages', 'total-count', 'current-page', 'page-size'].map((name) =>
    headers.get(`x-pagination-${name}`),
  );

describe('§4.5 with totals', () => {
  test('an empty list has no links', async () => {
    const answer = await (await signedIn(createOrdering({}, 0)))('/v1/orders');
    expect([answer.json, answer.headers.has('link')]).toEqual([[], false]);
    expect(paginationOf(answer.headers)).toEqual(['0', '0', '1', '25']);
  });
});

describe('§4.5.3 page sizes', () => {
  test('the default page size is that of the endpoint or 25, and never above the maximum', async () => {
    const Thing = resource({ n: z.number() });
    const api = defineApi({
      name: 'sizes',
      version: 1,
      auth: 'open',
      collections: {
        own: collection('own', Thing, { paging: { defaultPerPage: 4 } }),
        usual: collection('usual', Thing, { paging: true }),
        small: collection('small', Thing, { paging: { maxPerPage: 2 } }),
        unpaged: collection('unpaged', Thing),
      },
    });
    const rows = Array.from({ length: 30 }, (_, n) => ({ n }));
    const data = { own: rows, usual: rows, small: rows, unpaged: rows };
    const mock = createMock(api, { data });
    const sizes = Object.keys(data).map(async (key) => {
      const response = await mock.respond(new Request(`${origin}/v1/${key}`));
      return [(await response.json()).length, response.headers.get('x-pagination-page-size')];
    });
    expect(await Promise.all(sizes)).toEqual([
      [4, '4'],
      [25, '25'],
      [2, '2'],
      [30, null],
    ]);
  });
});
