// Only has to compile: what each call returns.
import {
  type Accepted,
  basicAuth,
  type Client,
  collection,
  createClient,
  type Done,
  defineApi,
  type ErrorItem,
  type Item,
  isApiError,
  isNotModified,
  isValidationError,
  type NotFoundError,
  type NotModified,
  type Page,
  type ResponseInfo,
  resource,
  tokenAuth,
  waitFor,
} from 'restkin';
import * as z from 'zod';
import { Company, Order, ordering } from '../support/ordering.ts';
import { holds } from './holds.types.ts';

interface Identity {
  id: number;
  self: string;
}
type Line = { id: number; self?: string | undefined; sku: string; quantity: number };
type Status = 'open' | 'shipped' | 'cancelled';
type Whole = {
  id: number;
  status: Status;
  createdAt: string;
  device: { model: string; serial: string };
  lines: Line[];
  company: { id: number; self: string };
  note?: string | undefined;
  self: string;
};
type FullCompany = { id: number; name: string; city: string; self: string };
/** The same properties with the same types; an intersection is resolved first. */
type Flat<T> = { [K in keyof T]: T[K] } & {};

export const whole = async (client: Client) => {
  const { orders, companies, feed, companyOrders } = client.api(ordering);
  const order = await orders.get(7);
  holds<typeof order>().exactly<Whole>();
  const expanded = await orders.get(7, { expand: ['company'] });
  holds<typeof expanded.company>().exactly<FullCompany>();
  holds<typeof expanded.lines>().exactly<Line[]>();
  const [first] = (await orders.list()).items;
  holds<NonNullable<typeof first>>().exactly<Whole>();
  const company = await companies.get(1);
  holds<typeof company>().exactly<FullCompany>();
  for await (const item of companyOrders({ companyId: 'a' }).list({ page: 1 }))
    holds<typeof item>().exactly<Whole>();
  for await (const item of feed.list()) {
    // The feed has no `get`: its records may lack a self link (§2.1).
    holds<typeof item>().exactly<
      Omit<FullCompany, 'self'> & { self?: string | undefined } extends infer T
        ? { [K in keyof T]: T[K] }
        : never
    >();
  }
};

export const limited = async (client: Client) => {
  const { orders } = client.api(ordering);
  const status = await orders.get(7, { fields: ['status'] });
  holds<Flat<typeof status>>().exactly<Flat<{ status: Status } & Identity>>();
  const model = await orders.get(7, { fields: ['device.model'] });
  holds<typeof model.device>().exactly<{ model: string }>();
  holds<keyof typeof model>().exactly<'id' | 'self' | 'device'>();
  const lines = await orders.get(7, { fields: ['lines.sku', 'note'] });
  holds<keyof typeof lines>().exactly<'id' | 'self' | 'lines' | 'note'>();
  holds<(typeof lines.lines)[number]>().exactly<{ id: number; sku: string; self?: string | undefined }>();
  holds<typeof lines.note>().exactly<string | undefined>();
  const name = await orders.get(7, { fields: ['company.name'], expand: ['company'] });
  holds<typeof name.company>().exactly<{ id: number; name: string; self: string }>();
  const unexpanded = await orders.get(7, { fields: ['company.name'] });
  holds<typeof unexpanded.company>().exactly<{ id: number; self: string }>();
  const apart = await orders.get(7, { fields: ['status'], expand: ['company'] });
  holds<typeof apart>().exactly<{ id: number; self: string; status: Status }>();
  const both = await orders.get(7, { fields: ['status', 'company'], expand: ['company'] });
  holds<typeof both.company>().exactly<FullCompany>();
  holds<keyof typeof both>().exactly<'id' | 'self' | 'status' | 'company'>();
};

export const lists = async (client: Client) => {
  const { orders } = client.api(ordering);
  const list = orders.list({
    sort: ['-createdAt', 'device.model'],
    fields: ['status'],
    page: 2,
    perPage: 50,
  });
  const page = await list;
  holds<typeof page.items>().exactly<
    readonly Item<(typeof ordering)['collections']['orders'], readonly ['status']>[]
  >();
  holds<typeof page.totalCount>().exactly<number | undefined>();
  holds<typeof page.next>().exactly<string | undefined>();
  const all = await list.toArray({ limit: 5 });
  holds<(typeof all)[number]['status']>().exactly<Status>();
  for await (const one of list.pages()) holds<typeof one>().exactly<typeof page>();
  const { data, response } = await list.withResponse();
  holds<typeof data>().exactly<Page<(typeof all)[number]>>();
  holds<typeof response>().exactly<ResponseInfo>();
  const built = orders.query().sort('-createdAt').fields('status').expand('company').perPage(10).page(2);
  for await (const item of built.list()) holds<keyof typeof item>().exactly<'id' | 'self' | 'status'>();
};

