import { checkOf, createReader } from '../src/options.ts';

/** A span of time for {@link MockClock.advance}. The parts add up, and each may be negative. */
export interface Duration {
  readonly ms?: number | undefined;
  readonly seconds?: number | undefined;
  readonly minutes?: number | undefined;
  readonly hours?: number | undefined;
  /** Days of exactly 24 hours, without daylight saving time. */
  readonly days?: number | undefined;
}

/**
 * The time of a mock. Tokens and `Last-Modified` follow it.
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
   * @throws `InvalidRequestError` for anything but a duration of finite numbers
   */
  advance(by: Duration): void;
}

const checkFinite = checkOf(Number.isFinite, 'a finite number');

const readDuration = createReader<Duration>({
  ms: checkFinite,
  seconds: checkFinite,
  minutes: checkFinite,
  hours: checkFinite,
  days: checkFinite,
});

/** The clock of a mock, which {@link Mock.reset} sets to the real time. */
export interface ResettableClock extends MockClock {
  reset(): void;
}

export const createClock = (): ResettableClock => {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    advance: (by) => {
      const given = readDuration(by, 'mock.clock.advance');
      const { ms = 0, seconds = 0, minutes = 0, hours = 0, days = 0 } = given;
      offset += ms + 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)));
    },
    reset: () => {
      offset = 0;
    },
  };
};
