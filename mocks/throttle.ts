import { header, operationMethods } from '../src/conventions.ts';
import { checkCount, checkPositive, createReader } from '../src/options.ts';
import type { MockClock } from './clock.ts';
import { Refusal } from './message.ts';

/** How many requests a mock takes in a window of its clock (§8). */
export interface RateLimit {
  /** How many requests may begin in one window, from 1. */
  readonly requests: number;
  /** Length of the window, in milliseconds. */
  readonly perMs: number;
}

export const readRateLimit = createReader<RateLimit>({ requests: checkCount, perMs: checkPositive });

const limited: ReadonlySet<string> = new Set(Object.values(operationMethods));

/** Counts requests in windows of time (§8). A window begins with the first request after the last window. */
export const createThrottle = (limit: RateLimit | undefined, clock: MockClock) => {
  const { requests, perMs } = limit ?? { requests: Number.POSITIVE_INFINITY, perMs: 1 };
  let startedAt = Number.NEGATIVE_INFINITY;
  let counted = 0;
  return {
    /**
     * Counts a request if §7.1 lists its method for 429.
     *
     * @throws {@link Refusal} 429 above the limit
     */
    count: (method: string): void => {
      if (!limited.has(method)) return;
      const now = clock.now();
      // A clock that was moved back begins a new window, too.
      if (now >= startedAt + perMs || now < startedAt) {
        startedAt = now;
        counted = 0;
      }
      counted += 1;
      if (counted <= requests) return;
      // Rounded up, so that it is never too early.
      const seconds = Math.max(1, Math.ceil((startedAt + perMs - now) / 1000));
      const wait = { [header.retryAfter]: String(seconds) };
      throw new Refusal(429, 'There were too many requests', undefined, wait);
    },
    reset: (): void => {
      startedAt = Number.NEGATIVE_INFINITY;
    },
  };
};
