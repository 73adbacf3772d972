import { checkDate, checkNames, type NamesOf } from './check.ts';

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
   * @throws TypeError for what is no duration, RangeError for a part that is not a finite number, and for a time that
   * no date has
   */
  advance(by: Duration): void;
  /**
   * Sets the time of the mock; it goes on from there.
   *
   * @throws TypeError for what is no Date, RangeError for a date that is none
   */
  set(time: Date): void;
}

/** The clock inside of a mock, which `reset` can set back. */
export interface ResettableClock extends MockClock {
  reset(): void;
}

const durationNames: NamesOf<Duration> = {
  ms: true,
  seconds: true,
  minutes: true,
  hours: true,
  days: true,
};

const checkDuration = (by: Duration): void => {
  checkNames('mock.clock.advance', by, durationNames);
  for (const [name, part] of Object.entries(by)) {
    if (part !== undefined && !Number.isFinite(part)) throw new RangeError(`${name} is a finite number`);
  }
};

const toMs = ({ ms = 0, seconds = 0, minutes = 0, hours = 0, days = 0 }: Duration): number =>
  ms + 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)));

/** A clock that starts at the time of the machine. */
export const createClock = (): ResettableClock => {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    advance: (by) => {
      checkDuration(by);
      const moved = offset + toMs(by);
      const isDate = !Number.isNaN(new Date(Date.now() + moved).getTime());
      if (!isDate) throw new RangeError('mock.clock.advance: there is no such date');
      offset = moved;
    },
    set: (time) => {
      if (time === undefined) throw new TypeError('mock.clock.set takes a Date');
      checkDate('mock.clock.set: the time', time);
      offset = time.getTime() - Date.now();
    },
    reset: () => {
      offset = 0;
    },
  };
};
