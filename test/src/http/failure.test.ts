import { inspect } from 'node:util';
import {
  AmbiguousOutcomeError,
  ApiError,
  ConnectionError,
  createClient,
  customAuth,
  type Fetch,
  ForbiddenError,
  tokenAuth,
  UnauthorizedError,
} from 'restkin';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { connect, failureOf, login, orderBody } from '../../support/basic-ordering.ts';
import { ordering } from '../../support/ordering.ts';
import { respondRaw, startRawServer } from '../../support/raw-server.ts';

const url = 'https://a.test';
const rejecting = (error: unknown) => vi.fn<Fetch>(() => Promise.reject(error));
const retry = { baseDelayMs: 1 };

afterEach(() => {
  vi.unstubAllGlobals();
});

/** What engines throw for a mistake in a program. */
const mistakes: readonly Error[] = [
  new ReferenceError('logger is not defined'),
  new TypeError("Cannot read properties of undefined (reading 'headers')"),
  new TypeError('globalThis.fetch.raw is not a function'),
  new TypeError('network is not iterable'),
  new SyntaxError('Unexpected token'),
  new RangeError('Maximum call stack size exceeded'),
  Object.assign(new Error('expected 1 to be 2'), { name: 'AssertionError' }),
];

describe('a mistake inside a fetch that was given', () => {
  test.each(mistakes)('is thrown as it is, and the call is not retried: %s', async (mistake) => {
    for (const fail of [
      rejecting(mistake),
      vi.fn<Fetch>(() => {
        throw mistake;
      }),
    ]) {
      const { orders } = connect(url, { fetch: fail, retry });
      await expect(orders.get(7)).rejects.toBe(mistake);
      await expect(orders.create(orderBody)).rejects.toBe(mistake);
      await expect(orders.list()).rejects.toBe(mistake);
      expect(fail).toHaveBeenCalledTimes(3);
    }
  });
});

test('what Next.js throws from `fetch` to control a rendering is thrown as it is, and not retried', async () => {
  const control = Object.assign(new Error('Dynamic server usage'), { digest: 'DYNAMIC_SERVER_USAGE' });
  const fetch = rejecting(control);
  const { orders } = connect(url, { fetch, retry });
  const auth = tokenAuth({ authUrl: url, ...login });
  const withToken = createClient({ baseUrl: url, auth, fetch, retry }).api(ordering);
  await expect(orders.get(7)).rejects.toBe(control);
  await expect(orders.create(orderBody)).rejects.toBe(control);
  await expect(orders.list()).rejects.toBe(control);
  await expect(orders.list().toArray()).rejects.toBe(control);
  await expect(withToken.orders.get(7)).rejects.toBe(control);
  expect(fetch).toHaveBeenCalledTimes(5);
  // Next.js replaces the built-in one.
  vi.stubGlobal('fetch', fetch);
  await expect(connect(url).orders.get(7)).rejects.toBe(control);
});

// What the mocks of tests return.
test.each([
  ['no headers', { status: 200, json: async () => ({ id: 7 }) }],
  ['headers that are a plain object', { status: 200, headers: {}, text: async () => '{}' }],
  ['no text()', { status: 200, headers: new Headers(), json: async () => ({ id: 7 }) }],
  ['nothing', undefined],
])('a fetch whose response has %s made a mistake: no connection was lost', async (_what, response) => {
  const fetch = vi.fn<Fetch>(async () => response as unknown as Response);
  const { orders } = connect(url, { fetch, retry });
  await expect(orders.get(7)).rejects.toThrow(TypeError);
  await expect(orders.create(orderBody)).rejects.toThrow(TypeError);
  expect(fetch).toHaveBeenCalledTimes(2);
});

test('what credentials fail with is thrown as it is, also if it is no error', async () => {
  const failure = { vault: 'sealed', toString: () => 'p4ssword' };
  const auth = customAuth(() => Promise.reject(failure));
  const { orders } = createClient({ baseUrl: url, auth, retry }).api({ ...ordering, auth: 'custom' });
  await expect(orders.get(7)).rejects.toBe(failure);
});

