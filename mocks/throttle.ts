import { header, operationMethods } from '../src/conventions.ts';
import { checkOf, checkPositive, createReader } from '../src/options.ts';
import type { MockClock } from './clock.ts';
import { Refusal } from './message.ts';

/** How many requests a mock takes in a window of its clock (§8). */
export interface RateLimit {
  /** How many requests may begin in one window, from 1. */
  readonly requests: number;
  /** Length of the window, in milliseconds. */
  readonly perMs: number;
}

const checkRequests = checkOf((value) => typeof value === 'number' && value >= 1, 'a number from 1');

export const readRateLimit = createReader<RateLimit>({ requests: checkRequests, perMs: checkPositive });

/** `Retry-After` in seconds, rounded up so that it is never too early. */
export const secondsUntil = (time: number, now: number): string =>
  String(Math.max(1, Math.ceil((time - now) / 1000)));

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
      const wait = { [header.retryAfter]: secondsUntil(startedAt + perMs, now) };
      throw new Refusal(429, 'There were too many requests', undefined, wait);
    },
    reset: (): void => {
      startedAt = Number.NEGATIVE_INFINITY;
    },
  };
};