export const namesAtRunTime = async (client: Client, names: string[]) => {
  const { orders } = client.api(ordering);
  const some = await orders.get(7, { fields: names });
  holds<typeof some>().exactly<Unlisted>();
  const [first] = (await orders.list({ sort: names, fields: names })).items;
  holds<NonNullable<typeof first>>().exactly<Unlisted>();
  const [built] = await orders
    .query()
    .sort('-createdAt', ...names)
    .fields('status', ...names)
    .list()
    .toArray();
  holds<NonNullable<typeof built>>().exactly<Unlisted>();
  const followed = await client.follow(Order, 'https://a.test/v1/orders/7', { fields: names });
  holds<typeof followed>().exactly<Unlisted>();
  const expanded = await orders.get(7, { expand: names });
  holds<typeof expanded.company>().exactly<{ id: number; self: string } | FullCompany>();
  holds<typeof expanded.status>().exactly<Status>();
  const both = await orders.get(7, { fields: ['company.name'], expand: names });
  holds<typeof both.company>().exactly<
    { id: number; self: string } | { id: number; name: string; self: string }
  >();
  const none = await orders.get(7, { fields: [] });
  holds<typeof none>().exactly<Whole>();
};

export const decidedAtRunTime = async (client: Client, flag: boolean, one: 'status' | 'note') => {
  const { orders } = client.api(ordering);
  type Either = { id: number; self: string } | FullCompany;
  const a = await orders.get(7, { expand: flag ? ['company'] : [] });
  holds<typeof a.company>().exactly<Either>();
  const c = await orders.get(7, { fields: [one] });
  holds<typeof c>().exactly<Unlisted>();
  const [d] = (await orders.list({ fields: ['status', one] })).items;
  holds<NonNullable<typeof d>>().exactly<Unlisted>();
  const e = await client.follow(Order, 'x', { expand: flag ? ['company'] : [] });
  holds<typeof e.company>().exactly<Either>();
  type Got = Awaited<ReturnType<typeof orders.get>>;
  holds<Extract<Got, NotModified>>().exactly<never>();
  const j = await orders.get(7, { fields: flag ? ['status'] : undefined, ifNoneMatch: undefined });
  holds<Exclude<typeof j, NotModified>>().exactly<Unlisted>();
  for await (const order of orders.list({ page: 2, fields: flag ? ['status'] : undefined }))
    holds<typeof order>().exactly<Unlisted>();
};

type Unlisted = {
  id: number;
  status?: Status;
  createdAt?: string;
  device?: { model?: string; serial?: string };
  lines?: { id: number; self?: string | undefined; sku?: string; quantity?: number }[];
  company?: { id: number; self: string };
  note?: string | undefined;
  self: string;
};

export const conditional = async (client: Client, etag: string | undefined, modifiedSince: Date) => {
  const { orders } = client.api(ordering);
  const found = await orders.get(7, { ifNoneMatch: etag });
  holds<typeof found>().exactly<Whole | NotModified>();
  if (isNotModified(found)) holds<typeof found>().exactly<NotModified>();
  else holds<typeof found>().exactly<Whole>();
  const since = await orders.get(7, { fields: ['status'], modifiedSince });
  holds<Extract<typeof since, NotModified>>().exactly<NotModified>();
  const spread = await orders.get(7, { ...(etag === undefined ? {} : { ifNoneMatch: etag }) });
  holds<typeof spread>().exactly<Whole | NotModified>();
  holds<Awaited<ReturnType<typeof orders.get>>>().exactly<Whole>();
  const plain = await orders.get(7, { timeoutMs: 5, headers: { 'x-trace': 'a' } });
  holds<typeof plain>().exactly<Whole>();
  const own = await client.request({ method: 'GET', path: 'x', as: 'text', modifiedSince });
  holds<typeof own>().exactly<string | NotModified>();
  const { data } = await orders.get(7).withResponse();
  holds<typeof data>().exactly<Whole>();
  const perhaps = await orders.find(7);
  holds<typeof perhaps>().exactly<Whole | undefined>();
  const followed = await client.follow(Order, 'x', { ifNoneMatch: etag });
  holds<Extract<typeof followed, NotModified>>().exactly<NotModified>();
  const first = await orders.list({ fields: ['status'], limit: 3 }).first();
  holds<typeof first>().exactly<{ id: number; self: string; status: Status } | undefined>();
};

