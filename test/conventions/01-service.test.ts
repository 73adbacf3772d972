import { collection, defineApi, resource } from 'restkin';
import { expect } from 'vitest';
import * as z from 'zod';
import { bothTransports, check, mockOf } from '../support/conformance.ts';
import { data, shop } from '../support/conformance-data.ts';
import { linksOf, rowsOf } from '../support/conformance-send.ts';
import { rejectionOf } from '../support/shop.ts';

/** An API of another kind of resource, with ids of another type. */
const telephony = defineApi({
  name: 'telephony',
  version: 3,
  auth: 'basic',
  collections: {
    numbers: collection('numbers', resource({ id: z.string(), status: z.string() }), {
      sort: true,
      fields: true,
      paging: true,
    }),
  },
});

const cli = (number: string, status: string) => ({ id: number, status });

const numbers = mockOf(telephony, {
  data: { numbers: [cli('3120', 'active'), cli('3130', 'blocked'), cli('3140', 'active')] },
});

check(
  numbers,
  '§1 every API follows the same conventions, whatever its resources are',
  {
    fetch: async ({ send, url }) => {
      const answer = await send('/v3/numbers?sort=-id&fields=status&perPage=2');
      expect(answer.headers.get('x-pagination-total-count')).toBe('3');
      expect(rowsOf(answer)).toEqual([
        { id: '3140', self: `${url}/v3/numbers/3140`, status: 'active' },
        { id: '3130', self: `${url}/v3/numbers/3130`, status: 'blocked' },
      ]);
      expect(rowsOf(await send(linksOf(answer).next ?? ''))).toMatchObject([{ id: '3120' }]);
      expect(await send('/v3/numbers/1')).toMatchObject({
        status: 404,
        json: { message: expect.any(String) },
      });
    },
    client: async ({ api, url }) => {
      const list = api.numbers.list({ sort: ['-id'], fields: ['status'], perPage: 2 });
      expect((await list).totalCount).toBe(3);
      expect(await list.toArray()).toEqual([
        { id: '3140', self: `${url}/v3/numbers/3140`, status: 'active' },
        { id: '3130', self: `${url}/v3/numbers/3130`, status: 'blocked' },
        { id: '3120', self: `${url}/v3/numbers/3120`, status: 'active' },
      ]);
      expect(await rejectionOf(api.numbers.get('1'))).toMatchObject({ status: 404 });
    },
  },
  bothTransports,
);

check(
  mockOf(shop, { data }),
  '§1 test instances are separate: what changes in one does not change in the other',
  {
    fetch: async ({ send, beside }) => {
      const testing = await beside();
      expect((await testing.send('/v1/companies/1', { method: 'DELETE' })).status).toBe(204);
      expect((await testing.send('/v1/companies/1')).status).toBe(404);
      expect((await send('/v1/companies/1')).status).toBe(200);
    },
    client: async ({ api, beside }) => {
      const testing = await beside();
      await testing.api.companies.delete(1);
      expect(await rejectionOf(testing.api.companies.get(1))).toMatchObject({ status: 404 });
      expect((await api.companies.get(1)).name).toBe('Zeta');
    },
  },
);
