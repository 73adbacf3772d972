import { TimeoutError } from '../errors/connection-error.ts';
import { contextOf, type RequestInErrors } from './message.ts';

/** The longest delay of a timer; a longer one fires at once. */
export const longestTimerMs = 2 ** 31 - 1;

/** Returned in place of a result: the time was up first. */
export const tooLate = Symbol('too late');

/** Waits for a promise until the time is up or the signal aborts, and leaves no timer and no listener behind. */
const waitUpTo = <T>(
  promise: Promise<T> | undefined,
  ms: number,
  signal?: AbortSignal,
): Promise<T | typeof tooLate> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const onAbort = (): void => {
      end();
      reject(signal?.reason);
    };
    const onTime = (): void => {
      end();
      resolve(tooLate);
    };
    const timer = setTimeout(onTime, Math.min(ms, longestTimerMs));
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
    promise?.finally(end).then(resolve, reject);
  });

/**
 * Waits. An abort ends the wait at once with the signal's reason.
 *
 * @param ms - at least 0
 */
export const wait = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
  await waitUpTo(undefined, ms, signal);
};

/** Full jitter (AWS): a random time from 0 to the exponential step of this retry. */
export const backoffMs = (retry: number, baseMs: number, maxMs: number): number =>
  Math.random() * Math.min(maxMs, baseMs * 2 ** retry);

/** The limits of a request's waits. */
export interface Limits {
  readonly signal?: AbortSignal | undefined;
  /** Time on `performance.now()`. */
  readonly deadline: number;
}

/**
 * Waits for a promise until the caller's own signal aborts or its deadline passes. The promise itself is not cancelled:
 * others may wait for it.
 */
export const withinLimits = <T>(
  promise: Promise<T>,
  { signal, deadline }: Limits,
): Promise<T | typeof tooLate> => waitUpTo(promise, Math.max(0, deadline - performance.now()), signal);

/** Waits for a promise at most so long; a late result is dropped. */
export const within = async <T>(promise: Promise<T>, ms: number): Promise<T> => {
  const result = await waitUpTo(promise, ms);
  if (result === tooLate) throw new DOMException(`No result within ${ms} ms`, 'TimeoutError');
  return result;
};

/** The part of a request that a wait before sending needs. */
export type WaitingRequest = Limits & RequestInErrors;

/** The deadline passed while a request waited for a place, the rate limit or a token. */
export const toDeadlineError = (request: WaitingRequest): TimeoutError =>
  new TimeoutError({
    ...contextOf(request),
    message: 'not sent: `deadlineMs` passed while the request waited',
    sent: false,
  });

/**
 * Waits for something that a request needs before it is sent.
 *
 * @throws {@link TimeoutError} at the deadline; the signal's reason when aborted
 */
export const beforeDeadline = async <T>(promise: Promise<T>, request: WaitingRequest): Promise<T> => {
  const result = await withinLimits(promise, request);
  if (result === tooLate) throw toDeadlineError(request);
  return result;
};
