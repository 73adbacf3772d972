import { type NamedAuthorizer, withAuthorization } from '../auth/with-authorization.ts';
import type { Send } from '../http/message.ts';
import type { RequestObservers } from '../http/request-events.ts';
import type { RetryBudget } from '../http/retry-budget.ts';
import type { TakeTurn } from '../http/turns.ts';
import { type ResponseCache, withCache } from '../http/with-cache.ts';
import { withErrors } from '../http/with-errors.ts';
import { type Deliver, withRetry } from '../http/with-retry.ts';
import { type Throttle, withThrottle } from '../http/with-throttle.ts';

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
 * @param takeTurn - keeps the rate limit of an API; undefined where none is declared
 */
export const createPipeline = (
  schemes: readonly NamedAuthorizer[],
  takeTurn: TakeTurn | undefined,
  { transport, throttle, budget, cache, observers }: Shared,
): Deliver =>
  withRetry(
    withErrors(withAuthorization(withCache(withThrottle(transport, throttle, takeTurn), cache), schemes)),
    budget,
    observers,
  );
