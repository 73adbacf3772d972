import { collection, defineApi, expandable, resource } from 'restkin';
import * as z from 'zod';

const Company = resource({ name: z.string(), city: z.string() });

const Order = resource({
  status: z.enum(['open', 'shipped', 'cancelled']),
  createdAt: z.iso.datetime(),
  note: z.string(),
  device: z.object({ model: z.string(), serial: z.string() }),
  lines: z.array(resource({ sku: z.string(), quantity: z.int() })),
  company: expandable(Company),
  payer: expandable(Company),
});

/** An API with everything that the doctor judges. */
export const shop = defineApi({
  name: 'shop',
  version: 1,
  auth: 'token',
  collections: {
    orders: collection('orders', Order, {
      sort: true,
      fields: true,
      expand: ['company', 'payer'],
      paging: { maxPerPage: 200 },
    }),
    companies: collection('companies', Company, { operations: ['list', 'get'] }),
    feed: collection('feed', Company, { paging: { totals: false }, operations: ['list'] }),
  },
});
