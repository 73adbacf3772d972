import { type Client, collection, createClient, defineApi, resource, tokenAuth } from 'restkin';
import * as z from 'zod';
import { type Connect, credentials, type Peer, perPage, type Where } from '../wire.ts';

const Thing = resource({
  name: z.string(),
  status: z.enum(['open', 'shipped', 'cancelled']),
  city: z.string(),
  quantity: z.int(),
  price: z.number(),
  createdAt: z.iso.datetime(),
});

const inventory = defineApi({
  name: 'inventory',
  version: 1,
  auth: 'token',
  collections: { things: collection('things', Thing, { paging: true }) },
});

/** The peer of a client, whatever `fetch` it has. */
export const toPeer = (client: Client, { concurrency }: Where): Peer => {
  const { things } = client.api(inventory);
  return {
    get: (id) => things.get(id),
    list: () => things.list({ perPage, ...(concurrency === undefined ? {} : { concurrency }) }),
  };
};

export const authOf = ({ authUrl }: Where) =>
  tokenAuth({ authUrl, username: credentials.username, password: credentials.password });

/** restkin as in its README: with tokens, and with default checks, retries, limits and observers. */
export const connect: Connect = async (where) =>
  toPeer(createClient({ baseUrl: where.baseUrl, auth: authOf(where) }), where);
