import { createClient, tokenAuth } from 'restkin';
import { type Break, breakServer, createShop, login, reach } from './server.ts';
import { shop } from './shop.ts';

const order = {
  status: 'open',
  createdAt: '2026-01-01T00:00:00Z',
  note: 'restkin-doctor-use',
  device: { model: 'M', serial: 'S' },
  lines: [],
  company: { id: 1 },
  payer: { id: 1 },
} as const;

const demandCount = (count: number, records: readonly unknown[]): void => {
  if (records.length !== count) throw new Error(`${records.length} records in place of ${count}`);
};

const onPage = ({ pages }: { readonly pages: number }): void => {
  if (pages > 6) throw new Error('the list has no end');
};

/** What a program does with a server: it reads lists and resources and, with `writes`, changes some. */
export const useServer = async (change: Break, { writes = false } = {}): Promise<void> => {
  const mock = createShop();
  const { baseUrl, authUrl = '', fetch } = reach(breakServer(mock.respond, change));
  const client = createClient({
    baseUrl,
    ...(fetch && { fetch }),
    auth: tokenAuth({ authUrl, ...login }),
    retry: false,
  });
  const { orders, companies, feed } = client.api(shop);
  if ((await orders.get(7)).id !== 7) throw new Error('another order');
  await orders.list({ fields: ['status', 'device.model'] });
  await orders.list({ expand: ['company'] });
  await orders.list({ expand: ['company', 'payer'] });
  await orders.get(7, { expand: ['company'] });
  demandCount(40, await orders.list({ perPage: 8, onPage }).toArray());
  demandCount(5, await companies.list().toArray());
  demandCount(5, await feed.list({ perPage: 2, onPage }).toArray());
  if (!writes) return;
  const { id } = await orders.create(order);
  const demandNote = async (note: string): Promise<void> => {
    if ((await orders.get(id)).note !== note) throw new Error('the change is lost');
  };
  await orders.replace(id, { ...order, note: 'restkin-doctor-put' });
  await demandNote('restkin-doctor-put');
  await orders.update(id, { note: 'restkin-doctor-patch' });
  await demandNote('restkin-doctor-patch');
  await orders.delete(id);
};