describe('a failure of the network is none', () => {
  test.each([
    'fetch failed',
    'terminated',
    'Failed to fetch',
    'Failed to fetch (a.test)',
    'Load failed',
    'NetworkError when attempting to fetch resource.',
    'Network request failed',
    'error sending request for url (https://a.test/): connection closed',
  ])('as browsers and runtimes word it: %s', async (message) => {
    const fetch = rejecting(new TypeError(message));
    const { orders } = connect(url, { fetch, retry });
    expect((await failureOf(orders.get(7), ConnectionError)).attempts).toHaveLength(4);
    await failureOf(orders.create(orderBody), AmbiguousOutcomeError);
    expect(fetch).toHaveBeenCalledTimes(5);
  });

  test('a TypeError of the runtime itself is one, whatever it says', async () => {
    vi.stubGlobal('fetch', rejecting(new TypeError('words of another runtime')));
    expect((await failureOf(connect(url).orders.get(7), ConnectionError)).sent).toBe(true);
  });

  test('a TypeError while the body arrives is one', async () => {
    const body = () =>
      new ReadableStream({ pull: (stream) => stream.error(new TypeError('words of a stream')) });
    const { orders } = connect(url, { fetch: async () => new Response(body()) });
    expect((await failureOf(orders.get(7), ConnectionError)).sent).toBe(true);
  });
});

describe('a failure says what it is', () => {
  const failingWith = (code: string, message = 'failed') =>
    rejecting(
      Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(message), { code }) }),
    );

  test.each([
    ['CERT_HAS_EXPIRED', 'nothing was sent: the certificate of the server has expired (CERT_HAS_EXPIRED)'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate of the server is for another host; check the URL'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'the server does not speak TLS at this port; check `https:`'],
  ])('%s: nothing was sent, and it is not retried, also by a POST', async (code, message) => {
    const fetch = failingWith(code);
    const { orders } = connect(url, { fetch, retry });
    for (const call of [orders.get(7), orders.create(orderBody)]) {
      const error = await failureOf(call, ConnectionError);
      expect(error.message).toContain(message);
      expect(error).toMatchObject({ sent: false, reason: code, code: 'connection_failed' });
    }
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  test.each([
    ['UND_ERR_HEADERS_TIMEOUT', 'a time limit of `fetch` ended the request, 300 s in Node'],
    ['UND_ERR_BODY_TIMEOUT', 'a time limit of `fetch`'],
  ])('%s', async (code, message) => {
    const { orders } = connect(url, { fetch: failingWith(code) });
    expect((await failureOf(orders.get(7), ConnectionError)).message).toContain(message);
    expect((await failureOf(orders.create(orderBody), AmbiguousOutcomeError)).message).toContain(message);
  });

  test('a proxy that wants credentials, in the tunnel and beside it', async () => {
    const fetch = failingWith('UND_ERR_ABORTED', 'Proxy response (407) !== 200 when HTTP Tunneling');
    const error = await failureOf(connect(url, { fetch }).orders.create(orderBody), ConnectionError);
    expect(error.message).toContain('nothing was sent: the proxy wants credentials (407)');
    const refused = connect(url, { fetch: async () => new Response('', { status: 407 }) });
    await expect(refused.orders.get(7)).rejects.toThrow('a proxy wants credentials');
  });

  test.each([
    ['Bearer error="insufficient_scope", scope="orders.read orders.write"', 'orders.read orders.write'],
    [`Basic realm="a", Bearer scope="${login.password} orders"`, '*** orders'],
  ])('a 403 that names the scope of the request (RFC 6750): %s', async (challenge, scope) => {
    const headers = { 'www-authenticate': challenge };
    const fetch = async () => Response.json({ message: 'No' }, { status: 403, headers });
    const error = await failureOf(connect(url, { fetch }).orders.get(7), ForbiddenError);
    expect(error.message).toContain(`: 403 Forbidden: No; it needs the scope ${scope}`);
    expect(error.detail).toBe('No');
  });

  test('a 401 that says why the token was refused (RFC 6750)', async () => {
    const description = `the token of ${login.password} expired at 09:00`;
    const headers = {
      'www-authenticate': `Bearer error="invalid_token", error_description="${description}"`,
    };
    const fetch = async () => new Response(null, { status: 401, headers });
    const error = await failureOf(connect(url, { fetch }).orders.get(7), UnauthorizedError);
    expect(error.message).toContain(': 401 Unauthorized; the token of *** expired at 09:00');
  });

  test.each<[number, object, boolean]>([
    [422, { errors: { email: ['is taken'] } }, true],
    [422, { message: 'Invalid', errors: { email: ['is taken'] } }, true],
    [422, { message: 'Invalid', errors: [{ field: 'email', code: 'taken' }] }, false],
    [422, { message: 'The order is shipped' }, false],
    [422, { detail: 'The order is shipped' }, true],
    [400, { errors: { email: ['is taken'] } }, true],
    [400, { title: 'Invalid', errors: { email: ['is taken'] } }, true],
    [400, { message: 'Invalid', errors: [{ field: 'email', code: 'taken' }] }, false],
    [400, { message: 'Invalid', errors: [] }, false],
    [400, { detail: 'Malformed' }, false],
    [409, { errors: { email: ['is taken'] } }, false],
  ])('a %i whose invalid fields stand in no declared place: %j', async (status, body, isUnread) => {
    const fetch = async () => Response.json(body, { status });
    const error = await failureOf(connect(url, { fetch }).orders.create(orderBody), ApiError);
    expect(error.message.includes('; for its fields, declare `invalid` in family()')).toBe(isUnread);
  });

  test('a proxy that refuses the tunnel', async () => {
    const fetch = failingWith('UND_ERR_ABORTED', 'Proxy response (403) !== 200 when HTTP Tunneling');
    const error = await failureOf(connect(url, { fetch }).orders.create(orderBody), ConnectionError);
    expect(error.message).toContain('nothing was sent: the proxy refused (403)');
  });

  test('a server that speaks TLS where plain HTTP is expected', async () => {
    const alert = '\x15\x03\x03\x00\x02\x02\x46';
    const { orders } = connect((await startRawServer((_request, reply) => respondRaw(reply, alert))).url, {
      retry,
    });
    const message = 'the response is not HTTP: the server may speak TLS at this port';
    expect((await failureOf(orders.get(7), ConnectionError)).message).toContain(message);
    expect((await failureOf(orders.create(orderBody), AmbiguousOutcomeError)).message).toContain(message);
  });

  test('a body that is not compressed as its header says', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const { orders } = connect((await startRawServer(() => ({ headers, body: '{}' }))).url, { retry });
    const error = await failureOf(orders.get(7), ConnectionError);
    expect(error.message).toContain('the body cannot be decompressed (Z_DATA_ERROR)');
  });

  test('a server that speaks plain HTTP where TLS is expected', async () => {
    const server = await startRawServer(() => ({}));
    const { orders } = connect(server.url.replace('http:', 'https:'), { retry });
    const error = await failureOf(orders.create(orderBody), ConnectionError);
    expect(error.message).toContain('the server does not speak TLS at this port');
    expect([error.sent, error.attempts.length]).toEqual([false, 1]);
  });
});

