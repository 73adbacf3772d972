// Only has to compile: a result promises only what was asked for, wherever the query comes from.
import {
  type Accepted,
  type Body,
  type Client,
  type Collection,
  collection,
  type DeclaredBy,
  defineApi,
  type Fake,
  type FieldPath,
  type Id,
  type IdOf,
  type Item,
  type Operations,
  type Query,
} from 'restkin';
import * as z from 'zod';
import { Company, type Order, ordering } from '../support/ordering.ts';
import { holds } from './holds.types.ts';

type Orders = (typeof ordering)['collections']['orders'];
type Whole = Item<Orders>;
type Status = Item<Orders, ['status']>;
type Full = { id: number; name: string; city: string; self: string };

export const exportedTypes = async (client: Client, query: Query<typeof ordering.collections.orders>) => {
  const { orders } = client.api(ordering);
  const limited: Query<typeof orders> = { fields: ['status'], expand: ['company'], perPage: 5 };
  for (const given of [query, limited]) {
    const [order] = (await orders.list(given)).items;
    holds<NonNullable<typeof order>['status']>().exactly<Whole['status'] | undefined>();
    // @ts-expect-error may not be expanded
    void order?.company?.name;
  }
  const one: Query<typeof orders, 'get'> = { fields: ['status'] };
  const order = await orders.get(7, one);
  // @ts-expect-error may be unchanged, and may lack the field
  void order.status.length;
  // @ts-expect-error get does not page
  void orders.get(7, limited);
};

export const wrappers = async (client: Client) => {
  const { orders } = client.api(ordering);
  const load = <const Q extends Query<typeof orders>>(query: Q) => orders.list(query);
  const [status] = (await load({ fields: ['status'] })).items;
  holds<NonNullable<typeof status>>().exactly<Status>();
  const pick = <const F extends readonly FieldPath<typeof Order>[]>(...fields: F) => orders.list({ fields });
  const [picked] = (await pick('status')).items;
  holds<NonNullable<typeof picked>>().exactly<Status>();
  const first = async <T>(of: { list(): AsyncIterable<T> }): Promise<T | undefined> => {
    for await (const item of of.list()) return item;
    return undefined;
  };
  const whole = await first(orders);
  holds<typeof whole>().exactly<Whole | undefined>();
  const all = async <C extends Collection>(of: Pick<Operations<C>, 'list'>) => (await of.list()).items;
  holds<ReturnType<typeof all<Orders>>>().exactly<Promise<readonly Whole[]>>();
  holds<Awaited<ReturnType<typeof orders.list>>['items']>().exactly<readonly Whole[]>();
  const api = <A extends typeof ordering>(declaration: A) => client.api(declaration);
  void api(ordering).orders.list();
  const withToken = <A extends typeof ordering>(of: Client<'token'>, declaration: A) => of.api(declaration);
  void withToken(client, ordering).orders.list();
};

export const conditions = async (client: Client, flag: boolean) => {
  const { orders } = client.api(ordering);
  const only = { fields: ['status'] } as const;
  const other = { fields: ['createdAt'] } as const;
  const perhaps = await orders.get(7, flag ? only : undefined);
  holds<typeof perhaps>().exactly<Whole | Status>();
  const either = await orders.get(7, flag ? only : other);
  holds<typeof either>().exactly<Status | Item<Orders, ['createdAt']>>();
  const spread = await orders.get(7, { ...(flag ? only : {}) });
  // @ts-expect-error may be missing
  void spread.status.length;
  const parsed = await orders.get(7, JSON.parse('{}'));
  // @ts-expect-error may be unchanged, and may lack every field
  void parsed.status.length;
  const { items: named } = await orders.list({ fields: JSON.parse('[]') });
  holds<NonNullable<(typeof named)[0]>['status']>().exactly<Whole['status'] | undefined>();
};

type Plain = { readonly fields: readonly ['status'] };
type Expanding = { readonly expand: readonly ['company'] };

export const declaredApart = async (client: Client, a: Plain | Expanding, b: Expanding | Plain) => {
  const { orders } = client.api(ordering);
  const one = await orders.get(7, a);
  const two = await orders.get(7, b);
  holds<typeof one>().exactly<typeof two>();
  // @ts-expect-error is not there by one of the two
  void one.device;
  if ('device' in one) holds<typeof one.company>().exactly<Full>();
};

