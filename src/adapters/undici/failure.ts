const mostCauses = 3;

/** What is read of a failure of a dispatcher. */
interface Failure {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly cause?: unknown;
}

/**
 * A copy of a failure that holds its names and nothing else: a parser's failure holds bytes of the response, a
 * certificate's the certificate, an interceptor's the headers.
 */
const toCause = (failure: Failure, depth = 0): Error => {
  const { name, message, code, cause } = failure;
  const isNested = typeof cause === 'object' && cause !== null && depth < mostCauses;
  const copy = new Error(String(message ?? ''), isNested ? { cause: toCause(cause, depth + 1) } : {});
  if (typeof name === 'string') copy.name = name;
  return typeof code === 'string' ? Object.assign(copy, { code }) : copy;
};

/**
 * The error that `fetch` gives for a failure of the connection: a TypeError with the failure as its cause.
 *
 * @param message - `fetch failed` before the head of the response is there, `terminated` after
 */
export const toFetchError = (message: 'fetch failed' | 'terminated', failure: unknown): TypeError =>
  new TypeError(message, typeof failure === 'object' && failure !== null ? { cause: toCause(failure) } : {});
