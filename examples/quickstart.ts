// The main job, from login to typed errors, against the mock of the same declaration on a loopback port.
import { createClient, tokenAuth, ValidationError } from 'restkin';
import { createMock, serve } from 'restkin/mocks';
import { ordering } from './ordering.ts';

const statuses = ['open', 'shipped', 'cancelled'] as const;
const companies = ['Acme', 'Blue Moon', 'Corner Shop'].map((name, i) => ({
  id: i + 1,
  name,
  city: 'Utrecht',
}));
const orders = Array.from({ length: 340 }, (_, i) => ({
  id: i + 1,
  status: statuses[i % statuses.length],
  createdAt: new Date(Date.UTC(2026, 0, 1) + ((i * 7919) % 340) * 3_600_000).toISOString(),
  device: { model: `M${i % 5}`, serial: `S-${1000 + i}` },
  lines: [{ sku: `SKU-${i % 20}`, quantity: 1 + (i % 4) }],
  company: (i % companies.length) + 1,
}));

const mock = createMock(ordering, {
  data: { orders, companies },
  users: [{ username: 'ada', password: 'lovelace' }],
});
const server = await serve(mock, { port: 0 });
console.log(`1. The mock of "${ordering.name}" answers at ${server.url}`);

const client = createClient({
  baseUrl: server.url,
  auth: tokenAuth({ authUrl: server.url, username: 'ada', password: 'lovelace' }),
});
const api = client.api(ordering);

const page = await api.orders.list({ perPage: 50 });
console.log(
  `2. Logged in; page ${page.number} of ${page.totalPages} has ${page.items.length} of ${page.totalCount} orders`,
);

let count = 0;
let newest = '';
const perCompany = new Map<string, number>();
const query = {
  sort: ['-createdAt'],
  fields: ['createdAt', 'company'],
  expand: ['company'],
  perPage: 50,
} as const;
for await (const order of api.orders.list(query)) {
  if (count++ === 0) newest = order.createdAt;
  perCompany.set(order.company.name, (perCompany.get(order.company.name) ?? 0) + 1);
}
const shares = [...perCompany].map(([name, orders]) => `${name} ${orders}`).join(', ');
console.log(`3. Iterated ${count} orders, newest first (${newest}): ${shares}`);

const created = await api.orders.create({
  status: 'open',
  createdAt: new Date(Date.UTC(2026, 5, 1)).toISOString(),
  device: { model: 'M9', serial: 'S-9000' },
  lines: [{ sku: 'SKU-1', quantity: 2 }],
  company: { id: 2 },
});
if (created.outcome === 'created') {
  console.log(`4. Created order ${created.data.id} at ${new URL(created.location).pathname}`);
}

try {
  await api.orders.create({
    status: 'open',
    createdAt: 'yesterday',
    device: { model: 'M9', serial: 'S-9001' },
    lines: [{ sku: 'SKU-1', quantity: -2 }],
    company: { id: 2 },
  });
} catch (error) {
  if (!(error instanceof ValidationError)) throw error;
  console.log(`5. Refused with ${error.status}: ${error.message}`);
  for (const [field, items] of Object.entries(error.fieldErrors)) {
    console.log(`   ${field}: ${items.map(({ code, message }) => message ?? code).join('; ')}`);
  }
}

const grants = mock.requests.filter(({ grant }) => grant !== undefined).length;
console.log(`6. ${mock.requests.length} requests, ${grants} of them for a token`);
await server.close();
