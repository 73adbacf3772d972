import { QueryClient, useInfiniteQuery, useMutation, useQuery } from '@tanstack/vue-query';
import { createClient, type Item, isApiError, type Page, tokenAuth } from 'restkin';
import { type CreateError, type GetError, type ListError, queries } from 'restkin/query';
import { ordering } from '../../support/ordering.ts';

// Only has to compile: the options of `queries` in the Vue adapter.

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare const same: <A, B>(...proof: Same<A, B> extends true ? [] : [never]) => void;

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

  const names = useQuery({ ...orders.list(), select: ({ items }) => items.map(({ status }) => status) });
  same<typeof names.data.value, Order['status'][] | undefined>();

  // Options that depend on something reactive are a function.
  const reactive = useQuery(() => orders.list({ sort: ['-createdAt'] }));
  same<typeof reactive.data.value, Page<Order> | undefined>();

  const pages = useInfiniteQuery(orders.pages({ fields: ['status'], expand: ['company'], perPage: 50 }));
  same<NonNullable<typeof pages.data.value>['pages'], Page<Row>[]>();
  same<typeof pages.error.value, ListError | null>();

  const create = useMutation(orders.create());
  same<NonNullable<typeof create.data.value>['result'], Order>();
  same<typeof create.error.value, CreateError | null>();
  const change = useMutation({
    ...orders.update(),
    onSuccess: ({ result, invalidates }, { id, body }) => [
      result.outcome,
      invalidates[0],
      id.toFixed(),
      body.status,
    ],
  });
  change.mutate({ id: 7, body: { status: 'shipped' } });
};

const cache = new QueryClient();
const known = cache.getQueryData(orders.get(7).queryKey);
same<typeof known, Order | undefined>();
