import { TimeoutError } from '../errors/connection-error.ts';
import { type ApiRequest, contextOf } from './message.ts';

/** The longest delay of a timer; a longer one fires at once. */
export const longestTimerMs = 2 ** 31 - 1;

/** A pause ends after an hour, however long `Retry-After` is. */
export const longestPauseMs = 3_600_000;

/** Returned in place of a result when the time is up. */
export const tooLate = Symbol('too late');

/**
 * Resolves to {@link tooLate} when the time is up, and rejects when the signal aborts, unless it is cleared
 * before.
 */
export const createLimit = (ms: number, signal: AbortSignal | undefined) => {
  const { promise: ended, resolve, reject } = Promise.withResolvers<typeof tooLate>();
  const onAbort = (): void => reject(signal?.reason);
  const timer = setTimeout(resolve, Math.min(Math.max(0, ms), longestTimerMs), tooLate);
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort);
  const clear = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    // The removed listeners of a signal may stay in memory, and a pending promise would keep the result of
    // its race with them.
    resolve(tooLate);
  };
  return { ended, clear };
};

/**
 * Waits for a promise until the time is up or the signal aborts, and leaves no timer and no listener behind.
 * The promise itself is not cancelled: others may wait for it.
 */
export const waitUpTo = <T>(
  promise: Promise<T>,
  ms: number,
  signal?: AbortSignal,
): Promise<T | typeof tooLate> => {
  const { ended, clear } = createLimit(ms, signal);
  return Promise.race([promise, ended]).finally(clear);
};

/** Waits. An abort rejects at once with the signal's reason. */
export const wait = (ms: number, signal: AbortSignal | undefined): Promise<unknown> =>
  waitUpTo(new Promise(() => undefined), ms, signal);

/** Equal jitter: a random time between one and two times the exponential step of this retry. */
export const backoffMs = (retry: number, baseMs: number, maxMs: number): number =>
  Math.min(maxMs, baseMs * 2 ** retry * (1 + Math.random()));

/**
 * The error of a request whose deadline passed while it waited for a place or a token.
 *
 * @param what - what it waited for and how long, with a space in front, where the message is to say it
 */
export const toDeadlineError = (request: ApiRequest, what = ''): TimeoutError => {
  const message = `not sent: \`deadlineMs\` passed while the request waited${what}`;
  return new TimeoutError({ ...contextOf(request), message, sent: false });
};

/**
 * Waits for something that a request needs before it is sent.
 *
 * @throws {@link TimeoutError} at the deadline; the signal's reason when aborted
 */
export const beforeDeadline = async <T>(
  promise: Promise<T>,
  request: ApiRequest,
  what?: () => string,
): Promise<T> => {
  const leftMs = request.deadline - performance.now();
  const result = await waitUpTo(promise, leftMs, request.signal);
  if (result === tooLate)
    throw toDeadlineError(request, what && `${what()} (${Math.max(0, Math.round(leftMs))} ms)`);
  return result;
};

/** The places for requests in flight. */
export interface Semaphore {
  /** Waits for a place. @throws {@link TimeoutError} at the deadline; the signal's reason when aborted */
  readonly enter: (request: ApiRequest) => Promise<void>;
  /** Gives the place back. */
  readonly leave: () => void;
}

/** A semaphore: at most `size` requests have a place at once; the others wait in their order. */
export const createSemaphore = (size: number): Semaphore => {
  let taken = 0;
  const waiting = new Set<() => void>();

  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) taken--;
    else {
      // The place passes directly to the next request, so `taken` stays the same.
      waiting.delete(next);
      next();
    }
  };

  const enter = async (request: ApiRequest): Promise<void> => {
    if (taken < size) {
      taken++;
      return;
    }
    const place = Promise.withResolvers<void>();
    waiting.add(place.resolve);
    try {
      await beforeDeadline(place.promise, request);
    } catch (error) {
      // The request got its place just as it gave up: the place passes to the next one.
      if (!waiting.delete(place.resolve)) leave();
      throw error;
    }
  };
  return { enter, leave };
};
