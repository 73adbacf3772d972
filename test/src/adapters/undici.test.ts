import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as zlib from 'node:zlib';
import { ConnectionError, type Fetch, InvalidRequestError } from 'restkin';
import { undiciFetch } from 'restkin/undici';
import { Agent, Client, getGlobalDispatcher, MockAgent, Pool, setGlobalDispatcher } from 'undici';
import undici8 from 'undici-8';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connect, failureOf, order, orderBody } from '../../support/basic-ordering.ts';
import { leaksIn, password } from '../../support/canaries.ts';
import { startFaultServer } from '../../support/fault-server.ts';
import { respondRaw, startRawServer } from '../../support/raw-server.ts';

// Whichever version `undici` is in this run.
const undici7: typeof import('undici') = createRequire(import.meta.url)('undici');

type Init = Parameters<Fetch>[1];

/** Sends a request as a client does. */
const send = (url: string, init: Partial<Init> = {}, fetch: Fetch = undiciFetch()) =>
  fetch(url, {
    ...{ method: 'GET', headers: {}, body: null, signal: new AbortController().signal, redirect: 'manual' },
    ...init,
  });

/** What a request looks like to its server. */
const startEcho = () =>
  startRawServer(({ method, headers, body }) => ({
    body: JSON.stringify({ method, headers, body: body.toString() }),
  }));

describe('a request', () => {
  test.each<[string, Init['body'], string, string | undefined]>([
    ['a string', '{"a":"ä"}', '{"a":"ä"}', undefined],
    ['bytes', new TextEncoder().encode('bytes'), 'bytes', undefined],
    ['a buffer', new TextEncoder().encode('buffer').buffer, 'buffer', undefined],
    ['a file', new Blob(['file'], { type: 'text/csv' }), 'file', 'text/csv'],
    [
      'parameters',
      new URLSearchParams({ a: 'b c' }),
      'a=b+c',
      'application/x-www-form-urlencoded;charset=UTF-8',
    ],
    ['a stream', new Blob(['str', 'eam']).stream(), 'stream', undefined],
  ])('sends %s', async (_what, body, expected, type) => {
    const { url } = await startEcho();
    const echo = JSON.parse(await (await send(url, { method: 'POST', body })).text());
    expect([echo.method, echo.body, echo.headers['content-type']]).toEqual(['POST', expected, type]);
  });

  test('sends a form with its boundary', async () => {
    const { url } = await startEcho();
    const form = new FormData();
    form.set('file', new File(['content'], 'a.txt'));
    const echo = JSON.parse(await (await send(url, { method: 'POST', body: form })).text());
    const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(echo.headers['content-type'])?.[1];
    expect(echo.body).toContain(`--${boundary}\r\n`);
    expect(echo.body).toContain('content');
  });

  test('accepts the codings that it can decode, unless the request says otherwise', async () => {
    const { url } = await startEcho();
    const fieldsOf = async (headers: Init['headers']) =>
      JSON.parse(await (await send(url, { headers })).text()).headers;
    expect(await fieldsOf({})).toMatchObject({
      accept: '*/*',
      'accept-encoding': 'gzip, deflate, br',
      'user-agent': 'node',
    });
    expect(await fieldsOf({ range: 'bytes=1-' })).toMatchObject({ 'accept-encoding': 'identity' });
    const own = { accept: 'text/csv', 'accept-encoding': 'br', 'user-agent': 'mine' };
    expect(await fieldsOf(own)).toMatchObject(own);
  });
});

test.each<[string, (fields: Record<string, string>) => unknown]>([
  ['a Headers', (fields) => new Headers(fields)],
  ['pairs', (fields) => Object.entries(fields)],
])('%s of a fetch around this one is read', async (_what, toHeaders) => {
  const server = await startRawServer(() => ({ body: JSON.stringify(order(7)) }));
  const inner = undiciFetch();
  const fetch: Fetch = (url, init) =>
    inner(url, { ...init, headers: toHeaders({ ...init.headers }) as typeof init.headers });
  await connect(server.url, { fetch }).orders.get(7);
  expect(server.requests[0]?.headers).toMatchObject({
    accept: 'application/json',
    'accept-encoding': 'gzip, deflate, br',
    authorization: expect.stringMatching(/^Basic /),
  });
});

