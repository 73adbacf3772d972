import { collection, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createOrdering, declare, send, signedIn } from './calls.ts';

test('§4.5 an empty list has no links', async () => {
  const { json, headers } = await (await signedIn(createOrdering({}, 0)))('/v1/orders');
  expect([json, headers.has('link'), headers.get('x-pagination-total-pages')]).toEqual([[], false, '0']);
});

test('§4.5.3 the default page size is that of the endpoint or 25, and never above the maximum', async () => {
  const Thing = resource({ n: z.number() });
  const api = declare({
    own: collection('own', Thing, { paging: { defaultPerPage: 4 } }),
    usual: collection('usual', Thing, { paging: true }),
    small: collection('small', Thing, { paging: { maxPerPage: 2 } }),
    unpaged: collection('unpaged', Thing),
  });
  const mock = createMock(api, { generate: 30 });
  const sizeOf = async (key: string) => {
    const { json, headers } = await send(mock, `/v1/${key}`);
    return [json.length, headers.get('x-pagination-page-size')];
  };
  expect(await sizeOf('own')).toEqual([4, '4']);
  expect(await sizeOf('usual')).toEqual([25, '25']);
  expect(await sizeOf('small')).toEqual([2, '2']);
  expect(await sizeOf('unpaged')).toEqual([30, null]);
});