export const declaredOnACondition = (client: Client<'token'>, flag: boolean) => {
  const named = (auth: 'token' | 'basic') => defineApi({ name: 'x', version: 1, auth, collections: {} });
  const token = defineApi({ name: 'x', version: 1, auth: 'token', collections: {} });
  const basic = defineApi({ name: 'x', version: 2, auth: 'basic', collections: {} });
  client.api(token);
  // @ts-expect-error the client lacks the scheme of one of the two
  client.api(flag ? token : basic);
  // @ts-expect-error the client lacks one of the schemes
  client.api(named('token'));
  const auth = flag ? 'token' : 'basic';
  // @ts-expect-error the client lacks one of the schemes
  client.api(defineApi({ name: 'x', version: 1, auth, collections: {} }));
};

export const keys = (client: Client) => {
  const { orders, feed } = client.api(ordering);
  const misspelt = { fields: ['status'], perpage: 2 } as const;
  // @ts-expect-error misspelt, and declared apart
  void orders.list(misspelt);
  const unknownName = { fields: ['staus'] } as const;
  // @ts-expect-error not a field, and declared apart
  void orders.get(7, unknownName);
  const sorted = { sort: ['status'] } as const;
  void orders.list(sorted);
  // @ts-expect-error get does not sort, also where the query was declared apart
  void orders.get(7, sorted);
  const misplaced = { since: 'x' };
  // @ts-expect-error own parameters stand in params
  void feed.list(misplaced);
  // @ts-expect-error an index is no query
  void [1, 2].map(orders.get);
  void [1, 2].map((id) => orders.get(id));
  // @ts-expect-error the options stand in the query's object
  void orders.list({}, { limit: 3 });
};

const isoDate = z.codec(z.iso.datetime(), z.date(), {
  decode: (given) => new Date(given),
  encode: (date) => date.toISOString(),
});

export const compiles = async (client: Client, by: 'status' | 'note', _etag: string | undefined) => {
  const { orders } = client.api(ordering);
  void orders.list({ sort: [`-${by}`], onPage: (progress) => progress.pages });
  const built = orders.query().fields('status').perPage(10);
  const [next] = (await orders.list({ ...built.value, page: 2 })).items;
  holds<NonNullable<typeof next>>().exactly<Status>();
  const own = collection('events', Company, {
    params: z.object({ after: isoDate, tags: z.array(z.string()) }),
  });
  const { events } = client.api(
    defineApi({ name: 'x', version: 1, auth: 'token', collections: { events: own } }),
  );
  void events.list({ params: { after: new Date(), tags: ['a'] } });
};

export const shortNames = async (client: Client) => {
  const { orders, companies } = client.api(ordering);
  holds<Item<typeof orders>>().exactly<Whole>();
  holds<Item<typeof orders, ['status'], ['company']>>().exactly<Status>();
  holds<Item<typeof orders, ['company'], ['company']>['company']>().exactly<Full>();
  holds<Id<typeof orders>>().exactly<number>();
  const body: Body<typeof companies, 'create'> = { name: 'a', city: 'b' };
  void companies.create(body);
  holds<Body<typeof companies>>().exactly<Body<typeof companies, 'create'>>();
  // @ts-expect-error not a field
  type Misspelt = Item<typeof orders, ['staus']>;
  // @ts-expect-error not a field
  type Unknown = Item<Orders, ['staus']>;
  type Reading = Fake<Pick<typeof orders, 'list' | 'get' | 'delete'>>;
  const statuses = async (of: Reading): Promise<string[]> => {
    const found = [(await of.get(7)).status];
    for await (const { status } of of.list({ sort: ['status'] })) found.push(status);
    return found;
  };
  const whole = await orders.get(7);
  void statuses(orders);
  void statuses({ get: async () => whole, list: () => [whole], delete: () => ({ outcome: 'done' }) });
  // @ts-expect-error a fake gives whole resources
  void statuses({ get: async () => ({ id: 1 }), list: () => [], delete: () => ({ outcome: 'done' }) });
  return [] as [Misspelt, Unknown][];
};

