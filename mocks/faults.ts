import { header } from '../src/conventions/headers.ts';
import type { MockClock } from './clock.ts';
import { checkFault, type Fault, isMet, type Outage, type RandomFault } from './fault.ts';
import { createRandom, type Random } from './random.ts';
import { secondsUntil } from './rate-limit.ts';
import type { Route } from './routes.ts';

/** Makes requests fail. An outage comes before a fault of {@link MockFaults.next}, and that before a random one. */
export interface MockFaults {
  /**
   * The next matching requests meet this. Faults are met in the order they were given.
   *
   * @throws RangeError for a `times` below 1, or a status that no answer can have
   */
  next(fault: Fault): void;
  /**
   * Some of the matching requests meet this, by a rate; which ones depends on the seed alone.
   *
   * @throws RangeError for a rate that is not from 0 to 1, and as {@link MockFaults.next}
   */
  random(fault: RandomFault): void;
  /**
   * Every matching request gets 503 until the clock of the mock has passed the end.
   *
   * @throws RangeError when neither `forMs` nor `until` says when it ends
   */
  outage(outage: Outage): void;
  /** Ends every fault that is still to come. */
  clear(): void;
}

/** The faults inside of a mock. */
export interface Faults extends MockFaults {
  /** The fault that a request meets now; undefined for none. */
  take(route: Route, method: string): Fault | undefined;
}

interface Waiting {
  readonly fault: Fault;
  left: number;
}

interface Chance extends Waiting {
  readonly rate: number;
  readonly random: Random;
}

/** No faults yet. */
export const createFaults = (clock: MockClock): Faults => {
  let waiting: Waiting[] = [];
  let chances: Chance[] = [];
  let outages: { readonly outage: Outage; readonly endsAt: number }[] = [];

  const takeOutage = (route: Route, method: string): Fault | undefined => {
    const now = clock.now();
    outages = outages.filter(({ endsAt }) => endsAt > now);
    const met = outages.find(({ outage }) => isMet(outage, route, method));
    if (met === undefined) return undefined;
    const headers = { [header.retryAfter]: secondsUntil(met.endsAt, now) };
    return { status: 503, ...(met.outage.retryAfter === true && { headers }) };
  };

  const takeNext = (route: Route, method: string): Fault | undefined => {
    const met = waiting.find(({ fault }) => isMet(fault, route, method));
    if (met === undefined) return undefined;
    met.left -= 1;
    waiting = waiting.filter(({ left }) => left > 0);
    return met.fault;
  };

  const takeRandom = (route: Route, method: string): Fault | undefined => {
    const met = chances.find(({ fault, random, rate }) => isMet(fault, route, method) && random.chance(rate));
    if (met === undefined) return undefined;
    met.left -= 1;
    chances = chances.filter(({ left }) => left > 0);
    return met.fault;
  };

  return {
    next: (fault) => {
      checkFault(fault);
      waiting.push({ fault, left: fault.times ?? 1 });
    },
    random: (fault) => {
      checkFault(fault);
      const { rate, seed = 1, times = Number.POSITIVE_INFINITY } = fault;
      if (!(rate >= 0 && rate <= 1)) throw new RangeError('rate is a number from 0 to 1');
      chances.push({ fault, left: times, rate, random: createRandom(`faults/${seed}`) });
    },
    outage: (outage) => {
      const endsAt = outage.until?.getTime() ?? clock.now() + (outage.forMs ?? Number.NaN);
      if (Number.isNaN(endsAt)) throw new RangeError('an outage needs forMs or until: when it ends');
      outages.push({ outage, endsAt });
    },
    clear: () => {
      waiting = [];
      chances = [];
      outages = [];
    },
    take: (route, method) =>
      takeOutage(route, method) ?? takeNext(route, method) ?? takeRandom(route, method),
  };
};
