import { Readable } from 'node:stream';
import fc from 'fast-check';
import {
  ApiError,
  type Client,
  InvalidRequestError,
  NotFoundError,
  type OwnRequest,
  UnexpectedResponseError,
} from 'restkin';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { connect, countingFetch, failureOf } from '../../support/basic-ordering.ts';
import { type Reply, startRawServer } from '../../support/raw-server.ts';

const refused = async (request: object): Promise<string> => {
  const { fetch, urls } = countingFetch();
  const { client } = connect('https://api.test/root', { fetch });
  const call = client.request({ method: 'GET', path: 'x', ...request } as OwnRequest);
  const error = await failureOf(call, InvalidRequestError);
  expect(urls).toEqual([]);
  return error.message;
};

describe('refused before sending', () => {
  test.each([
    ...[
      '',
      '/',
      '/x',
      'x//',
      'x//y',
      'x/%2e/',
      '../',
      '//host',
      '//host/x',
      'https://evil.test/x',
      '\\\\host',
      'x\\y',
    ],
    ...['.', '..', '../x', 'x/..', 'x/../y', 'x/./y', 'x/.', '%2e%2e', 'x/%2E%2E/y', 'x/.%2e', '%2e/x'],
    // A URL parser drops tabs, line ends and spaces at the end.
    ...['x/.\t./y', 'x/\n../y', 'x/..\r/y', 'x/.. ', '\t..', '.\n', 'a\tb'],
    ...['x?a=1', 'x#y', '?', '#', undefined, null, 5, {}],
  ])('path %o', async (path) => {
    expect(await refused({ path })).not.toBe('');
  });

  test.each([
    { query: { a: {} } },
    { query: { a: Symbol('s') } },
    { query: { a: new Date(Number.NaN) } },
    { accept: 'text/csv\r\nx: y' },
    { method: 'POST', body: 'x', contentType: 'text/é' },
    { method: 'POST', body: { a: 1 }, contentType: 'text/csv' },
    { method: 'POST', body: { a: 1n } },
    { method: 'POST', body: () => 1 },
    { headers: { Authorization: 'x' } },
    { auth: 'token' },
    { timeoutMs: 0 },
  ])('%o', async (request) => {
    expect(await refused(request)).not.toBe('');
  });
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

describe('answers', () => {
  test.each<[string, Omit<OwnRequest, 'method' | 'path'>, Reply, unknown]>([
    ['no body', {}, { status: 204 }, undefined],
    ['no text', { as: 'text' }, { status: 204 }, ''],
  ])('%s', async (_name, request, reply, expected) => {
    const { client } = await responder(reply);
    expect(await client.request({ method: 'GET', path: 'x', ...request })).toEqual(expected);
  });

  test('no body where there is a schema', async () => {
    const { client } = await responder({});
    const call = client.request({ method: 'GET', path: 'x', schema: z.object({}) });
    expect(await failureOf(call, UnexpectedResponseError)).toMatchObject({ status: 200, method: 'GET' });
  });

  test('the error for broken JSON shows how the body begins', async () => {
    const { client } = await responder({ body: '{"a":' });
    const error = await failureOf(client.request({ method: 'GET', path: 'x' }), UnexpectedResponseError);
    expect(error.body).toBe('{"a":');
  });

  test('an error body is read as one, whatever was accepted', async () => {
    const { client } = await responder({ status: 404, body: '{"message":"No such report"}' });
    const call = client.request({ method: 'GET', path: 'x', accept: 'application/pdf' });
    expect((await failureOf(call, NotFoundError)).detail).toBe('No such report');
  });
});

describe('a success without a body, where there is a schema', () => {
  const schema = z.object({ a: z.int() });
  test.each<[OwnRequest['method'], number, unknown]>([
    ['POST', 202, { outcome: 'accepted' }],
    ['PATCH', 202, { outcome: 'accepted' }],
    ['PUT', 204, { outcome: 'done' }],
    ['DELETE', 204, { outcome: 'done' }],
  ])('§4.2 %s %d is its outcome', async (method, status, outcome) => {
    const { client } = await responder({ status });
    expect(await client.request({ method, path: 'x', schema })).toEqual(outcome);
  });

  test('a 202 with a body is checked by the schema', async () => {
    const { client } = await responder({ status: 202, body: '{"a":1}' });
    expect(await client.request({ method: 'POST', path: 'x', schema })).toEqual({ a: 1 });
  });

  test('a 204 to GET is unexpected', async () => {
    const { client } = await responder({ status: 204 });
    await failureOf(client.request({ method: 'GET', path: 'x', schema }), UnexpectedResponseError);
  });
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

  test('is an error for an error status', async () => {
    const { client } = await responder({ status: 404, body: '{"message":"No such report"}' });
    expect((await failureOf(client.request(get), NotFoundError)).detail).toBe('No such report');
  });

  test('its body outlives the time limits, and ends with the signal of the call', async () => {
    const server = await startRawServer(async (_request, response) => {
      response.writeHead(200).write('a');
      await new Promise((resolve) => setTimeout(resolve, 100));
      response.write('b');
      return undefined;
    });
    const controller = new AbortController();
    const { client } = connect(server.url, { timeoutMs: 50, deadlineMs: 60 });
    const { body } = await client.request({ ...get, signal: controller.signal });
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    expect((await reader.read()).value).toEqual(Uint8Array.of(97));
    expect((await reader.read()).value).toEqual(Uint8Array.of(98));
    controller.abort(new Error('enough'));
    await expect(reader.read()).rejects.toThrow('enough');
  });
});

describe('a body that is a stream', () => {
  const send = (client: Client, body: ReadableStream = new Blob(['abc']).stream()) =>
    client.request({ method: 'PUT', path: 'x', body, contentType: 'audio/wav' });

  test('arrives whole', async () => {
    const { client, server } = await responder({ status: 204 });
    expect(await send(client)).toBeUndefined();
    expect(server.requests[0]).toMatchObject({ headers: { 'content-type': 'audio/wav' }, body: 'abc' });
  });

  test.each([401, 429, 503])('is not resent after a %d', async (status) => {
    const { client, server } = await responder({ status, headers: { 'retry-after': '0' } });
    await failureOf(send(client), ApiError);
    expect(server.requests).toHaveLength(1);
  });

  test('is refused when it has a reader, and when it is an iterable', async () => {
    const { client, server } = await responder({ status: 204 });
    const locked = new Blob(['abc']).stream();
    locked.getReader();
    await failureOf(send(client, locked), InvalidRequestError);
    const call = client.request({ method: 'POST', path: 'x', body: Readable.from(['a']) });
    expect((await failureOf(call, InvalidRequestError)).message).toContain('Readable.toWeb');
    expect(server.requests).toEqual([]);
  });
});

describe('bodies', () => {
  test.each<[string, unknown, string | undefined, string, string]>([
    ['null', null, undefined, 'application/json', 'null'],
    [
      'JSON that is written already, as bytes',
      new TextEncoder().encode('[1]'),
      'application/json',
      'application/json',
      '[1]',
    ],
    ['a blob', new Blob(['ab']), 'application/pdf', 'application/pdf', 'ab'],
    [
      'a form',
      new URLSearchParams({ a: '1' }),
      'application/x-www-form-urlencoded',
      'application/x-www-form-urlencoded',
      'a=1',
    ], // prettier-ignore
  ])('%s', async (_name, body, contentType, type, text) => {
    const { client, server } = await responder({ status: 201, body: '{}' });
    await client.request({ method: 'POST', path: 'x', body, contentType });
    expect(server.requests[0]).toMatchObject({ headers: { 'content-type': type }, body: text });
  });

  test('a multipart form gets its boundary from the runtime', async () => {
    const { client, server } = await responder({ status: 201, body: '{}' });
    const body = new FormData();
    body.set('file', new Blob(['ab']), 'x.txt');
    await client.request({ method: 'POST', path: 'x', body });
    expect(server.requests[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(server.requests[0]?.body).toContain('filename="x.txt"');
  });
});
