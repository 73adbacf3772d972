import { createServer } from 'node:http';
import { type AddressInfo, connect as dial, type LookupFunction } from 'node:net';
import {
  AmbiguousOutcomeError,
  basicAuth,
  ConnectionError,
  createClient,
  InvalidRequestError,
} from 'restkin';
import { undiciFetch } from 'restkin/undici';
import { Agent, BalancedPool, Client, Pool, ProxyAgent } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect, failureOf, login, orderBody } from '../../support/basic-ordering.ts';
import { leaksIn, password } from '../../support/canaries.ts';
import { type Fault, startFaultServer } from '../../support/fault-server.ts';
import { respondRaw, startRawServer } from '../../support/raw-server.ts';

type Fetch = typeof fetch;
const fetches: readonly (readonly [string, Fetch])[] = [
  ['the built-in fetch', (...given) => fetch(...given)],
  ['undiciFetch', undiciFetch()],
];

const rejectionOf = (promise: Promise<unknown>): Promise<TypeError & { cause: { code?: string } }> =>
  promise.then(
    () => expect.fail('it succeeded'),
    (reason: unknown) => reason as TypeError & { cause: { code?: string } },
  );

/** Leaves a connection to be used again: it is free in the turn after the one in which the response ended. */
const warmUp = async (fetch: Fetch, url: string): Promise<void> => {
  await (await fetch(url)).text();
  await new Promise((resolve) => setTimeout(resolve, 10));
};

/** An agent that is closed with the test. */
const agentOf = (options: Agent.Options): Agent => {
  const agent = new Agent(options);
  onTestFinished(() => agent.destroy());
  return agent;
};

describe.each(fetches)('%s', (_name, fetch) => {
  test('a connection is used again', async () => {
    await using server = await startFaultServer({ respond: () => ({ status: 200, body: '{}' }) });
    for (let count = 0; count < 3; count++) await warmUp(fetch, server.url);
    expect([server.requests.length, server.connections]).toEqual([3, 1]);
  });

  describe.each(['GET', 'POST', 'PUT', 'DELETE'])('%s', (method) => {
    test.each(['drop', 'reset', 'halfClose'] satisfies Fault[])(
      'is sent once over a connection that was used before, and then: %s',
      async (fault) => {
        await using server = await startFaultServer({
          respond: (_request, index) => (index === 0 ? { status: 200, body: '{}' } : fault),
        });
        await warmUp(fetch, server.url);
        const body = method === 'POST' || method === 'PUT' ? '{}' : null;
        const error = await rejectionOf(fetch(server.url, { method, headers: {}, body }));
        expect(error).toMatchObject({ name: 'TypeError', message: 'fetch failed' });
        expect(server.requests.map((request) => request.method)).toEqual(['GET', method]);
        expect(server.connections).toBe(1);
      },
    );
  });

  const ends: readonly (readonly [string, string, RegExp])[] = [
    ['no response', '', /^UND_ERR_SOCKET$/],
    ['half of a head', 'HTTP/1.1 200 OK\r\nx-a: 1', /^UND_ERR_SOCKET$/],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', /^(?:HPE_\w+|UND_ERR_\w+|undefined)$/],
    [
      'two lengths',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
      /^(?:HPE_\w+|UND_ERR_\w+|undefined)$/,
    ],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n',
      /^(?:HPE_\w+|UND_ERR_\w+|undefined)$/,
    ],
    ['an upgrade', 'HTTP/1.1 101 Go\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', /^UND_ERR_SOCKET$/],
  ];
  test.each(ends)('%s is a failure with a name', async (_what, text, code) => {
    const { url } = await startRawServer((_request, response) => respondRaw(response, text));
    const error = await rejectionOf(fetch(url, { headers: {} }));
    expect(error).toMatchObject({ name: 'TypeError', message: 'fetch failed' });
    expect(String(error.cause.code)).toMatch(code);
  });

  test('a port where nothing listens: ECONNREFUSED', async () => {
    const server = await startFaultServer({ respond: () => 'drop' });
    await server.close();
    const error = await rejectionOf(fetch(server.url, { headers: {} }));
    expect([error.name, error.message, error.cause.code]).toEqual([
      'TypeError',
      'fetch failed',
      'ECONNREFUSED',
    ]);
  });
});

