import { type Fault, type Mock, serve } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import { createOrdering, origin, requestTokens, send, signedIn } from './calls.ts';
import { officeOf } from './office.ts';

/** `fetch` of a mock that a user is logged in to. */
const authorized = async (mock: Mock) => {
  const { json } = await requestTokens(mock);
  return { authorization: `Bearer ${json.access_token}` };
};

describe('mock.faults', () => {
  test('`times` alone lets that many requests pass before the next fault', async () => {
    const mock = createOrdering();
    const call = await signedIn(mock);
    mock.faults.next({ times: 2 });
    mock.faults.next({ status: 503 });
    for (const status of [200, 200, 503, 200]) expect((await call('/v1/orders/1')).status).toBe(status);
  });

  test('one with a method is met by no other', async () => {
    const mock = createOrdering();
    const call = await signedIn(mock);
    mock.faults.next({ method: 'DELETE', status: 503 });
    expect((await call('/v1/orders/1')).status).toBe(200);
    expect((await call('/v1/orders/1', { method: 'DELETE' })).status).toBe(503);
    expect((await call('/v1/orders/1', { method: 'DELETE' })).status).toBe(204);
  });

  test.each([
    ['list', 'GET', '/v1/orders'],
    ['get', 'GET', '/v1/orders/1'],
    ['create', 'POST', '/v1/orders'],
    ['replace', 'PUT', '/v1/orders/1'],
    ['update', 'PATCH', '/v1/orders/1'],
    ['delete', 'DELETE', '/v1/orders/1'],
  ] as const)('one with the operation `orders.%s` is met by no other', async (operation, own, at) => {
    const mock = createOrdering();
    const call = await signedIn(mock);
    mock.faults.next({ endpoint: `orders.${operation}`, status: 503 });
    const hasId = (path: string) => /\d$/.test(path);
    const others = [
      '/v1/orders/2',
      '/v1/orders',
      '/v1/companies',
      '/v1/companies/1',
      '/v1/companies/1/orders',
    ]
      .flatMap((path) => ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({ path, method })))
      .filter(
        ({ path, method }) => method !== own || hasId(path) !== hasId(at) || !path.startsWith('/v1/orders'),
      );
    for (const { path, method } of others) expect((await call(path, { method })).status).not.toBe(503);
    expect((await call(at, { method: own })).status).toBe(503);
    expect(mock.faults.waiting).toEqual([]);
  });

  test('one with an operation leaves own endpoints and unknown paths as they are', async () => {
    const mock = createOrdering({ endpoints: { 'v1/own': () => new Response('own') } });
    const call = await signedIn(mock);
    mock.faults.next({ endpoint: 'orders.list', status: 503 });
    expect((await call('/v1/own')).text).toBe('own');
    expect((await call('/v1/nothing')).status).toBe(404);
    expect(mock.faults.waiting).toHaveLength(1);
  });

  test('§4.5 `without` removes header fields', async () => {
    const mock = createOrdering();
    const call = await signedIn(mock);
    mock.faults.next({ without: ['Link', 'X-Pagination-Total-Count'] });
    const { headers, json } = await call('/v1/orders?perPage=2');
    expect(headers.get('link')).toBeNull();
    expect(headers.get('x-pagination-total-count')).toBeNull();
    expect(headers.get('x-pagination-total-pages')).toBe('4');
    expect(json).toHaveLength(2);
  });

  test('one without an end hides later ones until clear', async () => {
    const mock = createOrdering();
    mock.faults.next({ status: 503, times: Number.POSITIVE_INFINITY });
    mock.faults.next({ status: 500 });
    for (const _ of [1, 2]) expect((await send(mock, '/v1/orders')).status).toBe(503);
    mock.faults.clear();
    expect((await send(mock, '/v1/orders')).status).toBe(401);
  });

  test('are met by the first request, also if its body ends after the second one', async () => {
    const mock = createOrdering();
    mock.faults.next({ status: 503 });
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void setTimeout(() => controller.close(), 20),
    });
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    const first = mock.respond(new Request(`${origin}/v1/orders`, init));
    expect((await send(mock, '/v1/orders')).status).toBe(401);
    expect((await first).status).toBe(503);
  });

  test('an abort ends a delay', async () => {
    const mock = createOrdering();
    mock.faults.next({ delayMs: Number.POSITIVE_INFINITY, times: 2 });
    const abort = new AbortController();
    const answer = mock.fetch(`${origin}/v1/orders`, { signal: abort.signal });
    const direct = mock.respond(new Request(`${origin}/v1/orders`, { signal: abort.signal }));
    abort.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
    await expect(direct).rejects.toThrow('enough');
  });
});

const cuts = ['request', 'response', 'body'] as const;

