import { MockAssertionError } from './mock-assertion-error.ts';
import { factsOf, type MockRequest } from './request-log.ts';

/** In the words of a message, how many requests a log no longer has; empty when it has all of them. */
export const describeDropped = (dropped: number): string =>
  dropped === 0 ? '' : `${dropped} requests were dropped: raise keepRequests. `;

/** @throws Error named `AssertionError` when a number is asked of a log that no longer has every request */
export const refuseDropped = (requests: readonly MockRequest[], expected: unknown): void => {
  const dropped = factsOf(requests)?.dropped ?? 0;
  if (dropped === 0) return;
  throw new MockAssertionError(
    `An exact number cannot be told: ${describeDropped(dropped).trim()}`,
    'unknown',
    expected,
  );
};