export const writes = async (client: Client, body: Parameters<ReturnType<typeof ordersOf>['create']>[0]) => {
  const orders = ordersOf(client);
  const created = await orders.create(body);
  holds<typeof created>().exactly<Whole>();
  const done = [await orders.replace(7, body), await orders.update(7, {}), await orders.delete(7)] as const;
  holds<(typeof done)[number]>().exactly<Done | Accepted>();
  const methods = await orders.allowedMethods(7);
  holds<typeof methods>().exactly<readonly string[]>();
};
const ordersOf = (client: Client) => client.api(ordering).orders;

export const followed = async (client: Client) => {
  const order = await ordersOf(client).get(7);
  const company = await client.follow(Company, order.company);
  holds<typeof company>().exactly<FullCompany>();
  const byUrl = await client.follow(Company, 'https://a.test/v1/companies/1', { auth: 'token' });
  holds<typeof byUrl>().exactly<FullCompany>();
  const Text = resource({ id: z.string() });
  holds<Awaited<ReturnType<typeof client.follow<typeof Text>>>['id']>().exactly<string>();
};

export const own = async (client: Client) => {
  const csv = await client.request({ method: 'GET', path: 'x', as: 'text' });
  holds<typeof csv>().exactly<string>();
  const json = await client.request({ method: 'GET', path: 'x' });
  holds<typeof json>().exactly<unknown>();
  const pdf = await client.request({ method: 'GET', path: 'x', accept: 'application/pdf', as: 'bytes' });
  holds<typeof pdf>().exactly<Uint8Array<ArrayBuffer>>();
  const unread = await client.request({ method: 'GET', path: 'x', as: 'response' });
  holds<typeof unread>().exactly<Response>();
  const schema = z.object({ a: z.string() });
  const read = await client.request({ method: 'GET', path: 'x', schema });
  holds<typeof read>().exactly<{ a: string }>();
  const written = await client.request({ method: 'POST', path: 'x', body: 1, schema });
  holds<typeof written>().exactly<{ a: string } | Accepted | Done>();
};

export const narrowed = (error: unknown) => {
  if (!isApiError(error)) return undefined;
  switch (error.status) {
    case 404:
      holds<typeof error>().exactly<NotFoundError>();
      return error.code;
    case 429:
      holds<typeof error.retryAfterMs>().exactly<number | undefined>();
      return error.sent;
    case 400:
      if (isValidationError(error)) holds<typeof error.errors>().exactly<readonly ErrorItem[]>();
      return error.message;
    case 502:
      return error.code;
    default:
      return undefined;
  }
};

const isoDate = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});
const Meeting = resource({
  at: isoDate,
  room: z.object({ until: z.optional(isoDate) }),
  size: z.coerce.number(),
});
const meetings = defineApi({
  name: 'meetings',
  version: 1,
  auth: 'token',
  collections: {
    meetings: collection('meetings', Meeting, { fields: true }),
    notes: collection('notes', Company, {
      operations: ['create', 'replace', 'update'],
      bodies: {
        create: z.object({ at: isoDate, name: z._default(z.string(), 'x') }),
        update: z.object({ at: isoDate }),
      },
    }),
  },
});
type Body<M extends (...given: never[]) => unknown, I extends number> = Parameters<M>[I];

export const codecs = async (client: Client) => {
  const api = client.api(meetings);
  const meeting = await api.meetings.get(1);
  holds<typeof meeting.at>().exactly<Date>();
  holds<typeof meeting.room>().exactly<{ until?: Date | undefined }>();
  const limited = await api.meetings.get(1, { fields: ['room.until'] });
  holds<typeof limited.room.until>().exactly<Date | undefined>();
  type Created = Body<typeof api.meetings.create, 0>;
  holds<Created['at']>().exactly<Date>();
  holds<Created['room']>().exactly<{ readonly until?: Date | undefined }>();
  holds<Created['size']>().exactly<number>();
  type Updated = Body<typeof api.meetings.update, 1>;
  holds<Updated['at']>().exactly<Date | undefined>();
  holds<Updated['room']>().exactly<{ readonly until?: Date | undefined } | undefined>();
  holds<Body<typeof api.notes.create, 0>>().exactly<{
    readonly at: Date;
    readonly name?: string | undefined;
  }>();
  holds<Body<typeof api.notes.update, 1>>().exactly<{ readonly at: Date }>();
  holds<Body<typeof api.notes.replace, 1>>().exactly<{ readonly name: string; readonly city: string }>();
};

