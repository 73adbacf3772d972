import { inspect } from 'node:util';
import {
  ConnectionError,
  createClient,
  type Events,
  type Fetch,
  InvalidCredentialsError,
  InvalidRequestError,
  NotFoundError,
  PagingError,
  TooManyRequestsError,
  tokenAuth,
  UnexpectedResponseError,
} from 'restkin';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { connect, failureOf, login, order } from '../../support/basic-ordering.ts';
import { ordering } from '../../support/ordering.ts';

const url = 'https://api.test';
const responder =
  (body: string, status = 200, headers: Record<string, string> = {}): Fetch =>
  async () =>
    new Response(body, {
      status,
      headers: { 'content-type': /^[[{]/.test(body) ? 'application/json' : 'text/plain', ...headers },
    });
const failing = (body: string, status = 404, headers: Record<string, string> = {}) =>
  connect(url, { fetch: responder(body, status, headers) }).orders;

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a message begins with the method, the URL and the status', () => {
  test('of a response that does not match the declaration', async () => {
    const { message } = await failureOf(failing('{"id":7,"self":"x"}', 200).get(7), UnexpectedResponseError);
    expect(message).toContain(
      `GET ${url}/v1/orders/7: 200: the response does not match the declaration at \`status\`: `,
    );
    expect(message).toMatch(/ \(and 4 more\)$/);
    const body = JSON.stringify({ ...order(7), status: 'lost' });
    const single = await failureOf(failing(body, 200).get(7), UnexpectedResponseError);
    expect(single.issues.map(({ path }) => path)).toEqual(['status']);
    expect(single.message).not.toContain(' more)');
  });

  test('a request that was not sent because of a pause says so, and no status', async () => {
    const orders = failing('{"message":"slow down"}', 429, { 'retry-after': '42' });
    const first = await failureOf(orders.get(7), TooManyRequestsError);
    const expected = `GET ${url}/v1/orders/7: 429 Too Many Requests: slow down (Retry-After: 42 s)`;
    expect(first.message).toBe(expected);
    const paused = await failureOf(orders.get(7, { deadlineMs: 50 }), TooManyRequestsError);
    expect(paused.message).toMatch(/: not sent: paused for another 4[12] s/);
    expect([paused.sent, paused.message.includes('Too Many')]).toEqual([false, false]);
  });

  test('a PagingError names the page, and its URL is masked', async () => {
    const link = `<${url}/v1/companies?key=hidden>; rel="next"`;
    const { companies } = connect(url, { fetch: responder('[]', 200, { link }) });
    const error = await failureOf(companies.list().toArray(), PagingError);
    expect(error.url).toBe(`${url}/v1/companies?key=***`);
    expect(error.message).toContain(`GET ${url}/v1/companies?key=***: the next links form a loop`);
    expect(inspect(error, { showHidden: true })).not.toContain('hidden');
  });
});

describe('a 404 below a base URL that names the version already', () => {
  const missing = '{"message":"There is none"}';
  const within = (base: string) => connect(base, { fetch: responder(missing, 404) }).orders;

  test('says that the version is there twice', async () => {
    const { message } = await failureOf(within(`${url}/v1/`).get(7), NotFoundError);
    expect(message).toBe(
      `GET ${url}/v1/v1/orders/7: 404 Not Found: There is none; restkin adds /v1 itself: leave it out`,
    );
  });

  test('is an error of `find`, too: it says nothing about the resource', async () => {
    await failureOf(within(`${url}/v1/`).find(7), NotFoundError);
    expect(await within(url).find(7)).toBeUndefined();
  });
});

describe('what the server said', () => {
  test('with a 429 is kept when the deadline leaves no time for another attempt', async () => {
    const fetch = responder('{"message":"Daily quota used up"}', 429, { 'retry-after': '30' });
    const { orders } = connect(url, { fetch, retry: {} });
    const error = await failureOf(orders.get(7, { deadlineMs: 10_000 }), TooManyRequestsError);
    expect(error).toMatchObject({ sent: true, detail: 'Daily quota used up' });
  });

  test('header fields that help support, and no others', async () => {
    const fields = { 'x-request-id': 'req-1', traceparent: '00-ab-cd-01', 'x-secret': 's', 'x-shard': '4' };
    const error = await failureOf(failing('', 404, fields).get(7), NotFoundError);
    expect(error.headers).toEqual({ 'x-request-id': 'req-1', traceparent: '00-ab-cd-01' });
    const echoed = failing('', 404, { 'x-request-id': `4 ${login.password}` });
    expect((await failureOf(echoed.get(7), NotFoundError)).headers).toEqual({ 'x-request-id': '4 ***' });
  });
});

