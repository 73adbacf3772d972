import { grantType } from '../src/conventions/token.ts';
import { checkNames, checkWhole, type NamesOf } from './check.ts';
import { refuseDropped } from './dropped.ts';
import { MockAssertionError } from './mock-assertion-error.ts';
import type { MockRequest } from './request-log.ts';

/** How many token requests there were of each grant (§4.1), whatever became of them; 0 where none is named. */
export interface ExpectedGrants {
  /** Requests with `grant_type=password`. */
  readonly password?: number | undefined;
  /** Requests with `grant_type=refresh_token`. */
  readonly refresh?: number | undefined;
}

const grantNames: NamesOf<ExpectedGrants> = { password: true, refresh: true };

/** @throws TypeError, RangeError for what is no number of grants */
const checkExpected = (expected: ExpectedGrants): void => {
  checkNames('assertTokenGrants', expected, grantNames);
  checkWhole('password', expected.password, 0);
  checkWhole('refresh', expected.refresh, 0);
};

/**
 * Asserts how many token requests of each grant (§4.1) reached a mock.
 *
 * @throws Error named `AssertionError` with both numbers, or when `keepRequests` has dropped requests
 * @example
 * ```ts
 * assertTokenGrants(mock, { password: 1, refresh: 2 });
 * ```
 */
export const assertTokenGrants = (
  { requests }: { readonly requests: readonly MockRequest[] },
  expected: ExpectedGrants,
): void => {
  checkExpected(expected);
  const { password = 0, refresh = 0 } = expected;
  refuseDropped(requests, { password, refresh });
  const count = (grant: string): number => requests.filter((request) => request.grant === grant).length;
  const actual = { password: count(grantType.password), refresh: count(grantType.refreshToken) };
  if (actual.password === password && actual.refresh === refresh) return;
  throw new MockAssertionError(
    `Expected ${password} password and ${refresh} refresh grants, there were ${actual.password} and ${actual.refresh}`,
    actual,
    { password, refresh },
  );
};
