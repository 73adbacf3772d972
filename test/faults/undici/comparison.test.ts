import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import * as zlib from 'node:zlib';
import { ConnectionError, type Fetch, isRestkinError } from 'restkin';
import { undiciFetch } from 'restkin/undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../support/basic-ordering.ts';

/** A server that writes the bytes that a test has chosen, whatever it is asked, and closes the connection. */
const server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', () => socket.end(bytes));
});
let bytes: Uint8Array = Buffer.alloc(0);
let url = '';

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

/** What a caller of this `fetch` sees of the response. */
const outcomeOf = async (fetch: Fetch) => {
  const signal = AbortSignal.timeout(5_000);
  try {
    const init = { method: 'GET', headers: {}, body: null, signal, redirect: 'manual' } as const;
    const response = await fetch(url, init);
    const body = Buffer.from(await response.arrayBuffer()).toString('latin1');
    return { status: response.status, statusText: response.statusText, headers: [...response.headers], body };
  } catch {
    return signal.aborted ? 'no end' : 'failed';
  }
};

const expectSame = async (raw: Uint8Array): Promise<void> => {
  bytes = raw;
  expect(await outcomeOf(undiciFetch())).toEqual(await outcomeOf(fetch));
};

const respond = (head: readonly string[], body: Buffer | string = ''): Buffer =>
  Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)]);

describe('a body reads as over the built-in fetch', () => {
  const small = Buffer.from('{"text":"ä"}');
  const large = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * index) >> (index % 13)));
  const encoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
    gzip: zlib.gzipSync,
    'x-gzip': zlib.gzipSync,
    deflate: zlib.deflateSync,
    br: zlib.brotliCompressSync,
  };
  const damages: Readonly<Record<string, (encoded: Buffer) => Buffer>> = {
    whole: (encoded) => encoded,
    'without its last 8 bytes': (encoded) => encoded.subarray(0, -8),
    'without its second half': (encoded) => encoded.subarray(0, encoded.length / 2),
    'with its second half only': (encoded) => encoded.subarray(encoded.length / 2),
    'with more behind it': (encoded) => Buffer.concat([encoded, Buffer.from('more')]),
    twice: (encoded) => Buffer.concat([encoded, encoded]),
    empty: () => Buffer.alloc(0),
  };

  describe.each(Object.entries(encoders))('%s', (coding, encode) => {
    test.each(Object.entries(damages))('%s', async (_what, damage) => {
      for (const body of [small, large]) {
        const encoded = damage(encode(body));
        const head = ['HTTP/1.1 200 OK', `content-encoding: ${coding}`];
        await expectSame(respond([...head, `content-length: ${encoded.length}`], encoded));
        // A large body that ends with the connection can crash undici 7 and Node 24 (nodejs/undici#5360).
        if (body === small) await expectSame(respond([...head, 'connection: close'], encoded));
      }
    });
  });

  test.each<[string, Buffer]>([
    ['deflate', zlib.deflateRawSync(small)],
    ['deflate', zlib.deflateRawSync(large)],
    ['deflate', zlib.gzipSync(small)],
    ['gzip', zlib.deflateSync(small)],
    ['deflate, gzip', zlib.gzipSync(zlib.deflateSync(small))],
    ['gzip, deflate', zlib.gzipSync(zlib.deflateSync(small))],
    ['GZIP', zlib.gzipSync(small)],
    ['identity', small],
    ['unheard-of', small],
    ['gzip, unheard-of', zlib.gzipSync(small)],
  ])('%s (%#)', async (coding, body) => {
    await expectSame(
      respond(['HTTP/1.1 200 OK', `content-encoding: ${coding}`, `content-length: ${body.length}`], body),
    );
  });
});

const ok = 'HTTP/1.1 200 OK';

const unexpectedUpgrade = ['HTTP/1.1 101 Switching Protocols', 'upgrade: x', 'connection: upgrade'];

