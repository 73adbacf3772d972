import type { RateLimit } from '../../src/schema/define-api.ts';
import type { MockClock } from '../clock.ts';

/** Counts requests in windows of time (§8). */
export interface Throttle {
  /** Counts a request; when it is above the limit, the end of the window in milliseconds since 1970. */
  count(): number | undefined;
  reset(): void;
}

/** `Retry-After` in seconds, rounded up: never too early. */
export const secondsUntil = (time: number, now: number): string =>
  String(Math.max(1, Math.ceil((time - now) / 1000)));

/** A window begins with the first request after the last window. */
export const createThrottle = (limit: RateLimit | undefined, clock: MockClock): Throttle => {
  const { requests, perMs } = limit ?? { requests: Number.POSITIVE_INFINITY, perMs: 1 };
  let startedAt = Number.NEGATIVE_INFINITY;
  let counted = 0;
  return {
    count: () => {
      const now = clock.now();
      // A clock that was moved back leaves the window as well.
      if (now >= startedAt + perMs || now < startedAt) {
        startedAt = now;
        counted = 0;
      }
      counted += 1;
      return counted > requests ? startedAt + perMs : undefined;
    },
    reset: () => {
      startedAt = Number.NEGATIVE_INFINITY;
    },
  };
};
