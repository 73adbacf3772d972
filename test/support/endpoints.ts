import { collection, defineApi, endpoint, resource } from 'restkin';
import * as z from 'zod';
import { Company, Order } from './ordering.ts';

export const Settings = z.object({
  currency: z.string(),
  since: z.codec(z.iso.date(), z.date(), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString().slice(0, 10),
  }),
});

export const Report = resource({ title: z.string(), total: z.number() });

/** An API with an endpoint of each kind, and actions. */
export const office = defineApi({
  name: 'office',
  version: 1,
  auth: 'basic',
  collections: {
    orders: collection('orders', Order, {
      paging: true,
      actions: {
        cancel: endpoint('POST', 'cancel', { body: z.object({ reason: z.string() }), response: Order }),
        history: endpoint('GET', 'history', {
          query: z.object({ limit: z.optional(z.int()) }),
          response: z.array(z.object({ at: z.string() })),
        }),
        unlabel: endpoint('DELETE', 'labels/:label'),
      },
    }),
    companyOrders: collection('companies/:companyId/orders', Order, {
      operations: ['list'],
      actions: { ship: endpoint('POST', 'ship', { accepts: true }) },
    }),
    companies: collection('companies', Company),
  },
  endpoints: {
    settings: endpoint('GET', 'settings', { response: Settings }),
    saveSettings: endpoint('PUT', 'settings', { body: Settings }),
    audio: endpoint('GET', 'recordings/:id/audio', { accept: 'audio/wav', as: 'response' }),
    transcript: endpoint('GET', 'recordings/:id/transcript', { as: 'text' }),
    upload: endpoint('POST', 'recordings', {
      body: z.instanceof(FormData),
      response: z.object({ id: z.int() }),
    }),
    report: endpoint('POST', 'reports', {
      query: z.object({ from: z.iso.date(), tags: z.optional(z.array(z.string())) }),
      repeated: ['tags'],
      body: z.object({ title: z.string() }),
      response: Report,
      accepts: true,
    }),
    latestOrder: endpoint('GET', 'latest-order', { response: Order, fields: true, expand: ['company'] }),
  },
});
