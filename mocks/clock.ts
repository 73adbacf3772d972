/** A span of time; the parts add up, and each may be negative. */
export interface Duration {
  /** Milliseconds. */
  readonly ms?: number | undefined;
  /** Of 1,000 milliseconds. */
  readonly seconds?: number | undefined;
  /** Of 60 seconds. */
  readonly minutes?: number | undefined;
  /** Of 60 minutes. */
  readonly hours?: number | undefined;
  /** Of 24 hours, whatever the calendar says. */
  readonly days?: number | undefined;
}

/** The time of a mock: tokens, limits, outages and accepted work go by it, and rows change by it. */
export interface MockClock {
  /** Milliseconds since 1970: the time of the machine and what the moves added. */
  now(): number;
  /**
   * Moves the time of the mock. Nothing waits, and no other clock moves.
   *
   * @throws RangeError for a part that is not a finite number
   */
  advance(by: Duration): void;
  /**
   * Sets the time of the mock; it goes on from there.
   *
   * @throws RangeError for a date that is none
   */
  set(time: Date): void;
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
    set: (time) => {
      const ms = time.getTime();
      if (Number.isNaN(ms)) throw new RangeError('mock.clock.set takes a date');
      offset = ms - Date.now();
    },
    reset: () => {
      offset = 0;
    },
  };
};