describe('the cause of a ConnectionError', () => {
  test('of a port that nothing listens on: class, code and operation', async () => {
    const server = await startRawServer(() => ({}));
    const { port } = new URL(server.url);
    const error = await failureOf(connect(`http://127.0.0.2:${port}`).orders.get(7), ConnectionError);
    expect(error).toMatchObject({ reason: 'ECONNREFUSED', sent: false });
    const cause = { name: 'Error', code: 'ECONNREFUSED', syscall: 'connect', hostname: undefined };
    expect(error.cause).toEqual(cause);
  });

  test('is the outermost one: behind a lost connection another one may have been refused', async () => {
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const thrown = Object.assign(new Error('lost', { cause: refused }), { code: 'ECONNRESET' });
    const { orders } = connect(url, { fetch: rejecting(thrown) });
    expect(await failureOf(orders.allowedMethods(7, { retry: false }), ConnectionError)).toMatchObject({
      reason: 'ECONNRESET',
      sent: true,
    });
  });

  test('holds names and nothing else of what was thrown', async () => {
    const secret = 'Bearer abc.def-ghi';
    const thrown = Object.assign(new Error(secret, { cause: { message: secret, secret } }), {
      name: secret,
      code: secret,
      syscall: secret,
      hostname: secret,
      request: { headers: { authorization: secret } },
    });
    const error = await failureOf(connect(url, { fetch: rejecting(thrown) }).orders.get(7), ConnectionError);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('abc.def');
    expect(error.cause).toBeUndefined();
  });
});
