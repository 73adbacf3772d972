// Only has to compile: each marked line is a mistake that the compiler finds.
import {
  type AnyApiError,
  type Body,
  basicAuth,
  type Client,
  collection,
  createClient,
  customAuth,
  defineApi,
  expandable,
  resource,
  type ServiceUnavailableError,
  tokenAuth,
} from 'restkin';
import * as z from 'zod';
import { Company, Order, ordering } from '../support/ordering.ts';

export const queries = (client: Client) => {
  const { orders, companies, feed } = client.api(ordering);
  // @ts-expect-error not a field
  void orders.list({ sort: ['nope'] });
  // @ts-expect-error not a field of the device
  void orders.list({ sort: ['device.nope'] });
  // @ts-expect-error a status has no fields
  void orders.list({ sort: ['status.length'] });
  // @ts-expect-error one minus is enough
  void orders.list({ sort: ['--status'] });
  // @ts-expect-error fields have no direction
  void orders.list({ fields: ['-status'] });
  // @ts-expect-error a device is not a resource that can be expanded
  void orders.list({ expand: ['device'] });
  // @ts-expect-error a number
  void orders.list({ page: '2' });
  // @ts-expect-error misspelt
  void orders.list({ perpage: 2 });
  // @ts-expect-error an own parameter that is not declared
  void orders.list({ params: { since: 'x' } });
  // @ts-expect-error companies sort by name and city alone
  void companies.list({ sort: ['id'] });
  // @ts-expect-error companies declare no fields
  void companies.list({ fields: ['name'] });
  // @ts-expect-error the type of an own parameter
  void feed.list({ params: { limit: 'five' } });
  // @ts-expect-error an own parameter that does not exist
  void feed.list({ params: { until: 'x' } });
  // @ts-expect-error get does not page
  void orders.get(7, { page: 1 });
};

export const builders = (client: Client) => {
  const { orders, companies, feed } = client.api(ordering);
  // @ts-expect-error not a field
  orders.query().sort('nope');
  // @ts-expect-error companies declare no fields
  companies.query().fields('name');
  // @ts-expect-error the type of an own parameter
  feed.query().params({ limit: 'x' });
  // @ts-expect-error orders declare no own parameters
  orders.query().params({});
};

export const operations = (client: Client) => {
  const { orders, feed, companyOrders } = client.api(ordering);
  // @ts-expect-error the feed can be listed alone
  void feed.get(1);
  // @ts-expect-error a path with parameters is a function of them
  companyOrders.list();
  // @ts-expect-error the parameter is misspelt
  companyOrders({ companyID: 3 });
  // @ts-expect-error an order's id is a number
  void orders.get('7');
  // @ts-expect-error also where its methods are asked for
  void orders.allowedMethods('7');
  // @ts-expect-error no such collection
  void client.api(ordering).nope;
};

const body = {
  status: 'open',
  createdAt: '2026-01-01T00:00:00Z',
  device: { model: 'a', serial: 'b' },
  lines: [{ sku: 'a', quantity: 1 }],
  company: { id: 3 },
} as const;

export const bodies = (client: Client) => {
  const { orders, companies } = client.api(ordering);
  void orders.create(body);
  // @ts-expect-error not a status
  void orders.create({ ...body, status: 'nope' });
  // @ts-expect-error the id is the server's
  void companies.create({ id: 1, name: 'a', city: 'b' });
  // @ts-expect-error a nested resource goes by its id
  void orders.create({ ...body, company: 3 });
  // @ts-expect-error a nested resource that can be expanded is not written along
  void orders.create({ ...body, company: { id: 3, name: 'a' } });
  // @ts-expect-error PUT takes the whole resource
  void companies.replace(1, { name: 'a' });
  // @ts-expect-error the type of a field
  void companies.update(1, { name: 5 });
  // @ts-expect-error misspelt
  const part: Body<typeof companies, 'update'> = { nmae: 'a' };
  return part;
};

export const results = async (client: Client) => {
  const { orders } = client.api(ordering);
  const order = await orders.get(7, { fields: ['status', 'device.model'] });
  // @ts-expect-error was not asked for
  void order.device.serial;
  const whole = await orders.get(7);
  // @ts-expect-error was not expanded
  void whole.company.name;
  const page = await orders.list();
  // @ts-expect-error plain data
  page.items = [];
  // @ts-expect-error may be missing: the list may be empty
  void (await orders.list().first()).status;
  const found = await orders.get(7, { ifNoneMatch: '"a"' });
  // @ts-expect-error may be unchanged
  void found.status;
  const created = await orders.create(body);
  // @ts-expect-error the resource itself, not a wrapper
  void created.data;
  // @ts-expect-error JSON without a schema is unknown
  void (await client.request({ method: 'GET', path: 'x' })).a;
};

