// Only has to compile: results of APIs that a family declares.
import { type Accepted, type Body, type Client, type Done, family, type Item } from 'restkin';
import { type Family, yii2 } from 'restkin/families';
import * as z from 'zod';
import { holds } from './holds.types.ts';

type FullCompany = { id: number; name: string };

/** GitHub and Rails: no `self`, and `{ id }` before a resource is expanded. */
export const identityOfAnId = async (client: Client) => {
  const { resource, expandable, collection, defineApi } = family({ identity: ['id'] });
  const Company = resource({ name: z.string() });
  const Line = resource({ sku: z.string(), quantity: z.int() });
  const Order = resource({
    status: z.string(),
    box: z.object({ id: z.string(), size: z.int() }),
    lines: z.array(Line),
    company: expandable(Company),
  });
  const orders = collection('orders', Order, { fields: true, expand: ['company'] });
  const api = client.api(defineApi({ name: 'x', version: 1, auth: 'token', collections: { orders } }));
  type Whole = {
    id: number;
    status: string;
    box: { id: string; size: number };
    lines: { id: number; sku: string; quantity: number }[];
    company: { id: number };
  };
  const whole = await api.orders.get(7);
  holds<typeof whole>().exactly<Whole>();
  const status = await api.orders.get(7, { fields: ['status', 'lines.sku', 'box.size'] });
  holds<typeof status>().exactly<{
    id: number;
    status: string;
    box: { size: number };
    lines: { id: number; sku: string }[];
  }>();
  const full = await api.orders.get(7, { expand: ['company'] });
  holds<typeof full.company>().exactly<FullCompany>();
  // @ts-expect-error the family has no self links
  void whole.self;
  const written = await api.orders.update(7, { status: 'open' });
  holds<typeof written>().exactly<Done | Accepted>();
  holds<keyof Body<typeof orders, 'create'>>().exactly<'status' | 'box' | 'lines' | 'company'>();
};

/** Directus: the id of a resource that is not expanded. */
export const relationsById = async (client: Client) => {
  const { resource, expandable, collection, defineApi } = family({ identity: ['id'], unexpanded: 'id' });
  const Company = resource({ id: z.string(), name: z.string() });
  const Order = resource({
    company: expandable(Company),
    buyer: z.nullable(expandable(Company)),
    sellers: z.array(expandable(Company)),
  });
  const orders = collection('orders', Order, { fields: true, expand: ['company', 'buyer', 'sellers'] });
  const api = client.api(defineApi({ name: 'x', version: 1, auth: 'token', collections: { orders } }));
  const whole = await api.orders.get(7);
  holds<typeof whole>().exactly<{ id: number; company: string; buyer: string | null; sellers: string[] }>();
  const full = await api.orders.get(7, { expand: ['company', 'sellers'] });
  type Company = { id: string; name: string };
  holds<typeof full>().exactly<{
    id: number;
    company: Company;
    buyer: string | null;
    sellers: Company[];
  }>();
  const name = await api.orders.get(7, { fields: ['buyer.name'], expand: ['buyer'] });
  holds<typeof name>().exactly<{ id: number; buyer: Company | null }>();
  const perhaps = await api.orders.get(7, { expand: [] as 'company'[] });
  holds<typeof perhaps.company>().exactly<string | Company>();
  holds<Body<typeof orders, 'create'>>().exactly<{
    readonly company: string;
    readonly buyer: string | null;
    readonly sellers: readonly string[];
  }>();
};

/** Yii2: nothing until a resource is expanded, and writes that respond with the resource. */
export const absentRelations = async (client: Client) => {
  const { resource, expandable, collection, defineApi } = family({
    identity: ['id'],
    unexpanded: 'absent',
    written: 'resource',
  });
  const Company = resource({ name: z.string() });
  const Order = resource({
    status: z.string(),
    company: expandable(Company),
    buyer: z.nullable(expandable(Company)),
    lines: z.array(expandable(Company)),
  });
  const orders = collection('orders', Order, { fields: true, expand: ['company', 'buyer', 'lines'] });
  const api = client.api(defineApi({ name: 'x', version: 1, auth: 'token', collections: { orders } }));
  type Whole = {
    id: number;
    status: string;
    company?: undefined;
    buyer?: undefined;
    lines?: undefined;
  };
  const whole = await api.orders.get(7);
  holds<typeof whole>().exactly<Whole>();
  holds<Item<typeof orders>>().exactly<Whole>();
  const full = await api.orders.get(7, { fields: ['buyer', 'lines'], expand: ['buyer', 'lines'] });
  holds<typeof full>().exactly<{ id: number; buyer: FullCompany | null; lines: FullCompany[] }>();
  const named = await api.orders.get(7, { fields: ['status', 'company'] });
  holds<typeof named>().exactly<{ id: number; status: string; company?: undefined }>();
  const [some] = (await api.orders.list({ expand: ['company'] })).items;
  holds<NonNullable<typeof some>['company']>().exactly<FullCompany>();
  // @ts-expect-error was not expanded
  void some?.lines.length;
  const updated = await api.orders.update(7, { status: 'open' });
  holds<typeof updated>().exactly<Whole>();
  const replaced = await api.orders.replace(7, { status: 'open' });
  holds<typeof replaced>().exactly<Whole>();
  const removed = await api.orders.delete(7);
  holds<typeof removed>().exactly<Done | Accepted>();
  // @ts-expect-error what is left out is not written either
  void api.orders.create({ status: 'open', company: { id: 1 } });
};

