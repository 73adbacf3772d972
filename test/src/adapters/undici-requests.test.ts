import { undiciFetch } from 'restkin/undici';
import { describe, expect, test } from 'vitest';
import { startFaultServer } from '../../support/fault-server.ts';
import { startRawServer } from '../../support/raw-server.ts';

// What holds for both is asserted of both: the built-in fetch is the measure.
const fetches = [
  ['the built-in fetch', (...given: Parameters<typeof fetch>) => fetch(...given)],
  ['undiciFetch', undiciFetch()],
] as const;

const start = () => startRawServer(() => ({ body: 'fine' }));

const form = (): FormData => {
  const data = new FormData();
  data.set('name', 'Ada');
  data.set('file', new Blob(['some text'], { type: 'text/x-notes' }), 'notes.txt');
  return data;
};

const bytes = new TextEncoder().encode('{"naïve":1}');

interface Sent {
  readonly body: () => BodyInit | null;
  readonly type: RegExp;
  readonly text: RegExp;
}

const bodies: Readonly<Record<string, Sent>> = {
  'a string': { body: () => '{"naïve":1}', type: /^text\/plain;charset=UTF-8$/, text: /^{"naïve":1}$/ },
  'an empty string': { body: () => '', type: /^text\/plain;charset=UTF-8$/, text: /^$/ },
  'a Uint8Array': { body: () => bytes, type: /^none$/, text: /^{"naïve":1}$/ },
  'a part of a buffer': { body: () => bytes.subarray(1, 9), type: /^none$/, text: /^"naïve"$/ },
  'an ArrayBuffer': { body: () => bytes.slice().buffer, type: /^none$/, text: /^{"naïve":1}$/ },
  'a Blob': { body: () => new Blob(['a,b'], { type: 'text/csv' }), type: /^text\/csv$/, text: /^a,b$/ },
  URLSearchParams: {
    body: () => new URLSearchParams({ a: 'ü &' }),
    type: /^application\/x-www-form-urlencoded;charset=UTF-8$/,
    text: /^a=%C3%BC\+%26$/,
  },
  FormData: {
    body: form,
    type: /^multipart\/form-data; boundary=\S+$/,
    text: /name="name"\r\n\r\nAda\r\n[\s\S]*filename="notes.txt"\r\n[\s\S]*text\/x-notes\r\n\r\nsome text\r\n/,
  },
  'no body': { body: () => null, type: /^none$/, text: /^$/ },
};

