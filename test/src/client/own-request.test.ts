import fc from 'fast-check';
import { InvalidRequestError, NotFoundError, type OwnRequest, UnexpectedResponseError } from 'restkin';
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
    ...['x?a=1', 'x#y', '?', '#', undefined, null, 5, {}],
  ])('path %o', async (path) => {
    expect(await refused({ path })).not.toBe('');
  });

  test.each(['x/.\t./y', 'x/\n../y', 'x/..\r/y', 'x/.. ', '\t..', '.\n', 'a\tb'])(
    'a URL parser drops tabs, line ends and spaces at the end: path %j',
    async (path) => {
      expect(await refused({ path })).not.toBe('');
    },
  );

  test.each(['HEAD', 'TRACE', 'TRACK', 'CONNECT', 'get', 'QUERY', '', 'toString', undefined, null])(
    'method %o',
    async (method) => {
      expect(await refused({ method })).not.toBe('');
    },
  );

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

  test.each(['GET', 'DELETE', 'OPTIONS'])('§4.2 %s has no request body', async (method) => {
    expect(await refused({ method, body: { a: 1 } })).not.toBe('');
    expect(await refused({ method, body: 'text', contentType: 'text/plain' })).not.toBe('');
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

test('the query is read back by URLSearchParams', async () => {
  const { fetch, urls } = countingFetch();
  const { client } = connect('https://api.test', { fetch });
  const query = { a: 'x&y=z', list: ['p', 1, true], when: new Date(0), none: undefined, 'ü ': '+' };
  await client.request({ method: 'GET', path: 'v1/reports', query });
  expect([...new URL(urls[0] ?? '').searchParams]).toEqual([
    ['a', 'x&y=z'],
    ['list', 'p,1,true'],
    ['when', '1970-01-01T00:00:00.000Z'],
    ['ü ', '+'],
  ]);
});

const responder = async (reply: Reply) => {
  const server = await startRawServer(() => reply);
  return { server, ...connect(server.url) };
};
const csv = { 'content-type': 'text/csv; charset=utf-8' };
const pdf = { 'content-type': 'application/pdf' };

describe('answers', () => {
  test.each<[string, Omit<OwnRequest, 'method' | 'path'>, Reply, unknown]>([
    ['JSON by default', {}, { body: '{"a":1}' }, { a: 1 }],
    ['no body', {}, { status: 204 }, undefined],
    ['text', { accept: 'text/csv' }, { headers: csv, body: 'a;b' }, 'a;b'],
    ['bytes', { accept: 'application/pdf' }, { headers: pdf, body: 'ab' }, Uint8Array.of(97, 98)],
    ['any', { accept: '*/*' }, { headers: pdf, body: 'ab' }, Uint8Array.of(97, 98)],
    ['a schema', { schema: z.object({ a: z.int() }) }, { body: '{"a":1,"b":2}' }, { a: 1 }],
  ])('%s', async (_name, request, reply, expected) => {
    const { client } = await responder(reply);
    expect(await client.request({ method: 'GET', path: 'x', ...request })).toEqual(expected);
  });

  test.each<[string, Omit<OwnRequest, 'method' | 'path'>, Reply]>([
    ['§4.3 another type than accepted', { accept: 'text/csv' }, { headers: pdf, body: 'x' }],
    ['HTML where JSON was accepted', {}, { headers: { 'content-type': 'text/html' }, body: '<html>' }],
    ['broken JSON', {}, { body: '{"a":' }],
    ['what the schema refuses', { schema: z.object({ a: z.int() }) }, { body: '{"a":"1"}' }],
    ['no body where there is a schema', { schema: z.object({}) }, {}],
  ])('%s', async (_name, request, reply) => {
    const { client } = await responder(reply);
    const error = await failureOf(
      client.request({ method: 'GET', path: 'x', ...request }),
      UnexpectedResponseError,
    );
    expect(error).toMatchObject({ status: 200, method: 'GET' });
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

describe('bodies', () => {
  test.each<[string, unknown, string | undefined, string, string]>([
    ['JSON', { a: 1 }, undefined, 'application/json', '{"a":1}'],
    ['null', null, undefined, 'application/json', 'null'],
    ['another JSON type', [1], 'application/merge-patch+json', 'application/merge-patch+json', '[1]'],
    ['text', 'a;b', 'text/csv', 'text/csv', 'a;b'],
    [
      'JSON that is written already, as bytes',
      new TextEncoder().encode('[1]'),
      'application/json',
      'application/json',
      '[1]',
    ],
    ['bytes', Uint8Array.of(97, 98), 'application/octet-stream', 'application/octet-stream', 'ab'],
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
