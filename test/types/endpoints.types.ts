// Only has to compile: what endpoints and actions take and return, and marked lines that must not compile.
import {
  type Accepted,
  type Client,
  collection,
  type Done,
  defineApi,
  endpoint,
  type Item,
  isAccepted,
  type NotModified,
  resource,
} from 'restkin';
import * as z from 'zod';
import { office, type Report, Settings } from '../support/endpoints.ts';
import { Order } from '../support/ordering.ts';

const same =
  <A>() =>
  <B>(value: [A, B] extends [B, A] ? B : never): void =>
    void value;

export const results = async (client: Client, signal: AbortSignal) => {
  const { orders, companyOrders, settings, saveSettings, audio, transcript, upload, report, latestOrder } =
    client.api(office);
  const cancelled = await orders.cancel(7, { reason: 'late' });
  same<Item<typeof orders>>()(cancelled);
  await orders.cancel(7, { reason: 'late' }, { signal });
  same<{ at: string }[]>()(await orders.history(7));
  await orders.history(7, { query: { limit: 3 }, signal });
  same<Done>()(await orders.unlabel(7, { label: 'new' }));
  same<Done | Accepted>()(await companyOrders({ companyId: 3 }).ship(7));
  same<z.output<typeof Settings>>()(await settings());
  same<z.output<typeof Settings> | NotModified>()(await settings({ ifNoneMatch: '"1"' }));
  same<Done>()(await saveSettings({ body: { currency: 'EUR', since: new Date() } }));
  same<Response>()(await audio({ id: 3 }));
  same<string>()(await transcript({ id: 'a' }));
  same<{ id: number }>()(await upload({ body: new FormData() }));
  const made = await report({ query: { from: '2026-11-01' }, body: { title: 'x' }, signal });
  if (!isAccepted(made)) same<Omit<z.output<typeof Report>, 'self'> & { self: string }>()({ ...made });
  const latest = await latestOrder({ fields: ['status', 'company'], expand: ['company'] });
  same<string>()(latest.company.name);
  const { data, response } = await settings().withResponse();
  same<string>()(data.currency);
  same<number>()(response.status);
  // @ts-expect-error it was not fetched
  void latest.device;
};

export const calls = (client: Client) => {
  const { orders, companies, settings, audio, report, saveSettings, latestOrder } = client.api(office);
  // @ts-expect-error no action of this collection
  void companies.cancel(7);
  // @ts-expect-error the body is missing
  void orders.cancel(7);
  // @ts-expect-error not a field of the body
  void orders.cancel(7, { because: 'late' });
  // @ts-expect-error the id is missing
  void orders.history();
  // @ts-expect-error history has no body
  void orders.history(7, { reason: 'late' });
  // @ts-expect-error not a query parameter
  void orders.history(7, { query: { top: 3 } });
  // @ts-expect-error the type of a query parameter
  void orders.history(7, { query: { limit: 'three' } });
  // @ts-expect-error the label is missing
  void orders.unlabel(7);
  // @ts-expect-error settings have no path parameter
  void settings({ id: 3 });
  // @ts-expect-error settings have no body
  void settings({ body: {} });
  // @ts-expect-error settings have no fields
  void settings({ fields: ['currency'] });
  // @ts-expect-error the path parameter is missing
  void audio();
  // @ts-expect-error misspelt
  void audio({ ids: 3 });
  // @ts-expect-error an id is a string or a number
  void audio({ id: true });
  // @ts-expect-error the query is missing
  void report({ body: { title: 'x' } });
  // @ts-expect-error the body is missing
  void report({ query: { from: '2026-11-01' } });
  // @ts-expect-error the type of the body
  void report({ query: { from: '2026-11-01' }, body: { title: 1 } });
  // @ts-expect-error misspelt option of a call
  void settings({ timeout: 5 });
  // @ts-expect-error a write is not conditional
  void saveSettings({ body: { currency: 'EUR', since: new Date() }, ifNoneMatch: '"1"' });
  // @ts-expect-error not a field
  void latestOrder({ fields: ['nope'] });
  // @ts-expect-error not a resource that can be expanded
  void latestOrder({ expand: ['device'] });
};

export const declarations = () => {
  // @ts-expect-error not a method
  endpoint('FETCH', 'settings');
  // @ts-expect-error GET has no body
  endpoint('GET', 'settings', { body: z.object({}) });
  // @ts-expect-error misspelt
  endpoint('GET', 'settings', { respons: Settings });
  // @ts-expect-error `response` is JSON
  endpoint('GET', 'settings', { response: Settings, as: 'text' });
  // @ts-expect-error fields are those of a resource
  endpoint('GET', 'settings', { response: Settings, fields: true });
  // @ts-expect-error not a field of the resource
  endpoint('GET', 'latest', { response: Order, fields: ['nope'] });
  // @ts-expect-error not a list
  endpoint('GET', 'search', { query: z.object({ text: z.string() }), repeated: ['text'] });
  // @ts-expect-error not an object schema
  endpoint('GET', 'search', { query: z.string() });
  // @ts-expect-error true or false
  endpoint('GET', 'search', { trailingSlash: '/' });
  // @ts-expect-error true or false
  collection('orders', Order, { trailingSlash: 'yes' });
  // @ts-expect-error an action is made by endpoint()
  collection('orders', Order, { actions: { cancel: { method: 'POST', path: 'cancel' } } });
  // @ts-expect-error an endpoint is made by endpoint()
  defineApi({ name: 'x', version: 1, auth: 'basic', collections: {}, endpoints: { a: resource({}) } });
};
