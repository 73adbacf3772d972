import { createClient, ForbiddenError, tokenAuth } from 'restkin';
import { createMock, type MockOptions, serve } from 'restkin/mocks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { failureOf } from '../support/basic-ordering.ts';
import { ordering } from '../support/ordering.ts';
import { origin } from './calls.ts';

type Options = MockOptions<typeof ordering>;

const login = { username: 'ada', password: 'lovelace' } as const;
const data: Options['data'] = { companies: [{ name: 'Zeta', city: 'Oslo' }] };

const connect = (options: Options, baseUrl = origin) => {
  const mock = createMock(ordering, { data, ...options });
  const auth = tokenAuth({ authUrl: baseUrl, ...login });
  return { mock, client: createClient({ baseUrl, auth, fetch: mock.fetch, retry: false }) };
};

const audio = { 'content-type': 'audio/wav' };

describe('an own endpoint', () => {
  test('gets the request, the state and the parameters of its path', async () => {
    const { client, mock } = connect({
      endpoints: {
        'v1/reports/:name': async (request, state, { name }) =>
          Response.json({
            name,
            method: request.method,
            query: new URL(request.url).search,
            body: request.body && (await request.text()),
            companies: state.rows('companies').map((row) => row.name),
          }),
      },
    });
    const path = 'v1/reports/a%20b';
    expect(await client.request({ method: 'GET', path, query: { year: 2026 } })).toEqual({
      name: 'a b',
      method: 'GET',
      query: '?year=2026',
      body: null,
      companies: ['Zeta'],
    });
    expect(await client.request({ method: 'POST', path, body: [1] })).toMatchObject({
      method: 'POST',
      body: '[1]',
    });
    expect(mock.requests.at(-1)).toMatchObject({ path: '/v1/reports/a%20b', handled: true, status: 200 });
  });

  test('§5.2 is behind the token check, and permissions get its path', async () => {
    const seen: unknown[] = [];
    const { client, mock } = connect({
      users: [
        {
          ...login,
          permissions: ({ collection, method }) => {
            seen.push([method, collection]);
            return method === 'GET';
          },
        },
      ],
      endpoints: { 'v1/export/:id': () => Response.json([]) },
    });
    const bare = await mock.fetch(`${origin}/v1/export/3`);
    expect([bare.status, bare.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('Bearer'),
    ]);
    expect(await client.request({ method: 'GET', path: 'v1/export/3' })).toEqual([]);
    await failureOf(client.request({ method: 'POST', path: 'v1/export/3', body: {} }), ForbiddenError);
    expect(seen).toEqual([
      ['GET', 'v1/export/:id'],
      ['POST', 'v1/export/:id'],
    ]);
  });

  test('that throws or returns no response gets 500 with the reason', async () => {
    const { client } = connect({
      endpoints: {
        'v1/broken': () => {
          throw new Error('out of tape');
        },
        'v1/nothing': (() => undefined) as never,
      },
    });
    await expect(client.request({ method: 'GET', path: 'v1/broken' })).rejects.toThrow('out of tape');
    await expect(client.request({ method: 'GET', path: 'v1/nothing' })).rejects.toThrow(
      'must return a Response',
    );
  });
});

describe('served over HTTP', () => {
  const served = async (options: Options) => {
    const mock = createMock(ordering, { data, ...options });
    const server = await serve(mock);
    onTestFinished(() => server.close());
    const auth = tokenAuth({ authUrl: server.url, ...login });
    return { mock, client: createClient({ baseUrl: server.url, auth, retry: false }) };
  };

  test('a body is sent piece by piece, and its source ends with the connection', async () => {
    let push: (part: string) => void = () => undefined;
    let isCancelled: () => void = () => undefined;
    const cancelled = new Promise<void>((resolve) => {
      isCancelled = resolve;
    });
    const body = () =>
      new ReadableStream<Uint8Array>({
        start: (controller) => {
          push = (part) => controller.enqueue(new TextEncoder().encode(part));
        },
        cancel: isCancelled,
      });
    const { client } = await served({
      endpoints: { 'v1/live': () => new Response(body(), { headers: audio }) },
    });
    const { body: stream } = await client.request({ method: 'GET', path: 'v1/live', as: 'response' });
    const reader = (stream as ReadableStream<Uint8Array>).getReader();
    for (const part of ['a', 'b']) {
      push(part);
      expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe(part);
    }
    await reader.cancel();
    push('c');
    push('d');
    await cancelled;
  });
});
