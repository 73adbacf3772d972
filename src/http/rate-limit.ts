import type { RateLimit } from '../schema/define-api.ts';
import type { ApiRequest } from './message.ts';
import { toDeadlineError, wait } from './timing.ts';

/** Waits for a request's turn. */
export type RateLimiter = (request: ApiRequest) => Promise<void>;

/**
 * Spaces requests out so that no window of `perMs` has more than `requests` of them: a burst at first, then evenly.
 *
 * @throws {@link TimeoutError} when a request's turn would come after its deadline; nothing is sent
 */
export const createRateLimiter = (limit: RateLimit | undefined): RateLimiter | undefined => {
  if (limit === undefined) return undefined;
  const { requests, perMs } = limit;
  /** Times of the last `requests` turns, oldest first. */
  const turns: number[] = [];

  return async (request) => {
    const now = performance.now();
    const oldest = turns.length < requests ? undefined : turns[0];
    const turn = oldest === undefined ? now : Math.max(now, oldest + perMs);
    if (turn > request.deadline) throw toDeadlineError(request);
    turns.push(turn);
    if (turns.length > requests) turns.shift();
    if (turn > now) await wait(turn - now, request.signal);
  };
};