describe('a token request that fails', () => {
  const loggingIn = (authUrl: string, fetch: Fetch) =>
    createClient({
      baseUrl: url,
      auth: tokenAuth({ authUrl, ...login }),
      fetch,
      retry: { baseDelayMs: 1 },
    }).api(ordering).orders;

  test('says what the endpoint said, without secrets, to each call that waited', async () => {
    const body = JSON.stringify({ message: `No login ada / ${login.password}` });
    const orders = loggingIn('https://auth.test', responder(body, 401));
    const [error, other] = await Promise.all([
      failureOf(orders.get(7), InvalidCredentialsError),
      failureOf(orders.get(8), InvalidCredentialsError),
    ]);
    expect(error).toMatchObject({
      detail: 'No login ada / ***',
      attempts: [{ error: 'invalid_credentials' }],
    });
    expect(other.callId).not.toBe(error.callId);
  });
});

describe('in a browser', () => {
  const lost: Fetch = () => Promise.reject(new TypeError('Failed to fetch'));

  test('a failed request to another origin may be CORS', async () => {
    vi.stubGlobal('document', {});
    vi.stubGlobal('location', { origin: 'https://app.test' });
    const { message } = await failureOf(connect(url, { fetch: lost }).orders.get(7), ConnectionError);
    expect(message).toContain('(CORS)');
  });
});

describe('the stack shows the line of the call', () => {
  const fetch = responder('{"message":"No"}', 404);
  const { orders } = connect(url, { fetch });
  const token = createClient({
    baseUrl: url,
    auth: tokenAuth({ authUrl: 'https://auth.test', ...login }),
    fetch,
    retry: false,
  }).api(ordering);

  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    get: async function callerOfGet() {
      await orders.get(7);
    },
    'a list': async function callerOfList() {
      await orders.list();
    },
    'for await': async function callerOfForAwait() {
      for await (const each of orders.list()) expect(each).toBeUndefined();
    },
    'a token': async function callerOfToken() {
      await token.orders.get(7);
    },
  };

  test.each(Object.entries(calls))('%s', async (_name, call) => {
    const error: unknown = await call().catch((thrown: unknown) => thrown);
    expect((error as Error).stack).toContain(call.name);
    expect((error as Error).stack?.split('\n')[0]).toBe(String(error));
  });
});

describe('on.error', () => {
  const watching = (fetch: Fetch) => {
    const failures: Events['error'][] = [];
    const others: { readonly callId: string }[] = [];
    const keep = (event: { readonly callId: string }) => void others.push(event);
    const on = {
      error: (event: Events['error']) => void failures.push(event),
      request: keep,
      response: keep,
    };
    return { failures, others, ...connect(url, { fetch, on }) };
  };

  test('gets the final failure of a call once, with the id of its other events', async () => {
    const { failures, others, orders } = watching(responder('', 404));
    const calls = [
      () => orders.get(7),
      () => orders.list(),
      () => orders.list().toArray(),
      async () => {
        for await (const page of orders.list().pages()) expect(page).toBeUndefined();
      },
    ];
    for (const call of calls) {
      const error = await failureOf(call(), NotFoundError);
      expect(failures.splice(0)).toEqual([{ callId: error.callId, error }]);
      expect(new Set(others.splice(0).map(({ callId }) => callId))).toEqual(new Set([error.callId]));
    }
  });

  test('gets calls that were refused before sending', async () => {
    const { failures, orders } = watching(responder('[]'));
    const error = await failureOf(orders.list({ sort: ['nope'] as never[] }), InvalidRequestError);
    expect(failures.map((failure) => failure.error)).toEqual([error]);
  });
});
