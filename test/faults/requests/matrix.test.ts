import {
  AmbiguousOutcomeError,
  ApiError,
  BadRequestError,
  type CallOptions,
  type ClientOptions,
  ConnectionError,
  createClient,
  InternalServerError,
  type Method,
  NotFoundError,
  RestkinError,
  type RetryPolicy,
  ServiceUnavailableError,
  TimeoutError,
  TooManyRequestsError,
  tokenAuth,
  UnauthorizedError,
  UnexpectedResponseError,
} from 'restkin';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { login, order, orderBody } from '../../support/basic-ordering.ts';
import { type Fault, startFaultServer } from '../../support/fault-server.ts';
import { ordering } from '../../support/ordering.ts';
import { json, type Reply } from '../../support/recording-server.ts';
import { serveTokens, type TokenServer } from '../../support/token-server.ts';

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

/** Answers that the declaration or §4.2 does not allow. */
const mismatch: Readonly<Record<Method, Reply>> = {
  GET: json({ id: 'seven' }),
  OPTIONS: { status: 200 },
  PUT: { status: 201 },
  DELETE: { status: 201 },
  POST: json({ id: 'seven' }, 201),
  PATCH: { status: 201 },
};

const methods = ['GET', 'OPTIONS', 'PUT', 'DELETE', 'POST', 'PATCH'] as const satisfies Method[];

/** The columns of DESIGN §4. */
const columnOf = (method: Method): 0 | 1 | 2 =>
  method === 'GET' || method === 'OPTIONS' ? 0 : method === 'PUT' || method === 'DELETE' ? 1 : 2;

/** Policies that do not wait. */
const policies = {
  default: { baseDelayMs: 1 },
  idempotentWrites: { baseDelayMs: 1, idempotentWrites: true },
  writesAfterUnavailable: { baseDelayMs: 1, writesAfterUnavailable: true },
  none: false,
} as const satisfies Record<string, false | RetryPolicy>;

type PolicyName = keyof typeof policies;

/** A cell of DESIGN §4: always, with this policy, never. */
type Cell = 'retry' | 'idempotentWrites' | 'writesAfterUnavailable' | 'never';

type ErrorClass = abstract new (...args: never[]) => Error;

interface Outcome {
  /** GET and OPTIONS, PUT and DELETE, POST and PATCH. */
  readonly cells: readonly [Cell, Cell, Cell];
  /** What happens to every request; undefined for a port where nothing listens. */
  readonly fault?: Fault | ((method: Method) => Fault);
  /** False: connections are dropped before anything is read. */
  readonly accepts?: boolean;
  readonly error: ErrorClass;
  /** In place of `error`, for a method that changes something. */
  readonly writeError?: ErrorClass;
  /** Requests that each attempt makes. */
  readonly perAttempt?: number;
}

const lost = {
  cells: ['retry', 'idempotentWrites', 'never'],
  error: ConnectionError,
  writeError: AmbiguousOutcomeError,
} as const;
const never = ['never', 'never', 'never'] as const;

/** The table of DESIGN §4; what is lost is lost in several phases. */
const table: Readonly<Record<string, Outcome>> = {
  'connection refused': { cells: ['retry', 'retry', 'retry'], error: ConnectionError },
  'dropped before it was read': { ...lost, fault: 'drop', accepts: false },
  'dropped after it was read': { ...lost, fault: 'drop' },
  'half-closed without a response': { ...lost, fault: 'halfClose' },
  'reset in place of a response': { ...lost, fault: 'reset' },
  'reset inside of the response': { ...lost, fault: 'resetInBody' },
  'timed out after sending': { ...lost, fault: 'silence', error: TimeoutError },
  'timed out inside of the response': { ...lost, fault: 'drip', error: TimeoutError },
  503: {
    cells: ['retry', 'retry', 'writesAfterUnavailable'],
    fault: { status: 503 },
    error: ServiceUnavailableError,
  },
  502: { ...lost, fault: { status: 502 }, error: ApiError },
  504: { ...lost, fault: { status: 504 }, error: ApiError },
  507: { ...lost, fault: { status: 507 }, error: ApiError },
  520: { ...lost, fault: { status: 520 }, error: ApiError },
  524: { ...lost, fault: { status: 524 }, error: ApiError },
  501: { cells: never, fault: { status: 501 }, error: ApiError },
  505: { cells: never, fault: { status: 505 }, error: ApiError },
  500: { cells: ['retry', 'idempotentWrites', 'never'], fault: { status: 500 }, error: InternalServerError },
  '401 twice': { cells: never, fault: { status: 401 }, error: UnauthorizedError, perAttempt: 2 },
  400: { cells: never, fault: { status: 400 }, error: BadRequestError },
  404: { cells: never, fault: { status: 404 }, error: NotFoundError },
  'schema mismatch': { cells: never, fault: (method) => mismatch[method], error: UnexpectedResponseError },
};

const policyNames = Object.keys(policies) as PolicyName[];
const cases = methods.flatMap((method) => policyNames.map((policy) => [method, policy] as const));
// Long enough for a request to arrive on a machine that does other things too.
const timeoutMsOf = (fault: Outcome['fault']): number =>
  fault === 'silence' || fault === 'drip' ? 400 : 10_000;

const attemptsOf = (cell: Cell, policy: PolicyName): number =>
  policy !== 'none' && (cell === 'retry' || cell === policy) ? 4 : 1;

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
