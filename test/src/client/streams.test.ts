import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import {
  ConnectionError,
  InvalidRequestError,
  type OwnRequest,
  TimeoutError,
  UnexpectedResponseError,
} from 'restkin';
import { describe, expect, test } from 'vitest';
import { connect, failureOf } from '../../support/basic-ordering.ts';
import { type Responder, startRawServer } from '../../support/raw-server.ts';

const serve = async (responder: Responder, options: Parameters<typeof connect>[1] = {}) => {
  const server = await startRawServer(responder);
  return { server, ...connect(server.url, options) };
};

const audio = { 'content-type': 'audio/wav', etag: '"v1"' };
const get = { method: 'GET', path: 'v1/recordings/3', as: 'stream' } as const;

/** A response whose script goes on when the test says so. */
const opened = async (options: Parameters<typeof connect>[1] = {}) => {
  let resolve: (response: ServerResponse) => void = () => undefined;
  const head = new Promise<ServerResponse>((onHead) => {
    resolve = onHead;
  });
  const served = await serve((_request, response) => {
    response.writeHead(200, audio).flushHeaders();
    resolve(response);
    return undefined;
  }, options);
  return { ...served, head, closed: head.then((response) => once(response, 'close')) };
};

const readAll = async (stream: ReadableStream<Uint8Array>): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
};

describe("as: 'stream'", () => {
  test('gives the head before the body, and the body piece by piece', async () => {
    const { client, head } = await opened();
    const stream = await client.request(get);
    expect(stream).toBeInstanceOf(ReadableStream);
    expect(stream).toMatchObject({ status: 200, etag: '"v1"', offset: 0, total: undefined });
    expect(stream.headers.get('content-type')).toBe('audio/wav');
    const reader = stream.getReader();
    for (const part of ['a', 'b']) {
      (await head).write(part);
      expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe(part);
    }
    (await head).end();
    expect(await reader.read()).toEqual({ done: true, value: undefined });
  });

  test('decodes what the server encoded', async () => {
    const { client } = await serve(() => ({
      headers: { ...audio, 'content-encoding': 'gzip' },
      body: gzipSync('x'.repeat(100_000)),
    }));
    const stream = await client.request(get);
    expect(stream.total).toBeUndefined();
    expect((await readAll(stream)).length).toBe(100_000);
  });

  test('of a response without a body is empty', async () => {
    const { client } = await serve(() => ({ status: 204 }));
    const stream = await client.request({ ...get, method: 'DELETE' });
    expect([stream.status, (await readAll(stream)).length]).toEqual([204, 0]);
  });

  test('an error status is the usual error', async () => {
    const { client } = await serve(() => ({ status: 404, body: '{"message":"No such recording"}' }));
    await expect(client.request(get)).rejects.toMatchObject({ status: 404, detail: 'No such recording' });
  });

  test('§7.1 a 304 is NotModified', async () => {
    const { client } = await serve(() => ({ status: 304 }));
    expect(await client.request({ ...get, ifNoneMatch: '"v1"' })).toEqual({ outcome: 'notModified' });
  });

  test('a body that may be larger than maxResponseBytes', async () => {
    const { client } = await serve(() => ({ headers: audio, body: 'x'.repeat(1_000) }), {
      maxResponseBytes: 10,
    });
    expect((await readAll(await client.request(get))).length).toBe(1_000);
  });

  test('§4.3 another type than accepted closes the connection', async () => {
    const { client, closed } = await opened();
    await failureOf(client.request({ ...get, accept: 'text/csv' }), UnexpectedResponseError);
    await closed;
  });
});

