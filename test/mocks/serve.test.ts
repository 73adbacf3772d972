import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { createClient, tokenAuth } from 'restkin';
import { createMock, serve } from 'restkin/mocks';
import { Agent } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { requestToken, textOf } from '../support/conformance-send.ts';
import { ordering } from '../support/ordering.ts';
import { companies, createOrdering } from './calls.ts';

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      server.close(() => resolve(port));
    });
  });

/** What a server sends for bytes that no client of HTTP would. */
const exchange = (port: number, sent: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  socket.write(sent);
  return text(socket);
};

test('a served mock with a base URL stands behind a proxy: its links name that URL', async () => {
  const baseUrl = 'https://api.example.com/shop';
  const mock = createMock(ordering, { baseUrl, authUrl: 'https://auth.example.com', data: { companies } });
  await using server = await serve(mock);
  expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  const { json } = await requestToken(server.url);
  const headers = { authorization: `Bearer ${textOf(json, 'access_token')}` };
  const company = await (await fetch(`${server.url}/v1/companies/1`, { headers })).json();
  expect(company.self).toBe(`${baseUrl}/v1/companies/1`);
});

test('a served mock finds its token endpoint at `tokens.path` behind a proxy', async () => {
  const authUrl = 'https://auth.example.com/tenant';
  const baseUrl = 'https://api.example.com/shop';
  const mock = createMock(ordering, { baseUrl, authUrl, tokens: { path: 'oauth/token' } });
  await using server = await serve(mock);
  const body = new URLSearchParams({ grant_type: 'password', username: 'ann', password: 'secret' });
  for (const path of ['/oauth/token', '/tenant/oauth/token'])
    expect((await fetch(server.url + path, { method: 'POST', body })).status).toBe(200);
});

test.each(['/api', '/api/'])(
  'a mock whose base URL is its own server with the path %s serves it',
  async (path) => {
    const port = await freePort();
    const baseUrl = `http://127.0.0.1:${port}${path}`;
    const mock = createMock(ordering, { baseUrl, authUrl: baseUrl, data: { companies } });
    await using server = await serve(mock, { port });
    expect(server.port).toBe(port);
    const auth = tokenAuth({ authUrl: baseUrl, username: 'ann', password: 'secret' });
    const client = createClient({ baseUrl, auth }).api(ordering);
    expect((await client.companies.get(1)).self).toBe(`http://127.0.0.1:${port}/api/v1/companies/1`);
    expect(await client.companies.list().toArray()).toHaveLength(companies.length);
  },
);

test.each([
  ['a malformed Host', 'GET / HTTP/1.1\r\nHost: [\r\n'],
  ['a Host with credentials', 'GET / HTTP/1.1\r\nHost: a:b@c\r\n'],
  ['a malformed absolute target', 'GET http://[ HTTP/1.1\r\nHost: a\r\n'],
])('%s gets 400', async (_title, head) => {
  await using server = await serve(createOrdering());
  expect(await exchange(server.port, `${head}connection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 400 /);
});

test('a path that begins with two slashes gets 404', async () => {
  await using server = await serve(createOrdering());
  const head = 'GET //v1/orders HTTP/1.1\r\nHost: a\r\nconnection: close\r\n\r\n';
  expect(await exchange(server.port, head)).toMatch(/^HTTP\/1.1 404 /);
});

test('§7.2.2 if respond throws, the client gets 500 with a message, and the server continues', async () => {
  await using server = await serve({ respond: () => Promise.reject(new Error('boom')) });
  for (const _ of [1, 2]) {
    const response = await fetch(server.url);
    expect([response.status, await response.json()]).toEqual([500, { message: 'The mock failed: boom' }]);
  }
});

test('a body that nobody reads leaves its connection to the next request', async () => {
  await using server = await serve(createOrdering());
  const agent = new Agent({ connections: 1 });
  onTestFinished(() => agent.destroy());
  for (const method of ['POST', 'GET'] as const) {
    const body = method === 'POST' ? Buffer.alloc(2_000_000) : null;
    const { statusCode } = await agent.request({ origin: server.url, path: '/none', method, body });
    expect(statusCode).toBe(404);
  }
});

test('close ends connections that are kept alive or waiting, and may be called twice', async () => {
  const mock = createOrdering();
  const server = await serve(mock);
  await (await fetch(`${server.url}/v1/orders`)).text();
  mock.faults.next({ delayMs: 3_600_000 });
  const waiting = fetch(`${server.url}/v1/orders`).catch(String);
  while (mock.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
  await server.close();
  await server.close();
  expect(await waiting).toContain('fetch failed');
  await expect(fetch(`${server.url}/v1/orders`)).rejects.toThrow('fetch failed');
});

test.each([undefined, {}])('what createMock did not return is refused: %j', async (given) => {
  await expect(serve(given as never)).rejects.toThrow('must be what createMock returned');
});
