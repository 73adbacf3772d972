// A site with a form, over the API at API_URL or over a mock of it:
//   npm ci --prefix examples/form && node examples/form/main.ts
import { serve as listen } from '@hono/node-server';
import { createClient, tokenAuth } from 'restkin';
import { createMock, serve } from 'restkin/mocks';
import { ordering } from '../ordering.ts';
import { createApp } from './app.ts';

const startMock = async (): Promise<string> =>
  (await serve(createMock(ordering, { generate: { companies: 3, orders: 10 } }))).url;
const baseUrl = process.env.API_URL ?? (await startMock());

const client = createClient({
  baseUrl,
  auth: tokenAuth({ authUrl: baseUrl, username: 'ada', password: 'lovelace' }),
  // Somebody waits for the page: an answer that takes longer is no use any more.
  deadlineMs: 5_000,
  retry: { maxRetryAfterMs: 1_000 },
});

const app = createApp(client.api(ordering).orders);
listen({ fetch: app.fetch, port: Number(process.env.PORT ?? 0) }, ({ port }) =>
  console.log(`http://127.0.0.1:${port}/`),
);
