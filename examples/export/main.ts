// Exports all orders to NDJSON. Stop it with Ctrl+C, or kill it, and run it again: it goes on.
//   npx restkin mock examples/ordering.ts --port 4010 --generate companies=10 --generate orders=20000
//   API_URL=http://127.0.0.1:4010 node examples/export/main.ts orders.ndjson
import { createClient, tokenAuth } from 'restkin';
import { ordering } from '../ordering.ts';
import { exportOrders } from './export-orders.ts';

const { API_URL: baseUrl = 'http://127.0.0.1:4010' } = process.env;
const [path = 'orders.ndjson'] = process.argv.slice(2);

const client = createClient({
  baseUrl,
  auth: tokenAuth({ authUrl: baseUrl, username: 'ada', password: 'lovelace' }),
});

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

try {
  const { orders } = client.api(ordering);
  const done = await exportOrders(orders, path, stop.signal, ({ records }) =>
    console.log(`${records} orders saved`),
  );
  console.log(`complete: ${done.records} orders, ${done.bytes} bytes`);
} catch (error) {
  if (!stop.signal.aborted) throw error;
  console.log('stopped; run it again to go on');
  process.exitCode = 130;
}
