import { type ClientOptions, collection, createClient, defineApi, resource, tokenAuth } from 'restkin';
import * as z from 'zod';

/** The API of the list server. */
export const inventory = defineApi({
  name: 'inventory',
  version: 1,
  auth: 'token',
  collections: { things: collection('things', resource({ name: z.string() }), { paging: true }) },
});

/** The things of a list server. */
export const connectThings = (url: string, options: Partial<ClientOptions> = {}) =>
  createClient({
    baseUrl: url,
    auth: tokenAuth({ authUrl: url, username: 'ada', password: 'lovelace' }),
    ...options,
  }).api(inventory).things;
