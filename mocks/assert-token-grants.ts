import { grantType } from '../src/conventions/token.ts';
import { MockAssertionError } from './mock-assertion-error.ts';
import type { MockRequest } from './request-log.ts';

/** How many token requests there were of each grant (§4.1), whatever became of them; 0 where none is named. */
export interface ExpectedGrants {
  /** Requests with `grant_type=password`. */
  readonly password?: number | undefined;
  /** Requests with `grant_type=refresh_token`. */
  readonly refresh?: number | undefined;
}

/**
 * Asserts how many token requests of each grant (§4.1) reached a mock.
 *
 * @throws Error named `AssertionError` with both numbers
 * @example
 * ```ts
 * assertTokenGrants(mock, { password: 1, refresh: 2 });
 * ```
 */
export const assertTokenGrants = (
  { requests }: { readonly requests: readonly MockRequest[] },
  { password = 0, refresh = 0 }: ExpectedGrants,
): void => {
  const count = (grant: string): number => requests.filter((request) => request.grant === grant).length;
  const actual = { password: count(grantType.password), refresh: count(grantType.refreshToken) };
  if (actual.password === password && actual.refresh === refresh) return;
  throw new MockAssertionError(
    `Expected ${password} password and ${refresh} refresh grants, there were ${actual.password} and ${actual.refresh}`,
    actual,
    { password, refresh },
  );
};
