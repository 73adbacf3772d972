// The main job, from login to typed errors, against the mock of the same declaration on a loopback port.
import { createClient, isValidationError, tokenAuth } from 'restkin';
import { createMock, serve } from 'restkin/mocks';
import { ordering } from './ordering.ts';

const mock = createMock(ordering, {
  data: { companies: ['Acme', 'Blue Moon', 'Corner Shop'].map((name) => ({ name, city: 'Utrecht' })) },
  generate: { orders: 340 },
  users: [{ username: 'ada', password: 'lovelace' }],
});
const server = await serve(mock);
console.log(`1. The mock of "${ordering.name}" listens at ${server.url}`);

const client = createClient({
  baseUrl: server.url,
  auth: tokenAuth({ authUrl: server.url, username: 'ada', password: 'lovelace' }),
});
const { orders } = client.api(ordering);

const page = await orders.list({ perPage: 50 });
console.log(
  `2. Logged in; page ${page.number} of ${page.totalPages} has ${page.items.length} of ${page.totalCount} orders`,
);

const recent = orders.query().sort('-createdAt').fields('createdAt', 'company').expand('company').perPage(50);
const newest: string[] = [];
const perCompany = new Map<string, number>();
for await (const { createdAt, company } of recent.list()) {
  newest.push(createdAt);
  perCompany.set(company.name, (perCompany.get(company.name) ?? 0) + 1);
}
const shares = [...perCompany].map(([name, count]) => `${name} ${count}`).join(', ');
console.log(`3. Iterated ${newest.length} orders, newest first (${newest[0]}): ${shares}`);

const body = {
  status: 'open',
  createdAt: '2026-06-01T00:00:00.000Z',
  device: { model: 'M9', serial: 'S-9000' },
  lines: [{ sku: 'SKU-1', quantity: 2 }],
  company: { id: 2 },
} as const;
const { data: created, response } = await orders.create(body).withResponse();
console.log(`4. Created order ${created.id} at ${new URL(response.location ?? '').pathname}`);

try {
  await orders.create({ ...body, createdAt: 'yesterday', lines: [{ sku: 'SKU-1', quantity: -2 }] });
} catch (error) {
  if (!isValidationError(error)) throw error;
  console.log(`5. Refused with ${error.status}: ${error.detail}`);
  for (const { field, code, message } of error.errors) console.log(`   ${field}: ${message ?? code}`);
}

const grants = mock.requests.filter(({ grant }) => grant !== undefined).length;
console.log(`6. ${mock.requests.length} requests, ${grants} of them for a token`);
await server.close();
