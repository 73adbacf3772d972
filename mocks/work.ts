/** Work that was accepted and is done later (§4.2, §7.1). */
export interface Work {
  /** `run` is called with the time it was due, as soon as {@link Work.settle} finds that time passed. */
  add(dueAt: number, run: (at: number) => void): void;
  /** Does what is due, in the order of its times. */
  settle(now: number): void;
  reset(): void;
}

/** Nothing to do. */
export const createWork = (): Work => {
  let waiting: { readonly dueAt: number; readonly run: (at: number) => void }[] = [];
  return {
    add: (dueAt, run) => {
      waiting.push({ dueAt, run });
    },
    settle: (now) => {
      if (waiting.length === 0) return;
      const due = waiting.filter(({ dueAt }) => dueAt <= now).toSorted((a, b) => a.dueAt - b.dueAt);
      waiting = waiting.filter(({ dueAt }) => dueAt > now);
      for (const { dueAt, run } of due) run(dueAt);
    },
    reset: () => {
      waiting = [];
    },
  };
};
