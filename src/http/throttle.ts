import { TooManyRequestsError } from '../errors/api-error.ts';
import { readRetryAfter } from '../headers/dates.ts';
import { type ApiRequest, contextOf, type Send } from './message.ts';
import { createSemaphore, wait } from './timing.ts';

// After a pause, the waiting requests start spread over this time, not all in the same millisecond.
const spreadMs = 250;

// A request waits at most this long for a pause to end; a longer pause is an error at once.
const mostPauseMs = 60_000;

// A pause ends after an hour, however long `Retry-After` is.
const longestPauseMs = 3_600_000;

/**
 * What a client's requests share: the places for requests in flight, and the pause after a 429.
 *
 * @param concurrency - most requests in flight at the same time
 */
export const createThrottle = (concurrency: number) => ({
  ...createSemaphore(concurrency),
  /** Time on `performance.now()` until which nothing is sent. */
  pausedUntil: 0,
});

/** See {@link createThrottle}. */
export type Throttle = ReturnType<typeof createThrottle>;

const isPaused = ({ pausedUntil }: Throttle): boolean => pausedUntil > performance.now();

/** Waits until no pause is left: a new one may begin before the last one ends. */
const waitForPause = async (throttle: Throttle, request: ApiRequest): Promise<void> => {
  while (isPaused(throttle)) {
    const retryAfterMs = throttle.pausedUntil - performance.now();
    if (retryAfterMs > mostPauseMs || throttle.pausedUntil > request.deadline)
      throw new TooManyRequestsError({ ...contextOf(request), status: 429, retryAfterMs, sent: false });
    await wait(retryAfterMs + Math.random() * spreadMs, request.signal);
  }
};

/**
 * Limits a client's requests to its one origin: a maximum in flight, and none during the `Retry-After` of a 429. The server's
 * limit applies to all requests together, so the pause does as well (§8).
 *
 * @throws {@link TooManyRequestsError} when the pause is longer than the request may wait; nothing is sent
 */
export const withThrottle =
  (send: Send, throttle: Throttle): Send =>
  async (request) => {
    const entering = throttle.enter(request);
    if (entering !== undefined) await entering;
    try {
      if (isPaused(throttle)) await waitForPause(throttle, request);
      const response = await send(request);
      if (response.status === 429) {
        const asked = readRetryAfter(response.headers) ?? 0;
        const until = performance.now() + Math.min(asked, longestPauseMs);
        throttle.pausedUntil = Math.max(throttle.pausedUntil, until);
      }
      return response;
    } finally {
      throttle.leave();
    }
  };