const heads: Readonly<Record<string, Buffer>> = {
  nothing: Buffer.alloc(0),
  'no HTTP': Buffer.from('SSH-2.0-OpenSSH_9.6\r\n'),
  'HTTP/1.0 without a length': respond(['HTTP/1.0 200 OK'], 'until the end'),
  'only LF': Buffer.from('HTTP/1.1 200 OK\ncontent-length: 2\n\nok'),
  'no end of the head': Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n'),
  'a 101 that nobody asked for': respond(unexpectedUpgrade),
  'a 100 and a 103 first': respond(
    ['HTTP/1.1 100 Continue\r\n', 'HTTP/1.1 103 Early Hints', 'link: </a>\r\n', ok, 'content-length: 2'],
    'ok',
  ),
  'a 204 with a body': respond(['HTTP/1.1 204 No Content', 'content-length: 2'], 'ok'),
  'a 205 with a body': respond(['HTTP/1.1 205 Reset Content', 'content-length: 2'], 'ok'),
  'a 304 with a length': respond(['HTTP/1.1 304 Not Modified', 'content-length: 200', 'etag: "1"']),
  'a status of two digits': respond(['HTTP/1.1 20 OK', 'content-length: 2'], 'ok'),
  'the status 600': respond(['HTTP/1.1 600 Beyond', 'content-length: 2'], 'ok'),
  'the status 999': respond(['HTTP/1.1 999 Denied', 'content-length: 2'], 'ok'),
  'a reason phrase in latin1': respond(['HTTP/1.1 200 Für Sie', 'content-length: 2'], 'ok'),
  'two equal lengths': respond([ok, 'content-length: 2', 'content-length: 2'], 'ok'),
  'two lengths': respond([ok, 'content-length: 2', 'content-length: 3'], 'ok'),
  'a negative length': respond([ok, 'content-length: -2'], 'ok'),
  'a length that is too large': respond([ok, 'content-length: 20'], 'ok'),
  'more than the length': respond([ok, 'content-length: 2'], 'ok and more'),
  chunks: respond([ok, 'transfer-encoding: chunked'], '2\r\nok\r\n0\r\n\r\n'),
  'chunks without an end': respond([ok, 'transfer-encoding: chunked'], '2\r\nok\r\n'),
  'a wrong size of a chunk': respond([ok, 'transfer-encoding: chunked'], 'x\r\nok\r\n0\r\n\r\n'),
  'chunks and a length': respond(
    [ok, 'transfer-encoding: chunked', 'content-length: 2'],
    '2\r\nok\r\n0\r\n\r\n',
  ),
  'an invalid header': respond([ok, 'content-length: 2', 'x y: z'], 'ok'),
  'a header with NUL': respond([ok, 'content-length: 2', 'x: a\0b'], 'ok'),
  'a header over two lines': respond([ok, 'content-length: 2', 'x: a', ' b'], 'ok'),
  'a header in UTF-8': Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nx: €\r\n\r\nok'),
  'an empty header': respond([ok, 'content-length: 2', 'x:'], 'ok'),
  'headers of 40 KB': respond([ok, 'content-length: 2', `x: ${'a'.repeat(40_000)}`], 'ok'),
  'headers that come twice': respond(
    [ok, 'content-length: 2', 'link: a', 'link: b', 'set-cookie: a=1', 'set-cookie: b=2'],
    'ok',
  ),
};

describe('a head reads as over the built-in fetch', () => {
  test.each(Object.entries(heads))('%s', (_what, raw) => expectSame(raw));
});

const valid = respond(
  [
    ok,
    'content-type: application/json',
    'link: </v1/orders?page=2>; rel="next"',
    'transfer-encoding: chunked',
  ],
  '2\r\n[]\r\n0\r\n\r\n',
);

/** The valid response with one byte replaced, left out or doubled. */
const mutate = (index: number): Buffer => {
  const at = (index * 7) % valid.length;
  const [before, after] = [valid.subarray(0, at), valid.subarray(at + 1)];
  const replacements = [
    Buffer.from([(index * 31) % 256]),
    Buffer.alloc(0),
    valid.subarray(at - 1, at + 1),
    Buffer.from('\r\n'),
  ];
  return Buffer.concat([before, replacements[index % 4] as Buffer, after]);
};

test('300 responses with one wrong byte read as over the built-in fetch, and each failure is an error of restkin', async () => {
  const { client } = connect(url, { fetch: undiciFetch(), timeoutMs: 5_000 });
  for (let index = 0; index < 300; index++) {
    await expectSame(mutate(index));
    const error = await client
      .request({ method: 'GET', path: 'v1/orders', as: 'text' })
      .catch((reason: unknown) => reason);
    const isOther = error instanceof Error && !isRestkinError(error);
    expect([index, isOther]).toEqual([index, false]);
  }
});

test('a 101 that nobody asked for is a lost connection', async () => {
  bytes = respond(unexpectedUpgrade);
  const { orders } = connect(url, { fetch: undiciFetch() });
  await expect(Promise.resolve(orders.get(7))).rejects.toBeInstanceOf(ConnectionError);
});
