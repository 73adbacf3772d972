import { createClient, ForbiddenError, tokenAuth } from 'restkin';
import { createMock, type MockOptions, serve } from 'restkin/mocks';
import { describe, expect, test, vi } from 'vitest';
import { failureOf } from '../support/basic-ordering.ts';
import { ordering } from '../support/ordering.ts';
import { origin } from './calls.ts';

type Options = MockOptions<typeof ordering>;

const login = { username: 'ada', password: 'lovelace' } as const;
const data: Options['data'] = { companies: [{ name: 'Zeta', city: 'Oslo' }] };

const connect = (options: Options) => {
  const mock = createMock(ordering, { data, ...options });
  const auth = tokenAuth({ authUrl: origin, ...login });
  return { mock, client: createClient({ baseUrl: origin, auth, fetch: mock.fetch, retry: false }) };
};

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
    const permissions = vi.fn<(request: { readonly method: string }) => boolean>(
      ({ method }) => method === 'GET',
    );
    const { client, mock } = connect({
      users: [{ ...login, permissions }],
      endpoints: { 'v1/export/:id': () => Response.json([]) },
    });
    expect((await mock.fetch(`${origin}/v1/export/3`)).status).toBe(401);
    expect(await client.request({ method: 'GET', path: 'v1/export/3' })).toEqual([]);
    await failureOf(client.request({ method: 'POST', path: 'v1/export/3', body: {} }), ForbiddenError);
    const seen = permissions.mock.calls.map(([request]) => request);
    expect(seen).toEqual(['GET', 'POST'].map((method) => ({ method, collection: 'v1/export/:id' })));
  });

  test('that throws or returns no response gets 500 with the reason', async () => {
    const broken = () => Promise.reject(new Error('out of tape'));
    const { client } = connect({
      endpoints: { 'v1/broken': broken, 'v1/nothing': (() => undefined) as never },
    });
    const get = (path: string) => client.request({ method: 'GET', path });
    await expect(get('v1/broken')).rejects.toThrow('out of tape');
    await expect(get('v1/nothing')).rejects.toThrow('must return a Response');
  });
});

test('over HTTP a body is sent piece by piece, and its source ends with the connection', async () => {
  let push: (part: string) => void = () => undefined;
  const cancel = vi.fn<() => void>();
  const live = () =>
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        push = (part) => controller.enqueue(new TextEncoder().encode(part));
      },
      cancel,
    });
  const mock = createMock(ordering, { endpoints: { 'v1/live': () => new Response(live()) } });
  await using server = await serve(mock);
  const auth = tokenAuth({ authUrl: server.url, ...login });
  const client = createClient({ baseUrl: server.url, auth });
  const { body } = await client.request({ method: 'GET', path: 'v1/live', as: 'response' });
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  for (const part of ['a', 'b']) {
    push(part);
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe(part);
  }
  await reader.cancel();
  push('c');
  push('d');
  await expect.poll(() => cancel).toHaveBeenCalled();
});
