import type { ApiDeclaration } from '../src/schema/define-api.ts';
import { createRequestLog, type RequestLog } from './assertions/request-log.ts';
import { createTokens, type Tokens } from './auth/tokens.ts';
import { createClock, createWork, type ResettableClock, type Work } from './clock.ts';
import { createFaults, type Faults } from './faults/faults.ts';
import { acceptedMethods, type MockOptions, type MockUser, type RowFilter } from './options.ts';
import { createOrderedRows, type OrderedRows } from './query/sort.ts';
import { createEndpoints, type Endpoint } from './resources/endpoints.ts';
import { createOwnEndpoints, createRoutes, type FindRoute } from './resources/routes.ts';
import { checkKeys } from './resources/seed.ts';
import type { Revision } from './resources/table.ts';
import { createDeprecate, type Deprecate } from './responses/deprecate.ts';
import { Refusal } from './responses/message.ts';
import { createThrottle, type Throttle } from './responses/rate-limit.ts';

/** Everything that one mock is made of. */
export interface Context {
  readonly clock: ResettableClock;
  readonly tokens: Tokens;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly throttle: Throttle;
  readonly work: Work;
  readonly endpoints: readonly Endpoint[];
  readonly findRoute: FindRoute;
  readonly deprecate: Deprecate;
  readonly revision: Revision;
  readonly run: Run;
  readonly orderedRows: OrderedRows;
  readonly filters: ReadonlyMap<string, RowFilter>;
  readonly users: readonly MockUser[] | undefined;
  readonly acceptedMethods: ReadonlySet<string>;
  readonly finishesAfterMs: number;
  readonly authorize: (request: Request) => boolean | Promise<boolean>;
  readonly defaultPerPage: number | undefined;
  readonly maxBodyBytes: number | undefined;
  readonly refusedRefreshStatus: 400 | 401;
}

/** The methods that respond with 202 (§4.2). */
const acceptedMethodsOf = (accepted: MockOptions['accepted']): ReadonlySet<string> =>
  new Set(accepted === true ? acceptedMethods : accepted === false ? [] : accepted);

const filtersOf = (filter: MockOptions['filter']): ReadonlyMap<string, RowFilter> =>
  new Map(
    Object.entries(filter ?? {}).filter((entry): entry is [string, RowFilter] => entry[1] !== undefined),
  );

/**
 * A mock's parts, with nothing in its tables.
 *
 * @throws RangeError for an option out of its range
 */
export const createContext = (
  apis: readonly ApiDeclaration[],
  options: MockOptions,
  hasData: (key: string) => boolean,
): Context => {
  const clock = createClock();
  const revision: Revision = { count: 0 };
  const endpoints = createEndpoints(apis, hasData);
  const keys = new Set(endpoints.map(({ key }) => key));
  checkKeys(endpoints, 'filter', options.filter ?? {});
  return {
    clock,
    revision,
    run: { count: 0 },
    endpoints,
    tokens: createTokens(clock, options.tokens),
    faults: createFaults(clock, keys),
    log: createRequestLog(options.keepRequests, keys),
    throttle: createThrottle(options.rateLimit, clock),
    work: createWork(),
    findRoute: createRoutes(
      endpoints,
      createOwnEndpoints(apis, options.endpoints),
      options.baseUrl,
      options.authUrl,
    ),
    deprecate: createDeprecate(apis, options.deprecated),
    orderedRows: createOrderedRows(revision),
    filters: filtersOf(options.filter),
    users: options.users,
    acceptedMethods: acceptedMethodsOf(options.accepted),
    finishesAfterMs: options.finishesAfterMs ?? 0,
    authorize: options.authorize ?? (() => true),
    defaultPerPage: options.defaultPerPage,
    maxBodyBytes: options.maxBodyBytes,
    refusedRefreshStatus: options.tokens?.refusedRefreshStatus ?? 401,
  };
};

/** Counts the resets of a mock; a run is the time between two of them. */
export interface Run {
  count: number;
}

/**
 * Checks that a request belongs to the current run. One that was on its way when the mock was reset belongs to another
 * test, and leaves nothing behind in this one.
 *
 * @throws {@link Refusal} 500, which no client retries for a write
 */
export const ensureCurrent = (run: number, context: { readonly run: Run }): void => {
  if (context.run.count !== run) {
    throw new Refusal(500, 'The mock was reset while this request was on its way');
  }
};
