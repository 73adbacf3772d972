import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import {
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  type OwnRequest,
  RedirectRefusedError,
  type RequestError,
  UnexpectedResponseError,
} from 'restkin';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { basicOrdering, connect, countingFetch, failureOf } from '../../support/basic-ordering.ts';
import fc from '../../support/random.ts';
import { type Reply, respondRaw, startRawServer } from '../../support/raw-server.ts';

const refused = async (request: object): Promise<string> => {
  const { fetch, urls } = countingFetch();
  const { client } = connect('https://api.test/root', { fetch });
  const call = client.request({ method: 'GET', path: 'x', ...request } as OwnRequest);
  const error = await failureOf(call, InvalidRequestError);
  expect(urls).toEqual([]);
  return error.message;
};

test.each([
  ...['', '/x', 'x//y', '//host/x', '\\\\host', 'x\\y', 'x?a=1', 'x#y', undefined, 5],
  // A URL parser drops dot segments, encoded or not, and tabs, line ends and spaces at the end.
  ...['..', '../x', 'x/./y', 'x/..', '%2e%2e', 'x/%2E%2E/y', 'x/.%2e'],
  ...['x/.\t./y', 'x/\n../y', 'x/.. ', 'a\tb'],
])('the path %o is refused before anything is sent', async (path) => {
  expect(await refused({ path })).toContain('path must be below baseUrl');
});

test.each([
  [{ query: { a: {} } }, 'query.a cannot be written in a query'],
  [{ query: new URLSearchParams('a=1') }, 'query must be a plain object'],
  [{ query: null }, 'query must be a plain object'],
  [{ query: 'a=1' }, 'query must be a plain object'],
  [{ schema: { type: 'object' } }, 'schema must be a schema of zod 4'],
  [{ query: { a: new Date(Number.NaN) } }, 'query.a cannot be written in a query'],
  [{ accept: 'text/csv\r\nx: y' }, 'accept must be a string of visible ASCII characters'],
  [{ method: 'POST', body: { a: 1 }, contentType: 'text/csv' }, 'a body that is not JSON must be a string'],
  [{ method: 'POST', body: { a: 1n } }, 'the body is missing or cannot be written as JSON'],
  [{ method: 'POST', body: Readable.from(['a stream of Node']) }, 'Readable.toWeb makes one in Node'],
  [{ headers: { Authorization: 'x' } }, 'headers cannot set authorization; use auth'],
  [
    { auth: 'token' },
    'needs the scheme "token", and createClient({ auth }) has basic; use the same name in both',
  ],
  [{ auth: 'basic', api: basicOrdering }, 'takes api or auth, not both'],
  [{ as: 'stream' }, 'as must be one of json, text, bytes, response'],
  [{ as: 'response', schema: z.object({}) }, 'schema checks JSON; leave out `as`, or `schema`'],
])('%o is refused before anything is sent, and the message says why', async (request, problem) => {
  expect(await refused(request)).toContain(problem);
});

test('the path that was given is the path that is sent', async () => {
  const { fetch, urls } = countingFetch();
  const { client } = connect('https://api.test/root', { fetch });
  const part = fc
    .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 })
    .map((text) => encodeURIComponent(text))
    .filter((text) => !/^\.{1,2}$/.test(text));
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', '/'),
      async (parts, end) => {
        const path = parts.join('/') + end;
        await client.request({ method: 'GET', path });
        expect(new URL(urls.at(-1) ?? '').pathname).toBe(`/root/${path}`);
      },
    ),
  );
});

const responder = async (reply: Reply) => {
  const server = await startRawServer(() => reply);
  return { server, ...connect(server.url) };
};
const pdf = { 'content-type': 'application/pdf' };

