// Only has to compile: what is tested without a server takes the client, and functions in its place.
import { type Client, collection, defineApi, endpoint, type Fake, type Item, resource } from 'restkin';
import * as z from 'zod';
import { holds } from './holds.types.ts';

const Order = resource({ status: z.string(), note: z.optional(z.string()) });
const Report = resource({ title: z.string(), pages: z.int() });
const shop = defineApi({
  name: 'shop',
  version: 1,
  auth: 'token',
  collections: {
    orders: collection('orders', Order, {
      fields: true,
      actions: {
        cancel: endpoint('POST', 'cancel', { body: z.object({ headers: z.string() }), response: Order }),
        ship: endpoint('POST', 'ship', { accepts: true }),
        history: endpoint('GET', 'history', { response: z.array(z.string()) }),
        line: endpoint('GET', 'lines/:line', { response: Order, fields: true }),
      },
    }),
    lines: collection('orders/:orderId/lines', Order),
  },
  endpoints: {
    report: endpoint('GET', 'reports/:id', {
      response: Report,
      fields: true,
      query: z.object({ year: z.int() }),
    }),
    ping: endpoint('POST', 'ping'),
    audio: endpoint('GET', 'audio', { accept: 'audio/wav', as: 'bytes' }),
  },
});

type Api = Fake<ReturnType<typeof bind>>;
const bind = (client: Client) => client.api(shop);

const use = async (api: Pick<Api, 'orders' | 'lines' | 'report' | 'ping'>) => {
  const order = await api.orders.cancel(7, { headers: 'a field of the body' });
  holds<typeof order>().exactly<Item<(typeof shop)['collections']['orders']>>();
  const shipped = await api.orders.ship(7);
  holds<typeof shipped.outcome>().exactly<'done' | 'accepted'>();
  const history = await api.orders.history(7, { timeoutMs: 5 });
  holds<(typeof history)[number]>().exactly<string>();
  const report = await api.report({ id: 1, query: { year: 2026 } });
  holds<typeof report.pages>().exactly<number>();
  await api.ping();
  const lines: string[] = [];
  for await (const { status } of api.lines({ orderId: 7 }).list()) lines.push(status);
  // @ts-expect-error a fake returns whole resources
  void api.report({ id: 1, query: { year: 2026 }, fields: ['title'] });
  // @ts-expect-error the query is required
  void api.report({ id: 1 });
  // @ts-expect-error nor does an action select fields
  void api.orders.line(7, { line: '1', fields: ['status'] });
  // @ts-expect-error the body is required
  void api.orders.cancel(7);
  return lines;
};

const order = { id: 7, self: '', status: 'open' };

export const used = async (client: Client) => {
  const api = client.api(shop);
  void use(api);
  const orders = {
    ...api.orders,
    cancel: async (id: number, { headers }: { headers: string }) => ({ ...order, id, note: headers }),
    ship: () => ({ outcome: 'done' }) as const,
    history: async () => ['made', 'shipped'],
  };
  const lines = () => ({ ...api.lines({ orderId: 1 }), list: () => [order] });
  const report = async ({ query }: { query: { year: number } }) => ({
    id: 1,
    self: '',
    title: '',
    pages: query.year,
  });
  const ping = () => ({ outcome: 'done' }) as const;
  void use({ orders, lines, report, ping });
  // @ts-expect-error not a whole resource
  void use({ orders: { ...orders, cancel: async () => ({ id: 7 }) }, lines, report, ping });
  const cancelOnly = async ({ cancel }: Fake<Pick<typeof api.orders, 'cancel'>>) =>
    (await cancel(7, { headers: '' })).status;
  void cancelOnly(api.orders);
  void cancelOnly({ cancel: () => order });
  const audioOf = async ({ audio }: Fake<Pick<typeof api, 'audio'>>) => (await audio()).byteLength;
  void audioOf(api);
  void audioOf({ audio: () => new Uint8Array(3) });
};
