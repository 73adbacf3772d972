import { type NamedAuthorizer, withAuthorization } from '../auth/with-authorization.ts';
import type { Send } from '../http/message.ts';
import type { RequestObservers } from '../http/request-events.ts';
import type { RetryBudget } from '../http/retry-budget.ts';
import { createTurns } from '../http/turns.ts';
import { type ResponseCache, withCache } from '../http/with-cache.ts';
import { withErrors } from '../http/with-errors.ts';
import { type Deliver, withRetry } from '../http/with-retry.ts';
import { type Throttle, withThrottle } from '../http/with-throttle.ts';
import type { RateLimit } from '../schema/define-api.ts';

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
 * The way of a request to its answer. Retry is outermost, so that each attempt asks for its credentials anew; a 401 is
 * replayed inside, outside of the retry budget.
 *
 * @param rateLimit - of one API; its pipeline is its own
 */
export const createPipeline = (
  schemes: readonly NamedAuthorizer[],
  rateLimit: RateLimit | undefined,
  { transport, throttle, budget, cache, observers }: Shared,
): Deliver =>
  withRetry(
    withErrors(
      withAuthorization(withCache(withThrottle(transport, throttle, createTurns(rateLimit)), cache), schemes),
    ),
    budget,
    observers,
  );