describe('what restkin makes of it', () => {
  const systemErrors = ['ENOTFOUND', 'EAI_AGAIN'];

  test.each(systemErrors)(
    'a name that is not found (%s): nothing was sent, so a POST may be',
    async (code) => {
      let lookups = 0;
      const lookup: LookupFunction = (_host, _options, callback) => {
        lookups++;
        callback(Object.assign(new Error('no such name'), { code }), '');
      };
      const dispatcher = agentOf({ connect: { lookup } });
      const { orders } = connect('https://api.example', {
        fetch: undiciFetch({ dispatcher }),
        retry: { baseDelayMs: 1 },
      });
      const error = await failureOf(orders.create(orderBody), ConnectionError);
      expect([error.name, error.reason, error.sent, error.attempts.length]).toEqual([
        'ConnectionError',
        code,
        false,
        3,
      ]);
      expect(lookups).toBe(3);
    },
  );

  test('a connection that is not made in time: nothing was sent', async () => {
    // 10.255.255.1 would leave this machine; a lookup that does not end is as slow.
    const dispatcher = agentOf({ connect: { timeout: 50, lookup: () => undefined } });
    const { orders } = connect('https://api.example', { fetch: undiciFetch({ dispatcher }) });
    const error = await failureOf(orders.create(orderBody), ConnectionError);
    expect([error.name, error.reason, error.sent]).toEqual([
      'ConnectionError',
      'UND_ERR_CONNECT_TIMEOUT',
      false,
    ]);
  });

  test('a POST over a connection that dies is ambiguous, and arrived once', async () => {
    await using server = await startFaultServer({
      respond: (_request, index) => (index === 0 ? { status: 404 } : 'drop'),
    });
    const { orders } = connect(server.url, { fetch: undiciFetch(), retry: { baseDelayMs: 1 } });
    await Promise.resolve(orders.get(7)).catch(() => undefined);
    await failureOf(orders.create(orderBody), AmbiguousOutcomeError);
    expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
  });

  test('the bytes of a response lie in a buffer of their own', async () => {
    const { url } = await startRawServer(() => ({
      headers: { 'content-type': 'application/octet-stream', 'set-cookie': 'session=1' },
      body: 'seven b',
    }));
    const client = createClient({ baseUrl: url, auth: basicAuth(login), fetch: undiciFetch() });
    const read = await client.request({ method: 'GET', path: 'x', as: 'bytes' });
    const bytes = read;
    expect([bytes.constructor, bytes.length, bytes.buffer.byteLength]).toEqual([Uint8Array, 7, 7]);
  });
});

