import { type NamedAuthorizer, withAuthorization } from '../auth/with-authorization.ts';
import type { Send } from '../http/message.ts';
import type { RetryBudget } from '../http/retry-budget.ts';
import { withErrors } from '../http/with-errors.ts';
import { type Deliver, withRetry } from '../http/with-retry.ts';
import { type Throttle, withThrottle } from '../http/with-throttle.ts';

/** What the pipelines of one client share. */
export interface Shared {
  /** One attempt on the wire. */
  readonly transport: Send;
  readonly throttle: Throttle;
  readonly budget: RetryBudget;
}

/**
 * The way of a request to its answer. Retry is outermost, so that each attempt asks for its credentials anew; a 401 is
 * replayed inside, outside of the retry budget.
 */
export const createPipeline = (
  schemes: readonly NamedAuthorizer[],
  { transport, throttle, budget }: Shared,
): Deliver => withRetry(withErrors(withAuthorization(withThrottle(transport, throttle), schemes)), budget);
