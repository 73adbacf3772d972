import { checkCollection, checkMethod, checkNames, checkType, checkWhole, type NamesOf } from './check.ts';
import { describeRequests } from './describe-requests.ts';
import { describeDropped, refuseDropped } from './dropped.ts';
import { isObject } from './fields.ts';
import { MockAssertionError } from './mock-assertion-error.ts';
import { factsOf, type MockRequest } from './request-log.ts';

/** Requests that are expected; what is not named is not looked at. */
export interface ExpectedRequest {
  /** In any case of letters. */
  readonly method?: string | undefined;
  /** The whole path, from its first slash and without a query, or a pattern. */
  readonly path?: string | RegExp | undefined;
  /** The key of the collection. */
  readonly collection?: string | undefined;
  /** Of the answer; 0 where a fault cut the connection. */
  readonly status?: number | undefined;
  /** Query parameters that the request has, among others. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** How many there are; one or more by default. Fails where `keepRequests` has dropped some. */
  readonly times?: number | undefined;
}

const requestNames: NamesOf<ExpectedRequest> = {
  method: true,
  path: true,
  collection: true,
  status: true,
  query: true,
  times: true,
};

const checkPath = (path: ExpectedRequest['path']): void => {
  if (path instanceof RegExp) return;
  checkType('path', path, 'string');
  if (path !== undefined && !/^\/[^?#]*$/.test(path)) {
    throw new RangeError(`path begins with "/" and has no query, and is not ${JSON.stringify(path)}`);
  }
};

const checkQuery = (query: ExpectedRequest['query'] = {}): void => {
  if (!isObject(query)) throw new TypeError('query is an object with a text for each parameter');
  for (const [name, value] of Object.entries(query)) {
    if (typeof value !== 'string') throw new TypeError(`query.${name} is a text`);
  }
};

/**
 * Checks requests that are expected: one that no request can match would hold with `times: 0`, whatever was sent.
 *
 * @throws TypeError, RangeError with the name of the property
 */
const checkExpected = (requests: readonly MockRequest[], expected: readonly ExpectedRequest[]): void => {
  if (!Array.isArray(expected)) throw new TypeError('assertRequests takes a list of expected requests');
  const collections = factsOf(requests)?.collections;
  for (const expectation of expected) {
    checkNames('assertRequests', expectation, requestNames);
    const { method, path, collection, status, query, times } = expectation;
    checkMethod(method);
    checkPath(path);
    if (collections !== undefined) checkCollection(collection, collections);
    checkWhole('status', status, 0);
    checkQuery(query);
    checkWhole('times', times, 0);
  }
};

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
 * method, path and status; TypeError, RangeError for an expectation that no request can match
 * @example
 * ```ts
 * assertRequests(mock, [{ method: 'POST', path: '/v1/orders', times: 1 }, { path: /companies/, times: 0 }]);
 * ```
 */
export const assertRequests = (
  { requests }: { readonly requests: readonly MockRequest[] },
  expected: readonly ExpectedRequest[],
): void => {
  checkExpected(requests, expected);
  const dropped = factsOf(requests)?.dropped ?? 0;
  for (const expectation of expected) {
    if (expectation.times !== undefined) refuseDropped(requests, expectation.times);
    const count = requests.filter((request) => matches(request, expectation)).length;
    const { times } = expectation;
    if (times === undefined ? count > 0 : count === times) continue;
    throw new MockAssertionError(
      `Expected ${times ?? 'one or more'} of ${describeExpected(expectation)}, there were ${count}. ` +
        `${describeDropped(dropped)}The requests were:\n${describeRequests(requests)}`,
      count,
      times ?? 'one or more',
    );
  }
};