/** What reaches a caller of `fetch` while a fault cuts the connection. */
const outcomeOf = async (fetch: typeof globalThis.fetch, base: string, headers: Record<string, string>) => {
  const response = await fetch(`${base}/v1/companies`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Nova', city: 'Rome' }),
  }).catch((error: unknown) => error);
  if (!(response instanceof Response)) return ['no response', response instanceof TypeError];
  const error = await response.text().catch((failure: unknown) => failure);
  return [response.status, error instanceof TypeError];
};

const expected = (cut: Fault['cut']) => (cut === 'body' ? [201, true] : ['no response', true]);
const companiesAfter = { request: 3, response: 4, body: 4 };

describe.each(cuts)('a connection that is cut: %s', (cut) => {
  test('through mock.fetch is a TypeError, and the work is done or not', async () => {
    const mock = createOrdering();
    mock.faults.next({ cut });
    expect(await outcomeOf(mock.fetch, origin, await authorized(mock))).toEqual(expected(cut));
    expect(mock.state.rows('companies')).toHaveLength(companiesAfter[cut]);
    expect(mock.requests.at(-1)?.status).toBe(cut === 'body' ? 201 : 0);
  });

  test('through a server is a socket that is destroyed, and the server continues', async () => {
    const mock = createOrdering();
    await using server = await serve(mock);
    mock.faults.next({ cut });
    const headers = await authorized(mock);
    expect(await outcomeOf(fetch, server.url, headers)).toEqual(expected(cut));
    expect((await fetch(`${server.url}/v1/companies`, { headers })).status).toBe(200);
  });

  test('a response without a body is cut as well', async () => {
    const mock = createOrdering();
    mock.faults.next({ cut });
    const answer = mock.fetch(`${origin}/v1/orders/1`, { method: 'DELETE', headers: await authorized(mock) });
    await expect(answer).rejects.toThrow('fetch failed');
  });
});

test.each<[object, string]>([
  [{ collection: 'compnies', status: 503 }, 'collection must be one of the collections '],
  [{ endpoint: 'cancel', status: 503 }, 'endpoint must be one of the endpoints orders.list, orders.get, '],
  [{ method: 'GTE', status: 503 }, 'method must be one of GET, POST, '],
  [{ stauts: 503 }, 'mock.faults.next has no option "stauts"'],
  [{ status: 600 }, 'status must be an integer from 200 to 599'],
  [{ status: 503, times: 0 }, 'times must be an integer from 1'],
  [{ status: 503, body: 5 }, 'body must be a string, an object or an array'],
  [{ status: 503, body: { at: new Map() } }, 'mock.faults.next: body.at: JSON has no Map'],
  [{ headers: new Headers() }, 'headers must be an object of header fields'],
  [
    { headers: { 'x-note': 'a\nb' } },
    'headers must be an object of header fields, with valid names and values',
  ],
  [{ headers: { 'x note': 'a' } }, 'headers must be an object of header fields, with valid names and values'],
  [{ without: ['x note'] }, 'without must be an array of header names'],
  [{ without: 'link' }, 'without must be an array of header names'],
  [{ status: 204, body: '{}' }, 'mock.faults.next: body must be left out, because a 204 has none'],
])('an invalid fault is refused: %j', (fault, message) => {
  // What the compiler refuses, JavaScript gives all the same.
  expect(() => createOrdering().faults.next(fault as Fault)).toThrow(message);
});

test('a body that is an object or an array is sent as JSON, as it was when the fault was made', async () => {
  const mock = createOrdering();
  const call = await signedIn(mock);
  const errors = [{ field: 'name', code: 'invalid' }];
  mock.faults.next({ status: 400, body: { message: 'No', errors } });
  mock.faults.next({ body: [] });
  errors.pop();
  const refused = await call('/v1/orders');
  expect([refused.status, refused.json]).toEqual([
    400,
    { message: 'No', errors: [{ field: 'name', code: 'invalid' }] },
  ]);
  const empty = await call('/v1/orders');
  expect([empty.status, empty.json]).toEqual([200, []]);
});

test('an unknown endpoint of a fault is refused with the known ones', () => {
  const { faults } = officeOf().mock;
  const fault: object = { endpoint: 'cancel', status: 503 };
  expect(() => faults.next(fault as Fault)).toThrow(
    /endpoint must be one of the endpoints settings, .*orders\.cancel/,
  );
});

test('faults.waiting has the faults that no request has met, with the times that are left', async () => {
  const mock = createOrdering();
  const call = await signedIn(mock);
  mock.faults.next({ status: 503, times: 2, method: 'GET', collection: 'orders' });
  mock.faults.next({ cut: 'response', token: true });
  await call('/v1/orders');
  expect(mock.faults.waiting).toMatchObject([
    { status: 503, times: 1 },
    { cut: 'response', times: 1 },
  ]);
  mock.reset();
  expect(mock.faults.waiting).toEqual([]);
});
