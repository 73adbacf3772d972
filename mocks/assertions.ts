import { grantType } from '../src/conventions.ts';
import { createReader } from '../src/options.ts';
import { checkMethod } from './checks.ts';
import type { Fault } from './faults/fault.ts';
import type { MockRequest } from './log.ts';
import type { RequestMethod } from './row.ts';

/** The part of a mock that tells which requests reached it. */
interface RequestLog<K extends string = string> {
  readonly requests: readonly MockRequest<K>[];
  readonly discarded: number;
}

/** Thrown by the assertions of a mock; test runners show it as a failed assertion. */
class MockAssertionError extends Error {
  override readonly name = 'AssertionError';
  readonly actual: unknown;
  readonly expected: unknown;

  constructor(message: string, actual: unknown, expected: unknown) {
    super(message);
    this.actual = actual;
    this.expected = expected;
  }
}

/** The latest requests by method, path and status, without query, headers and body, which may hold secrets. */
const describeRequests = (requests: readonly MockRequest[]): string =>
  requests
    .slice(-20)
    .map(({ method, path, status }) => `\n  ${method} ${path} -> ${status || 'cut'}`)
    .join('') || ' none';

/** @throws Error named `AssertionError` when the log has discarded requests, which an exact number needs */
const requireCompleteLog = ({ discarded }: RequestLog, expected: unknown): void => {
  if (discarded === 0) return;
  const message = `The exact number is unknown: ${discarded} requests were discarded; raise keepRequests`;
  throw new MockAssertionError(message, 'unknown', expected);
};

/** Requests that {@link assertRequests} expects. Properties that are left out are not compared. */
export interface ExpectedRequest<K extends string = string> {
  /** In upper or lower case. */
  readonly method?: RequestMethod | undefined;
  /** The whole path, from its first slash and without a query, or a pattern. */
  readonly path?: string | RegExp | undefined;
  /** The key of the collection. */
  readonly collection?: K | undefined;
  /** The status of the response; 0 where a fault cut the connection. */
  readonly status?: number | undefined;
  /** Query parameters that the request has, among others. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** The exact number of such requests; one or more by default. It fails when `keepRequests` has discarded requests. */
  readonly times?: number | undefined;
}

// A misspelt name would make an expectation with `times: 0` always hold.
const readExpectation = createReader<ExpectedRequest>({
  method: checkMethod,
  path: undefined,
  collection: undefined,
  status: undefined,
  query: undefined,
  times: undefined,
});

const matches = (
  request: MockRequest,
  { method, path, collection, status, query = {} }: ExpectedRequest,
): boolean =>
  (method === undefined || request.method === method.toUpperCase()) &&
  // `search`, because with `test` a global pattern would go on from its last match.
  (path === undefined ||
    (typeof path === 'string' ? request.path === path : request.path.search(path) >= 0)) &&
  (collection === undefined || request.collection === collection) &&
  (status === undefined || request.status === status) &&
  Object.entries(query).every(([name, value]) => request.search.getAll(name).includes(value));

/** An expectation in words; of a query only the names, because a value may be a secret. */
const describeExpected = ({ method, path, collection, status, query = {} }: ExpectedRequest): string =>
  [method?.toUpperCase(), path, collection, ...Object.keys(query), status]
    .filter((part) => part !== undefined)
    .map(String)
    .join(' ') || 'any request';

/**
 * Asserts that requests reached a mock, in any order and among others.
 *
 * @throws Error named `AssertionError` that names the first expectation that does not hold, and lists the requests by
 * method, path and status; `InvalidRequestError` for an unknown property or method
 * @example
 * ```ts
 * assertRequests(mock, [{ method: 'POST', path: '/v1/orders', times: 1 }, { path: /companies/, times: 0 }]);
 * ```
 */
export const assertRequests = <K extends string>(
  log: RequestLog<K>,
  expected: readonly ExpectedRequest<NoInfer<K>>[],
): void => {
  for (const expectation of expected) {
    const { times } = readExpectation(expectation, 'assertRequests');
    if (times !== undefined) requireCompleteLog(log, times);
    const count = log.requests.filter((request) => matches(request, expectation)).length;
    if (times === undefined ? count > 0 : count === times) continue;
    const wanted = times ?? 'one or more';
    const reason = `Expected ${wanted} of ${describeExpected(expectation)}, there were ${count}. The requests were:`;
    throw new MockAssertionError(reason + describeRequests(log.requests), count, wanted);
  }
};

/** How many token requests of each grant (§4.1) {@link assertTokenGrants} expects, whatever their status. */
export interface ExpectedGrants {
  /** Requests with `grant_type=password`; 0 by default. */
  readonly password?: number | undefined;
  /** Requests with `grant_type=refresh_token`; 0 by default. */
  readonly refresh?: number | undefined;
}

/**
 * Asserts how many token requests of each grant (§4.1) reached a mock.
 *
 * @throws Error named `AssertionError` with both numbers, or when `keepRequests` has discarded requests
 * @example
 * ```ts
 * assertTokenGrants(mock, { password: 1, refresh: 2 });
 * ```
 */
export const assertTokenGrants = (log: RequestLog, expected: ExpectedGrants): void => {
  const { password = 0, refresh = 0 } = expected;
  requireCompleteLog(log, { password, refresh });
  const count = (grant: string): number => log.requests.filter((request) => request.grant === grant).length;
  const actual = { password: count(grantType.password), refresh: count(grantType.refreshToken) };
  if (actual.password === password && actual.refresh === refresh) return;
  throw new MockAssertionError(
    `Expected ${password} password and ${refresh} refresh grants, there were ${actual.password} and ${actual.refresh}`,
    actual,
    { password, refresh },
  );
};

/**
 * Asserts that the mock served the path of every request: a declared collection, one of its `endpoints` or the token
 * endpoint. This is for `mock.fetch` and `serve`: msw leaves other requests to other handlers.
 *
 * @throws Error named `AssertionError` that lists the requests to other paths, or when `keepRequests` has discarded some
 * @example
 * ```ts
 * afterEach(() => assertNothingUnhandled(mock));
 * ```
 */
export const assertNothingUnhandled = (log: RequestLog): void => {
  requireCompleteLog(log, 0);
  const unhandled = log.requests.filter(({ handled }) => !handled);
  if (unhandled.length === 0) return;
  const reason = `Requests to paths that this mock does not serve: ${unhandled.length}`;
  throw new MockAssertionError(reason + describeRequests(unhandled), unhandled.length, 0);
};

const describeFault = ({ method, collection, token, status, cut, times }: Fault): string => {
  const where = token === true ? 'the token endpoint' : (collection ?? 'any collection');
  return `\n  ${status ?? cut ?? 'another'} for ${method ?? 'any method'} of ${where}, ${times} left`;
};

/**
 * Asserts that every fault of `mock.faults.next` was met as often as its `times` says.
 *
 * @throws Error named `AssertionError` that lists the faults that are still waiting for a request
 * @example
 * ```ts
 * afterEach(() => assertFaultsMet(mock));
 * ```
 */
export const assertFaultsMet = (mock: { readonly faults: { readonly waiting: readonly Fault[] } }): void => {
  const { waiting } = mock.faults;
  if (waiting.length === 0) return;
  const reason = `Faults that wait for a request: ${waiting.length}${waiting.map(describeFault).join('')}`;
  throw new MockAssertionError(reason, waiting.length, 0);
};
