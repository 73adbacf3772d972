import { once } from 'node:events';
import * as zlib from 'node:zlib';
import { undiciFetch } from 'restkin/undici';
import { describe, expect, test } from 'vitest';
import { type Fault, startFaultServer } from '../../support/fault-server.ts';
import { respondRaw, startRawServer } from '../../support/raw-server.ts';

type Read = (response: Response, limit?: number) => Promise<Uint8Array>;

const fetch = undiciFetch();

const withResolvers = () => {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((onResolved) => {
    resolve = onResolved;
  });
  return { promise, resolve };
};

/** As restkin reads bodies. */
const readWhole: Read = (response, limit = Number.POSITIVE_INFINITY) =>
  (response as unknown as Record<symbol, (limit: number) => Promise<Uint8Array>>)[
    Symbol.for('restkin.body')
  ]?.(limit) ?? expect.fail('there is no such method');

const readStream: Read = async (response) => new Uint8Array(await new Response(response.body).arrayBuffer());

const ways: readonly (readonly [string, typeof globalThis.fetch, Read])[] = [
  ['the built-in fetch', (...given) => globalThis.fetch(...given), readStream],
  ['undiciFetch, as a stream', fetch, readStream],
  ['undiciFetch, at once', fetch, readWhole],
];

const small = new TextEncoder().encode(JSON.stringify({ text: 'ä'.repeat(500) }));
/** More than a stream keeps, and not to be made much smaller. */
const large = Uint8Array.from({ length: 700_000 }, (_, index) => (index * index) >> (index % 13));

const brotli = (bytes: Uint8Array): Uint8Array =>
  zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } });

const encoders: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: zlib.gzipSync,
  'X-GZIP': zlib.gzipSync,
  deflate: zlib.deflateSync,
  'deflate ': zlib.deflateRawSync,
  br: brotli,
  'gzip, br': (bytes) => brotli(zlib.gzipSync(bytes)),
  'deflate, gzip': (bytes) => zlib.gzipSync(zlib.deflateSync(bytes)),
  // Not undone, because one of them is not known.
  identity: (bytes) => bytes,
  'gzip, unheard-of': (bytes) => bytes,
  '': (bytes) => bytes,
  ...('zstdCompressSync' in zlib ? { zstd: zlib.zstdCompressSync } : {}),
};

/** Serves one body under a coding, in one piece or in several. */
const serve = (coding: string, body: Uint8Array, pieces = 1) =>
  startRawServer(async (_request, response) => {
    if (pieces === 1) return { headers: { 'content-encoding': coding }, body };
    response.writeHead(200, { 'content-encoding': coding });
    const size = Math.ceil(body.length / pieces);
    for (let at = 0; at < body.length; at += size) {
      if (!response.write(body.subarray(at, at + size))) await once(response, 'drain');
      await new Promise(setImmediate);
    }
    response.end();
    return undefined;
  });

const muchBytes = 30_000_000;

/** Serves more than the sockets of both sides hold; tells how many of 300 pieces left when no more do. */
const serveMuch = async () => {
  const piece = Buffer.alloc(muchBytes / 300);
  let written = 0;
  const { url } = await startRawServer(async (_request, response) => {
    response.writeHead(200);
    for (; written < 300; written++) if (!response.write(piece)) await once(response, 'drain');
    response.end();
    return undefined;
  });
  const stalled = async (): Promise<number> => {
    let before = -1;
    while (before !== written) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return written;
  };
  return { url, stalled };
};

describe.each(ways)('%s', (name, fetch, read) => {
  describe.each(Object.entries(encoders))('content-encoding %j', (coding, encode) => {
    test.each([
      ['a small body', small, 1],
      ['a small body in pieces', small, 7],
      ['a large body', large, 1],
      ['a large body in pieces', large, 40],
    ])('%s', async (_size, body, pieces) => {
      const { url } = await serve(coding, encode(body), pieces);
      const bytes = await read(await fetch(url));
      expect(Buffer.from(bytes).equals(body)).toBe(true);
    });

    // The built-in fetch takes an empty body for a broken one.
    test.skipIf(coding === 'zstd' && name === 'the built-in fetch')('an empty body', async () => {
      const { url } = await serve(coding, new Uint8Array(0));
      expect(await read(await fetch(url))).toHaveLength(0);
    });
  });

  test('a body that is read late arrives complete', async () => {
    const { url } = await serve('identity', large, 40);
    const response = await fetch(url);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(Buffer.from(await read(response)).equals(large)).toBe(true);
  });

  test('a body that is not read is not received', async () => {
    const { url, stalled } = await serveMuch();
    const response = await fetch(url);
    expect(await stalled()).toBeLessThan(200);
    expect(await read(response)).toHaveLength(muchBytes);
  });

  test('more than five codings are refused', async () => {
    const { url } = await serve('gzip, '.repeat(5).concat('gzip'), zlib.gzipSync(small));
    await expect(fetch(url)).rejects.toMatchObject({ name: 'TypeError', message: 'fetch failed' });
  });

  test.each(['deflate', 'deflate ', 'gzip, deflate'])(
    '%j with bytes behind its end is read to its end',
    async (coding) => {
      const encode = encoders[coding] ?? ((bytes) => zlib.deflateSync(zlib.gzipSync(bytes)));
      for (const [body, pieces] of [
        [small, 1],
        [small, 7],
        [large, 40],
      ] as const) {
        const { url } = await serve(coding, Buffer.concat([encode(body), Buffer.from('\r\n')]), pieces);
        expect(Buffer.from(await read(await fetch(url))).equals(body)).toBe(true);
      }
    },
  );

  test.each(['gzip', 'deflate', 'br'])('invalid %s is an error', async (coding) => {
    for (const body of [small, large]) {
      const { url } = await serve(coding, body);
      await expect(read(await fetch(url))).rejects.toBeInstanceOf(Error);
    }
  });

  test.each([
    ['truncatedChunk', 'UND_ERR_SOCKET'],
    ['shortBody', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'],
    ['resetInBody', 'ECONNRESET'],
  ] satisfies [Fault, string][])('a body that ends too early is an error: %s', async (fault, code) => {
    await using server = await startFaultServer({ respond: () => fault });
    const error: unknown = await read(await fetch(server.url)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'TypeError', message: 'terminated' });
    expect((error as { readonly cause: { readonly code: string } }).cause.code).toMatch(
      new RegExp(`^(?:${code}|UND_ERR_SOCKET)$`),
    );
  });

  test('bytes beyond Content-Length are no part of the response', async () => {
    const { url } = await startRawServer((_request, response) =>
      respondRaw(response, 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}more'),
    );
    expect(new TextDecoder().decode(await read(await fetch(url)))).toBe('{}');
  });
});

