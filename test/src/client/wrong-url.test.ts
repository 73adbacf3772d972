import {
  ApiError,
  type ClientOptions,
  ConnectionError,
  collection,
  createClient,
  customAuth,
  defineApi,
  endpoint,
  type Fetch,
  NotFoundError,
  resource,
  TokenRequestError,
  tokenAuth,
  UnexpectedResponseError,
} from 'restkin';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { failureOf } from '../../support/basic-ordering.ts';

// What a newcomer meets whose URLs lead to another server: each message says what to check.

const Order = resource({ city: z.string() });
const api = defineApi({
  name: 'ordering',
  version: 2,
  auth: 'custom',
  collections: {
    orders: collection('orders', Order, {
      sort: true,
      paging: true,
      actions: { cancel: endpoint('POST', 'cancel') },
    }),
    companyOrders: collection('companies/:companyId/orders', Order, { paging: true }),
  },
  endpoints: { settings: endpoint('GET', 'settings', { response: z.object({ theme: z.string() }) }) },
});

const connect = (fetch: Fetch, options: Partial<ClientOptions> = {}) => {
  const auth = customAuth(() => ({}));
  return createClient({ baseUrl: 'https://api.test', auth, fetch, retry: false, ...options }).api(api);
};

const login = (fetch: Fetch) => {
  const auth = tokenAuth({ authUrl: 'https://auth.test', username: 'ada', password: 'lovelace' });
  return createClient({ baseUrl: 'https://api.test', auth, fetch, retry: false });
};

const headers = { 'content-type': 'text/html; charset=utf-8' };
const html = '<!doctype html><title>Sign in</title><p>Welcome</p>';
const page = (status: number, body: string | null = html): Fetch => {
  return async () => new Response(body, { status, headers });
};

const unknown = '; find out whether it was done before you resend it';

