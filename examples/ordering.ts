import { collection, defineApi, endpoint, expandable, openEnum, resource } from 'restkin';
import * as z from 'zod';

const filled = z.string().check(z.minLength(1));

export const Company = resource({ name: z.string(), city: z.string() });

export const Order = resource({
  status: openEnum(['open', 'shipped', 'cancelled']),
  createdAt: z.iso.datetime(),
  device: z.object({ model: filled, serial: filled }),
  lines: z.array(resource({ sku: filled, quantity: z.int().check(z.positive()) })),
  company: expandable(Company),
});

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
      actions: {
        cancel: endpoint('POST', 'cancel', { body: z.object({ reason: filled }), response: Order }),
        invoice: endpoint('GET', 'invoice', { accept: 'text/plain', as: 'text' }),
      },
    }),
    companyOrders: collection('companies/:companyId/orders', Order, { paging: true }),
    companies: collection('companies', Company, { sort: true, paging: true }),
  },
});