test('no failure holds what was sent, or what came', async () => {
  const answers = [
    `HTTP/1.1 200 OK\r\nx-token: ${password}\r\n\0${password}\r\n\r\n`,
    `${password}${password}`,
    `HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n${password}`,
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz${password}\r\n`,
    `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 17\r\n\r\n${password.slice(0, 17)}`,
  ];
  const fetch = undiciFetch();
  for (const text of answers) {
    const { url } = await startRawServer((_request, response) => respondRaw(response, text));
    const headers = { authorization: `Basic ${btoa(unescape(encodeURIComponent(password)))}` };
    const init = { method: 'POST', headers, body: password };
    const error = await rejectionOf(
      fetch(`${url}/${encodeURIComponent(password)}`, init).then((r) => r.text()),
    );
    expect(error).toBeInstanceOf(TypeError);
    expect(error.cause).toBeInstanceOf(Error);
    expect(leaksIn(error)).toEqual([]);
  }
});

describe('dispatcher', () => {
  test.each([
    ['Pool', () => new Pool('http://127.0.0.1:1')],
    ['Client', () => new Client('http://127.0.0.1:1')],
    ['BalancedPool', () => new BalancedPool(['http://127.0.0.1:1'])],
    ['Pool', () => new Pool('http://127.0.0.1:1').compose((dispatch) => dispatch)],
  ])('a %s is refused: it would send a password to the origin that it is bound to', (name, make) => {
    expect(() => undiciFetch({ dispatcher: make() })).toThrow(`A ${name} sends every request to one origin`);
  });

  test.each<[string, object, string]>([
    ['a name that is misspelt', { dispacher: new Agent() }, 'its options are dispatcher'],
    ['no dispatcher', { dispatcher: {} }, 'dispatcher must be a dispatcher of undici, for example an Agent'],
    ['null', { dispatcher: null }, 'dispatcher must be a dispatcher of undici, for example an Agent'],
  ])('that would be ignored is refused: %s', (_what, options, message) => {
    expect(() => undiciFetch(options)).toThrow(InvalidRequestError);
    expect(() => undiciFetch(options)).toThrow(message);
  });

  test('may be undefined, as an option that is not given', () => {
    expect(undiciFetch({ dispatcher: undefined })).toBeTypeOf('function');
  });

  test('that fails with an error that is its own cause is a failed fetch', async () => {
    const failure = Object.assign(new Error('no'), { code: 'UND_ERR_SOCKET' });
    failure.cause = failure;
    const dispatcher: Agent = Object.assign(Object.create(null), {
      dispatch: () => {
        throw failure;
      },
    });
    await expect(undiciFetch({ dispatcher })('http://127.0.0.1:1/')).rejects.toThrow('fetch failed');
  });

  test('need not be of a class', () => {
    const dispatcher: Agent = Object.assign(Object.create(null), { dispatch: () => true });
    expect(undiciFetch({ dispatcher })).toBeTypeOf('function');
  });

  test('sends the requests, and waits for the response as long as the caller does', async () => {
    const { url } = await startRawServer(async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      return { body: 'late' };
    });
    let dispatched = 0;
    // Its own limits would end this: a second is the least that undici measures.
    const dispatcher = agentOf({ headersTimeout: 10, bodyTimeout: 10 }).compose(
      (dispatch) => (options, handler) => {
        dispatched++;
        return dispatch(options, handler);
      },
    );
    const fetch = undiciFetch({ dispatcher });
    expect(await (await fetch(url)).text()).toBe('late');
    expect(dispatched).toBe(1);
  });

  test('can be a proxy', async () => {
    const { url } = await startRawServer(() => ({ body: 'behind' }));
    const tunnels: string[] = [];
    const proxy = createServer().on('connect', ({ url: target = '' }, socket) => {
      tunnels.push(target);
      const [host, port] = target.split(':');
      const upstream = dial(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connected\r\n\r\n');
        socket.pipe(upstream).pipe(socket);
      });
      socket.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
      upstream.on('error', () => socket.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    const dispatcher = new ProxyAgent({ uri: `http://127.0.0.1:${port}`, proxyTunnel: true });
    onTestFinished(async () => {
      await dispatcher.destroy();
      proxy.close();
    });
    const fetch = undiciFetch({ dispatcher });
    expect(await (await fetch(url)).text()).toBe('behind');
    expect(tunnels).toEqual([new URL(url).host]);
  });

  test('that throws, or is closed, is a failed fetch', async () => {
    const agent = agentOf({});
    await agent.close();
    const closed = await rejectionOf(undiciFetch({ dispatcher: agent })('http://127.0.0.1:9'));
    expect([closed.message, closed.cause.code]).toEqual(['fetch failed', 'UND_ERR_DESTROYED']);
    const throwing = agentOf({}).compose((_dispatch) => (_options, _handler) => {
      throw new Error('out of order');
    });
    const error = await rejectionOf(undiciFetch({ dispatcher: throwing })('http://127.0.0.1:9'));
    expect(String(error.cause)).toContain('out of order');
  });
});
