import type { ApiDeclaration } from '../src/schema/define-api.ts';
import { readMockOptions } from './check-options.ts';
import type { MockClock } from './clock.ts';
import type { Endpoint } from './endpoints.ts';
import { isView } from './endpoints.ts';
import type { MockFaults } from './faults.ts';
import { createFetch } from './fetch.ts';
import type { Apis, MockOptions } from './options.ts';
import type { MockRequest } from './request-log.ts';
import { createRespond, type Respond } from './respond.ts';
import type { FindRoute } from './routes.ts';
import { type Data, keepStart, type Start, seed } from './seed.ts';
import { createState, type MockState } from './state.ts';
import { createWorld } from './world.ts';

/** A stateful mock without its binding to msw: what `fetch` and `serve` need. */
export interface CoreMock<A extends Apis = Apis> {
  /**
   * Answers a request. A fault that cuts the connection is `Response.error()`, or a body that fails in its middle.
   * Rejects only when the request is aborted while a fault delays it.
   */
  readonly respond: Respond;
  /** `respond` with the signature of `fetch`, for `createClient({ fetch })`. */
  readonly fetch: typeof globalThis.fetch;
  /** The requests since the start or the last `reset`, in the order they came. */
  readonly requests: readonly MockRequest[];
  /** The time that tokens, windows of a rate limit, outages and accepted work go by. */
  readonly clock: MockClock;
  /** Failures and delays. */
  readonly faults: MockFaults<A>;
  /** The rows of each collection. */
  readonly state: MockState<A>;
  /**
   * Brings back the data, and forgets tokens, faults, requests, accepted work and the moves of the clock. A request that
   * is on its way leaves nothing behind: it stores nothing, meets no fault and gets no token that works.
   */
  reset(): void;
}

const isList = (api: Apis): api is readonly ApiDeclaration[] => Array.isArray(api);

/** `reset` brings back what was given, whatever the caller has done to it since. */
const copyData = (data: Data): Data => JSON.parse(JSON.stringify(data));

/** Whether rows are given for a collection, or for a view that shows them. */
const hasRows = ({ table }: Endpoint, data: Data, endpoints: readonly Endpoint[]): boolean =>
  endpoints.some((endpoint) => endpoint.table === table && data[endpoint.key] !== undefined);

const counts = (
  generate: MockOptions['generate'],
  data: Data,
  endpoints: readonly Endpoint[],
): Start['generate']['counts'] =>
  typeof generate === 'number'
    ? Object.fromEntries(
        endpoints
          .filter((endpoint) => !isView(endpoint) && !hasRows(endpoint, data, endpoints))
          .map(({ key }) => [key, generate]),
      )
    : (generate ?? {});

const isGenerated = (generate: MockOptions['generate'], key: string): boolean =>
  typeof generate === 'object' && (generate[key] ?? 0) > 0;

/** The end of the second before: what is there at the start can have a `Last-Modified` at once. */
const secondBefore = (now: number): number => Math.floor(now / 1000) * 1000 - 1;

/** What {@link createCoreMock} makes, with what a binding to another library needs. */
export interface BoundMock<A extends Apis> {
  readonly mock: CoreMock<A>;
  readonly findRoute: FindRoute;
}

/** Creates a mock and tells what it serves. */
export const bindMock = <const A extends Apis>(api: A, options?: MockOptions<A>): BoundMock<A> => {
  // Which keys there are was the compiler's question; from here on a key is a text that is looked up.
  const given = readMockOptions((options ?? {}) as MockOptions);
  const data = copyData(given.data ?? {});
  const world = createWorld(
    isList(api) ? api : [api],
    given,
    (key) => data[key] !== undefined || isGenerated(given.generate, key),
  );
  const { clock, faults, log, tokens, revision, run, endpoints, throttle, work, findRoute } = world;
  const generate = {
    counts: counts(given.generate, data, endpoints),
    seed: given.seed ?? 1,
    faker: given.faker,
  };
  seed(endpoints, { data, generate }, secondBefore(clock.now()));
  const restore = keepStart(endpoints);
  const respond = createRespond(world);
  const mock: CoreMock<A> = {
    respond,
    fetch: createFetch(respond),
    requests: log.entries,
    clock,
    faults,
    // Its keys are those of the declaration, which the type names.
    state: createState(world) as MockState<A>,
    reset: () => {
      run.count += 1;
      clock.reset();
      tokens.reset();
      faults.clear();
      log.reset();
      throttle.reset();
      work.reset();
      revision.count += 1;
      restore(secondBefore(clock.now()));
    },
  };
  return { mock, findRoute };
};

/**
 * Creates a mock that needs no msw: `createMock` of `restkin/mocks` without `handlers`.
 *
 * @param api - what `defineApi` returned, or a list of it
 * @throws Error for a key in `data`, `generate` or `filter` that is no collection, a row that does not fit, or a schema
 * that rows cannot be generated from. TypeError, RangeError for an option that is none
 */
export const createCoreMock = <const A extends Apis>(api: A, options?: MockOptions<A>): CoreMock<A> =>
  bindMock(api, options).mock;
