import { createMock, serve } from 'restkin/mocks';
import { expect, test } from 'vitest';
import { ordering } from '../support/ordering.ts';
import { companies, createOrdering, origin, send } from './calls.ts';

test('a fault is met by the first request, also if its body ends after the second one', async () => {
  const mock = createOrdering();
  mock.faults.next({ status: 503 });
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void setTimeout(() => controller.close(), 20),
  });
  const first = mock.respond(
    new Request(`${origin}/v1/orders`, { method: 'POST', body, duplex: 'half' } as RequestInit),
  );
  expect((await send(mock, '/v1/orders')).status).toBe(401);
  expect((await first).status).toBe(503);
});

test('a served mock with a base URL stands behind a proxy: its links name that URL', async () => {
  const baseUrl = 'https://api.example.com/shop';
  const mock = createMock(ordering, { baseUrl, authUrl: 'https://auth.example.com', data: { companies } });
  await using server = await serve(mock);
  const body = new URLSearchParams({ grant_type: 'password', username: 'ada', password: 'x' });
  const { access_token } = await (await fetch(`${server.url}/auth/token`, { method: 'POST', body })).json();
  const headers = { authorization: `Bearer ${access_token}` };
  const company = await (await fetch(`${server.url}/v1/companies/1`, { headers })).json();
  expect(company.self).toBe(`${baseUrl}/v1/companies/1`);
});
