import { onTestFinished, vi } from 'vitest';

/**
 * Stops both clocks that tokens expire by until the test ends, and no timers: only `vi.advanceTimersByTime`
 * moves them. A mock in this process lives by the same ones.
 */
export const fakeClocks = (): void => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
};
