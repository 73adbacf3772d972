import { type Client, collection, defineApi, expandable, resource } from 'restkin';
import * as z from 'zod';
import { holds } from './holds.types.ts';

// §2.1 A declared `self` is taken as it is. Otherwise it is required if the resource can be fetched.

const Implied = resource({ name: z.string() });
const Optional = resource({ self: z.optional(z.string()), name: z.string() });
const Url = resource({ self: z.url(), name: z.string() });
const Order = resource({
  implied: expandable(Implied),
  optional: expandable(Optional),
});

const api = defineApi({
  name: 'x',
  version: 1,
  auth: 'token',
  collections: {
    implied: collection('implied', Implied),
    optional: collection('optional', Optional, { fields: true }),
    urls: collection('urls', Url, { operations: ['list'] }),
    orders: collection('orders', Order, { expand: ['implied', 'optional'] }),
  },
});

export const results = async (client: Client) => {
  const { implied, optional, urls, orders } = client.api(api);
  holds<Awaited<ReturnType<typeof implied.get>>['self']>().exactly<string>();
  const one = await optional.get(1);
  holds<typeof one.self>().exactly<string | undefined>();
  const limited = await optional.get(1, { fields: ['name'] });
  holds<typeof limited.self>().exactly<string | undefined>();
  const first = await urls.list().first();
  if (first) holds<typeof first.self>().exactly<string>();
  const order = await orders.get(1);
  holds<typeof order.implied>().exactly<{ id: number; self: string }>();
  holds<typeof order.optional>().exactly<{ id: number; self?: string | undefined }>();
  const full = await orders.get(1, { expand: ['implied', 'optional'] });
  holds<typeof full.implied.self>().exactly<string>();
  holds<typeof full.optional.self>().exactly<string | undefined>();
};