/** Where the type of a family leaves a part open, a result promises what all values of the part give. */
export const openFamily = async (client: Client, given: Family) => {
  const { resource, expandable, collection, defineApi } = family(given);
  const Order = resource({ status: z.string(), company: expandable(resource({ name: z.string() })) });
  const orders = collection('orders', Order, { fields: true, expand: ['company'] });
  const api = client.api(defineApi({ name: 'x', version: 1, auth: 'token', collections: { orders } }));
  const whole = await api.orders.get(7);
  holds<typeof whole>().exactly<{ id: number; status: string; company?: undefined }>();
  const updated = await api.orders.update(7, {});
  holds<typeof updated>().exactly<Done | Accepted | typeof whole>();
};

/** GitHub sorts, and has neither `fields` nor `expand`. */
export const missingParts = () => {
  const { resource, collection } = family({ query: { page: 'page', perPage: 'per_page', sort: 'sort' } });
  const Issue = resource({ title: z.string() });
  collection('issues', Issue, { sort: true, paging: true });
  // @ts-expect-error the family has no such part
  collection('issues', Issue, { expand: ['id'] });
  // @ts-expect-error the family has no such part
  collection('issues', Issue, { fields: true });
  // @ts-expect-error not a field
  collection('issues', Issue, { sort: ['nope'] });
};

/** A factory of families whose parameters have type parameters. */
export const factories = async (client: Client) => {
  const shared = { query: { page: 'page' }, identity: ['id'], written: 'resource' } as const;
  const enveloped = <const Items extends string, const One extends string>(items: Items, one: One) =>
    family({
      ...shared,
      list: { items, next: 'number', totalCount: { body: 'total' } },
      item: one,
      body: one,
    });
  const { resource, collection, defineApi } = enveloped('tickets', 'ticket');
  const Ticket = resource({ title: z.string() });
  const tickets = collection('tickets', Ticket, { paging: true });
  // @ts-expect-error the family has no such part
  collection('tickets', Ticket, { sort: true });
  const api = client.api(defineApi({ name: 'x', version: 1, auth: 'token', collections: { tickets } }));
  holds<Awaited<ReturnType<typeof api.tickets.get>>>().exactly<{ id: number; title: string }>();
  const written = await api.tickets.update(7, { title: 'a' });
  holds<typeof written>().exactly<{ id: number; title: string }>();
  // @ts-expect-error no such part
  return <const Items extends string>(items: Items) => family({ ...shared, list: { itms: items } });
};

/** Each part that is unknown, or cannot be, at any depth. */
export const wrongFamilies = () => {
  // @ts-expect-error no such part
  family({ path: '', pagesize: 'limit' });
  // @ts-expect-error no such part
  family({ ...yii2, pagesize: 'limit' });
  // @ts-expect-error no such part
  family({ query: { page: 'p', perpage: 'limit' } });
  // @ts-expect-error no such part
  family({ list: { next: 'number', totalcount: { header: 'X-Total' } } });
  // @ts-expect-error no such part
  family({ list: { totalCount: { headr: 'X-Total' } } });
  // @ts-expect-error no such part
  family({ list: { totalCount: { header: 'X-Total', optionl: true } } });
  // @ts-expect-error a place has one of both
  family({ list: { totalCount: { header: 'X-Total', body: 'total' } } });
  // @ts-expect-error a URL stands in the body
  family({ list: { next: { header: 'X-Next' } } });
  // @ts-expect-error no such part
  family({ invalid: { statuses: [400], fild: 'path' } });
  // @ts-expect-error statuses are missing
  family({ invalid: { items: 'errors' } });
  // @ts-expect-error other statuses
  family({ invalid: { statuses: [409] } });
  // @ts-expect-error no such part
  family({ sortAs: { direction: 'order', mny: true } });
  // @ts-expect-error no such part
  family({ item: { read: '', written: 'doc', writen: 'doc' } });
  // @ts-expect-error a wrong type
  family({ item: 3 });
  // @ts-expect-error no such form
  family({ sortAs: 'desc' });
  // @ts-expect-error no such identity
  family({ identity: ['uuid'] });
  // @ts-expect-error a wrong type
  family({ path: 3 });
  // What is right compiles: a place that may be missing, and parameters of any name.
  family({
    listParameters: { meta: 'total' },
    list: { items: 'data', size: { body: 'meta.size', optional: true } },
  });
};
