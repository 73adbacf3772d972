import { logFactsOf, type MockRequest } from './request-log.ts';

/** Thrown by the assertions of a mock; test runners show it as a failed assertion. */
export class MockAssertionError extends Error {
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

/** Requests in words by method, path and status. No query, header or body: they may hold secrets. */
export const describeRequests = (requests: readonly MockRequest[]): string => {
  if (requests.length === 0) return '  (none)';
  const lines = requests
    .slice(-listed)
    .map(({ method, path, status }) => `  ${method} ${path} -> ${status || 'cut'}`);
  const left = requests.length - lines.length;
  return [...(left > 0 ? [`  (${left} before these)`] : []), ...lines].join('\n');
};

/** In the words of a message, how many requests a log no longer has; empty when it has all of them. */
export const describeDiscarded = (discarded: number): string =>
  discarded === 0 ? '' : `${discarded} requests were discarded: raise keepRequests. `;

/** @throws Error named `AssertionError` when an exact number needs requests that the log has discarded */
export const requireCompleteLog = (requests: readonly MockRequest[], expected: unknown): void => {
  const discarded = logFactsOf(requests)?.discarded ?? 0;
  if (discarded === 0) return;
  throw new MockAssertionError(
    `The exact number is unknown: ${describeDiscarded(discarded).trim()}`,
    'unknown',
    expected,
  );
};
