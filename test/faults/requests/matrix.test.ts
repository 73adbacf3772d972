import {
  AmbiguousOutcomeError,
  ApiError,
  BadRequestError,
  ConnectionError,
  InternalServerError,
  type Method,
  NotFoundError,
  RestkinError,
  ServiceUnavailableError,
  TimeoutError,
  TooManyRequestsError,
  UnauthorizedError,
  UnexpectedResponseError,
} from 'restkin';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fault, startFaultServer } from '../../support/fault-server.ts';
import { serveTokens, type TokenServer } from '../../support/token-server.ts';
import { callOf, columnOf, fine, methods, mismatch, ordersOf, type PolicyName, policies } from './methods.ts';

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
  500: { cells: ['retry', 'idempotentWrites', 'never'], fault: { status: 500 }, error: InternalServerError },
  '401 twice': { cells: never, fault: { status: 401 }, error: UnauthorizedError, perAttempt: 2 },
  400: { cells: never, fault: { status: 400 }, error: BadRequestError },
  404: { cells: never, fault: { status: 404 }, error: NotFoundError },
  'schema mismatch': { cells: never, fault: (method) => mismatch[method], error: UnexpectedResponseError },
};

const policyNames = Object.keys(policies) as PolicyName[];
// Long enough for a request to arrive on a machine that does other things too.
const timeoutMsOf = (fault: Outcome['fault']): number =>
  fault === 'silence' || fault === 'drip' ? 100 : 10_000;

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
  describe.each(methods)('%s', (method) => {
    test.each(policyNames)('policy %s', async (policy) => {
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
});

describe('401 then fine', () => {
  describe.each(methods)('%s', (method) => {
    test.each(policyNames)('policy %s: one replay with another token', async (policy) => {
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
  });
});

describe('429 then fine', () => {
  describe.each(methods)('%s', (method) => {
    test.each(policyNames)('policy %s', async (policy) => {
      await using server = await startFaultServer({
        respond: (_request, index) =>
          index === 0 ? { status: 429, headers: { 'retry-after': '0' } } : fine[method],
      });
      const call = callOf[method](ordersOf(server.url, tokens.url, { retry: policies[policy] }));
      const failure = await Promise.resolve(call).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure instanceof TooManyRequestsError).toBe(policy === 'none');
      expect(failure === undefined).toBe(policy !== 'none');
      expect(server.requests).toHaveLength(policy === 'none' ? 1 : 2);
    });
  });
});

describe('abort', () => {
  describe.each(methods)('%s', (method) => {
    test.each(policyNames)(
      'policy %s: the reason of the signal, and nothing more is sent',
      async (policy) => {
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
      },
    );
  });
});

describe('a retry may succeed', () => {
  const retried = Object.entries(table).filter(([, { cells, fault }]) => cells[0] === 'retry' && fault);

  describe.each(retried)('%s', (_name, { cells, fault, accepts }) => {
    const always = methods.filter((method) => cells[columnOf(method)] === 'retry');
    test.each(always)('%s: the third attempt', async (method) => {
      const given = fault as Fault;
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
