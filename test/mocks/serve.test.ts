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
const rawAnswer = (port: number, method: string, path = '/v1/orders', ...fields: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(
        [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', 'connection: close', ...fields, '\r\n'].join(
          '\r\n',
        ),
      ),
    );
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });

const rawStatus = async (port: number, method: string): Promise<string> =>
  (await rawAnswer(port, method)).split('\r\n', 1)[0] ?? '';

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

test('§7.1 HEAD, TRACE and TRACK get 405', async () => {
  await using server = await serve(createOrdering());
  expect((await fetch(`${server.url}/v1/orders`, { method: 'HEAD' })).status).toBe(405);
  expect(await rawStatus(server.port, 'TRACE')).toContain(' 405 ');
  expect(await rawStatus(server.port, 'TRACK')).toContain(' 405 ');
  expect(await rawStatus(server.port, 'GET bad')).toContain(' 400 ');
});

test.each(['HEAD', 'TRACE'])(
  '§4.2 %s is logged, and its 405 has Allow (RFC 9110 §15.5.6)',
  async (method) => {
    const mock = createOrdering();
    await using server = await serve(mock);
    const paths = ['/v1/orders', '/v1/feed', '/v1/feed/1', '/v1/nothing', '/auth/token'];
    const allowed: (string | undefined)[] = [];
    for (const path of paths) {
      const answer = await rawAnswer(server.port, method, path);
      expect(answer).toMatch(/^HTTP\/1\.1 405 /);
      allowed.push(/^allow: ?(.*)\r$/im.exec(answer)?.[1]);
    }
    expect(allowed).toEqual(['GET, POST, OPTIONS', 'GET, OPTIONS', 'OPTIONS', '', 'POST']);
    expect(mock.requests.map((entry) => [entry.method, entry.path, entry.status])).toEqual(
      paths.map((path) => [method, path, 405]),
    );
  },
);

test('§7.1 CONNECT gets 405 with a message', async () => {
  await using server = await serve(createOrdering());
  const [head = '', body = ''] = (await rawAnswer(server.port, 'CONNECT')).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 405 /);
  expect(JSON.parse(body)).toEqual({ message: expect.any(String) });
});

test('RFC 9110 §10.1.1 an unknown expectation is ignored', async () => {
  await using server = await serve(createOrdering());
  const answer = await rawAnswer(server.port, 'GET', '/v1/orders', 'expect: the-unexpected');
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  expect(answer).toContain('"message"');
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

test('§7.2.2 an invalid Host gets 400 with a message', async () => {
  await using server = await serve(createOrdering());
  const answer = await new Promise((resolve, reject) => {
    httpRequest(
      { port: server.port, host: '127.0.0.1', headers: { host: 'a b', connection: 'close' } },
      (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve([response.statusCode, JSON.parse(text)]));
      },
    )
      .on('error', reject)
      .end();
  });
  expect(answer).toEqual([400, { message: expect.any(String) }]);
});

test('RFC 9112 §3.2 a request of HTTP/1.1 without a Host gets 400 with a message', async () => {
  await using server = await serve(createOrdering());
  const text = await new Promise<string>((resolve, reject) => {
    let received = '';
    const socket = connect(server.port, '127.0.0.1', () =>
      socket.write('GET /v1/orders HTTP/1.1\r\nconnection: close\r\n\r\n'),
    );
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
  });
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toEqual({ message: expect.any(String) });
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

test('a port in use is a clear error', async () => {
  await using server = await serve(createOrdering());
  await expect(serve(createOrdering(), { port: server.port })).rejects.toThrow(
    `Cannot listen on port ${server.port} of 127.0.0.1: it is in use`,
  );
});