export const declarations = () => {
  // @ts-expect-error a name has no fields
  collection('x', Company, { sort: ['name.length'] });
  // @ts-expect-error not a field
  collection('x', Order, { fields: ['device.nope'] });
  // @ts-expect-error not a resource that can be expanded
  collection('x', Order, { expand: ['device'] });
  // @ts-expect-error no client has a scheme for it
  defineApi({ name: 'x', version: 1, auth: [], collections: {} });
  // @ts-expect-error an object of limits
  collection('x', Company, { bulk: true });
  // @ts-expect-error an object of schemas
  collection('x', Company, { bodies: z.object({}) });
  // @ts-expect-error left out where a list has no pages
  collection('x', Company, { paging: false });
  // @ts-expect-error no such operation
  collection('x', Company, { operations: ['destroy'] });
  // @ts-expect-error a nested resource is another field than the resource itself
  collection('x', expandable(Company));
  // @ts-expect-error one of the names is right, and one is not
  collection('x', Order, { sort: ['device.model', 'device.colour'] });
  // @ts-expect-error names that are known at run time only may be wrong
  collection('x', Order, { fields: ['status' as string] });
  // @ts-expect-error the resource has no such field to refer to
  collection('x', Order, { references: { 'lines.colour': 'https://docs.example.com' } });
  // @ts-expect-error no field of this name can be in a path
  collection('x', Order, { key: 'number' });
  // @ts-expect-error an object cannot be in a path
  collection('x', Order, { key: 'device' });
  // @ts-expect-error a field inside another one cannot be in a path
  collection('x', Order, { key: 'device.model' });
  // @ts-expect-error what can be expanded is a resource
  expandable(z.object({ name: z.string() }));
  // @ts-expect-error a collection, not its resource
  defineApi({ name: 'x', version: 1, auth: 'token', collections: { orders: Order } });
  // @ts-expect-error a field is a schema
  resource({ name: 'text' });
  // @ts-expect-error the scheme is missing
  defineApi({ name: 'x', version: 1, collections: {} });
};

export const namesAtRunTime = async (client: Client, names: string[], some: ('status' | 'nope')[]) => {
  const { orders } = client.api(ordering);
  const order = await orders.get(7, { fields: names });
  // @ts-expect-error may be missing
  void order.status.length;
  // @ts-expect-error may be missing, also below a field that is there
  void order.device?.model.length;
  // @ts-expect-error one of them is not a field
  void orders.list({ fields: some });
  const expanded = await orders.get(7, { expand: names });
  // @ts-expect-error may not be expanded
  void expanded.company.name;
  // @ts-expect-error numbers are no names
  void orders.list({ sort: [1] });
};

export const follows = async (client: Client<'token'>) => {
  // @ts-expect-error not a field of an order
  void client.follow(Order, 'x', { fields: ['nope'] });
  // @ts-expect-error a link has no sort
  void client.follow(Order, 'x', { sort: ['status'] });
  // @ts-expect-error the client has no such scheme
  void client.follow(Order, 'x', { auth: 'basic' });
};

export const schemes = (client: Client<'basic'>) => {
  // @ts-expect-error the API takes a token
  client.api(ordering);
  const token = createClient({
    baseUrl: 'x',
    auth: tokenAuth({ authUrl: 'x', username: 'a', password: 'b' }),
  });
  token.api(ordering);
  const old = defineApi({ name: 'old', version: 1, auth: ['basic', 'custom'], collections: {} });
  client.api(old);
  // @ts-expect-error the API takes Basic, or a style of its own
  token.api(old);
  // @ts-expect-error it has one of the two
  const both: Client<'token' | 'basic'> = token;
  const fewer: Client<'token'> = createClient({
    baseUrl: 'x',
    auth: {
      token: tokenAuth({ authUrl: 'x', username: 'a', password: 'b' }),
      basic: basicAuth({ username: 'a', password: 'b' }),
    },
  });
  const some: ReturnType<typeof createClient> = fewer;
  return [both, some];
};

export const switched = (error: AnyApiError): string => {
  // @ts-expect-error a 502 is none of the errors of §7.1
  if (error.status === 502) error satisfies ServiceUnavailableError;
  // @ts-expect-error a 404 has no `sent`
  if (error.status === 404) return String(error.sent);
  return error.code;
};

const isoDate = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

