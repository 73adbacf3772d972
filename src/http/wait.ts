/** The longest time that a timer can hold; a longer one fires at once. */
const longestTimerMs = 2 ** 31 - 1;

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

/** Waits for a shared promise until the caller's own signal aborts; the promise itself goes on for the others. */
export const untilAborted = <T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
};
