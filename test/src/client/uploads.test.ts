import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { runInNewContext } from 'node:vm';
import {
  AmbiguousOutcomeError,
  basicAuth,
  ConnectionError,
  createClient,
  defineApi,
  InvalidRequestError,
  isApiError,
  type OwnRequest,
  RedirectRefusedError,
  tokenAuth,
  UnauthorizedError,
} from 'restkin';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connect, failureOf, login } from '../../support/basic-ordering.ts';
import { inOrder, json, type Outcome, record } from '../../support/recording-server.ts';

const created = json({ id: 1 }, 201);
const bytes = (part: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(part);
const upload = { method: 'POST', path: 'v1/recordings', contentType: 'audio/wav' } as const;

/** Pieces, and whether they were ended early. */
const pieces = (...parts: readonly string[]) => {
  const state = { taken: 0, ended: false };
  const source = (async function* () {
    try {
      for (const part of parts) {
        state.taken++;
        yield bytes(part);
      }
    } finally {
      state.ended = true;
    }
  })();
  return { source, state };
};

const serve = async (...replies: readonly Outcome[]) => {
  const server = await record(inOrder(...replies));
  onTestFinished(server.close);
  return server;
};

describe('a body that can be read once', () => {
  test.each<[string, () => OwnRequest['body']]>([
    ['an async iterable', () => pieces('ab', 'cd').source],
    ['a stream', () => new Blob(['abcd']).stream()],
    ['a stream of Node', () => Readable.from([bytes('ab'), bytes('cd')])],
  ])('%s is sent as it is', async (_name, body) => {
    const server = await serve(created);
    const { client } = connect(server.url);
    expect(await client.request({ ...upload, body: body() })).toEqual({ id: 1 });
    expect(server.requests[0]).toMatchObject({ body: 'abcd', headers: { 'content-type': 'audio/wav' } });
  });

  test('reports what was taken of it', async () => {
    const server = await serve(created);
    const seen: unknown[] = [];
    const { client } = connect(server.url);
    await client.request({
      ...upload,
      body: pieces('ab', 'cd').source,
      onProgress: (progress) => progress.direction === 'upload' && seen.push(progress),
    });
    expect(seen).toEqual([
      { direction: 'upload', bytes: 2, total: undefined },
      { direction: 'upload', bytes: 4, total: undefined },
    ]);
  });

  test('may take longer than timeoutMs and the deadline of the client, as long as it goes on', async () => {
    const server = await serve(created);
    const { client } = connect(server.url, { deadlineMs: 100 });
    const slow = async function* () {
      for (let sent = 0; sent < 6; sent++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        yield bytes('x');
      }
    };
    await client.request({ ...upload, body: slow(), timeoutMs: 200 });
    expect(server.requests[0]?.body).toBe('xxxxxx');
  });

  test('a 401 renews the token for the next request, and says that this one was not resent', async () => {
    const tokens = await record((_request, index) =>
      json({ access_token: `t${index}`, token_type: 'bearer', expires_in: 600, refresh_token: `r${index}` }),
    );
    onTestFinished(tokens.close);
    const server = await record(({ headers }) =>
      headers.authorization === 'Bearer t0' ? json({ message: 'expired' }, 401) : created,
    );
    onTestFinished(server.close);
    const client = createClient({ baseUrl: server.url, auth: tokenAuth({ authUrl: tokens.url, ...login }) });
    const first = pieces('ab');
    const error = await failureOf(client.request({ ...upload, body: first.source }), UnauthorizedError);
    expect(error.message).toContain('can be read once, so the request was not resent');
    expect(error.detail).toBe('expired');
    expect([server.requests.length, tokens.requests.length, first.state.ended]).toEqual([1, 2, true]);
    expect(await client.request({ ...upload, body: pieces('cd').source })).toEqual({ id: 1 });
    expect([server.requests.length, tokens.requests.length]).toEqual([2, 2]);
  });

  test('a 401 that asks for Basic switches to it for the next request', async () => {
    const tokens = await record((_request, index) =>
      json({ access_token: `t${index}`, token_type: 'bearer', expires_in: 600, refresh_token: `r${index}` }),
    );
    onTestFinished(tokens.close);
    const server = await record(({ headers }) =>
      headers.authorization?.startsWith('Bearer')
        ? json({ message: 'no tokens' }, 401, { 'www-authenticate': 'Basic' })
        : created,
    );
    onTestFinished(server.close);
    const api = defineApi({ name: 'recordings', version: 1, auth: ['token', 'basic'], collections: {} });
    const auth = { token: tokenAuth({ authUrl: tokens.url, ...login }), basic: basicAuth(login) };
    const client = createClient({ baseUrl: server.url, auth });
    const send = (source: AsyncIterable<Uint8Array>) => client.request({ ...upload, api, body: source });
    const first = pieces('ab');
    await failureOf(send(first.source), UnauthorizedError);
    expect([server.requests.length, first.state.ended]).toEqual([1, true]);
    expect(await send(pieces('cd').source)).toEqual({ id: 1 });
    expect(server.requests.map(({ body }) => body)).toEqual(['ab', 'cd']);
  });

  test('a body that can be sent again costs one renewal and one more request after a 401', async () => {
    const tokens = await record((_request, index) =>
      json({ access_token: `t${index}`, token_type: 'bearer', expires_in: 600, refresh_token: `r${index}` }),
    );
    onTestFinished(tokens.close);
    const server = await record(({ headers }) =>
      headers.authorization === 'Bearer t0' ? json({ message: 'expired' }, 401) : created,
    );
    onTestFinished(server.close);
    const client = createClient({ baseUrl: server.url, auth: tokenAuth({ authUrl: tokens.url, ...login }) });
    expect(await client.request({ ...upload, body: new Blob(['ab']) })).toEqual({ id: 1 });
    expect(server.requests.map(({ body }) => body)).toEqual(['ab', 'ab']);
    expect(tokens.requests).toHaveLength(2);
  });

  test('a token that is about to expire is renewed before, however long that takes', async () => {
    const tokens = await record(async (_request, index) => {
      // Longer than a call that can be resent would wait.
      if (index > 0) await new Promise((resolve) => setTimeout(resolve, 700));
      return json({
        access_token: `t${index}`,
        token_type: 'bearer',
        expires_in: 10,
        refresh_token: `r${index}`,
      });
    });
    onTestFinished(tokens.close);
    const server = await serve(created);
    const client = createClient({ baseUrl: server.url, auth: tokenAuth({ authUrl: tokens.url, ...login }) });
    await client.request({ ...upload, body: new Blob(['a']) });
    const now = Date.now;
    onTestFinished(() => {
      Date.now = now;
    });
    Date.now = () => now() + 9_500;
    await client.request({ ...upload, body: pieces('ab').source });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer t0', 'Bearer t1']);
  });

  test('a lost connection says that it was not resent, and ends the source', async () => {
    const server = await serve('drop');
    const { client } = connect(server.url, { retry: { idempotentWrites: true } });
    const { source, state } = pieces('ab', 'cd');
    const error = await failureOf(
      client.request({ ...upload, method: 'PUT', body: source }),
      AmbiguousOutcomeError,
    );
    expect(error.message).toContain('can be read once, so the request was not resent');
    expect(server.requests).toHaveLength(1);
    expect(state.ended).toBe(true);
  });

  test.each([429, 503])('a %i is not retried', async (status) => {
    const server = await serve(json({ message: 'later' }, status));
    const { client } = connect(server.url, { retry: { writesAfterUnavailable: true, baseDelayMs: 0 } });
    const error: unknown = await client
      .request({ ...upload, body: pieces('ab').source })
      .catch((e: unknown) => e);
    expect(isApiError(error, status)).toBe(true);
    expect(String(error)).toContain('was not resent');
    expect(server.requests).toHaveLength(1);
  });

  test('nothing was taken of it while no connection could be made, so that is retried', async () => {
    const server = await serve(created);
    await server.close();
    const attempts: number[] = [];
    const client = createClient({
      baseUrl: server.url,
      auth: basicAuth(login),
      retry: { attempts: 5, baseDelayMs: 100 },
      on: {
        retry: ({ attempt }) => {
          attempts.push(attempt);
          if (attempt === 1) void server.reopen();
        },
      },
    });
    expect(await client.request({ ...upload, body: pieces('ab', 'cd').source })).toEqual({ id: 1 });
    expect(attempts.length).toBeGreaterThan(0);
    expect(server.requests.map(({ body }) => body)).toEqual(['abcd']);
  });

  test('an error of the source is what the call fails with', async () => {
    const server = await serve(created);
    const { client } = connect(server.url, { retry: { idempotentWrites: true } });
    const broken = async function* () {
      yield bytes('ab');
      throw new Error('the disk is gone');
    };
    await expect(client.request({ ...upload, body: broken() })).rejects.toThrow('the disk is gone');
    expect(server.requests).toEqual([]);
  });

  test('an error of the source is what the call fails with, also where the runtime ends the body as if it were complete', async () => {
    // As workerd does.
    const endingFetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
      const body = init?.body;
      if (body instanceof ReadableStream) await new Response(body).text().catch(() => undefined);
      return Response.json({ id: 1 }, { status: 201 });
    };
    const client = createClient({
      baseUrl: 'https://api.example.com',
      auth: basicAuth(login),
      fetch: endingFetch,
    });
    const source = (async function* () {
      yield bytes('one');
      throw new Error('the disk is gone');
    })();
    await expect(client.request({ ...upload, body: source })).rejects.toThrow('the disk is gone');
  });

  test('an abort ends the source', async () => {
    const server = await serve(created);
    const { client } = connect(server.url);
    const stop = new AbortController();
    const state = { ended: false };
    const endless = async function* () {
      try {
        for (;;) {
          yield bytes('x');
          await new Promise((resolve) => setTimeout(resolve, 5));
          stop.abort();
        }
      } finally {
        state.ended = true;
      }
    };
    const call = client.request({ ...upload, body: endless(), signal: stop.signal });
    const reason: unknown = await call.catch((error: unknown) => error);
    expect(reason).toBe(stop.signal.reason);
    await expect.poll(() => state.ended).toBe(true);
  });

  test.each<[string, unknown]>([
    [
      'strings',
      (async function* () {
        yield 'ab';
      })(),
    ],
    [
      'a stream that is read already',
      (() => {
        const { stream } = { stream: new Blob(['a']).stream() };
        stream.getReader();
        return stream;
      })(),
    ],
  ])('%s are refused', async (_name, body) => {
    const server = await serve(created);
    const { client } = connect(server.url);
    await failureOf(client.request({ ...upload, body }), InvalidRequestError);
  });

  test('needs a contentType', async () => {
    const { client } = connect('http://127.0.0.1:9');
    const call = client.request({ method: 'POST', path: 'x', body: pieces('a').source });
    await failureOf(call, InvalidRequestError);
  });
});