describe.each(fetches)('%s', (_name, fetch) => {
  describe.each(Object.entries(bodies))('sends %s', (_kind, { body, type, text }) => {
    test.each(['as options', 'as a Request'])('%s: with its type and its length', async (form) => {
      const { url, requests } = await start();
      const init = { method: 'POST', headers: { accept: 'text/plain' }, body: body() };
      const response = await (form === 'as options' ? fetch(url, init) : fetch(new Request(url, init)));
      expect(await response.text()).toBe('fine');
      const [sent, ...more] = requests;
      expect(more).toHaveLength(0);
      expect(sent?.method).toBe('POST');
      expect(sent?.body).toMatch(text);
      expect(sent?.headers['content-length']).toBe(String(new TextEncoder().encode(sent?.body).length));
      expect(sent?.headers['transfer-encoding']).toBeUndefined();
      const sentType = sent?.headers['content-type'] ?? 'none';
      expect(sentType).toMatch(type);
      // The boundary of a form is the one that its type names.
      const opening = sentType.includes('boundary=') ? `--${sentType.split('boundary=')[1]}\r\n` : '';
      expect(sent?.body.startsWith(opening)).toBe(true);
    });
  });

  test('a content type that is given stays', async () => {
    const { url, requests } = await start();
    await fetch(url, { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: '{}' });
    await fetch(url, { method: 'PUT', headers: new Headers({ 'content-type': 'text/csv' }), body: form() });
    expect(requests.map(({ headers }) => headers['content-type'])).toEqual(['application/json', 'text/csv']);
  });

  test('sends header fields from a record, pairs, Headers and a Request, with several values', async () => {
    const { url, requests } = await start();
    const pairs: [string, string][] = [
      ['x-a', '1'],
      ['X-A', '2'],
      ['x-b', 'é'],
    ];
    const many = new Headers(pairs);
    await fetch(url, { headers: { 'X-A': '1, 2', 'x-b': 'é' } });
    await fetch(url, { headers: pairs });
    await fetch(url, { headers: many });
    await fetch(new Request(url, { headers: many }));
    await fetch(new Request(url), { headers: many });
    const seen = requests.map(({ headers }) => [headers['x-a'], headers['x-b']]);
    expect(seen).toEqual(Array.from({ length: 5 }, () => ['1, 2', 'é']));
  });

  test('accepts the codings that it can decode and every type, and names itself, unless the request says otherwise', async () => {
    const { url, requests } = await start();
    await fetch(url, { headers: {} });
    await fetch(url, { headers: { Accept: 'a/b', 'User-Agent': 'me', 'Accept-Encoding': 'identity' } });
    await fetch(new Request(url, { headers: { range: 'bytes=0-1' } }));
    const seen = requests.map(({ headers }) => [
      headers.accept,
      headers['user-agent'],
      headers['accept-encoding'],
    ]);
    expect(seen).toEqual([
      ['*/*', 'node', 'gzip, deflate'],
      ['a/b', 'me', 'identity'],
      ['*/*', 'node', 'identity'],
    ]);
  });

  test('names the host itself, whatever is given', async () => {
    const { url, requests } = await start();
    await fetch(url, { headers: { Host: 'elsewhere.example' } });
    expect(requests[0]?.headers.host).toBe(new URL(url).host);
  });

  test('sends path and query as they are, and no fragment', async () => {
    const { url, requests } = await start();
    const paths = ['/a%2Fb?x=%20&y=[1]', '/a?', '/a?b#c?d', '#top', '/ä b', ''];
    const urls: string[] = [];
    for (const path of paths) {
      urls.push((await fetch(url + path, { headers: {} })).url);
      urls.push((await fetch(new Request(url + path))).url);
    }
    const sent = ['/a%2Fb?x=%20&y=[1]', '/a?', '/a?b', '/', '/%C3%A4%20b', '/'].flatMap((path) => [
      path,
      path,
    ]);
    expect(requests.map((request) => request.url)).toEqual(sent);
    expect(urls).toEqual(sent.map((path) => url + path));
  });

  test.each(['GET', 'OPTIONS', 'PUT', 'DELETE', 'POST', 'PATCH', 'HEAD'])('sends %s', async (method) => {
    const { url, requests } = await start();
    await fetch(url, { method, headers: {} });
    expect(requests[0]?.method).toBe(method);
  });

  const refused: readonly (readonly [string, (url: string) => [string, RequestInit]])[] = [
    ['no URL', () => ['nonsense', { headers: {} }]],
    ['another scheme', () => ['ftp://127.0.0.1/', { headers: {} }]],
    ['credentials in the URL', (url) => [url.replace('://', '://ada:secret-word@'), { headers: {} }]],
    ['a GET with a body', (url) => [url, { headers: {}, body: 'x' }]],
    ['a method that is no token', (url) => [url, { headers: {}, method: 'GE T' }]],
    ['a field whose name is no token', (url) => [url, { headers: { 'a b': 'secret-word' } }]],
    ['a CR LF in a field', (url) => [url, { headers: { a: 'secret-word\r\nx: y' } }]],
    ['a NUL in a field', (url) => [url, { headers: { a: 'secret-word\0' } }]],
    ['a field that is not Latin-1', (url) => [url, { headers: { a: '€' } }]],
  ];
  test.each(refused)('refuses %s with a TypeError, and sends nothing', async (_what, given) => {
    await using server = await startFaultServer({ respond: () => 'drop' });
    await expect(fetch(...given(server.url))).rejects.toBeInstanceOf(TypeError);
    expect(server.connections).toBe(0);
  });
});

test('a refused field is not shown', async () => {
  const [, fetch] = fetches[1];
  const headers = { authorization: 'Bearer secret-word\r\n' };
  const error: unknown = await fetch('http://127.0.0.1:9', { headers }).catch((reason: unknown) => reason);
  expect(String((error as Error).cause)).toContain('authorization');
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('secret-word');
  expect(String((error as Error).cause)).not.toContain('secret-word');
});
