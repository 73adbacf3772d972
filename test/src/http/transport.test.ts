import { once } from 'node:events';
import { createServer as createProxy } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { ConnectionError, type Fetch, ResponseTooLargeError, TimeoutError } from 'restkin';
import { undiciFetch } from 'restkin/undici';
import { ProxyAgent } from 'undici';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createTransport } from '../../../src/http/transport.ts';
import { failureOf } from '../../support/basic-ordering.ts';
import { startRawServer } from '../../support/raw-server.ts';
import { requestOf } from './requests.ts';

const maxResponseBytes = 1_000;
const overFetch = (fetch: Fetch) => createTransport(fetch, maxResponseBytes);
const overSockets = createTransport(undefined, maxResponseBytes);

const failing = (code: string | undefined): Fetch => {
  const cause = new Error('the system says more than may be shown', {
    cause: code === undefined ? {} : { code },
  });
  return () => Promise.reject(new TypeError('fetch failed', { cause }));
};

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('which fetch is called', () => {
  const responder = (text: string) => vi.fn<Fetch>(async () => new Response(text));

  test('without one, the built-in one as it is at the time of the call', async () => {
    const first = responder('first');
    const second = responder('second');
    vi.stubGlobal('fetch', first);
    expect((await overSockets(requestOf())).body).toBe('first');
    vi.stubGlobal('fetch', second);
    expect((await overSockets(requestOf())).body).toBe('second');
    expect([first, second].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  });

  test('the one that is given gets the URL and the fields as they are, and no Request is built', async () => {
    const given = responder('given');
    const Request = vi.fn<() => void>();
    vi.stubGlobal('Request', Request);
    const request = requestOf({ method: 'POST', headers: { 'x-key': 'k' }, body: '{}' });
    expect((await overFetch(given)(request)).body).toBe('given');
    const headers = expect.objectContaining({ 'x-key': 'k' });
    const init = { method: 'POST', headers, body: '{}', redirect: 'manual' };
    expect(given.mock.calls).toEqual([[request.url, expect.objectContaining(init)]]);
    expect(Request).not.toHaveBeenCalled();
  });
});

describe('a fetch that gives nothing to read', () => {
  const message = '`fetch` returned no Response, or one whose body it has read';

  test('says so where it has read the body itself', async () => {
    const logging: Fetch = async () => {
      const response = new Response('{}');
      await response.text();
      return response;
    };
    await expect(overFetch(logging)(requestOf())).rejects.toThrow(message);
  });

  test('says so where it returns none', async () => {
    const forgetting = (async () => undefined) as unknown as Fetch;
    await expect(overFetch(forgetting)(requestOf())).rejects.toThrow(message);
  });
});

describe('a fetch of another library', () => {
  test.each(['a stream of another kind', undefined])(
    'that has no web stream is read: body is %s',
    async (body) => {
      const answerOf =
        (text: string): Fetch =>
        async () => {
          const { headers, status } = new Response('');
          const arrayBuffer = async () => new TextEncoder().encode(text).buffer;
          return { headers, status, body, arrayBuffer, text: async () => text } as unknown as Response;
        };
      expect((await overFetch(answerOf('{"a":1}'))(requestOf())).body).toBe('{"a":1}');
      const long = overFetch(answerOf('x'.repeat(maxResponseBytes + 1)))(requestOf());
      await expect(long).rejects.toBeInstanceOf(ResponseTooLargeError);
    },
  );
});

describe('a fetch that ignores its signal', () => {
  const deaf: Fetch = () => new Promise(() => undefined);
  const deafBody: Fetch = async () => {
    const body = new ReadableStream({ pull: () => new Promise(() => undefined) });
    return new Response(body);
  };

  test.each([
    ['never responds', deaf],
    ['never ends its response', deafBody],
  ])('and %s is given up at the time limit, and when the caller aborts', async (_what, fetch) => {
    const { message } = await failureOf(overFetch(fetch)(requestOf({ timeoutMs: 20 })), TimeoutError);
    expect(message).toBe('GET https://a.test/v1/orders: no complete response within 20 ms');
    const late = overFetch(fetch)(requestOf({ deadline: performance.now() + 20 }));
    expect((await failureOf(late, TimeoutError)).message).toContain('ms, the rest of `deadlineMs`');
    const controller = new AbortController();
    const sending = overFetch(fetch)(requestOf({ signal: controller.signal }));
    controller.abort(new Error('enough'));
    await expect(sending).rejects.toThrow('enough');
  });
});

describe('on the wire', () => {
  test('only a success is read as bytes: an error body is a string', async () => {
    const server = await startRawServer(({ url }) => ({ status: url === '/bad' ? 500 : 200, body: 'ab' }));
    const ask = async (path: string) =>
      (await overSockets(requestOf({ url: server.url + path, readAs: 'bytes' }))).body;
    expect(await ask('/')).toEqual(Uint8Array.of(97, 98));
    expect(await ask('/bad')).toBe('ab');
  });

  test('nothing is sent after the deadline', async () => {
    const server = await startRawServer(() => ({}));
    const call = overSockets(requestOf({ url: server.url, deadline: performance.now() - 1 }));
    expect((await failureOf(call, TimeoutError)).sent).toBe(false);
    expect(server.requests).toHaveLength(0);
  });
});

describe('what failed', () => {
  test.each([
    ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'ConnectionRefused'],
    ...['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('%s proves that nothing was sent', async (code) => {
    const error = await failureOf(overFetch(failing(code))(requestOf()), ConnectionError);
    expect(error).toMatchObject({ sent: false, reason: code });
  });

  test('a failure to connect proves that nothing was sent, whatever its code', async () => {
    const cause = Object.assign(new Error('no route'), { code: 'EHOSTUNREACH', syscall: 'connect' });
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
    expect((await failureOf(overFetch(fetch)(requestOf()), ConnectionError)).sent).toBe(false);
  });

  test.each([
    ['the built-in fetch', undefined],
    ['undici', undiciFetch()],
  ])('a connection that is closed during its TLS handshake sent nothing: %s', async (_what, fetch) => {
    const server = createServer((socket) => socket.once('data', () => socket.end())).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const request = requestOf({ url: `https://127.0.0.1:${port}/` });
    const error = await failureOf(createTransport(fetch, maxResponseBytes)(request), ConnectionError);
    expect(error).toMatchObject({ sent: false, reason: 'ECONNRESET' });
  });

  test.each(['bad port', 'Fetch failed: Requests to port 1 are blocked'])(
    'a port that the runtime blocks proves that nothing was sent: %s',
    async (message) => {
      const blocked = new TypeError('fetch failed', { cause: new Error(message) });
      const error = await failureOf(overFetch(() => Promise.reject(blocked))(requestOf()), ConnectionError);
      expect(error).toMatchObject({ sent: false });
      expect(error.message).toContain('`fetch` blocks this port; the server must listen on another one');
    },
  );

  test('a proxy that makes no tunnel carried nothing', async () => {
    const proxy = createProxy().listen(0, '127.0.0.1');
    proxy.on('connect', (_request, socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    await once(proxy, 'listening');
    const dispatcher = new ProxyAgent(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    onTestFinished(async () => {
      await dispatcher.destroy();
      proxy.close();
    });
    const request = requestOf({ url: 'https://api.example.com/' });
    const error = await failureOf(overFetch(undiciFetch({ dispatcher }))(request), ConnectionError);
    expect(error).toMatchObject({ sent: false, reason: 'UND_ERR_ABORTED' });
  });

  test.each(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', undefined])(
    '%s proves nothing',
    async (code) => {
      const error = await failureOf(overFetch(failing(code))(requestOf()), ConnectionError);
      expect(error).toMatchObject({ sent: true, reason: code });
    },
  );
});