describe('a response', () => {
  const small = Buffer.from(JSON.stringify({ text: 'ä'.repeat(500) }));
  const large = Buffer.from(
    Uint8Array.from({ length: 700_000 }, (_, index) => (index * index) >> (index % 13)),
  );
  const encoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
    '': (bytes) => bytes,
    gzip: zlib.gzipSync,
    'X-GZIP': zlib.gzipSync,
    deflate: zlib.deflateSync,
    br: (bytes) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
    'deflate, gzip': (bytes) => zlib.gzipSync(zlib.deflateSync(bytes)),
    // Not decoded, because one of them is not known.
    'gzip, unheard-of': (bytes) => bytes,
  };

  describe.each(Object.entries(encoders))('content-encoding %j', (coding, encode) => {
    test.each([
      ['small', small],
      ['large', large],
    ])('a %s body is decoded, read in each way', async (_size, body) => {
      const headers = coding === '' ? {} : { 'content-encoding': coding };
      const { url } = await startRawServer(() => ({ headers, body: encode(body) }));
      expect(Buffer.from(await (await send(url)).arrayBuffer()).equals(body)).toBe(true);
      expect(await (await send(url)).text()).toBe(body.toString());
      const stream = new Response((await send(url)).body as ReadableStream);
      expect(Buffer.from(await stream.arrayBuffer()).equals(body)).toBe(true);
    });
  });

  test.each(['gzip', 'deflate', 'br'])('a %s body that is invalid is an error', async (coding) => {
    const body = Buffer.from('neither of them');
    const { url } = await startRawServer(() => ({ headers: { 'content-encoding': coding }, body }));
    await expect((await send(url)).text()).rejects.toBeInstanceOf(Error);
  });

  test('without a body may name a coding, and one that nobody reads may be cut', async () => {
    const headers = { 'content-encoding': 'gzip' };
    for (const status of [200, 204, 304]) {
      const { url } = await startRawServer(() => ({ status, headers, body: '' }));
      expect(await (await send(url)).text()).toBe('');
    }
    const { url } = await startRawServer(() => ({ headers, body: zlib.gzipSync('cut').subarray(0, 12) }));
    // A failure that nobody handles would fail the run.
    expect((await send(url)).status).toBe(200);
    await sleep(50);
  });

  test.each([204, 205, 304])('%d has no body, and its connection is used again', async (status) => {
    await using server = await startFaultServer({ respond: () => ({ status }) });
    for (let count = 0; count < 3; count++) {
      const response = await send(server.url);
      expect([response.status, response.body, await response.text()]).toEqual([status, null, '']);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(server.connections).toBe(1);
  });

  test('joins headers that came more than once, and keeps each byte of a value', async () => {
    const head =
      'HTTP/1.1 200 OK\r\nlink: a\r\nlink: b\r\nset-cookie: c=1\r\nset-cookie: d=2\r\nx-name: €\r\n';
    const { url } = await startRawServer((_request, response) =>
      respondRaw(response, `${head}content-length: 0\r\n\r\n`),
    );
    const { headers } = await send(url);
    expect([headers.get('link'), headers.getSetCookie()]).toEqual(['a, b', ['c=1', 'd=2']]);
    expect(Buffer.from(headers.get('x-name') ?? '', 'latin1').toString()).toBe('€');
  });

  test.each([301, 303, 307, 308])('%d is not followed', async (status) => {
    const { url, requests } = await startRawServer(() => ({ status, headers: { location: '/elsewhere' } }));
    expect((await send(url)).status).toBe(status);
    expect(requests).toHaveLength(1);
  });

  test('that is given up closes its connection', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const { url } = await startRawServer((_request, response) => {
      closed = new Promise((resolve) => response.on('close', resolve));
      response.writeHead(200).write('a');
      return undefined;
    });
    const { body } = await send(url);
    await body?.cancel();
    await expect(closed).resolves.toBeUndefined();
  });
});

