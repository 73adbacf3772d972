import { describeRequests } from './describe-requests.ts';
import { MockAssertionError } from './mock-assertion-error.ts';
import { factsOf, type MockRequest } from './request-log.ts';

/**
 * Asserts that every request led to a declared collection or to the token endpoint. msw leaves other requests to
 * other handlers, so this is for `mock.fetch` and `serve`.
 *
 * @throws Error named `AssertionError` that lists the others by method and path
 * @example
 * ```ts
 * afterEach(() => assertNothingUnhandled(mock));
 * ```
 */
export const assertNothingUnhandled = ({ requests }: { readonly requests: readonly MockRequest[] }): void => {
  const unhandled = requests.filter(({ handled }) => !handled);
  // Not those that are still listed alone: what led nowhere at the start of a long test counts too.
  const count = unhandled.length + (factsOf(requests)?.droppedUnhandled ?? 0);
  if (count === 0) return;
  throw new MockAssertionError(
    `Requests that lead nowhere in this mock: ${count}\n${describeRequests(unhandled)}`,
    count,
    0,
  );
};
