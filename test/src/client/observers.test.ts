import { basicAuth, createClient, defineApi, type Events, type Observers, tokenAuth } from 'restkin';
import { describe, expect, test } from 'vitest';
import { basicOrdering, connect, login, order } from '../../support/basic-ordering.ts';
import { ordering } from '../../support/ordering.ts';
import { startRawServer } from '../../support/raw-server.ts';
import { inOrder, json, record } from '../../support/recording-server.ts';
import { serveTokens } from '../../support/token-server.ts';

const watch = () => {
  const requests: Events['request'][] = [];
  const responses: Events['response'][] = [];
  const retries: Events['retry'][] = [];
  const tokens: Events['token'][] = [];
  const deprecations: Events['deprecation'][] = [];
  const on: Observers = {
    request: (event) => void requests.push(event),
    response: (event) => void responses.push(event),
    retry: (event) => void retries.push(event),
    token: (event) => void tokens.push(event),
    deprecation: (event) => void deprecations.push(event),
  };
  return { on, requests, responses, retries, tokens, deprecations };
};
const ms = expect.any(Number) as number;

describe('request, response and retry', () => {
  test('may be methods of a class', async () => {
    const { on, responses } = watch();
    await using server = await record(() => json(order(7)));
    await connect(server.url, { on: Object.create(on) }).orders.get(7);
    expect(responses).toHaveLength(1);
  });

  test('get each attempt, and nothing else', async () => {
    await using server = await record(inOrder({ status: 503 }, 'drop', json(order(7))));
    const { on, requests, responses, retries, deprecations } = watch();
    await connect(server.url, { on, retry: { baseDelayMs: 1 } }).orders.get(7, { fields: ['status'] });
    const same = {
      callId: expect.any(String),
      purpose: 'api',
      method: 'GET',
      url: `${server.url}/v1/orders/7?fields=status`,
    };
    expect(requests).toEqual([1, 2, 3].map((attempt) => ({ ...same, attempt })));
    expect(responses).toEqual([
      { ...same, attempt: 1, status: 503, durationMs: ms },
      { ...same, attempt: 3, status: 200, durationMs: ms },
    ]);
    expect(retries).toEqual([
      { ...same, attempt: 1, status: 503, error: 'service_unavailable', delayMs: ms },
      { ...same, attempt: 2, status: undefined, error: 'connection_failed', delayMs: ms },
    ]);
    expect(deprecations).toEqual([]);
  });

  test('values of other parameters are masked', async () => {
    await using server = await record(() => json({}));
    const { on, requests, responses } = watch();
    const { client } = connect(server.url, { on });
    await client.request({ method: 'GET', path: 'x', query: { key: 'hidden', page: 2 } });
    for (const { url } of [...requests, ...responses]) expect(url).toBe(`${server.url}/x?key=***&page=2`);
    expect([requests.length, responses.length]).toEqual([1, 1]);
  });
});

describe('deprecation', () => {
  const headers = {
    deprecation: '@1767225600',
    sunset: 'Fri, 01 Jan 2027 00:00:00 GMT',
    link: '</v2/orders>; rel="successor-version"',
  };
  const serve = () => startRawServer(() => ({ headers, body: JSON.stringify(order(7)) }));

  test('once per API, whatever is called and how often', async () => {
    const server = await serve();
    const { on, deprecations } = watch();
    const client = createClient({ baseUrl: server.url, auth: basicAuth(login), on });
    const other = defineApi({ ...basicOrdering, name: 'other', version: 3 });
    await Promise.all(Array.from({ length: 5 }, () => client.api(basicOrdering).orders.get(7)));
    await client.api(other).orders.get(7);
    await client.api(other).companies.delete(1);
    await client
      .api(basicOrdering)
      .orders.allowedMethods()
      .catch(() => undefined);
    const told = {
      since: new Date('2026-01-01T00:00:00Z'),
      sunset: new Date('2027-01-01T00:00:00Z'),
      successor: '/v2/orders',
    };
    expect(deprecations).toMatchObject([
      { api: 'ordering', version: 1, ...told },
      { api: 'other', version: 3, ...told },
    ]);
  });
});

const failure = new Error('observer');

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw failure;
    },
  ],
  ['rejects', () => Promise.reject(failure)],
])('an observer that %s breaks nothing', async (_how, fail) => {
  const headers = { deprecation: '@1767225600' };
  await using server = await serveTokens({
    api: (_request, index) => (index === 0 ? { status: 503 } : json(order(7), 200, headers)),
  });
  let called = 0;
  const see = () => {
    called++;
    return fail() as undefined;
  };
  const on: Observers = { request: see, response: see, retry: see, token: see, deprecation: see };
  const auth = tokenAuth({ authUrl: server.url, ...login });
  const client = createClient({ baseUrl: server.url, auth, on, retry: { baseDelayMs: 1 } });
  const { id } = await client.api(ordering).orders.get(7);
  expect([id, server.calls.length, called]).toEqual([7, 2, 9]);
});
