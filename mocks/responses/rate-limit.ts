import { header, type Method, methodRules } from '../../src/conventions.ts';
import type { RateLimit } from '../../src/schema/define-api.ts';
import type { MockClock } from '../clock.ts';
import { Refusal } from './message.ts';

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

/** True for a method that the conventions allow (§4.2). */
export const isMethod = (method: string): method is Method => Object.hasOwn(methodRules, method);

/**
 * Counts a request; OPTIONS is no method of §7.1's row.
 *
 * @throws {@link Refusal} 429 above the limit
 */
export const countRequest = (
  method: string,
  { throttle, clock }: { readonly throttle: Throttle; readonly clock: MockClock },
): void => {
  if (!isMethod(method) || method === 'OPTIONS') return;
  const endsAt = throttle.count();
  if (endsAt === undefined) return;
  const wait = { [header.retryAfter]: secondsUntil(endsAt, clock.now()) };
  throw new Refusal(429, 'There were too many requests', undefined, wait);
};