export const forwardedArguments = async (client: Client, flag: boolean) => {
  const { orders } = client.api(ordering);
  const list = (...query: Parameters<typeof orders.list>) => orders.list(...query);
  const listed = (await list({ fields: ['status'] })).items[0];
  // @ts-expect-error the query may leave it out
  void listed?.device.model;
  const get = (...query: Parameters<typeof orders.get>) => orders.get(...query);
  // @ts-expect-error the query may leave it out
  void (await get(7, { fields: ['status'] })).device;
  const limited = { fields: ['status'] } as const;
  const some = await orders.get(7, ...(flag ? ([limited] as const) : ([] as const)));
  holds<typeof some>().exactly<Whole | Status>();
  const silenced = await orders.get(7, limited as never);
  // @ts-expect-error nothing is known of the query
  void silenced.device.model;
  const unnamed = await orders.get(7, { fields: [] as never });
  // @ts-expect-error nor of its fields
  void unnamed.device.model;
  const parsed = await orders.find(7, JSON.parse('{}'));
  // @ts-expect-error it may have a condition
  void parsed?.id;
  // @ts-expect-error a query may leave fields out
  const source: { get(id: number, query?: { fields?: readonly 'status'[] }): PromiseLike<Whole> } = orders;
  const plain: { get(id: number): PromiseLike<Whole>; list(): AsyncIterable<Whole> } = orders;
  return [source, plain];
};

/** A program that compiles with `declaration` may export a class and functions over any collection. */
export class Repository<C extends Collection> {
  readonly #collection: Pick<Operations<C>, 'list' | 'get'>;
  constructor(collection: Pick<Operations<C>, 'list' | 'get'> & DeclaredBy<C>) {
    this.#collection = collection;
  }
  byId(id: IdOf<C>) {
    return this.#collection.get(id);
  }
  all(signal?: AbortSignal) {
    return this.#collection.list({ signal }).toArray();
  }
}

export const repositories = async (client: Client) => {
  const { orders, companies } = client.api(ordering);
  const all = await new Repository(orders).all();
  holds<typeof all>().exactly<Whole[]>();
  const company = await new Repository(companies).byId(1);
  holds<typeof company>().exactly<Full>();
};

export const createdOnACondition = async (client: Client, flag: boolean) => {
  const some = collection('some', Company, { accepts: flag ? ['create'] : [] });
  const none = collection('none', Company, { accepts: [] });
  const api = client.api(defineApi({ name: 'x', version: 1, auth: 'token', collections: { some, none } }));
  const created = await api.some.create({ name: 'a', city: 'b' });
  holds<typeof created>().exactly<Full | Accepted>();
  const certain = await api.none.create({ name: 'a', city: 'b' });
  holds<typeof certain>().exactly<Full>();
};

type Declaration = typeof ordering;
interface Ordering extends Declaration {}

export const namedApi = async (client: Client<'token'>) => {
  const { orders, companyOrders } = client.api<Ordering>(ordering);
  const status = await orders.get(7, { fields: ['status'] });
  holds<typeof status>().exactly<Status>();
  const [whole] = (await companyOrders({ companyId: 3 }).list()).items;
  holds<NonNullable<typeof whole>['status']>().exactly<Whole['status']>();
  // @ts-expect-error not a field
  void orders.list({ sort: ['nope'] });
};

export const optionalQueries = async (client: Client, signal: AbortSignal) => {
  const { orders } = client.api(ordering);
  const get = <const Q extends Query<typeof orders, 'get'>>(id: number, query?: Q) => orders.get(id, query);
  const status = await get(7, { fields: ['status'] });
  holds<typeof status>().exactly<Status | Whole>();
  // @ts-expect-error the query may be left out
  void (await get(7, { expand: ['company'] })).company.name;
  // @ts-expect-error not a field
  void get(7, { fields: ['nope'] });
  const list = <const Q extends Query<typeof orders>>(query: Q) => orders.list({ ...query, signal });
  const [first] = (await list({ fields: ['status'] })).items;
  holds<NonNullable<typeof first>>().exactly<Status>();
  // @ts-expect-error one of the two has no such field
  void orders.list(first ? { fields: ['nope'] } : { perPage: 1 });
};
