import { Readable } from 'node:stream';
import {
  ConnectionError,
  CrossOriginUrlError,
  type Events,
  InvalidRequestError,
  RedirectRefusedError,
  ResponseTooLargeError,
} from 'restkin';
import { describe, expect, test } from 'vitest';
import { connect, failureOf } from '../../support/basic-ordering.ts';
import { leaksIn, password } from '../../support/canaries.ts';
import { type Responder, startRawServer } from '../../support/raw-server.ts';

const quick = { retry: { baseDelayMs: 1 } };

const start = async (responder: Responder, options = {}) => {
  const server = await startRawServer(responder);
  const { client } = connect(server.url, options);
  return { server, client, url: `${server.url}/v1/x` };
};

describe('client.fetch takes what fetch takes', () => {
  const echo: Responder = ({ method, url, headers, body }) => ({
    body: JSON.stringify({
      method,
      url,
      body,
      type: headers['content-type'] ?? null,
      own: headers['x-own'] ?? null,
    }),
  });
  const post = { method: 'POST', headers: { 'x-own': 'a' } };

  test.each<[string, (url: string) => Parameters<typeof fetch>, object]>([
    ['a URL as a string', (url) => [url], { method: 'GET', body: '' }],
    ['a URL', (url) => [new URL(url)], { method: 'GET', body: '' }],
    [
      'a Request',
      (url) => [new Request(url, { ...post, body: 'b' })],
      { method: 'POST', own: 'a', body: 'b' },
    ],
    [
      'a Request with an init',
      (url) => [new Request(url, post), { method: 'PUT', body: 'c' }],
      { method: 'PUT', own: 'a', body: 'c' },
    ],
    ['a Headers', (url) => [url, { headers: new Headers({ 'x-own': 'h' }) }], { own: 'h' }],
    ['pairs', (url) => [url, { headers: [['x-own', 'p']] }], { own: 'p' }],
    ['a string', (url) => [url, { ...post, body: 'ä' }], { body: 'ä', type: 'text/plain;charset=UTF-8' }],
    [
      'parameters',
      (url) => [url, { ...post, body: new URLSearchParams({ a: 'b' }) }],
      { body: 'a=b', type: 'application/x-www-form-urlencoded;charset=UTF-8' },
    ],
    [
      'a blob',
      (url) => [url, { ...post, body: new Blob(['b'], { type: 'text/csv' }) }],
      { body: 'b', type: 'text/csv' },
    ],
    ['bytes', (url) => [url, { ...post, body: new TextEncoder().encode('b') }], { body: 'b', type: null }],
    ['a method in lower case', (url) => [url, { method: 'patch', body: 'b' }], { method: 'PATCH' }],
    ['a method of its own', (url) => [url, { method: 'REPORT', body: 'b' }], { method: 'REPORT', body: 'b' }],
  ])('%s', async (_what, argumentsFor, expected) => {
    const { client, url } = await start(echo);
    const { fetch } = client;
    expect(await (await fetch(...argumentsFor(url))).json()).toMatchObject({ url: '/v1/x', ...expected });
  });

  test('a form, with its boundary', async () => {
    const { client, url } = await start(echo);
    const form = new FormData();
    form.set('file', new File(['content'], 'a.txt'));
    for (const [input, init] of [
      [url, { method: 'POST', body: form }],
      [new Request(url, { method: 'POST', body: form })],
    ] as const) {
      const { type, body } = (await (await client.fetch(input, init)).json()) as Record<string, string>;
      expect(body).toContain(`--${/boundary=(.+)$/.exec(type ?? '')?.[1]}\r\n`);
    }
  });

  test.each<[string, RequestInit]>([
    ['an authorization', { headers: { Authorization: 'Bearer mine' } }],
    ['a header that is no field value', { headers: { 'x-own': 'ä' } }],
    ['a body of GET', { body: 'b' }],
    ['a method that fetch does not send', { method: 'CONNECT' }],
    ['a stream of Node', { method: 'POST', body: Readable.from(['b']) as unknown as BodyInit }],
  ])('%s is refused, and nothing is sent', async (_what, init) => {
    const { client, url, server } = await start(echo);
    await failureOf(client.fetch(url, init), InvalidRequestError);
    await failureOf(
      client.fetch(new Request(url, { method: 'POST', body: 'b', headers: { authorization: 'x' } })),
      InvalidRequestError,
    );
    expect(server.requests).toEqual([]);
  });

  test('a Request whose body is used is refused', async () => {
    const { client, url } = await start(echo);
    const request = new Request(url, { method: 'POST', body: 'b' });
    await request.text();
    await failureOf(client.fetch(request), InvalidRequestError);
  });

  test('a method that the conventions do not have, also where an error body is too large', async () => {
    const options = { maxResponseBytes: 100, retry: false } as const;
    const { client, url } = await start(() => ({ status: 400, body: 'x'.repeat(101) }), options);
    const error = await failureOf(client.fetch(url, { method: 'SEARCH' }), ResponseTooLargeError);
    expect(error.message).toContain('`maxResponseBytes`');
  });

  test('HEAD has no body, and is retried as GET is', async () => {
    const { client, url, server } = await start(
      () => (server.requests.length === 1 ? { status: 503 } : {}),
      quick,
    );
    const response = await client.fetch(url, { method: 'HEAD' });
    expect([response.status, await response.text(), server.requests.length]).toEqual([200, '', 2]);
  });
});

