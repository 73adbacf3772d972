import { TimeoutError } from '../errors/connection-error.ts';
import { contextOf, type RequestInErrors } from './message.ts';

/** The longest time that a timer can hold; a longer one fires at once. */
export const longestTimerMs = 2 ** 31 - 1;

/**
 * Waits. An abort ends the wait at once with the signal's reason and leaves no listener behind.
 *
 * @param ms - at least 0
 */
export const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.min(ms, longestTimerMs),
    );
    signal?.addEventListener('abort', onAbort, { once: true });
  });

/** Full jitter (AWS): a random time from 0 to the exponential step of this retry. */
export const backoffMs = (retry: number, baseMs: number, maxMs: number): number =>
  Math.random() * Math.min(maxMs, baseMs * 2 ** retry);

/** What bounds the waits of a request. */
export interface Limits {
  readonly signal?: AbortSignal | undefined;
  /** Time on `performance.now()`. */
  readonly deadline: number;
}

/** In place of a result: the deadline came first. */
export const tooLate = Symbol('too late');

/**
 * Waits for a promise until the caller's own signal aborts or its deadline comes; the promise itself goes on for the
 * others that wait for it.
 */
export const withinLimits = <T>(
  promise: Promise<T>,
  { signal, deadline }: Limits,
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
    const onDeadline = (): void => {
      end();
      resolve(tooLate);
    };
    const left = Math.max(0, deadline - performance.now());
    const timer = setTimeout(onDeadline, Math.min(left, longestTimerMs));
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
    promise.finally(end).then(resolve, reject);
  });

/** Waits for a promise so long and no longer; a late result is dropped. */
export const within = <T>(promise: Promise<T>, ms: number): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DOMException(`No result within ${ms} ms`, 'TimeoutError')), ms);
    promise.finally(() => clearTimeout(timer)).then(resolve, reject);
  });

/** What a wait before sending needs of its request. */
export type WaitingRequest = Limits & RequestInErrors;

/** The deadline came while a request waited for its turn or its token. */
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