describe('a response', () => {
  const get = { method: 'GET', path: 'x' } as const;
  const schema = z.object({ a: z.int() });

  test('without a body is undefined, or an empty string', async () => {
    const { client } = await responder({ status: 204 });
    expect([await client.request(get), await client.request({ ...get, as: 'text' })]).toEqual([
      undefined,
      '',
    ]);
  });

  test('with broken JSON is an error that shows how the body begins', async () => {
    const { client } = await responder({ body: '{"a":' });
    expect((await failureOf(client.request(get), UnexpectedResponseError)).body).toBe('{"a":');
  });

  test.each([
    [201, 'POST', UnexpectedResponseError],
    [200, 'GET', ConnectionError],
    [404, 'GET', NotFoundError],
  ] as const)(
    'with %d whose body is cut is an error, whatever it is read as',
    async (status, method, kind) => {
      const cut = `HTTP/1.1 ${status} X\r\ncontent-length: 100\r\n\r\n{"a":`;
      const server = await startRawServer((_request, response) => respondRaw(response, cut));
      const { client } = connect(server.url);
      for (const as of ['json', 'text', 'bytes'] as const)
        await failureOf<RequestError>(client.request({ method, path: 'x', as }), kind);
    },
  );

  test('is asked for in the type of the client, and may be any JSON', async () => {
    const server = await startRawServer(() => ({ body: '{}' }));
    const { client } = connect(server.url, { headers: { accept: 'application/vnd.acme+json' } });
    for (const as of ['json', 'text'] as const) await client.request({ ...get, as });
    const asked = server.requests.map(({ headers }) => headers.accept);
    expect(asked).toEqual(['application/vnd.acme+json', '*/*']);
  });

  test('that is an error is read as one, whatever was accepted', async () => {
    const { client } = await responder({ status: 404, body: '{"message":"No such report"}' });
    for (const options of [{ accept: 'application/pdf' }, { as: 'response' }] as const) {
      const error = await failureOf(client.request({ ...get, ...options }), NotFoundError);
      expect(error.detail).toBe('No such report');
    }
  });

  test.each<[OwnRequest['method'], Reply, unknown]>([
    ['POST', { status: 202 }, { outcome: 'accepted' }],
    ['PUT', { status: 204 }, { outcome: 'done' }],
    ['POST', { status: 202, body: '{"a":1}' }, { a: 1 }],
  ])('§4.2 to %s %o is its outcome or its value, where there is a schema', async (method, reply, outcome) => {
    const { client } = await responder(reply);
    expect(await client.request({ method, path: 'x', schema })).toEqual(outcome);
  });

  test.each([200, 204])(
    '§4.2 to GET without a body is unexpected where there is a schema: %d',
    async (status) => {
      const { client } = await responder({ status });
      await failureOf(client.request({ ...get, schema }), UnexpectedResponseError);
    },
  );
});

describe('as: response', () => {
  const get = { method: 'GET', path: 'x', as: 'response' } as const;

  test('is the unread Response, of any type and size', async () => {
    const server = await startRawServer(() => ({ headers: pdf, body: 'x'.repeat(1_000) }));
    const { client } = connect(server.url, { maxResponseBytes: 10, concurrency: 1 });
    const responses = [await client.request(get), await client.request(get)];
    for (const response of responses) {
      expect(response).toBeInstanceOf(Response);
      expect([response.status, response.bodyUsed]).toEqual([200, false]);
      expect(await response.text()).toHaveLength(1_000);
    }
  });

  test('its body outlives the time limits, and ends with the signal of the call', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { promise: limitsPassed, resolve } = Promise.withResolvers<void>();
    const server = await startRawServer(async (_request, response) => {
      response.writeHead(200).write('a');
      await limitsPassed;
      response.write('b');
      return undefined;
    });
    const controller = new AbortController();
    const { client } = connect(server.url, { timeoutMs: 300, deadlineMs: 400 });
    const { body } = await client.request({ ...get, signal: controller.signal });
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    expect((await reader.read()).value).toEqual(Uint8Array.of(97));
    vi.advanceTimersByTime(1_000);
    resolve();
    expect((await reader.read()).value).toEqual(Uint8Array.of(98));
    controller.abort(new Error('enough'));
    await expect(reader.read()).rejects.toThrow('enough');
  });
});

