import {
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useQueries,
  useQuery,
  useSuspenseInfiniteQuery,
  useSuspenseQuery,
} from '@tanstack/react-query';
import {
  type Body,
  basicAuth,
  type Client,
  createClient,
  type Id,
  type Item,
  isApiError,
  type Page,
  type Query,
  tokenAuth,
} from 'restkin';
import { type GetError, type ListError, queries, type WriteError } from 'restkin/query';
import type * as z from 'zod';
import { office, type Settings } from '../../support/endpoints.ts';
import { ordering } from '../../support/ordering.ts';
import type { Equal } from '../holds.types.ts';

// Only has to compile: the options of `queries` in the React adapter.

declare const same: <A, B>(...proof: Equal<A, B> extends true ? [] : [never]) => void;

const auth = tokenAuth({ authUrl: 'https://auth.example.com', username: 'ada', password: 'lovelace' });
const client = createClient({ baseUrl: 'https://api.example.com', auth });
const { orders, companies, companyOrders, feed } = queries(client, ordering);
const { orders: declared, feed: declaredFeed } = client.api(ordering);
type Order = Item<typeof declared>;
type Row = Item<typeof declared, ['status'], ['company']>;

// The short names take a collection of queries as they take the collection itself.
same<Item<typeof orders>, Order>();
same<Item<typeof orders, ['status'], ['company']>, Row>();
same<Item<typeof companyOrders>, Order>();
same<Body<typeof orders, 'update'>, Body<typeof declared, 'update'>>();
same<Id<typeof orders>, number>();
same<Query<typeof orders>, Query<typeof declared>>();
same<Item<typeof feed>, Item<typeof declaredFeed>>();

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

declare const officeClient: Client<'basic'>;

export const useEndpoints = () => {
  const { orders, settings, transcript, saveSettings, latestOrder } = queries(officeClient, office);
  const found = useQuery(settings());
  same<typeof found.data, z.output<typeof Settings> | undefined>();
  same<typeof found.error, GetError | null>();
  const text = useQuery(transcript({ id: 3 }));
  same<typeof text.data, string | undefined>();
  const history = useQuery(orders.history(7, { query: { limit: 3 } }));
  same<typeof history.data, { at: string }[] | undefined>();
  const latest = useQuery(latestOrder({ fields: ['status', 'company'], expand: ['company'] }));
  same<NonNullable<typeof latest.data>['company']['name'], string>();
  const save = useMutation(saveSettings());
  same<typeof save.error, WriteError | null>();
  save.mutate({ body: { currency: 'EUR', since: new Date() } });
  const cancel = useMutation(orders.cancel());
  same<NonNullable<typeof cancel.data>['result'], Order>();
  cancel.mutate({ id: 7, body: { reason: 'late' } });
  useMutation(orders.unlabel()).mutate({ id: 7, label: 'new' });
  orders.key('history', 7);
};

export const useEndpointsWrongly = () => {
  const all = queries(officeClient, office);
  // @ts-expect-error the parameter of its path is missing
  all.transcript();
  // @ts-expect-error the signal is that of TanStack Query
  all.settings({ signal: new AbortController().signal });
  // @ts-expect-error with a condition the data could be NotModified
  all.settings({ ifNoneMatch: '"1"' });
  // @ts-expect-error an unread response is no data of a cache
  all.audio({ id: 3 });
  // @ts-expect-error the id is missing
  all.orders.history();
  // @ts-expect-error not a field of the query
  all.orders.history(7, { query: { top: 3 } });
  // @ts-expect-error the body is missing
  useMutation(all.orders.cancel()).mutate({ id: 7 });
  // @ts-expect-error misspelt
  useMutation(all.saveSettings()).mutate({ body: { curency: 'EUR', since: new Date() } });
  // @ts-expect-error an action that is no GET has no key of its own
  all.orders.key('cancel');
};

const old = createClient({
  baseUrl: 'https://api.example.com',
  auth: basicAuth({ username: 'a', password: 'b' }),
});
// @ts-expect-error the API needs a scheme that the client does not have
queries(old, ordering);