export const codecs = (client: Client) => {
  const Meeting = resource({ at: isoDate });
  const { meetings, notes } = client.api(
    defineApi({
      name: 'x',
      version: 1,
      auth: 'token',
      collections: {
        meetings: collection('meetings', Meeting),
        notes: collection('notes', Company, { bodies: { create: z.object({ at: isoDate }) } }),
      },
    }),
  );
  // @ts-expect-error a codec takes its decoded value
  void meetings.create({ at: '2026-01-01T00:00:00Z' });
  // @ts-expect-error a date is replaced as a whole
  void meetings.update(1, { at: {} });
  // @ts-expect-error the declaration has a body of its own
  void notes.create({ name: 'a', city: 'b' });
  const Stock = resource({
    count: z.string().transform(Number).pipe(z.int()),
    unit: z.string().pipe(z.enum(['g', 'kg'])),
    tags: z.array(z.string()).readonly(),
  });
  const { stocks, search } = client.api(
    defineApi({
      name: 'x',
      version: 1,
      auth: 'token',
      collections: {
        stocks: collection('stocks', Stock),
        search: collection('search', Company, { sort: true, params: z.object({ q: z.string() }) }),
      },
    }),
  );
  void stocks.update(1, { count: '7' });
  void stocks.update(1, { unit: 'kg' });
  // @ts-expect-error the pipe lets two texts through
  void stocks.update(1, { unit: 'lb' });
  // @ts-expect-error there is no way back from the number to the text
  void stocks.update(1, { count: 7 });
  // @ts-expect-error the value is frozen
  void stocks.get(1).then(({ tags }) => tags.sort());
  void search.query().params({ q: 'a' }).sort('name').list();
  void search.query().sort('name').params({ q: 'a' }).list();
  // @ts-expect-error a parameter is required
  void search.list();
  // @ts-expect-error a parameter is required
  void search.query().list();
  // @ts-expect-error a parameter is required
  void search.query().sort('name').list();
  const listed = z.object({ q: z.string(), tags: z.optional(z.array(z.string())) });
  collection('x', Company, { params: listed, repeated: ['tags'] });
  // @ts-expect-error q is no list
  collection('x', Company, { params: listed, repeated: ['q'] });
  // @ts-expect-error misspelt
  collection('x', Company, { params: listed, repeated: ['tag'] });
  // @ts-expect-error params is missing
  collection('x', Company, { repeated: ['tags'] });
  // @ts-expect-error no operation has such a body
  collection('x', Company, { bodies: { delete: z.object({}) } });
  // @ts-expect-error a form is no JSON
  collection('x', Company, { bodies: { create: z.instanceof(FormData) } });
  // @ts-expect-error a file is no JSON
  collection('x', Company, { bodies: { update: z.file() } });
  // What is JSON compiles, and what may be.
  const base64 = z.codec(z.string(), z.instanceof(Blob), { decode: () => new Blob(), encode: () => '' });
  collection('x', Company, { bodies: { create: z.any(), replace: z.unknown(), update: base64 } });
};

export const clients = (client: Client) => {
  const login = { username: 'a', password: 'b' };
  const baseUrl = 'https://a.test';
  // @ts-expect-error the scheme is missing
  createClient({ baseUrl });
  // @ts-expect-error the base URL is missing
  createClient({ auth: basicAuth(login) });
  // @ts-expect-error a login is not a scheme
  createClient({ baseUrl, auth: login });
  // @ts-expect-error misspelt
  createClient({ baseUrl, auth: basicAuth(login), timeoutMS: 3 });
  // @ts-expect-error a policy or false
  createClient({ baseUrl, auth: basicAuth(login), retry: 3 });
  // @ts-expect-error where the token endpoint is
  tokenAuth(login);
  // @ts-expect-error header fields are texts
  customAuth(() => ({ 'x-key': 5 }));
  // @ts-expect-error §4.2 HEAD is not supported
  void client.request({ method: 'HEAD', path: 'x' });
  // @ts-expect-error misspelt: nothing would be checked
  void client.request({ method: 'GET', path: 'x', schma: Company });
  // @ts-expect-error a number has no self
  void client.follow(Company, 5);
  // @ts-expect-error a resource says what the link leads to
  void client.follow('https://a.test/v1/companies/1');
};

export const otherClients = () => {
  const auth = { reader: customAuth(() => ({})), admin: customAuth(() => ({})) };
  const client = createClient({ baseUrl: 'https://a.test', auth });
  void client.fetchAs('admin')('x');
  // @ts-expect-error not a scheme of the client
  client.fetchAs('owner');
  // @ts-expect-error fetch takes a URL
  void client.fetch({ path: 'x' });
};