describe('a body that is a stream', () => {
  test('arrives whole', async () => {
    const { client, server } = await responder({ status: 204 });
    const body = new Blob(['abc']).stream();
    const call = client.request({ method: 'PUT', path: 'x', body, contentType: 'audio/wav' });
    expect(await call).toBeUndefined();
    expect(server.requests[0]).toMatchObject({ headers: { 'content-type': 'audio/wav' }, body: 'abc' });
  });

  test('that was sent before is an error of the program', async () => {
    const { client, server } = await responder({ status: 204 });
    const body = new Blob(['abc']).stream();
    const send = () => client.request({ method: 'POST', path: 'x', body, contentType: 'audio/wav' });
    await send();
    await expect(send()).rejects.toThrow('the stream of the body was read already');
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['an abort', () => ({ signal: AbortSignal.timeout(100) }), 'TimeoutError'],
    ['the time limit', () => ({ timeoutMs: 100 }), 'AmbiguousOutcomeError'],
    ['the loss of the connection', () => ({}), 'AmbiguousOutcomeError'],
  ])('is read no further after %s', async (how, optionsOf, name) => {
    const server = createServer((request) => {
      request.on('error', () => undefined).resume();
      if (how === 'the loss of the connection') setTimeout(() => request.destroy(), 50);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => server.closeAllConnections());
    onTestFinished(() => void server.close());
    const cancelled = Promise.withResolvers<unknown>();
    const body = new ReadableStream({
      pull: async (controller) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        controller.enqueue(new Uint8Array(10));
      },
      cancel: cancelled.resolve,
    });
    const { client } = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const own = { method: 'POST', path: 'x', body, contentType: 'audio/wav' } as const;
    await expect(client.request({ ...own, ...optionsOf() })).rejects.toMatchObject({ name });
    await cancelled.promise;
  });

  test('is not sent to another address', async () => {
    const { client, server } = await responder({ status: 307, headers: { location: '/elsewhere' } });
    const body = new Blob(['abc']).stream();
    const call = client.request({ method: 'POST', path: 'x', body, contentType: 'audio/wav' });
    expect((await failureOf(call, RedirectRefusedError)).message).toContain('redirect refused');
    expect(server.requests).toHaveLength(1);
  });
});

describe('a body', () => {
  const [json, patch] = ['application/json', 'application/json-patch+json'];
  const form = 'application/x-www-form-urlencoded';
  test.each<[string, unknown, string | undefined, string, string]>([
    ['a value', { a: ['ü'] }, undefined, json, '{"a":["ü"]}'],
    ['null', null, undefined, json, 'null'],
    ['a JSON patch', [{ op: 'test' }], patch, patch, '[{"op":"test"}]'],
    ['a string', 'ü', undefined, json, '"ü"'],
    ['a string that is JSON already', '{"a":1}', json, json, '{"a":1}'],
    ['a string that is a JSON patch already', '[{"op":"test"}]', patch, patch, '[{"op":"test"}]'],
    ['text', 'a,b', 'text/csv', 'text/csv', 'a,b'],
    ['bytes', new TextEncoder().encode('[1]'), json, json, '[1]'],
    ['a blob', new Blob(['ab'], { type: 'application/pdf' }), undefined, 'application/pdf', 'ab'],
    ['a form', new URLSearchParams({ a: '1' }), undefined, `${form};charset=UTF-8`, 'a=1'],
    ['a form with a type', new URLSearchParams({ a: '1' }), form, form, 'a=1'],
    ['a typed array', Uint16Array.of(0x41_41), 'audio/pcm', 'audio/pcm', 'AA'],
  ])('§4.3.1 %s is sent with its content type', async (_name, body, contentType, type, text) => {
    const { client, server } = await responder({ status: 201, body: '{}' });
    const own = { method: 'POST', path: 'x', body } as const;
    await client.request({ ...own, contentType });
    if (contentType) await client.request({ ...own, headers: { 'Content-Type': contentType } });
    for (const sent of server.requests)
      expect(sent).toMatchObject({ headers: { 'content-type': type }, body: text });
  });

  test.each([
    ['was read', async (stream: ReadableStream) => void (await new Response(stream).text())],
    ['is being read', async (stream: ReadableStream) => void stream.getReader()],
  ])('that is a stream which %s is refused before anything is sent', async (_what, use) => {
    const { client, server } = await responder({ status: 201, body: '{}' });
    const body = new Response('a').body as ReadableStream;
    await use(body);
    const call = client.request({ method: 'POST', path: 'x', body, contentType: 'text/plain' });
    const error = await failureOf(call, InvalidRequestError);
    expect(error).toMatchObject({
      message: expect.stringContaining('client.request: the stream of the body'),
    });
    expect(server.requests).toEqual([]);
  });

  test('that is a multipart form gets its boundary from the runtime', async () => {
    const { client, server } = await responder({ status: 201, body: '{}' });
    const body = new FormData();
    body.set('file', new Blob(['ab']), 'x.txt');
    await client.request({ method: 'POST', path: 'x', body });
    expect(server.requests[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(server.requests[0]?.body).toContain('filename="x.txt"');
  });
});
