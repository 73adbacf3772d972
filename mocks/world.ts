import type { ApiDeclaration } from '../src/schema/define-api.ts';
import { createClock, type ResettableClock } from './clock.ts';
import { createDeprecate, type Deprecate } from './deprecate.ts';
import { createEndpoints, type Endpoint } from './endpoints.ts';
import { createFaults, type Faults } from './faults.ts';
import { acceptedMethods, type MockOptions, type RowFilter } from './options.ts';
import { createOrderedRows, type OrderedRows } from './order.ts';
import { createThrottle, type Throttle } from './rate-limit.ts';
import { createRequestLog, type RequestLog } from './request-log.ts';
import { createRoutes, type FindRoute } from './routes.ts';
import type { Run } from './run.ts';
import { checkKeys } from './seed.ts';
import type { Revision } from './store.ts';
import { createTokens, type Tokens } from './tokens.ts';
import type { MockUser } from './user.ts';
import { createWork, type Work } from './work.ts';

/** Everything that one mock is made of. */
export interface World {
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

/** The methods that answer 202 (§4.2). */
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
export const createWorld = (
  apis: readonly ApiDeclaration[],
  options: MockOptions,
  hasData: (key: string) => boolean,
): World => {
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
    findRoute: createRoutes(endpoints, options.baseUrl, options.authUrl),
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
