/** The failures of renewals, so that many callers who try again ask the endpoint no more often than one would. */
export interface SharedFailures {
  /** Remembers a renewal that failed after something was sent. */
  add(renewal: Promise<string>): void;
  /** Remembers that a caller was told of the latest failure. */
  tell(caller: object): void;
  /**
   * The next failure after the one that the caller was told of last, when there is one: it came while the caller waited
   * to try again, and counts as that try.
   */
  nextFor(caller: object): Promise<string> | undefined;
}

interface Failure {
  readonly renewal: Promise<string>;
  readonly at: number;
  next?: Failure;
}

// An older failure says little about now, and one request a second is no load.
const longestMs = 1_000;

export const createSharedFailures = (): SharedFailures => {
  const lastTold = new WeakMap<object, Failure>();
  let latest: Failure | undefined;
  return {
    add: (renewal) => {
      const failure = { renewal, at: performance.now() };
      if (latest !== undefined) latest.next = failure;
      latest = failure;
    },
    tell: (caller) => {
      if (latest !== undefined) lastTold.set(caller, latest);
    },
    nextFor: (caller) => {
      const next = lastTold.get(caller)?.next;
      if (next === undefined || performance.now() - next.at > longestMs) return undefined;
      lastTold.set(caller, next);
      return next.renewal;
    },
  };
};
