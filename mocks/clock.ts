import { check, optional, value } from './check.ts';

/** A span of time for {@link MockClock.advance}. The parts add up, and each may be negative. */
export interface Duration {
  /** Milliseconds. */
  readonly ms?: number | undefined;
  /** Seconds. */
  readonly seconds?: number | undefined;
  /** Minutes. */
  readonly minutes?: number | undefined;
  /** Hours. */
  readonly hours?: number | undefined;
  /** Days of exactly 24 hours, without daylight saving time. */
  readonly days?: number | undefined;
}

/**
 * The time of a mock. Tokens, rate limits, outages, accepted work and `Last-Modified` follow it.
 *
 * @example
 * ```ts
 * mock.clock.advance({ minutes: 11 }); // the access token has expired
 * ```
 */
export interface MockClock {
  /** Milliseconds since 1970: the time of the machine plus the moves of this clock. */
  now(): number;
  /**
   * Moves the time of the mock. No real time passes, and no other clock moves.
   *
   * @throws TypeError for anything but a duration, RangeError for a part that is not a finite number, and for a time
   * that a Date cannot hold
   */
  advance(by: Duration): void;
  /**
   * Sets the time of the mock; it advances from there.
   *
   * @throws TypeError for anything but a Date, RangeError for an invalid date
   */
  set(time: Date): void;
}

const duration = optional<Duration>({
  ms: value.finite,
  seconds: value.finite,
  minutes: value.finite,
  hours: value.finite,
  days: value.finite,
});

const toMs = ({ ms = 0, seconds = 0, minutes = 0, hours = 0, days = 0 }: Duration): number =>
  ms + 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)));

export const createClock = (): MockClock & { reset(): void } => {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    advance: (by) => {
      check('mock.clock.advance', duration, by);
      const moved = offset + toMs(by);
      const isDate = !Number.isNaN(new Date(Date.now() + moved).getTime());
      if (!isDate) throw new RangeError('mock.clock.advance: the time must be one that a Date can hold');
      offset = moved;
    },
    set: (time) => {
      check('mock.clock.set', value.date, time);
      offset = time.getTime() - Date.now();
    },
    reset: () => {
      offset = 0;
    },
  };
};

/** Work that was accepted and is done later (§4.2, §7.1). */
export const createWork = () => {
  let waiting: { readonly dueAt: number; readonly run: (at: number) => void }[] = [];
  return {
    /** Schedules `run` for the first `runDue` at or after `dueAt`. It is called with `dueAt`. */
    add: (dueAt: number, run: (at: number) => void): void => {
      waiting.push({ dueAt, run });
    },
    /** Does what is due, oldest first. */
    runDue: (now: number): void => {
      if (waiting.length === 0) return;
      const due = waiting.filter(({ dueAt }) => dueAt <= now).toSorted((a, b) => a.dueAt - b.dueAt);
      waiting = waiting.filter(({ dueAt }) => dueAt > now);
      for (const { dueAt, run } of due) run(dueAt);
    },
    reset: (): void => {
      waiting = [];
    },
  };
};