export const schemes = () => {
  const login = { username: 'a', password: 'b' };
  const baseUrl = 'https://a.test';
  const basic = createClient({ baseUrl, auth: basicAuth(login) });
  holds<typeof basic>().exactly<Client<'basic'>>();
  const token = createClient({ baseUrl, auth: tokenAuth({ authUrl: baseUrl, ...login }) });
  holds<typeof token>().exactly<Client<'token'>>();
  const several = createClient({ baseUrl, auth: { a: basicAuth(login), b: basicAuth(login) } });
  holds<typeof several>().exactly<Client<'a' | 'b'>>();
  const any: Client = several;
  return any;
};

const Probe = resource({
  metrics: z.object({ load: z.number() }).catchall(z.number()),
  labels: z.looseObject({ team: z.string() }),
  size: z.nonoptional(z.optional(z.number())),
});
const probing = defineApi({
  name: 'probing',
  version: 1,
  auth: 'token',
  collections: { probes: collection('probes', Probe, { fields: true }) },
});

export const openObjects = async (client: Client) => {
  const { probes } = client.api(probing);
  const probe = await probes.get(1);
  holds<(typeof probe.metrics)['disk']>().exactly<number>();
  holds<typeof probe.labels.team>().exactly<string>();
  holds<(typeof probe.labels)['owner']>().exactly<unknown>();
  holds<typeof probe.size>().exactly<number>();
  const limited = await probes.get(1, { fields: ['metrics.load'] });
  holds<typeof limited.metrics>().exactly<{ load: number }>();
  const labels = { team: 'a', owner: 'b' };
  await probes.create({ metrics: { load: 1, disk: 2 }, labels, size: 1 });
  await probes.update(1, { metrics: { disk: 2 } });
  // @ts-expect-error the keys that are not named are numbers
  await probes.update(1, { metrics: { disk: 'full' } });
  // @ts-expect-error it is no longer optional
  await probes.create({ metrics: { load: 1 }, labels, size: undefined });
};

/** The type of `z.json()` is recursive. */
export const jsonFields = async (client: Client) => {
  const Note = resource({ meta: z.json(), byName: z.record(z.string(), z.json()) });
  const collections = { notes: collection('notes', Note) };
  const { notes } = client.api(defineApi({ name: 'x', version: 1, auth: 'token', collections }));
  const { id, self, ...body } = await notes.create({ meta: { a: [1, { b: null }] }, byName: { c: [1] } });
  await notes.replace(id, body);
  await notes.update(id, { meta: [self] as const });
  // @ts-expect-error JSON has no dates
  await notes.update(id, { meta: { at: new Date() } });
};

/** Functions of a program's own over `request` with a type parameter. */
export const forwardedRequests = async (client: Client<'token'>) => {
  const read = async <S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>> =>
    client.request({ method: 'GET', path, schema, api: ordering });
  const { a } = await read('x', z.object({ a: z.string() }));
  holds<typeof a>().exactly<string>();
  const write = <B>(path: string, body: B) => client.request({ method: 'POST', path, body });
  const ask = <A extends typeof ordering>(api: A) => client.request({ method: 'GET', path: 'x', api });
  return [await write('x', 1), await ask(ordering)];
};

export const awaitedLater = async (client: Client) => {
  const orders = ordersOf(client);
  const found = await waitFor(
    () => orders.find(7),
    (order) => order !== undefined,
  );
  holds<typeof found>().exactly<Whole>();
  const shipped = await waitFor(
    () => orders.find(7),
    (order) => order?.status === 'shipped',
  );
  holds<typeof shipped>().exactly<Whole | undefined>();
};

export const optionsThatMayBeMissing = (fetch: typeof globalThis.fetch | undefined, ms: number | undefined) =>
  createClient({
    baseUrl: 'https://a.test',
    auth: basicAuth({ username: 'a', password: 'b' }),
    fetch,
    timeoutMs: ms,
    retry: { baseDelayMs: ms },
    on: { request: undefined },
  });

/** `client.fetch` is a `fetch` for other clients. */
export const asFetch = async (client: Client) => {
  const standard: typeof globalThis.fetch = client.fetch;
  const response = await client.fetch(new Request('https://a.test/x'), {
    method: 'POST',
    body: new FormData(),
  });
  holds<typeof response>().exactly<Response>();
  return standard;
};
