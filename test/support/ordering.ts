import { collection, defineApi, expandable, resource } from 'restkin';
import * as z from 'zod';

export const Company = resource({ name: z.string(), city: z.string() });

export const Order = resource({
  status: z.enum(['open', 'shipped', 'cancelled']),
  createdAt: z.iso.datetime(),
  note: z.optional(z.string()),
  device: z.object({ model: z.string(), serial: z.string() }),
  lines: z.array(resource({ sku: z.string(), quantity: z.int().check(z.positive()) })),
  company: expandable(Company),
});

/** The API of most tests: every feature of the conventions is declared somewhere in it. */
export const ordering = defineApi({
  name: 'ordering',
  version: 1,
  auth: 'token',
  collections: {
    orders: collection('orders', Order, {
      sort: true,
      fields: true,
      expand: ['company'],
      paging: { maxPerPage: 200 },
    }),
    companyOrders: collection('companies/:companyId/orders', Order, { paging: true }),
    companies: collection('companies', Company, {
      accepts: ['create'],
      sort: ['name', 'city'],
      paging: true,
    }),
    feed: collection('feed', Company, {
      paging: { totals: false },
      operations: ['list'],
      params: z.object({ since: z.optional(z.string()), limit: z.optional(z.int()) }),
    }),
  },
});
