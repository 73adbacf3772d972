import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/vue-query';
import { type Client, createClient, type Item, isApiError, type Page, tokenAuth } from 'restkin';
import { type GetError, type ListError, queries, type WriteError } from 'restkin/query';
import { office } from '../../support/endpoints.ts';
import { ordering } from '../../support/ordering.ts';
import type { Equal } from '../holds.types.ts';

// Only has to compile: the options of `queries` in the Vue adapter.

declare const same: <A, B>(...proof: Equal<A, B> extends true ? [] : [never]) => void;

const auth = tokenAuth({ authUrl: 'https://auth.example.com', username: 'ada', password: 'lovelace' });
const client = createClient({ baseUrl: 'https://api.example.com', auth });
const { orders } = queries(client, ordering);
const declared = client.api(ordering).orders;
type Order = Item<typeof declared>;
type Row = Item<typeof declared, ['status'], ['company']>;

export const useAll = () => {
  const order = useQuery(orders.get(7));
  same<typeof order.data.value, Order | undefined>();
  same<typeof order.error.value, GetError | null>();
  if (isApiError(order.error.value, 404)) void order.error.value.detail;

  const page = useQuery(orders.list({ fields: ['status'], expand: ['company'] }));
  same<typeof page.data.value, Page<Row> | undefined>();
  same<typeof page.error.value, ListError | null>();

  // Options that depend on something reactive are a function.
  const reactive = useQuery(() => orders.list({ sort: ['-createdAt'] }));
  same<typeof reactive.data.value, Page<Order> | undefined>();

  const pages = useInfiniteQuery(orders.pages({ fields: ['status'], expand: ['company'], perPage: 50 }));
  same<NonNullable<typeof pages.data.value>['pages'], Page<Row>[]>();
  same<typeof pages.error.value, ListError | null>();

  const create = useMutation(orders.create());
  same<NonNullable<typeof create.data.value>['result'], Order>();
  same<typeof create.error.value, WriteError | null>();
};

declare const officeClient: Client<'basic'>;

export const useEndpoints = () => {
  const { orders: ofOffice, transcript } = queries(officeClient, office);
  const text = useQuery(transcript({ id: 3 }));
  same<typeof text.data.value, string | undefined>();
  const cancel = useMutation(ofOffice.cancel());
  same<NonNullable<typeof cancel.data.value>['result'], Order>();
  cancel.mutate({ id: 7, body: { reason: 'late' } });
};