describe('the dispatcher', () => {
  const replaceGlobal = (dispatcher: Agent | MockAgent): void => {
    const before = getGlobalDispatcher();
    setGlobalDispatcher(dispatcher);
    onTestFinished(async () => {
      setGlobalDispatcher(before);
      await dispatcher.close();
    });
  };

  test('is the global one by default, so that MockAgent works', async () => {
    const mock = new MockAgent();
    mock.disableNetConnect();
    replaceGlobal(mock);
    mock
      .get('https://api.example')
      .intercept({ path: '/v1/orders/7' })
      .reply(200, order(7), { headers: { 'content-type': 'application/json' } });
    const { orders } = connect('https://api.example', { fetch: undiciFetch() });
    expect(await orders.get(7)).toMatchObject({ id: 7 });
  });

  test('follows the proxies of the environment where Node does', async () => {
    const targets: string[] = [];
    const proxy = createServer(({ url = '' }, response) => {
      targets.push(url);
      response.end('behind');
    });
    proxy.on('connect', ({ url = '' }, socket) => {
      targets.push(url);
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      proxy.emit('connection', socket);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      proxy.closeAllConnections();
      proxy.close();
    });
    replaceGlobal(new Agent());
    vi.stubEnv('http_proxy', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await (await send('http://api.example/')).text()).toBe('behind');
    expect(targets[0]).toContain('api.example');
  });

  test.each([new Pool('http://127.0.0.1:9'), new Client('http://127.0.0.1:9')])(
    'is refused where it is for one origin alone (%#)',
    (dispatcher) => {
      expect(() => undiciFetch({ dispatcher } as object)).toThrow(InvalidRequestError);
    },
  );
});

test.each<[string, typeof Agent]>([
  ['7', undici7.Agent],
  ['8', undici8.Agent as unknown as typeof Agent],
])('an Agent of undici %s sends, whichever version is imported here', async (_version, Other) => {
  const server = await startRawServer(() => ({ body: JSON.stringify(order(7)) }));
  const dispatcher = new Other();
  onTestFinished(() => dispatcher.close());
  const { orders } = connect(server.url, { fetch: undiciFetch({ dispatcher }) });
  expect(await orders.get(7)).toMatchObject({ id: 7 });
});

describe('a connection', () => {
  test.each(['ENOTFOUND', 'EAI_AGAIN'])(
    'to a name that is not found (%s): nothing was sent',
    async (code) => {
      const dispatcher = new Agent({
        connect: {
          lookup: (_host, _options, callback) =>
            callback(Object.assign(new Error('no such name'), { code }), ''),
        },
      });
      onTestFinished(() => dispatcher.destroy());
      const { orders } = connect('https://api.example', {
        fetch: undiciFetch({ dispatcher }),
        retry: { attempts: 2, baseDelayMs: 1 },
      });
      const error = await failureOf(orders.create(orderBody), ConnectionError);
      expect([error.reason, error.sent, error.attempts.length]).toEqual([code, false, 2]);
    },
  );

  test.each([
    `HTTP/1.1 200 OK\r\nx-token: ${password}\r\n\0${password}\r\n\r\n`,
    `${password}${password}`,
    `HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n${password}`,
    `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 17\r\n\r\n${password.slice(0, 17)}`,
  ])('that breaks leaves nothing of what came in the error (%#)', async (text) => {
    const { url } = await startRawServer((_request, response) => respondRaw(response, text));
    const { orders } = connect(url, { fetch: undiciFetch(), retry: false });
    expect(leaksIn(await failureOf(orders.get(7), ConnectionError))).toEqual([]);
  });
});
