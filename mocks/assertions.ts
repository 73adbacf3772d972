import { grantType } from '../src/conventions.ts';
import { checkOf, createReader, isObject } from '../src/options.ts';
import { checkInteger, checkMethod, checkString } from './checks.ts';
import type { Fault } from './faults/fault.ts';
import type { DiscardedRequests, MockRequest } from './log.ts';
import type { RequestMethod } from './row.ts';

/** The part of a mock that tells which requests reached it. */
interface RequestLog<K extends string = string> {
  readonly requests: readonly MockRequest<K>[];
  readonly discarded: DiscardedRequests;
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

/** How many requests a message lists. */
const listed = 20;

/** Describes requests by method, path and status, without query, headers and body, which may hold secrets. */
const describeRequests = (requests: readonly MockRequest[]): string => {
  if (requests.length === 0) return '  (none)';
  const lines = requests
    .slice(-listed)
    .map(({ method, path, status }) => `  ${method} ${path} -> ${status || 'cut'}`);
  const left = requests.length - lines.length;
  return [...(left > 0 ? [`  (${left} before these)`] : []), ...lines].join('\n');
};

/** @throws Error named `AssertionError` when the log has discarded requests, which an exact number needs */
const requireCompleteLog = ({ discarded }: RequestLog, expected: unknown): void => {
  if (discarded.requests === 0) return;
  const message = `The exact number is unknown: ${discarded.requests} requests were discarded; raise keepRequests`;
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

const isPath = (path: unknown): boolean =>
  path instanceof RegExp || (typeof path === 'string' && /^\/[^?#]*$/.test(path));

/** Refuses expectations that no request can match: they would always hold with `times: 0`. */
const readExpectation = createReader<ExpectedRequest>({
  method: checkMethod,
  path: checkOf(isPath, 'a pattern, or a path that begins with "/" and has no query'),
  collection: checkString,
  status: checkInteger,
  query: checkOf(isObject, 'an object of parameters'),
  times: checkInteger,
});

const matchesPath = (path: string, expected: string | RegExp): boolean =>
  // `search`, because with `test` a global pattern would go on from its last match.
  typeof expected === 'string' ? path === expected : path.search(expected) >= 0;

const matches = (
  request: MockRequest,
  { method, path, collection, status, query }: ExpectedRequest,
): boolean =>
  (method === undefined || request.method === method.toUpperCase()) &&
  (path === undefined || matchesPath(request.path, path)) &&
  (collection === undefined || request.collection === collection) &&
  (status === undefined || request.status === status) &&
  Object.entries(query ?? {}).every(([name, value]) => request.search.getAll(name).includes(value));

const describeExpected = ({ method, path, collection, status, query }: ExpectedRequest): string =>
  [
    method?.toUpperCase() ?? 'any method',
    ...(path === undefined ? [] : [String(path)]),
    ...(collection === undefined ? [] : [`to ${collection}`]),
    // Only names: a value in a query may be a secret.
    ...(query === undefined ? [] : [`with ${Object.keys(query).join(', ')}`]),
    ...(status === undefined ? [] : [`-> ${status}`]),
  ].join(' ');

/**
 * Asserts that requests reached a mock, in any order and among others.
 *
 * @throws Error named `AssertionError` that names the first expectation that does not hold, and lists the requests by
 * method, path and status; {@link InvalidRequestError} for an expectation that no request can match
 * @example
 * ```ts
 * assertRequests(mock, [{ method: 'POST', path: '/v1/orders', times: 1 }, { path: /companies/, times: 0 }]);
 * ```
 */
export const assertRequests = <K extends string>(
  log: RequestLog<K>,
  expected: readonly ExpectedRequest<NoInfer<K>>[],
): void => {
  checkOf(Array.isArray, 'an array of expected requests')('The second argument of assertRequests', expected);
  for (const given of expected) {
    const expectation = readExpectation(given, 'assertRequests');
    const { times } = expectation;
    if (times !== undefined) requireCompleteLog(log, times);
    const count = log.requests.filter((request) => matches(request, expectation)).length;
    if (times === undefined ? count > 0 : count === times) continue;
    throw new MockAssertionError(
      `Expected ${times ?? 'one or more'} of ${describeExpected(expectation)}, there were ${count}. ` +
        `The requests were:\n${describeRequests(log.requests)}`,
      count,
      times ?? 'one or more',
    );
  }
};

/**
 * How many token requests of each grant (§4.1) {@link assertTokenGrants} expects, whatever their status; 0 where left
 * out.
 */
export interface ExpectedGrants {
  /** Requests with `grant_type=password`. */
  readonly password?: number | undefined;
  /** Requests with `grant_type=refresh_token`. */
  readonly refresh?: number | undefined;
}

const readGrants = createReader<ExpectedGrants>({ password: checkInteger, refresh: checkInteger });

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
  const { password = 0, refresh = 0 } = readGrants(expected, 'assertTokenGrants');
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
 * @throws Error named `AssertionError` that lists the requests to other paths
 * @example
 * ```ts
 * afterEach(() => assertNothingUnhandled(mock));
 * ```
 */
export const assertNothingUnhandled = ({ requests, discarded }: RequestLog): void => {
  const unhandled = requests.filter(({ handled }) => !handled);
  const count = unhandled.length + discarded.unhandled;
  if (count === 0) return;
  throw new MockAssertionError(
    `Requests to paths that this mock does not serve: ${count}\n${describeRequests(unhandled)}`,
    count,
    0,
  );
};

const describeFault = ({ method, collection, token, status, cut, times = 1 }: Fault): string => {
  const what = status ?? (cut === undefined ? 'a change of the response' : `cut: ${cut}`);
  const where = token === true ? 'the token endpoint' : (collection ?? 'any collection');
  return `  ${what} for ${method?.toUpperCase() ?? 'any method'} of ${where}, ${times} left`;
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
export const assertFaultsMet = ({
  faults,
}: {
  readonly faults: { readonly waiting: readonly Fault[] };
}): void => {
  const { waiting } = faults;
  if (waiting.length === 0) return;
  throw new MockAssertionError(
    `Faults that wait for a request: ${waiting.length}\n${waiting.map(describeFault).join('\n')}`,
    waiting.length,
    0,
  );
};
