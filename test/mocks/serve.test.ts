import { serve } from 'restkin/mocks';
import { expect, test } from 'vitest';
import { createOrdering } from './calls.ts';

const login = async (url: string) => {
  const body = new URLSearchParams({ grant_type: 'password', username: 'a', password: 'b' });
  const response = await fetch(`${url}/auth/token`, { method: 'POST', body });
  return { authorization: `Bearer ${(await response.json()).access_token}` };
};

test('a mock is served over HTTP, with links to the host of the request', async () => {
  const server = await serve(createOrdering());
  try {
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    const headers = await login(server.url);
    const list = await fetch(`${server.url}/v1/companies?perPage=2`, { headers });
    expect((await list.json())[1].self).toBe(`${server.url}/v1/companies/2`);
    expect(list.headers.get('link')).toContain(`<${server.url}/v1/companies?perPage=2&page=2>; rel="next"`);
    const made = await fetch(`${server.url}/v1/companies`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ærø', city: 'C' }),
    });
    expect([made.status, (await made.json()).name]).toEqual([201, 'Ærø']);
    const location = made.headers.get('location') ?? '';
    expect((await fetch(location, { method: 'DELETE', headers })).status).toBe(204);
    expect((await fetch(location, { headers })).status).toBe(404);
  } finally {
    await server.close();
  }
});

test('§7.2.2 if respond throws, the client gets 500 with a message, and the server continues', async () => {
  const respond = async (): Promise<Response> => {
    throw new Error('boom');
  };
  await using server = await serve({ respond });
  for (const _ of [1, 2]) {
    const response = await fetch(server.url);
    expect([response.status, await response.json()]).toEqual([500, { message: 'The mock failed: boom' }]);
  }
});

test('close ends connections that are kept alive or waiting, and may be called twice', async () => {
  const mock = createOrdering();
  const server = await serve(mock);
  await (await fetch(`${server.url}/v1/orders`)).text();
  mock.faults.next({ delayMs: 3_600_000 });
  const waiting = fetch(`${server.url}/v1/orders`).then(
    () => 'answered',
    () => 'ended',
  );
  while (mock.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
  await server.close();
  await server.close();
  expect(await waiting).toBe('ended');
  await expect(fetch(`${server.url}/v1/orders`)).rejects.toThrow('fetch failed');
});

test('a port in use is an error', async () => {
  await using server = await serve(createOrdering());
  await expect(serve(createOrdering(), { port: server.port })).rejects.toThrow(
    `address already in use 127.0.0.1:${server.port}`,
  );
});