describe('a file', () => {
  const file = async (content: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'restkin-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'a.wav');
    await writeFile(path, content);
    return openAsBlob(path, { type: 'audio/x-wav' });
  };

  test('brings its type along, and is sent again after a lost connection', async () => {
    const server = await serve('drop', created);
    const { client } = connect(server.url, { retry: { idempotentWrites: true, baseDelayMs: 0 } });
    await client.request({ method: 'PUT', path: 'x', body: await file('abcd'), as: 'json' });
    expect(server.requests.map(({ body, headers }) => [body, headers['content-type']])).toEqual([
      ['abcd', 'audio/x-wav'],
      ['abcd', 'audio/x-wav'],
    ]);
  });

  test('in a form', async () => {
    const server = await serve(created);
    const { client } = connect(server.url);
    const form = new FormData();
    form.set('file', await file('abcd'), 'a.wav');
    await client.request({ method: 'POST', path: 'x', body: form });
    expect(server.requests[0]?.body).toContain('abcd');
  });
});

describe('where blobs, forms and bytes are not those of the runtime, as in jsdom', () => {
  const { Blob: RuntimeBlob } = globalThis;
  class OtherBlob {
    readonly type: string;
    readonly #blob: Blob;
    constructor(parts: readonly (BlobPart | OtherBlob)[] = [], { type = '' } = {}) {
      this.type = type;
      this.#blob = new RuntimeBlob(parts.map((part) => (part instanceof OtherBlob ? part.#blob : part)));
    }
    arrayBuffer() {
      return this.#blob.arrayBuffer();
    }
  }
  class OtherForm {
    readonly #entries: [string, unknown][] = [];
    append(name: string, value: unknown) {
      this.#entries.push([name, value]);
    }
    *[Symbol.iterator]() {
      yield* this.#entries;
    }
  }

  const fetches = [
    ['the built-in fetch', undefined],
    ['a fetch that is given', (...given: Parameters<typeof fetch>) => fetch(...given)],
  ] as const;

  test.each(fetches)('%s sends a file and a form', async (_name, given) => {
    vi.stubGlobal('Blob', OtherBlob);
    vi.stubGlobal('FormData', OtherForm);
    onTestFinished(() => {
      vi.unstubAllGlobals();
    });
    const server = await serve(created, created);
    const { client } = connect(server.url, given && { fetch: given });
    await client.request({ ...upload, body: new OtherBlob(['abcd'], { type: 'audio/wav' }) });
    const form = new OtherForm();
    form.append('note', 'of ada');
    form.append('file', Object.assign(new OtherBlob(['efgh']), { name: 'a.wav' }));
    await client.request({ method: 'POST', path: 'x', body: form });
    const [file, multipart] = server.requests;
    expect([file?.headers['content-type'], file?.body]).toEqual(['audio/wav', 'abcd']);
    expect(multipart?.headers['content-type']).toContain('multipart/form-data; boundary=');
    expect(multipart?.body).toMatch(
      /name="note"\r\n\r\nof ada\r\n[\s\S]*filename="a.wav"[\s\S]*\r\n\r\nefgh\r\n/,
    );
  });

  test('bytes are sent whole, and in pieces', async () => {
    const server = await serve(created, created);
    const { client } = connect(server.url);
    const other = runInNewContext('new Uint8Array([97, 98])') as Uint8Array;
    await client.request({ ...upload, body: other });
    await client.request({
      ...upload,
      body: (async function* () {
        yield other;
      })(),
    });
    expect(server.requests.map(({ body }) => body)).toEqual(['ab', 'ab']);
  });
});

test.each<[string, () => unknown]>([
  ['stream', () => pieces('ab').source],
  ['blob', () => new Blob(['ab'])],
])('a redirect of a %s is refused, and nothing follows it', async (_name, body) => {
  const server = await serve({ status: 307, headers: { location: '/v1/other' } });
  const { client } = connect(server.url);
  await failureOf(client.request({ ...upload, body: body() }), RedirectRefusedError);
  expect(server.requests).toHaveLength(1);
});

test('a connection that was never made is a ConnectionError that says nothing was sent', async () => {
  const server = await serve(created);
  await server.close();
  const { client } = connect(server.url);
  const { source } = pieces('ab', 'cd');
  const error = await failureOf(client.request({ ...upload, body: source }), ConnectionError);
  expect(error.message).toContain('nothing was sent');
  expect(error.sent).toBe(false);
});
