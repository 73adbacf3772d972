import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { serve } from 'restkin/mocks';
import { expect, test } from 'vitest';
import { createOrdering } from './calls.ts';

const login = async (url: string) => {
  const body = new URLSearchParams({ grant_type: 'password', username: 'a', password: 'b' });
  const response = await fetch(`${url}/auth/token`, { method: 'POST', body });
  return { authorization: `Bearer ${(await response.json()).access_token}` };
};

/** Sends a method that fetch refuses. */
const rawStatus = (port: number, method: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`${method} /v1/orders HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`),
    );
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('end', () => resolve(text.split('\r\n', 1)[0] ?? ''));
    socket.on('error', reject);
  });

test('a mock is served over HTTP, with links to the host that was asked', async () => {
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

test('§7.1 HEAD, TRACE and TRACK get 405', async () => {
  await using server = await serve(createOrdering());
  expect((await fetch(`${server.url}/v1/orders`, { method: 'HEAD' })).status).toBe(405);
  expect(await rawStatus(server.port, 'TRACE')).toContain(' 405 ');
  expect(await rawStatus(server.port, 'TRACK')).toContain(' 405 ');
  expect(await rawStatus(server.port, 'GET bad')).toContain(' 400 ');
});

test('§7.1 a body that is too large gets 413 over HTTP', async () => {
  await using server = await serve(createOrdering());
  const response = await fetch(`${server.url}/v1/companies`, {
    method: 'POST',
    headers: { ...(await login(server.url)), 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'x'.repeat(2_000_000), city: 'y' }),
  });
  expect(response.status).toBe(413);
});

test('a Host that is none gets 400', async () => {
  await using server = await serve(createOrdering());
  const status = await new Promise((resolve, reject) => {
    httpRequest(
      { port: server.port, host: '127.0.0.1', headers: { host: 'a b', connection: 'close' } },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode));
      },
    )
      .on('error', reject)
      .end();
  });
  expect(status).toBe(400);
});

test('close ends connections that are kept alive or wait, and may be called twice', async () => {
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

test('a port in use is a clear error', async () => {
  await using server = await serve(createOrdering());
  await expect(serve(createOrdering(), { port: server.port })).rejects.toThrow(
    `Cannot listen on port ${server.port} of 127.0.0.1: it is in use`,
  );
});
