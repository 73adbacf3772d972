import { createClient, isRestkinError, type Method, RestkinError, tokenAuth } from 'restkin';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { login } from '../../support/basic-ordering.ts';
import { leaksIn } from '../../support/canaries.ts';
import { type Fault, startFaultServer } from '../../support/fault-server.ts';
import { serveTokens, type TokenServer } from '../../support/token-server.ts';
import { attemptsOf, cases, columnOf, type PolicyName, policies, table, timeoutMsOf } from './table.ts';

let tokens: TokenServer;
beforeAll(async () => {
  tokens = await serveTokens();
});
afterAll(() => tokens.close());

const createFetch = (baseUrl: string, policy: PolicyName, timeoutMs = 10_000) =>
  createClient({
    baseUrl,
    auth: tokenAuth({ authUrl: tokens.url, ...login }),
    retry: policies[policy],
    timeoutMs,
  }).fetch;

type Form = 'a string' | 'a Request';

const call = (fetch: typeof globalThis.fetch, form: Form, method: Method, url: string): Promise<Response> => {
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
  const init = { method, ...(hasBody && { body: '{"a":1}' }) };
  return form === 'a string' ? fetch(url, init) : fetch(new Request(url, init));
};

/** The outcomes that end before the headers, or with a status: a body is read by the caller. */
const outcomes = Object.entries(table).filter(
  ([, { fault }]) => typeof fault !== 'function' && fault !== 'resetInBody' && fault !== 'drip',
);

describe.each(outcomes)('client.fetch: %s', (_name, outcome) => {
  const { fault = 'drop', accepts = true } = outcome;
  const given = fault as Fault;
  const concurrent = timeoutMsOf(given) < 1_000;
  const both = cases.map(
    ([method, policy], index) => [method, policy, index % 2 === 0 ? 'a string' : 'a Request'] as const,
  );

  test.each(both)('%s, policy %s, %s', { concurrent }, async (method, policy, form) => {
    await using server = await startFaultServer({ respond: () => given, accept: () => accepts });
    if (outcome.fault === undefined) await server.close();
    const sent = call(createFetch(server.url, policy, timeoutMsOf(given)), form, method, `${server.url}/x`);
    const result: unknown = await sent.catch((reason: unknown) => reason);
    const attempts = attemptsOf(outcome.cells[columnOf(method)], policy);
    const arrived = accepts ? server.requests.length : server.connections;
    expect(arrived).toBe(outcome.fault === undefined ? 0 : attempts * (outcome.perAttempt ?? 1));
    expect(new Set(server.requests.map(({ body }) => body)).size).toBeLessThan(2);
    if (typeof given === 'object' && 'status' in given) {
      expectStatus(result, given.status);
      return;
    }
    const wanted = (columnOf(method) > 0 && outcome.writeError) || outcome.error;
    expect(result).toBeInstanceOf(RestkinError);
    expect((result as RestkinError).name).toBe(wanted.name);
    expect(leaksIn(result)).toEqual([]);
  });
});

const expectStatus = (result: unknown, status: number): void => {
  expect((result as Response).status).toBe(status);
};

test.each(cases)(
  'client.fetch: 401 then fine: %s, policy %s: one replay with another token',
  async (method, policy) => {
    await using server = await startFaultServer({
      respond: (_request, index) => ({ status: index === 0 ? 401 : 200 }),
    });
    const response = await call(createFetch(server.url, policy), 'a Request', method, `${server.url}/x`);
    expect(response.status).toBe(200);
    const [first, replay] = server.requests;
    expect(server.requests).toHaveLength(2);
    expect(first?.headers.authorization).not.toBe(replay?.headers.authorization);
    expect(first?.body).toBe(replay?.body);
  },
);

test.each(cases)('client.fetch: 429 then fine: %s, policy %s', async (method, policy) => {
  const tooMany = { status: 429, headers: { 'retry-after': '0' } };
  await using server = await startFaultServer({
    respond: (_request, index) => (index === 0 ? tooMany : { status: 200 }),
  });
  const response = await call(createFetch(server.url, policy), 'a Request', method, `${server.url}/x`);
  expect(response.status).toBe(policy === 'none' ? 429 : 200);
  expect(server.requests).toHaveLength(policy === 'none' ? 1 : 2);
});

test.each(cases)('client.fetch: no token goes to another origin: %s, policy %s', async (method, policy) => {
  await using other = await startFaultServer({ respond: () => ({ status: 200 }) });
  await using server = await startFaultServer({
    respond: () => ({ status: 307, headers: { location: `${other.url}/x` } }),
  });
  const fetch = createFetch(server.url, policy);
  for (const url of [`${other.url}/x`, `${server.url}/x`]) {
    const error: unknown = await call(fetch, 'a Request', method, url).catch((reason: unknown) => reason);
    expect(isRestkinError(error)).toBe(true);
  }
  expect([other.requests.length, server.requests.length]).toEqual([0, 1]);
});
