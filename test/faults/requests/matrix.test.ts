import {
  type CallOptions,
  type ClientOptions,
  createClient,
  type Method,
  RestkinError,
  TooManyRequestsError,
  tokenAuth,
} from 'restkin';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { login, order, orderBody } from '../../support/basic-ordering.ts';
import { type Fault, startFaultServer } from '../../support/fault-server.ts';
import { ordering } from '../../support/ordering.ts';
import { json, type Reply } from '../../support/recording-server.ts';
import { serveTokens, type TokenServer } from '../../support/token-server.ts';
import {
  attemptsOf,
  cases,
  columnOf,
  methods,
  type Outcome,
  type PolicyName,
  policies,
  table,
  timeoutMsOf,
} from './table.ts';

/** A client with a token, and its orders. */
const ordersOf = (baseUrl: string, authUrl: string, options: Partial<ClientOptions> = {}) => {
  const auth = tokenAuth({ authUrl, ...login });
  return createClient({ baseUrl, auth, ...options }).api(ordering).orders;
};

type Orders = ReturnType<typeof ordersOf>;

/** The one call of each method. */
const callOf: Readonly<Record<Method, (orders: Orders, options?: CallOptions) => PromiseLike<unknown>>> = {
  GET: (orders, options = {}) => orders.get(7, options),
  OPTIONS: (orders, options) => orders.allowedMethods(undefined, options),
  PUT: (orders, options) => orders.replace(7, orderBody, options),
  DELETE: (orders, options) => orders.delete(7, options),
  POST: (orders, options) => orders.create(orderBody, options),
  PATCH: (orders, options) => orders.update(7, { status: 'open' }, options),
};

/** What each method gets when all is well (§4.2). */
const fine: Readonly<Record<Method, Reply>> = {
  GET: json(order(7)),
  OPTIONS: { status: 200, headers: { accept: 'GET, POST, OPTIONS' } },
  PUT: { status: 204 },
  DELETE: { status: 204 },
  POST: json(order(7), 201, { location: '/v1/orders/7' }),
  PATCH: { status: 204 },
};

let tokens: TokenServer;
beforeAll(async () => {
  tokens = await serveTokens();
});
afterAll(() => tokens.close());

interface Failure extends RestkinError {
  readonly attempts: readonly { readonly status?: number }[];
}

/** Sends one call, and counts what arrives. */
const runCase = async (method: Method, outcome: Outcome, policy: PolicyName) => {
  const { fault, accepts = true } = outcome;
  await using server = await startFaultServer({
    respond: () => (typeof fault === 'function' ? fault(method) : (fault ?? 'drop')),
    accept: () => accepts,
  });
  if (fault === undefined) await server.close();
  const orders = ordersOf(server.url, tokens.url, { retry: policies[policy], timeoutMs: timeoutMsOf(fault) });
  const error = (await callOf[method](orders).then(
    () => expect.fail('the call succeeded'),
    (reason: unknown) => reason,
  )) as Failure;
  return { error, arrived: accepts ? server.requests.length : server.connections, server };
};

describe.each(Object.entries(table))('%s', (_name, outcome) => {
  const concurrent = timeoutMsOf(outcome.fault) < 1_000;
  test.each(cases)('%s, policy %s', { concurrent }, async (method, policy) => {
    const { error, arrived, server } = await runCase(method, outcome, policy);
    const attempts = attemptsOf(outcome.cells[columnOf(method)], policy);
    const wanted = (columnOf(method) > 0 && outcome.writeError) || outcome.error;
    expect(error).toBeInstanceOf(RestkinError);
    expect(error.name).toBe(wanted.name);
    expect(error.attempts).toHaveLength(attempts);
    expect(arrived).toBe(outcome.fault === undefined ? 0 : attempts * (outcome.perAttempt ?? 1));
    expect(new Set(server.requests.map((request) => request.method)).size).toBeLessThan(2);
  });
});

test.each(cases)('401 then fine: %s, policy %s: one replay with another token', async (method, policy) => {
  await using server = await startFaultServer({
    respond: (_request, index) => (index === 0 ? { status: 401 } : fine[method]),
  });
  await callOf[method](ordersOf(server.url, tokens.url, { retry: policies[policy], timeoutMs: 10_000 }));
  const sent = server.requests.map(({ headers }) => headers.authorization);
  expect(sent).toHaveLength(2);
  expect(sent[0]).not.toBe(sent[1]);
  const [first, replay] = server.requests.map(({ body }) => body);
  expect(replay).toBe(first);
});

test.concurrent.each(cases)('429 then fine: %s, policy %s', async (method, policy) => {
  const tooMany = { status: 429, headers: { 'retry-after': '0' } };
  await using server = await startFaultServer({
    respond: (_request, index) => (index === 0 ? tooMany : fine[method]),
  });
  const call = callOf[method](ordersOf(server.url, tokens.url, { retry: policies[policy] }));
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error instanceof TooManyRequestsError).toBe(policy === 'none');
  expect(server.requests).toHaveLength(policy === 'none' ? 1 : 2);
});

test.each(cases)('abort: %s, policy %s: its reason, and nothing more is sent', async (method, policy) => {
  const controller = new AbortController();
  await using server = await startFaultServer({
    respond: () => {
      controller.abort('enough');
      return 'silence';
    },
  });
  const orders = ordersOf(server.url, tokens.url, { retry: policies[policy] });
  const call = callOf[method](orders, { signal: controller.signal });
  await expect(Promise.resolve(call)).rejects.toBe('enough');
  expect(server.requests).toHaveLength(1);
});

describe('a retry may succeed', () => {
  const retried = Object.entries(table).filter(([, { cells, fault }]) => cells[0] === 'retry' && fault);

  describe.each(retried)('%s', (_name, { cells, fault, accepts }) => {
    const always = methods.filter((method) => cells[columnOf(method)] === 'retry');
    const given = fault as Fault;
    const concurrent = timeoutMsOf(given) < 1_000;
    test.each(always)('%s: the third attempt', { concurrent }, async (method) => {
      await using server = await startFaultServer({
        accept: (index) => accepts !== false || index >= 2,
        respond: (_request, index) => (accepts === false || index >= 2 ? fine[method] : given),
      });
      await callOf[method](
        ordersOf(server.url, tokens.url, { retry: policies.default, timeoutMs: timeoutMsOf(given) }),
      );
      expect(accepts === false ? server.connections : server.requests.length).toBe(3);
    });
  });
});
