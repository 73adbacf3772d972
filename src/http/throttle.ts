import { TooManyRequestsError } from '../errors/api-error.ts';
import { readRetryAfter } from '../headers/dates.ts';
import type { RequestObservers } from './events.ts';
import { type ApiRequest, contextOf, type Send } from './message.ts';
import { backoffMs, createSemaphore, longestPauseMs, type Semaphore, wait } from './timing.ts';

// After a pause, the waiting requests start spread over this time, not all in the same millisecond.
const spreadMs = 250;
// Pauses after a 429 without `Retry-After`: each is twice as long as the one before it, until a request gets
// through.
const shortestPauseMs = 250;
const longestOwnPauseMs = 5_000;

/** What a client's requests share: the places for requests in flight, and the pause after a 429. */
export interface Throttle {
  readonly places: Semaphore;
  readonly on: RequestObservers;
  /** When the latest pause began, on `performance.now()`. */
  pausedFrom: number;
  /** When it ends; nothing is sent before that. */
  pausedUntil: number;
  /** Pauses without `Retry-After` since a request got through. */
  pauses: number;
}

/** @param concurrency - most requests in flight at the same time */
export const createThrottle = (concurrency: number, on: RequestObservers): Throttle => ({
  places: createSemaphore(concurrency),
  on,
  pausedFrom: -Infinity,
  pausedUntil: -Infinity,
  pauses: 0,
});

const isPaused = ({ pausedUntil }: Throttle): boolean => pausedUntil > performance.now();

/** Waits for the end of a pause and for a place. A request that waits for a pause holds no place. */
const enter = async (throttle: Throttle, request: ApiRequest): Promise<void> => {
  for (;;) {
    // Another 429 may make the pause longer meanwhile.
    while (isPaused(throttle)) {
      const retryAfterMs = throttle.pausedUntil - performance.now();
      const waitMs = retryAfterMs + Math.random() * spreadMs;
      if (retryAfterMs > request.retry.maxRetryAfterMs || performance.now() + waitMs > request.deadline)
        throw new TooManyRequestsError({ ...contextOf(request), status: 429, retryAfterMs, sent: false });
      if (request.operation) request.operation.throttledMs += waitMs;
      await wait(waitMs, request.signal);
    }
    await throttle.places.enter(request);
    if (!isPaused(throttle)) return;
    // A pause began while the request waited for its place.
    throttle.places.leave();
  }
};

/** Begins a pause, or makes it longer. @param sentAt - when the request was sent that got the 429 */
const pause = (throttle: Throttle, { callId }: ApiRequest, headers: Headers, sentAt: number): void => {
  const asked = Math.min(readRetryAfter(headers) ?? 0, longestPauseMs);
  // A request that was sent before the latest pause got its 429 for the same reason: only a `Retry-After`
  // makes the pause longer.
  if (asked <= 0 && sentAt <= throttle.pausedFrom) return;
  const pauseMs = asked > 0 ? asked : backoffMs(throttle.pauses++, shortestPauseMs, longestOwnPauseMs);
  throttle.pausedFrom = performance.now();
  throttle.pausedUntil = Math.max(throttle.pausedUntil, throttle.pausedFrom + pauseMs);
  throttle.on.pause?.({ callId, pauseMs });
};

/**
 * Limits a client's requests to its one origin: a maximum in flight, and none during the pause after a 429.
 * The server's limit applies to all requests together, so the pause does as well (§8).
 *
 * @throws {@link TooManyRequestsError} when the pause is longer than the request may wait; nothing is sent
 */
export const withThrottle =
  (send: Send, throttle: Throttle): Send =>
  async (request) => {
    await enter(throttle, request);
    const sentAt = performance.now();
    try {
      const response = await send(request);
      if (response.status === 429) pause(throttle, request, response.headers, sentAt);
      else if (sentAt > throttle.pausedFrom) throttle.pauses = 0;
      return response;
    } finally {
      throttle.places.leave();
    }
  };
