import { setupServer } from 'msw/node';
import { type Fault, type Mock, serve } from 'restkin/mocks';
import { handlers } from 'restkin/msw';
import { describe, expect, test } from 'vitest';
import { createOrdering, origin, requestTokens, signedIn } from './calls.ts';

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
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push((await call('/v1/orders/1')).status);
    expect(statuses).toEqual([200, 200, 503, 200]);
  });

  test('§7.1 retryAfterS adds Retry-After', async () => {
    const mock = createOrdering();
    const call = await signedIn(mock);
    mock.faults.next({ status: 429, retryAfterS: 3 });
    const { status, headers } = await call('/v1/orders');
    expect([status, headers.get('retry-after')]).toEqual([429, '3']);
  });

  test('badJson ends the body too early', async () => {
    const mock = createOrdering();
    const call = await signedIn(mock);
    mock.faults.next({ badJson: true });
    const body = await mock.fetch(`${origin}/v1/companies`, { headers: await authorized(mock) });
    const text = await body.text();
    const whole = (await call('/v1/companies')).text;
    expect(whole.startsWith(text)).toBe(true);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });

  test('wrongShape makes a list an object and a resource a list, or calls a function', async () => {
    const mock = createOrdering();
    const call = await signedIn(mock);
    mock.faults.next({ wrongShape: true, times: 2 });
    expect((await call('/v1/companies')).json).toEqual({ items: expect.any(Array) });
    expect((await call('/v1/companies/1')).json).toEqual([expect.objectContaining({ id: 1 })]);
    mock.faults.next({ wrongShape: (body) => ({ ...(body as object), id: 'one' }) });
    expect((await call('/v1/companies/1')).json).toMatchObject({ id: 'one', name: 'Zeta' });
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

  test('clear ends every fault', async () => {
    const mock = createOrdering();
    const call = await signedIn(mock);
    mock.faults.next({ status: 500 });
    mock.faults.random({ rate: 1, status: 500 });
    mock.faults.outage({ forMs: 1_000_000 });
    mock.faults.clear();
    expect((await call('/v1/orders')).status).toBe(200);
  });

  test.each<Fault>([{ badJson: true }, { wrongShape: true }])(
    'without takes Content-Type away, also beside %j',
    async (fault) => {
      const mock = createOrdering();
      const call = await signedIn(mock);
      mock.faults.next({ ...fault, without: ['content-type'] });
      const { headers, text } = await call('/v1/orders');
      expect([headers.get('content-type'), text.length > 0]).toEqual([null, true]);
    },
  );
});

describe('mock.faults.random', () => {
  const pattern = async (seed: number | undefined, count = 200) => {
    const mock = createOrdering({}, 0);
    mock.faults.random({ rate: 0.3, status: 500, ...(seed !== undefined && { seed }) });
    const call = await signedIn(mock);
    const statuses: number[] = [];
    for (let index = 0; index < count; index += 1) statuses.push((await call('/v1/companies/1')).status);
    return statuses;
  };

  test('hits a share of the requests, the same ones for the same seed', async () => {
    const statuses = await pattern(7);
    const failed = statuses.filter((status) => status === 500).length;
    expect(failed).toBeGreaterThan(40);
    expect(failed).toBeLessThan(80);
    expect(await pattern(7)).toEqual(statuses);
    expect(await pattern(8)).not.toEqual(statuses);
    expect(await pattern(undefined)).toEqual(await pattern(1));
  });

  test('ends after `times`, and counts only the requests that match', async () => {
    const mock = createOrdering();
    const call = await signedIn(mock);
    mock.faults.random({ rate: 1, status: 500, times: 2, collection: 'companies' });
    const paths = ['orders/1', 'companies/1', 'companies/1', 'companies/1'];
    const statuses = [];
    for (const path of paths) statuses.push((await call(`/v1/${path}`)).status);
    expect(statuses).toEqual([200, 500, 500, 200]);
  });
});

describe('§7.1 mock.faults.outage', () => {
  test('every request gets 503 until the clock has passed its end', async () => {
    const mock = createOrdering();
    const call = await signedIn(mock);
    mock.faults.outage({ forMs: 60_000, retryAfter: true });
    mock.faults.next({ status: 500 });
    const { status, headers, json } = await call('/v1/orders');
    expect([status, headers.get('retry-after'), json]).toEqual([
      503,
      '60',
      { message: 'Service Unavailable' },
    ]);
    expect((await requestTokens(mock)).status).toBe(200);
    mock.clock.advance({ seconds: 61 });
    expect((await call('/v1/orders')).status).toBe(500);
    expect((await call('/v1/orders')).status).toBe(200);
  });

  test('`until` sets its end, and a scope limits it', async () => {
    const mock = createOrdering();
    const call = await signedIn(mock);
    mock.faults.outage({ forMs: 60_000, collection: 'companies' });
    mock.faults.outage({ forMs: 120_000, token: true });
    const statuses = async () => [
      (await call('/v1/orders')).status,
      (await call('/v1/companies')).status,
      (await requestTokens(mock)).status,
    ];
    expect(await statuses()).toEqual([200, 503, 503]);
    expect((await call('/v1/companies')).headers.has('retry-after')).toBe(false);
    mock.clock.advance({ seconds: 61 });
    expect(await statuses()).toEqual([200, 200, 503]);
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

  test('through msw is a TypeError', async () => {
    const mock = createOrdering();
    const server = setupServer(...handlers(mock));
    server.listen();
    try {
      mock.faults.next({ cut });
      expect(await outcomeOf(fetch, origin, await authorized(mock))).toEqual(expected(cut));
      expect(mock.state.rows('companies')).toHaveLength(companiesAfter[cut]);
    } finally {
      server.close();
    }
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
