/** A span of time; the parts add up, and each may be negative. */
export interface Duration {
  readonly ms?: number | undefined;
  readonly seconds?: number | undefined;
  readonly minutes?: number | undefined;
  readonly hours?: number | undefined;
  readonly days?: number | undefined;
}

/** The time of a mock: tokens expire and rows change by it. */
export interface MockClock {
  /** Milliseconds since 1970: the time of the machine and what {@link MockClock.advance} added. */
  now(): number;
  /**
   * Moves the time of the mock. Nothing waits, and no other clock moves.
   *
   * @throws RangeError for a part that is not a finite number
   */
  advance(by: Duration): void;
}

/** The clock inside of a mock, which `reset` can set back. */
export interface ResettableClock extends MockClock {
  reset(): void;
}

const toMs = ({ ms = 0, seconds = 0, minutes = 0, hours = 0, days = 0 }: Duration): number =>
  ms + 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)));

/** A clock that starts at the time of the machine. */
export const createClock = (): ResettableClock => {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    advance: (by) => {
      const ms = toMs(by);
      if (!Number.isFinite(ms)) throw new RangeError('mock.clock.advance takes finite numbers');
      offset += ms;
    },
    reset: () => {
      offset = 0;
    },
  };
};
