import { header } from '../../src/conventions.ts';
import type { MockClock } from '../clock.ts';
import type { Route } from '../collections/routes.ts';
import { createRandom } from '../generate/random.ts';
import type { Apis } from '../row.ts';
import { secondsUntil } from '../throttle.ts';
import { createFaultReaders, type Fault, matches, type Outage, type RandomFault } from './fault.ts';

/** Makes requests fail. An outage takes precedence over a fault of {@link MockFaults.next}, which precedes a random one. */
export interface MockFaults<A extends Apis = Apis> {
  /**
   * The next matching requests meet this. Faults are met in the order of the calls, by requests in the order of their arrival.
   *
   * @throws `InvalidRequestError` for an invalid fault, and for an unknown collection or method
   * @example
   * ```ts
   * mock.faults.next({ status: 503, times: 2 });
   * mock.faults.next({ collection: 'orders', method: 'POST', cut: 'response' });
   * ```
   */
  next(fault: Fault<A>): void;
  /**
   * A share of the matching requests meets this; the seed alone decides which.
   *
   * @throws as {@link MockFaults.next}
   * @example
   * ```ts
   * mock.faults.random({ rate: 0.1, seed: 1, status: 500 });
   * ```
   */
  random(fault: RandomFault<A>): void;
  /**
   * Every matching request gets 503 until the clock of the mock reaches the end.
   *
   * @throws as {@link MockFaults.next}
   * @example
   * ```ts
   * mock.faults.outage({ forMs: 60_000, retryAfter: true });
   * ```
   */
  outage(outage: Outage<A>): void;
  /** Removes every fault and outage. */
  clear(): void;
  /** Faults of {@link MockFaults.next} that wait for a request, each with how many `times` are left. */
  readonly waiting: readonly Fault[];
}

interface Armed {
  readonly fault: Fault;
  left: number;
  /** Draws whether a request meets it. */
  draws(): boolean;
}

type Unavailable = Outage & { readonly endsAt: number };

const outageFault = ({ endsAt, retryAfter }: Unavailable, now: number): Fault => ({
  status: 503,
  ...(retryAfter === true && { headers: { [header.retryAfter]: secondsUntil(endsAt, now) } }),
});

export const createFaults = (
  clock: MockClock,
  collections: ReadonlySet<string>,
): MockFaults & {
  /** The fault that a request meets now; undefined for none. */
  take(route: Route, method: string): Fault | undefined;
} => {
  const read = createFaultReaders(collections);
  let outages: readonly Unavailable[] = [];
  let waiting: readonly Armed[] = [];
  let chances: readonly Armed[] = [];

  const isLeft = ({ left }: Armed): boolean => left > 0;

  return {
    next: (given) => {
      const fault = read.next(given, 'mock.faults.next');
      waiting = [...waiting, { fault, left: fault.times ?? 1, draws: () => true }];
    },
    random: (given) => {
      const fault = read.random(given, 'mock.faults.random');
      // Two faults of one seed are independent of each other.
      const random = createRandom(`faults/${chances.length}/${fault.seed ?? 1}`);
      const left = fault.times ?? Number.POSITIVE_INFINITY;
      chances = [...chances, { fault, left, draws: () => random.chance(fault.rate) }];
    },
    outage: (given) => {
      const outage = read.outage(given, 'mock.faults.outage');
      outages = [...outages, { ...outage, endsAt: clock.now() + outage.forMs }];
    },
    clear: () => {
      outages = [];
      waiting = [];
      chances = [];
    },
    get waiting() {
      return waiting.map(({ fault, left }) => ({ ...fault, times: left }));
    },
    take: (route, method) => {
      const now = clock.now();
      // Every matching request draws, so that the seed alone decides which of them meet a random fault.
      const drawn = chances.filter(({ fault, draws }) => matches(fault, route, method) && draws());
      outages = outages.filter(({ endsAt }) => now < endsAt);
      const outage = outages.find((one) => matches(one, route, method));
      if (outage !== undefined) return outageFault(outage, now);
      const met = waiting.find(({ fault }) => matches(fault, route, method)) ?? drawn.find(isLeft);
      if (met === undefined) return undefined;
      met.left -= 1;
      waiting = waiting.filter(isLeft);
      return met.fault;
    },
  };
};
