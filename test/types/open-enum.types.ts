// Only has to compile: an enum whose values may grow.
import {
  type Body,
  type Client,
  collection,
  defineApi,
  type Item,
  type OpenEnum,
  openEnum,
  resource,
} from 'restkin';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { holds } from './holds.types.ts';

type Known = 'open' | 'shipped';
const Order = resource({
  status: openEnum(['open', 'shipped']),
  before: z.optional(openEnum(['open', 'shipped'])),
  history: mini.array(openEnum(['open', 'shipped'])),
});
const params = z.object({ status: z.optional(openEnum(['open', 'shipped'])) });
const orders = collection('orders', Order, { fields: true, params });
const api = defineApi({ name: 'growing', version: 1, auth: 'token', collections: { orders } });

export const results = async (client: Client) => {
  const { status, before, history } = await client.api(api).orders.get(1);
  holds<typeof status>().exactly<Known | (string & {})>();
  holds<typeof before>().exactly<Known | (string & {}) | undefined>();
  holds<typeof history>().exactly<(Known | (string & {}))[]>();
  // A known value is compared as any string is.
  if (status === 'archived') return undefined;
  const limited = await client.api(api).orders.get(1, { fields: ['status'] });
  holds<typeof limited.status>().exactly<Known | (string & {})>();
  await client.api(api).orders.create({ status: 'archived', history: ['open', 'other'] });
  // @ts-expect-error a number is no string
  await client.api(api).orders.create({ status: 1, history: [] });
  return client.api(api).orders.list({ params: { status: 'archived' } });
};

export const item: Item<typeof orders>['status'] = 'archived';
export const body: Body<typeof orders, 'create'>['status'] = 'archived';
export const schema: OpenEnum<Known> = openEnum(['open', 'shipped']);
// @ts-expect-error it has no values
openEnum([]);
// @ts-expect-error values are strings
openEnum([1]);
