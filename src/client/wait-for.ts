import { TimeoutError } from '../errors/connection-error.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { tooLate, wait, waitUpTo } from '../http/timing.ts';
import { checkPositive, checkSignal, createReader } from '../options.ts';

/** Options of {@link waitFor}. Times are milliseconds. */
export interface WaitForOptions {
  /** Wait between two calls of `load`; 1,000 by default. */
  readonly everyMs?: number | undefined;
  /** When to give up; 120,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Ends the wait with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

const readOptions = /* @__PURE__ */ createReader<WaitForOptions>({
  everyMs: checkPositive,
  timeoutMs: checkPositive,
  signal: checkSignal,
});

/**
 * Loads a value until a condition holds, for work that is processed asynchronously (§7.1, 202).
 *
 * @param load - its error ends the wait
 * @param until - the condition; one that narrows the type, such as `(order) => order !== undefined`, narrows
 * the result
 * @returns the first value for which it holds
 * @throws {@link TimeoutError} when it does not hold in time
 * @example
 * ```ts
 * const order = await waitFor(() => orders.get(7), ({ status }) => status === 'shipped', { everyMs: 500 });
 * ```
 */
export const waitFor = async <T, U extends T = T>(
  load: () => PromiseLike<T>,
  until: ((value: T) => value is U) | ((value: T) => boolean | PromiseLike<boolean>),
  options?: WaitForOptions,
): Promise<U> => {
  const { everyMs = 1_000, timeoutMs = 120_000, signal } = readOptions(options, 'waitFor');
  if (typeof load !== 'function' || typeof until !== 'function')
    throw new InvalidRequestError('waitFor takes two functions: () => orders.get(7), and a condition');
  const look = async () => {
    const value = await load();
    return { value, holds: await until(value) };
  };
  const end = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const looked = await waitUpTo(look(), end - performance.now(), signal);
    // The condition narrows the type.
    if (looked !== tooLate && looked.holds) return looked.value as U;
    const leftMs = end - performance.now();
    if (looked === tooLate || leftMs <= 0) {
      const message = `The condition did not hold within ${timeoutMs} ms`;
      // It is about no request: those of `load` have errors of their own.
      throw new TimeoutError({ message, method: '', sent: false });
    }
    await wait(Math.min(everyMs, leftMs), signal);
  }
};