describe('the other forms', () => {
  const reply = { headers: { 'content-type': 'application/json' }, body: '{"a":1}' };

  test.each<[OwnRequest['as'], unknown]>([
    ['json', { a: 1 }],
    ['text', '{"a":1}'],
    ['bytes', new TextEncoder().encode('{"a":1}')],
    [undefined, { a: 1 }],
  ])('%s', async (as, expected) => {
    const { client } = await serve(() => reply);
    expect(await client.request({ ...get, as })).toEqual(expected);
  });

  test('JSON of a type that does not say so', async () => {
    const { client } = await serve(() => ({ ...reply, headers: { 'content-type': 'text/plain' } }));
    expect(await client.request({ ...get, as: 'json', accept: 'text/plain' })).toEqual({ a: 1 });
  });

  test('accept anything, unless it is JSON', async () => {
    const { client, server } = await serve(() => reply);
    for (const as of ['bytes', 'text', 'json'] as const) await client.request({ ...get, as });
    expect(server.requests.map(({ headers }) => headers.accept)).toEqual(['*/*', '*/*', 'application/json']);
  });

  test('progress of a body that is read whole', async () => {
    const { client } = await serve(() => ({ headers: audio, body: 'x'.repeat(10) }));
    const seen: unknown[] = [];
    await client.request({ ...get, as: 'bytes', onProgress: (progress) => seen.push(progress) });
    expect(seen.at(-1)).toEqual({ direction: 'download', bytes: 10, total: 10 });
  });
});

test.each<[string, object]>([
  ['an unknown form', { as: 'blob' }],
  ['a schema without JSON', { as: 'bytes', schema: {} }],
  ['idleTimeoutMs without a stream', { as: 'text', idleTimeoutMs: 5 }],
  ['resumeFrom without a stream', { as: 'bytes', resumeFrom: { bytes: 1 } }],
  ['an entity tag with a space', { as: 'stream', resumeFrom: { bytes: 1, etag: '"a b"' } }],
  ['a weak entity tag', { as: 'stream', resumeFrom: { bytes: 1, etag: 'W/"a"' } }],
  ['a part of a byte', { as: 'stream', resumeFrom: { bytes: 1.5 } }],
  ['a negative number of bytes', { as: 'stream', resumeFrom: { bytes: -1 } }],
  ['a number in place of a resume point', { as: 'stream', resumeFrom: 5 }],
  ['onProgress that is no function', { as: 'stream', onProgress: true }],
])('%s is refused before sending', async (_name, options) => {
  const { client, server } = await serve(() => ({ body: '{}' }));
  await failureOf(
    client.request({ method: 'GET', path: 'x', ...options } as OwnRequest),
    InvalidRequestError,
  );
  expect(server.requests).toEqual([]);
});

describe('the end of a stream', () => {
  test('cancelling closes the connection', async () => {
    const { client, closed } = await opened();
    const stream = await client.request(get);
    await stream.cancel();
    await closed;
    expect(await stream.getReader().read()).toEqual({ done: true, value: undefined });
  });

  test('the signal closes the connection, and its reason is what the reader gets', async () => {
    const { client, closed } = await opened();
    const stop = new AbortController();
    const stream = await client.request({ ...get, signal: stop.signal });
    const reading = stream.getReader().read();
    const reason = new Error('enough');
    stop.abort(reason);
    await expect(reading).rejects.toBe(reason);
    await closed;
  });

  test('a body that is cut is a ConnectionError with the bytes before, reported once', async () => {
    const seen: unknown[] = [];
    const { client, head } = await opened({ on: { error: ({ error }) => seen.push(error) } });
    const stream = await client.request(get);
    const reader = stream.getReader();
    (await head).write('abc');
    await reader.read();
    (await head).destroy();
    const error = await failureOf(reader.read(), ConnectionError);
    expect(error).toMatchObject({ code: 'connection_failed', receivedBytes: 3, sent: true });
    expect(error.attempts).toHaveLength(1);
    expect(seen).toEqual([error]);
  });

  test('a body that stalls is a TimeoutError after idleTimeoutMs, and the connection is closed', async () => {
    const { client, head, closed } = await opened();
    const stream = await client.request({ ...get, idleTimeoutMs: 250 });
    const reader = stream.getReader();
    (await head).write('abc');
    await reader.read();
    const error = await failureOf(reader.read(), TimeoutError);
    expect(error).toMatchObject({ receivedBytes: 3 });
    expect(error.message).toContain('idleTimeoutMs');
    await closed;
  });

  test('the time between two reads does not count', async () => {
    const { client, head } = await opened();
    const stream = await client.request({ ...get, idleTimeoutMs: 200 });
    const reader = stream.getReader();
    (await head).write('a');
    await reader.read();
    await new Promise((resolve) => setTimeout(resolve, 300));
    (await head).write('b');
    expect((await reader.read()).done).toBe(false);
    await reader.cancel();
  });

  test('deadlineMs ends it also while nobody reads; that of the client does not', async () => {
    const { client, head } = await opened({ deadlineMs: 400 });
    const stream = await client.request(get);
    const late = await opened();
    const limited = await late.client.request({ ...get, deadlineMs: 500 });
    await late.closed;
    const error = await failureOf(limited.getReader().read(), TimeoutError);
    expect(error.message).toContain('deadlineMs');
    (await head).end('abc');
    expect((await readAll(stream)).toString()).toBe('abc');
  });
});

