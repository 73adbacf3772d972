import { describeRequests } from './describe-requests.ts';
import { MockAssertionError } from './mock-assertion-error.ts';
import type { MockRequest } from './request-log.ts';

/** Requests that are expected; what is not named is not looked at. */
export interface ExpectedRequest {
  /** In any case of letters. */
  readonly method?: string | undefined;
  /** The whole path, or a pattern. */
  readonly path?: string | RegExp | undefined;
  /** The key of the collection. */
  readonly collection?: string | undefined;
  /** Of the answer; 0 where a fault cut the connection. */
  readonly status?: number | undefined;
  /** Query parameters that the request has, among others. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** How many there are; one or more by default. */
  readonly times?: number | undefined;
}

const matchesPath = (path: string, expected: string | RegExp): boolean =>
  // `search` and not `test`: a global pattern would remember where it was.
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
    // Names alone: what stands in a query may be a secret.
    ...(query === undefined ? [] : [`with ${Object.keys(query).join(', ')}`]),
    ...(status === undefined ? [] : [`-> ${status}`]),
  ].join(' ');

/**
 * Asserts that requests reached a mock, in any order and among others.
 *
 * @throws Error named `AssertionError` that names the first expectation that does not hold, and lists the requests by
 * method, path and status
 * @example
 * ```ts
 * assertRequests(mock, [{ method: 'POST', path: '/v1/orders', times: 1 }, { path: /companies/, times: 0 }]);
 * ```
 */
export const assertRequests = (
  { requests }: { readonly requests: readonly MockRequest[] },
  expected: readonly ExpectedRequest[],
): void => {
  for (const expectation of expected) {
    const count = requests.filter((request) => matches(request, expectation)).length;
    const { times } = expectation;
    if (times === undefined ? count > 0 : count === times) continue;
    throw new MockAssertionError(
      `Expected ${times ?? 'one or more'} of ${describeExpected(expectation)}, there were ${count}. ` +
        `The requests were:\n${describeRequests(requests)}`,
      count,
      times ?? 'one or more',
    );
  }
};