// The built-in fetch takes these for complete.
describe.each(ways.slice(1))('%s', (_name, fetch, read) => {
  const codings = Object.entries(encoders).filter(([, encode]) => encode(small) !== small);

  test.each(codings)('content-encoding %j: a coded body that is cut is an error', async (coding, encode) => {
    for (const body of [small, large]) {
      const encoded = encode(body);
      for (const length of [1, 12, encoded.length >> 1, encoded.length - 1]) {
        for (const pieces of [1, 5]) {
          const { url } = await serve(coding, encoded.subarray(0, length), pieces);
          const error: unknown = await read(await fetch(url)).catch((reason: unknown) => reason);
          expect([length, error]).toEqual([length, expect.any(Error)]);
        }
      }
    }
  });
});

describe('the limit', () => {
  const codings = ['identity', 'gzip', 'deflate', 'br', 'gzip, br'];

  test.each(codings)('%s: a body of that size comes, one byte more does not', async (coding) => {
    for (const body of [small, large]) {
      const { url } = await serve(coding, encoders[coding]?.(body) ?? body);
      expect(await readWhole(await fetch(url), body.length)).toHaveLength(body.length);
      await expect(readWhole(await fetch(url), body.length - 1)).rejects.toBeInstanceOf(RangeError);
    }
  });

  test.each(['identity', 'gzip'])(
    '%s: the connection of a body that is too large is closed',
    async (coding) => {
      const closed = withResolvers();
      const { url } = await startRawServer((_request, response) => {
        response.once('close', () => closed.resolve());
        response.writeHead(200, { 'content-encoding': coding });
        const bytes = Buffer.alloc(1_000_000);
        // And no end: only the client can end this.
        if (coding === 'identity') response.write(bytes);
        else zlib.gzip(bytes, (_error, packed) => response.write(packed));
        return undefined;
      });
      await expect(readWhole(await fetch(url), 10_000)).rejects.toBeInstanceOf(RangeError);
      await closed.promise;
    },
  );
});

describe('the method for the whole body', () => {
  test('reads each of two clones, up to its limit', async () => {
    const { url } = await startRawServer(() => ({ body: '{"a":1}' }));
    const response = await fetch(url);
    const copy = response.clone();
    expect(new TextDecoder().decode(await readWhole(response, 7))).toBe('{"a":1}');
    await expect(readWhole(copy, 6)).rejects.toBeInstanceOf(RangeError);
  });

  test('reads once', async () => {
    const { url } = await startRawServer(() => ({ body: '{}' }));
    const reads: readonly Read[] = [readWhole, readStream, (response) => response.bytes()];
    for (const first of reads) {
      for (const second of reads) {
        const response = await fetch(url);
        await first(response);
        expect(response.bodyUsed).toBe(true);
        await expect(second(response)).rejects.toBeInstanceOf(TypeError);
      }
    }
  });

  test('gives nothing for a response without a body', async () => {
    const { url } = await startRawServer(() => ({ status: 204 }));
    expect(await readWhole(await fetch(url))).toHaveLength(0);
  });
});

test('a stream that is read slowly holds back the connection', async () => {
  const { url, stalled } = await serveMuch();
  const reader = (await fetch(url)).body?.getReader();
  let length = (await reader?.read())?.value?.length ?? 0;
  expect(await stalled()).toBeLessThan(200);
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
    length += next.value.length;
  }
  expect(length).toBe(muchBytes);
});

test('a stream that is given up closes the connection', async () => {
  const closed = withResolvers();
  const { url } = await startRawServer((_request, response) => {
    response.once('close', () => closed.resolve());
    response.writeHead(200);
    response.write('begun');
    return undefined;
  });
  await (await fetch(url)).body?.cancel('enough');
  await expect(closed.promise).resolves.toBeUndefined();
});

test('a body where there can be none closes the connection', async () => {
  const closed = withResolvers();
  const { url } = await startRawServer((_request, response) => {
    response.socket?.once('close', () => closed.resolve());
    response.socket?.write('HTTP/1.1 205 Reset\r\ncontent-length: 900\r\n\r\nbody');
    return undefined;
  });
  expect(await (await fetch(url)).text()).toBe('');
  await closed.promise;
});