describe('client.fetch gives a web Response', () => {
  test.each([200, 201, 204, 304, 400, 404, 409, 422, 500, 502, 999])(
    'of the status %d, which is not thrown',
    async (status) => {
      const isEmpty = status === 204 || status === 304;
      const { client, url } = await start(
        () => ({ status, headers: { 'x-of': 'server' }, body: isEmpty ? '' : '{"a":1}' }),
        { retry: false },
      );
      const response = await client.fetch(url, { method: 'POST', body: 'b' });
      expect(response).toBeInstanceOf(Response);
      expect([response.status, response.headers.get('x-of'), response.url]).toEqual([status, 'server', url]);
      const text = isEmpty ? '' : '{"a":1}';
      expect(await response.clone().text()).toBe(text);
      expect(await response.text()).toBe(text);
    },
  );

  test('unread, whatever its size is, and an error with its bytes', async () => {
    const bytes = Uint8Array.from({ length: 300 }, (_, index) => index % 256);
    const { client, url } = await start(
      ({ url }) => ({ status: url === '/error' ? 400 : 200, body: bytes }),
      { maxResponseBytes: 400, concurrency: 1 },
    );
    const responses = [
      await client.fetch(url),
      await client.fetch(url),
      await client.fetch(new URL('/error', url)),
    ];
    for (const response of responses) {
      expect(response.bodyUsed).toBe(false);
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
    }
  });

  test('of the last attempt, after retries', async () => {
    const { client, url, server } = await start(
      () => ({ status: 503, body: `${server.requests.length}` }),
      quick,
    );
    const response = await client.fetch(url);
    expect([response.status, await response.text()]).toEqual([503, '4']);
  });

  test.each([301, 302, 303, 307, 308])('and follows no redirect: %d', async (status) => {
    const elsewhere = await startRawServer(() => ({}));
    const { client, url } = await start(() => ({ status, headers: { location: elsewhere.url } }));
    const error = await failureOf(
      client.fetch(url, { method: 'POST', body: 'b', redirect: 'follow' }),
      RedirectRefusedError,
    );
    expect(error.method).toBe('POST');
    expect(elsewhere.requests).toEqual([]);
  });
});

describe('client.fetch sends to the origin of baseUrl alone', () => {
  test.each(['https://elsewhere.example/x', '//elsewhere.example/x', 'blob:http://127.0.0.1/x', 'data:,x'])(
    '%s',
    async (target) => {
      const { client, server } = await start(() => ({}));
      const error = await failureOf(client.fetch(target, { method: 'DELETE' }), CrossOriginUrlError);
      expect(error.method).toBe('DELETE');
      expect(server.requests).toEqual([]);
    },
  );

  test('null is as no options at all', async () => {
    const { client, url } = await start(() => ({}));
    expect((await client.fetch(url, null as never)).status).toBe(200);
  });

  test('a relative URL is one below baseUrl', async () => {
    const { client, server } = await start(() => ({}));
    await client.fetch('v1/x?a=b#c');
    expect(server.requests.map(({ url }) => url)).toEqual(['/v1/x?a=b']);
  });
});

describe('client.fetch ends', () => {
  test.each<[string, (url: string, signal: AbortSignal) => Parameters<typeof fetch>]>([
    ['with the signal of its init', (url, signal) => [url, { signal }]],
    ['with the signal of its Request', (url, signal) => [new Request(url, { signal })]],
    [
      'while it reads a Request',
      (url, signal) => [
        new Request(url, {
          method: 'POST',
          duplex: 'half',
          signal,
          body: new ReadableStream({}),
        } as RequestInit),
      ],
    ],
  ])('%s, and reports that it was aborted', async (_what, argumentsFor) => {
    const aborted: unknown[] = [];
    const { client, url } = await start(() => undefined, {
      on: { error: (event: Events['error']) => aborted.push(event.aborted) },
    });
    const controller = new AbortController();
    const call = client.fetch(...argumentsFor(url, controller.signal));
    setTimeout(() => controller.abort('enough'), 20);
    await expect(call).rejects.toBe('enough');
    expect(aborted).toEqual([true]);
  });

  test('with its body, when the signal aborts later', async () => {
    const { client, url } = await start((_request, response) => {
      response.writeHead(200).write('a');
      return undefined;
    });
    const controller = new AbortController();
    const response = await client.fetch(url, { signal: controller.signal });
    controller.abort('enough');
    await expect(response.text()).rejects.toBe('enough');
  });

  test('at the time limit of the client, up to the headers', async () => {
    const { client, url } = await start(() => undefined, { timeoutMs: 50, retry: false });
    expect((await failureOf(client.fetch(url), ConnectionError)).code).toBe('timeout');
  });
});

test('no error of client.fetch holds a secret', async () => {
  const { client, url, server } = await start((_request, response) => void response.destroy(), {
    retry: false,
  });
  const headers = { 'x-api-key': password };
  const calls = [
    client.fetch(`${url}?key=${password}`, { headers }),
    client.fetch(`${server.url}/${password}`, { headers, method: 'POST', body: password }),
    client.fetch(`https://elsewhere.example/${password}`, { headers }),
    client.fetch(url, { headers: { authorization: password } }),
    client.fetch(url, { headers: { 'x-api-key': `${password}\n${password}` } }),
    client.fetch(url, { headers: [[`${password}\n`, 'a']] }),
  ];
  for (const call of calls) expect(leaksIn(await failureOf(call, Error))).toEqual([]);
});
