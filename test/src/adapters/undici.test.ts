import { inspect } from 'node:util';
import { undiciFetch } from 'restkin/undici';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { respondRaw, startRawServer } from '../../support/raw-server.ts';

// What holds for both is asserted of both: the built-in fetch is the measure.
const fetches = [
  ['the built-in fetch', (...given: Parameters<typeof fetch>) => fetch(...given)],
  ['undiciFetch', undiciFetch()],
] as const;

describe.each(fetches)('%s', (_name, fetch) => {
  test('gives status, reason phrase, URL and what a Response says of itself', async () => {
    const { url } = await startRawServer((_request, response) =>
      respondRaw(response, 'HTTP/1.1 418 Short and Stout\r\ncontent-length: 3\r\n\r\ntea'),
    );
    const response = await fetch(`${url}/pot`, { headers: {}, redirect: 'manual' });
    const { status, statusText, ok, type, redirected, bodyUsed } = response;
    expect([status, statusText, ok, type, redirected, bodyUsed, response.url]).toEqual([
      418,
      'Short and Stout',
      false,
      'basic',
      false,
      false,
      `${url}/pot`,
    ]);
    expect(Object.prototype.toString.call(response)).toBe('[object Response]');
    expect(await response.text()).toBe('tea');
    expect(response.bodyUsed).toBe(true);
  });

  test.each([
    [200, true],
    [299, true],
    [300, false],
    [599, false],
    [999, false],
  ])('status %d', async (status, ok) => {
    const { url } = await startRawServer((_request, response) =>
      respondRaw(response, `HTTP/1.1 ${status} S\r\ncontent-length: 2\r\n\r\n{}`),
    );
    const response = await fetch(url);
    expect([response.status, response.ok]).toEqual([status, ok]);
    expect(await response.json()).toEqual({});
  });

  test('joins fields that came more than once, and keeps cookies apart', async () => {
    const fields = ['X-A: 1', 'x-a: 2  ', 'X-Empty:', 'X-Umlaut: ü', 'Set-Cookie: a=1', 'set-cookie: b=2'];
    const text = `HTTP/1.1 200 OK\r\n${fields.join('\r\n')}\r\ncontent-length: 0\r\n\r\n`;
    const { url } = await startRawServer((_request, response) => {
      response.socket?.end(text, 'latin1');
      return undefined;
    });
    const { headers } = await fetch(url);
    expect(headers).toBeInstanceOf(Headers);
    expect(
      ['x-a', 'X-A', 'x-empty', 'x-umlaut', 'none', 'constructor'].map((name) => headers.get(name)),
    ).toEqual([headers.get('x-a'), headers.get('x-a'), '', 'ü', null, null]);
    expect(
      headers
        .get('x-a')
        ?.split(',')
        .map((value) => value.trim()),
    ).toEqual(['1', '2']);
    expect(['x-a', 'X-Empty', 'none', '__proto__'].map((name) => headers.has(name))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(headers.get('set-cookie')).toBe('a=1, b=2');
    expect(() => headers.get('a b')).toThrow(TypeError);
    expect(() => headers.has('a b')).toThrow(TypeError);
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  test('the fields can be listed, copied and shown, and not changed', async () => {
    const { url } = await startRawServer(() => ({ headers: { 'x-b': '2', 'x-a': '1' } }));
    const isX = ([name = '']: readonly string[]): boolean => name.startsWith('x-');
    const take = async () => (await fetch(url)).headers;
    const pairs = [
      ['x-a', '1'],
      ['x-b', '2'],
    ];
    expect([...(await take())].filter(isX)).toEqual(pairs);
    expect([...(await take()).entries()].filter(isX)).toEqual(pairs);
    expect([...(await take()).keys()]).toContain('x-a');
    expect([...(await take()).values()]).toContain('application/json');
    const listed: string[][] = [];
    (await take()).forEach((value, name, headers) => {
      listed.push([name, value, headers.get(name) ?? '']);
    });
    expect(listed.filter(isX)).toEqual(pairs.map(([name, value]) => [name, value, value]));
    expect([...new Headers(await take())].filter(isX)).toEqual(pairs);
    expect(inspect(await take())).toContain("'x-a': '1'");
    expect(new Response(null, { headers: await take() }).headers.get('x-b')).toBe('2');
    const given = await take();
    expect(() => given.set('x-a', '2')).toThrow(TypeError);
    expect(() => given.append('x-a', '2')).toThrow(TypeError);
    expect(() => given.delete('x-a')).toThrow(TypeError);
    const changed = new Headers(await take());
    changed.delete('x-a');
    changed.append('x-b', '3');
    expect([changed.get('x-a'), changed.get('x-b')]).toEqual([null, '2, 3']);
  });

  test.each([301, 302, 303, 307, 308])('%d: is not followed, and given as it came', async (status) => {
    const { url, requests } = await startRawServer(() => ({
      status,
      headers: { location: '/elsewhere' },
      body: '{"moved":true}',
    }));
    const response = await fetch(url, { headers: {}, redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([status, '/elsewhere']);
    expect(await response.json()).toEqual({ moved: true });
    expect(requests).toHaveLength(1);
  });

  test.each([204, 205, 304])('%d has no body, and the connection is used again', async (status) => {
    const sockets = new Set<unknown>();
    const { url } = await startRawServer((_request, response) => {
      sockets.add(response.socket);
      return { status, headers: { etag: '"1"' } };
    });
    for (let count = 0; count < 2; count++) {
      const response = await fetch(url);
      expect([response.status, response.body, await response.text()]).toEqual([status, null, '']);
      expect(response.bodyUsed).toBe(false);
      // The connection is free in the turn after the one in which the response ended.
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(sockets.size).toBe(1);
  });

  test('HEAD has no body, whatever its length says', async () => {
    const { url } = await startRawServer(() => ({ headers: { 'content-encoding': 'gzip' } }));
    const response = await fetch(url, { method: 'HEAD' });
    expect([response.body, await response.text()]).toEqual([null, '']);
  });

  test('1xx responses come before the final one', async () => {
    const { url } = await startRawServer((_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      return { headers: { 'x-last': 'yes' }, body: 'done' };
    });
    const response = await fetch(url);
    expect([response.status, response.headers.get('link'), await response.text()]).toEqual([
      200,
      null,
      'done',
    ]);
  });

  test('reads a body as text, JSON, bytes, a buffer, a blob and a form', async () => {
    const { url } = await startRawServer(({ url: path }) =>
      path === '/form'
        ? { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=1' }
        : { headers: { 'content-type': 'text/csv' }, body: '\uFEFF"ü"' },
    );
    const encoded = new TextEncoder().encode('\uFEFF"ü"');
    expect(await (await fetch(url)).text()).toBe('"ü"');
    expect(await (await fetch(url)).json()).toBe('ü');
    const bytes = await (await fetch(url)).bytes();
    expect(bytes).toEqual(encoded);
    // Nothing else lies in the same buffer.
    expect([bytes.constructor, bytes.buffer.byteLength]).toEqual([Uint8Array, encoded.length]);
    expect(new Uint8Array(await (await fetch(url)).arrayBuffer())).toEqual(encoded);
    const blob = await (await fetch(url)).blob();
    expect([blob.type, blob.size]).toEqual(['text/csv', encoded.length]);
    expect((await (await fetch(`${url}/form`)).formData()).get('a')).toBe('1');
  });

  test('a body is read once', async () => {
    const { url } = await startRawServer(() => ({ body: '{}' }));
    for (const way of ['text', 'json', 'bytes', 'arrayBuffer', 'blob'] as const) {
      const response = await fetch(url);
      await response[way]();
      await expect(response.text()).rejects.toBeInstanceOf(TypeError);
      await expect(response.blob()).rejects.toBeInstanceOf(TypeError);
      expect(() => response.clone()).toThrow(TypeError);
      expect(response.bodyUsed).toBe(true);
    }
    const response = await fetch(url);
    response.body?.getReader();
    await expect(response.text()).rejects.toBeInstanceOf(TypeError);
  });

  test('a clone is read for itself', async () => {
    const { url } = await startRawServer(() => ({ status: 201, headers: { 'x-a': '1' }, body: '{"a":1}' }));
    const response = await fetch(url);
    const copy = response.clone();
    const again = copy.clone();
    expect([copy.status, copy.ok, copy.url, copy.headers.get('x-a')]).toEqual([201, true, response.url, '1']);
    expect(await response.text()).toBe('{"a":1}');
    expect(await copy.json()).toEqual({ a: 1 });
    expect(await new Response(again.body).text()).toBe('{"a":1}');
  });

  test('a head above the limit of Node is refused', async () => {
    const { url } = await startRawServer(() => ({ headers: { 'x-long': 'x'.repeat(17_000) } }));
    await expect(fetch(url)).rejects.toMatchObject({
      name: 'TypeError',
      cause: { code: 'UND_ERR_HEADERS_OVERFLOW' },
    });
  });
});

test('a `query` on the prototype of all objects is in no URL', async () => {
  const { url, requests } = await startRawServer(() => ({ body: '{}' }));
  const prototype = Object.prototype as { query?: unknown };
  onTestFinished(() => {
    delete prototype.query;
  });
  prototype.query = { polluted: 'yes' };
  await undiciFetch()(`${url}/things`, { method: 'GET', headers: {} });
  expect(requests.map((request) => request.url)).toEqual(['/things']);
});

test('the undici of Bun, which sends nothing, is refused with what to do', async () => {
  vi.doMock('undici', () => ({ Agent: class Agent {} }));
  vi.resetModules();
  onTestFinished(() => {
    vi.doUnmock('undici');
    vi.resetModules();
  });
  const loaded = await import('restkin/undici');
  expect(() => loaded.undiciFetch()).toThrow('use the built-in fetch');
});