describe('resumeFrom', () => {
  const whole = 'abcdefghij';
  const resuming: Responder = ({ headers }) => {
    const first = Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0);
    if (first === 0 || (headers['if-range'] ?? '"v1"') !== '"v1"') return { headers: audio, body: whole };
    const range = `bytes ${first}-${whole.length - 1}/${whole.length}`;
    return { status: 206, headers: { ...audio, 'content-range': range }, body: whole.slice(first) };
  };

  test('gives the rest of the same content', async () => {
    const { client, server } = await serve(resuming);
    const seen: unknown[] = [];
    const stream = await client.request({
      ...get,
      resumeFrom: { bytes: 4, etag: '"v1"' },
      onProgress: ({ bytes, total }) => seen.push([bytes, total]),
    });
    expect(stream).toMatchObject({ status: 206, offset: 4, total: 10 });
    expect((await readAll(stream)).toString()).toBe('efghij');
    expect(seen).toEqual([[10, 10]]);
    expect(server.requests[0]?.headers).toMatchObject({ range: 'bytes=4-', 'if-range': '"v1"' });
  });

  test.each<[string, Responder]>([
    ['has changed', resuming],
    ['comes from a server without ranges', () => ({ headers: audio, body: whole })],
  ])('gives the whole where the content %s', async (_name, responder) => {
    const { client } = await serve(responder);
    const stream = await client.request({ ...get, resumeFrom: { bytes: 4, etag: '"v0"' } });
    expect(stream).toMatchObject({ status: 200, offset: 0, total: 10 });
    expect((await readAll(stream)).toString()).toBe(whole);
  });

  test('from 0 asks for the whole', async () => {
    const { client, server } = await serve(resuming);
    expect((await client.request({ ...get, resumeFrom: { bytes: 0, etag: undefined } })).offset).toBe(0);
    expect(server.requests[0]?.headers.range).toBeUndefined();
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['an earlier part', { 'content-range': 'bytes 3-9/10' }],
    ['no range', { 'content-range': 'bytes */10' }],
    ['an empty range', { 'content-range': '' }],
    ['a range that ends before it begins', { 'content-range': 'bytes 4-3/10' }],
    ['a range that ends after the content', { 'content-range': 'bytes 4-12/10' }],
    ['a part of other content', { 'content-range': 'bytes 4-9/10', etag: '"v2"' }],
    ['a part of content that is only equivalent', { 'content-range': 'bytes 4-9/10', etag: 'W/"v1"' }],
    ['an encoded part', { 'content-range': 'bytes 4-9/10', 'content-encoding': 'gzip' }],
  ])('refuses %s', async (_name, headers) => {
    const { client } = await serve(() => ({ status: 206, headers: { ...audio, ...headers }, body: 'x' }));
    await failureOf(
      client.request({ ...get, resumeFrom: { bytes: 4, etag: '"v1"' } }),
      UnexpectedResponseError,
    );
  });

  test('a part that ends before the content does is a cut, so that its end can be requested', async () => {
    const { client } = await serve(() => ({
      status: 206,
      headers: { ...audio, 'content-range': 'Bytes 4-6/10' },
      body: 'efg',
    }));
    const stream = await client.request({ ...get, resumeFrom: { bytes: 4, etag: '"v1"' } });
    expect(await failureOf(readAll(stream), ConnectionError)).toMatchObject({ receivedBytes: 3 });
  });

  test.each(['stream', 'text', 'bytes', undefined] as const)(
    'a part that was not requested is not taken for the whole: as %s',
    async (as) => {
      const { client } = await serve(() => ({
        status: 206,
        headers: { 'content-type': 'text/plain', 'content-range': 'bytes 0-2/10' },
        body: 'abc',
      }));
      const call = client.request({ ...get, as, accept: 'text/plain' });
      await failureOf(call, UnexpectedResponseError);
    },
  );
});