describe('a page where the API should be', () => {
  const { orders, settings } = connect(page(200));

  test.each([
    ['list', () => orders.list(), ''],
    ['get', () => orders.get(1), ''],
    ['create', () => orders.create({ city: 'Oslo' }), unknown],
    ['update', () => orders.update(1, { city: 'Oslo' }), unknown],
    ['delete', () => orders.delete(1), unknown],
    ['an action without a response', () => orders.cancel(1), unknown],
    ['an endpoint', () => settings(), ''],
  ])('is no success of %s', async (_name, call, note) => {
    const error = await failureOf(call(), UnexpectedResponseError);
    const problem = ': 200: the response is text/html where JSON was expected; check `baseUrl`';
    expect(error.message.slice(error.message.indexOf(': 200'))).toBe(problem + note);
    expect(error.message).toMatch(/^[A-Z]+ https:\/\/api\.test\/v2\//);
    expect(error.body).toBe('Sign in Welcome');
  });

  test('is no page without a body: PHP names this type by default', async () => {
    const done = { outcome: 'done' };
    expect(await connect(page(200, '')).orders.update(1, { city: 'Oslo' })).toEqual(done);
    expect(await connect(page(200, 'ok')).orders.delete(1)).toEqual(done);
  });

  test.each([403, 404, 405])('is no refusal of the API: %d', async (status) => {
    const error = await failureOf(connect(page(status)).orders.get(1), ApiError);
    expect(error.message).toContain('; the response is a web page; check `baseUrl`');
  });

  test('is what a gateway sends for a server that is down', async () => {
    const error = await failureOf(connect(page(502)).orders.get(1), ApiError);
    expect(error.message).toBe('GET https://api.test/v2/orders/1: 502: Sign in Welcome');
  });

  test.each([413, 429])('is what a gateway sends that limits requests: %d', async (status) => {
    const fetch = page(status);
    const { orders } = connect(fetch);
    const error = await failureOf(orders.get(1, { deadlineMs: 50 }), ApiError);
    expect(error.message).toContain('Sign in Welcome');
    expect(error.message).not.toContain('check `baseUrl`');
  });
});

describe('where the token endpoint should be', () => {
  const failure = (fetch: Fetch) =>
    failureOf(login(fetch).request({ method: 'GET', path: 'me' }), TokenRequestError);
  const where = 'POST https://auth.test/auth/token: ';

  test('a page', async () => {
    const { message } = await failure(page(200));
    expect(message).toBe(`${where}200: the response is text/html where JSON was expected; check \`authUrl\``);
  });

  test.each([404, 405])('no such path: %d', async (status) => {
    const { message } = await failure(async () => Response.json({ message: 'No route' }, { status }));
    expect(message).toContain(': check `authUrl` and `tokenPath`: No route');
  });

  test('nothing', async () => {
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' });
    const { message } = await failure(() => Promise.reject(new TypeError('fetch failed', { cause })));
    expect(message).toBe(
      `${where}no connection could be made, nothing was sent; check \`authUrl\`, and that the server, or a proxy before it, runs (ECONNREFUSED)`,
    );
  });
});

describe('a failed connection', () => {
  const failing = (code: string): Fetch => {
    const cause = Object.assign(new Error('failed'), { code });
    return () => Promise.reject(new TypeError('fetch failed', { cause }));
  };

  test.each([
    ['ECONNREFUSED', '; check `baseUrl`, and that the server, or a proxy before it, runs'],
    ['ENOTFOUND', '; check `baseUrl`, and that the server, or a proxy before it, runs'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'is not trusted; name the file of its issuer in NODE_EXTRA_CA_CERTS'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'NODE_EXTRA_CA_CERTS'],
    ['CERT_NOT_YET_VALID', 'check the clock of this machine'],
  ])('%s says what to check', async (code, advice) => {
    const { message } = await failureOf(connect(failing(code)).orders.get(1), ConnectionError);
    expect(message).toMatch(new RegExp(`; .* \\(${code}\\)$`));
    expect(message).toContain(advice);
  });

  test('a lost one says nothing about the URL', async () => {
    const { message } = await failureOf(connect(failing('ECONNRESET')).orders.get(1), ConnectionError);
    expect(message).toMatch(/was complete \(ECONNRESET\)$/);
  });
});

describe('a 404 of a whole collection', () => {
  const missing = (body: unknown): Fetch => {
    return async () => Response.json(body, { status: 404 });
  };
  const advice = '; the declaration says /v2/orders; check `baseUrl`, `version` and the path';

  test.each([{}, { message: 'Cannot GET /v2/orders' }])('says where the path is from: %j', async (body) => {
    const { orders } = connect(missing(body));
    for (const call of [() => orders.list(), () => orders.create({ city: 'Oslo' })])
      expect((await failureOf(call(), NotFoundError)).message.endsWith(advice)).toBe(true);
  });

  test('says it of an endpoint, and of a list with a query', async () => {
    const { orders, settings } = connect(missing({}));
    const error = await failureOf(orders.list({ sort: ['city'] }), NotFoundError);
    expect(error.message.endsWith(advice)).toBe(true);
    expect((await failureOf(settings(), NotFoundError)).message).toContain(
      '; the declaration says /v2/settings;',
    );
  });

  test('below a parent may mean that the parent is missing', async () => {
    const own = connect(missing({ message: 'No such company' })).companyOrders({ companyId: 3 });
    expect((await failureOf(own.list(), NotFoundError)).message).toMatch(/: No such company$/);
    const other = connect(missing({})).companyOrders({ companyId: 3 });
    expect((await failureOf(other.list(), NotFoundError)).message).toContain(
      '; the declaration says /v2/companies/{companyId}/orders; check',
    );
  });

  test('at a page may mean that the list is shorter', async () => {
    const { orders } = connect(missing({ message: 'Invalid page' }));
    expect((await failureOf(orders.list({ page: 9 }), NotFoundError)).message).toMatch(/: Invalid page$/);
  });

  test('of one resource says nothing of the path', async () => {
    const { orders } = connect(missing({}));
    expect((await failureOf(orders.get(1), NotFoundError)).message).toMatch(/: 404 Not Found$/);
  });
});
