import { collection, defineApi, expandable, resource } from 'restkin';
import * as z from 'zod';

export const Company = resource({ name: z.string(), city: z.string() });

const instant = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

const Order = resource({
  status: z.enum(['open', 'shipped']),
  placedAt: instant,
  note: z.optional(z.string()),
  company: expandable(Company),
});

/** The API that every runtime asks. */
export const ordering = defineApi({
  name: 'ordering',
  version: 1,
  auth: 'token',
  collections: {
    orders: collection('orders', Order, {
      sort: true,
      fields: true,
      expand: ['company'],
      paging: { defaultPerPage: 50, maxPerPage: 200 },
    }),
    feed: collection('feed', Company, {
      paging: { totals: false, defaultPerPage: 50 },
      operations: ['list'],
    }),
    companies: collection('companies', Company, { paging: true }),
  },
});

/** An older API of the family (§5.1). */
export const stock = defineApi({
  name: 'stock',
  version: 1,
  auth: 'basic',
  collections: { parts: collection('parts', Company, { operations: ['get'] }) },
});

/** Who may log in at the mock. The name and the password of one are not ASCII (RFC 7617 §2.1). */
export const logins = {
  ada: { username: 'ada', password: 'lovelace' },
  zoe: { username: 'zoë', password: 'pässwörd € 秘密' },
} as const;
