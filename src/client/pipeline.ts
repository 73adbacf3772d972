import { type NamedAuthorizer, withAuthorization } from '../auth/with-authorization.ts';
import { type ResponseCache, withCache } from '../http/cache.ts';
import type { Send } from '../http/message.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { type Deliver, withRetry } from '../http/retry.ts';
import type { RetryBudget } from '../http/retry-policy.ts';
import { withErrors } from '../http/status.ts';
import { type Throttle, withThrottle } from '../http/throttle.ts';
import type { RequestObservers } from '../http/tracing.ts';

/** What the pipelines of one client share. */
export interface Shared {
  /** One attempt on the wire. */
  readonly transport: Send;
  readonly throttle: Throttle;
  readonly budget: RetryBudget;
  readonly cache: ResponseCache | undefined;
  readonly observers: RequestObservers;
}

/**
 * The path of a request to its response. Retry is outermost, so that each attempt asks for its credentials anew; a 401 is
 * replayed inside, outside the retry budget.
 *
 * @param limitRate - keeps the rate limit of an API; undefined where none is declared
 */
export const createPipeline = (
  schemes: readonly NamedAuthorizer[],
  limitRate: RateLimiter | undefined,
  { transport, throttle, budget, cache, observers }: Shared,
): Deliver =>
  withRetry(
    withErrors(withAuthorization(withCache(withThrottle(transport, throttle, limitRate), cache), schemes)),
    budget,
    observers,
  );
