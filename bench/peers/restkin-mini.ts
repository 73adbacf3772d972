import { collection, createClient, defineApi, resource, tokenAuth } from 'restkin';
import * as z from 'zod/mini';
import { type Connect, credentials, perPage } from '../wire.ts';

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

/** restkin with a declaration in `zod/mini`, for where bytes count. */
export const connect: Connect = async ({ baseUrl, authUrl }) => {
  const { username, password } = credentials;
  const { things } = createClient({ baseUrl, auth: tokenAuth({ authUrl, username, password }) }).api(
    inventory,
  );
  return { get: (id) => things.get(id), list: () => things.list({ perPage }) };
};
