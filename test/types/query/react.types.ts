import {
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useQueries,
  useQuery,
  useSuspenseInfiniteQuery,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { basicAuth, createClient, type Item, isApiError, type Page, tokenAuth } from 'restkin';
import { type GetError, type ListError, queries, type WriteError } from 'restkin/query';
import { ordering } from '../../support/ordering.ts';
import type { Equal } from '../holds.types.ts';

// Only has to compile: the options of `queries` in the React adapter.

declare const same: <A, B>(...proof: Equal<A, B> extends true ? [] : [never]) => void;

const auth = tokenAuth({ authUrl: 'https://auth.example.com', username: 'ada', password: 'lovelace' });
const client = createClient({ baseUrl: 'https://api.example.com', auth });
const { orders, companies, companyOrders, feed } = queries(client, ordering);
const declared = client.api(ordering).orders;
type Order = Item<typeof declared>;
type Row = Item<typeof declared, ['status'], ['company']>;

export const useAll = () => {
  const order = useQuery(orders.get(7));
  same<typeof order.data, Order | undefined>();
  same<typeof order.error, GetError | null>();
  if (isApiError(order.error, 404)) void order.error.detail;

  const page = useQuery(orders.list({ fields: ['status'], expand: ['company'] }));
  same<typeof page.data, Page<Row> | undefined>();
  same<typeof page.error, ListError | null>();

  const names = useQuery({ ...orders.list(), select: ({ items }) => items.map(({ status }) => status) });
  same<typeof names.data, Order['status'][] | undefined>();

  const pages = useInfiniteQuery(orders.pages({ fields: ['status'], expand: ['company'], perPage: 50 }));
  same<NonNullable<typeof pages.data>['pages'], Page<Row>[]>();
  same<typeof pages.error, ListError | null>();

  const sure = useSuspenseQuery(orders.get(7));
  same<typeof sure.data, Order>();
  const all = useSuspenseInfiniteQuery(orders.pages());
  same<typeof all.data.pages, Page<Order>[]>();
  const [first, second] = useQueries({ queries: [orders.get(7), companies.list()] });
  same<typeof first.data, Order | undefined>();
  same<NonNullable<typeof second.data>['items'][number]['city'], string>();

  const create = useMutation(orders.create());
  same<NonNullable<typeof create.data>['result'], Order>();
  same<typeof create.error, WriteError | null>();
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
export const fetched: Promise<Order> = cache.fetchQuery(orders.get(7));
export const listed = cache.fetchInfiniteQuery(orders.pages());
void cache.invalidateQueries({ queryKey: companyOrders({ companyId: 3 }).key('list') });

export const useWrongly = () => {
  const change = useMutation(orders.update());
  // @ts-expect-error a collection without "expand" says so
  useQuery(companies.list({ expand: ['name'] }));
  // @ts-expect-error a field that the resource does not have
  useQuery(orders.list({ fields: ['statsu'] }));
  // @ts-expect-error the signal is that of TanStack Query
  useQuery(orders.list({ signal: new AbortController().signal }));
  // @ts-expect-error header fields are no part of a key
  useQuery(orders.get(7, { headers: { 'accept-language': 'en' } }));
  // @ts-expect-error with a condition the data could be NotModified
  useQuery(orders.get(7, { ifNoneMatch: '"1"' }));
  // @ts-expect-error feed declares "list" alone
  useQuery(feed.get(7));
  // @ts-expect-error a collection whose path has parameters is a function of them
  companyOrders.list();
  // @ts-expect-error "done" is no status of an order
  change.mutate({ id: 7, body: { status: 'done' } });
  // @ts-expect-error a key of one resource is that of its get
  orders.key('list', 7);
};

const old = createClient({
  baseUrl: 'https://api.example.com',
  auth: basicAuth({ username: 'a', password: 'b' }),
});
// @ts-expect-error the API needs a scheme that the client does not have
queries(old, ordering);
