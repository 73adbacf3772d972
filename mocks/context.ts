import type { ApiDeclaration } from '../src/schema/define-api.ts';
import { createRequestLog } from './assertions/request-log.ts';
import { createTokens } from './auth/tokens.ts';
import { createClock, createWork } from './clock.ts';
import { createFaults } from './faults/faults.ts';
import type { MockOptions } from './options.ts';
import { createOrderedRows } from './query/sort.ts';
import { createEndpoints } from './resources/endpoints.ts';
import { createOwnEndpoints, createRoutes } from './resources/routes.ts';
import { checkKeys } from './resources/seed.ts';
import type { Revision } from './resources/table.ts';
import { createDeprecate } from './responses/deprecate.ts';
import { Refusal } from './responses/message.ts';
import { createThrottle } from './responses/rate-limit.ts';

/**
 * A run is the time between two resets. A request in flight at a reset belongs to the test before it and must leave nothing
 * behind in the next one: its signal throws a 500, which no client retries for a write.
 */
const createRun = () => {
  let run = new AbortController();
  return {
    get signal() {
      return run.signal;
    },
    end: (): void => {
      run.abort(new Refusal(500, 'The mock was reset while this request was on its way'));
      run = new AbortController();
    },
  };
};

/**
 * The parts of a mock, with empty tables.
 *
 * @throws Error, RangeError for an option that does not fit the APIs
 */
export const createContext = (apis: readonly ApiDeclaration[], options: MockOptions) => {
  const clock = createClock();
  const revision: Revision = { count: 0 };
  const { data, generate } = options;
  const isGenerated = (key: string): boolean => typeof generate === 'object' && (generate[key] ?? 0) > 0;
  const endpoints = createEndpoints(apis, (key) => data?.[key] !== undefined || isGenerated(key));
  const keys = new Set(endpoints.map(({ key }) => key));
  checkKeys(endpoints, 'filter', Object.keys(options.filter ?? {}));
  return {
    options,
    clock,
    revision,
    run: createRun(),
    endpoints,
    tokens: createTokens(clock, options.tokens),
    faults: createFaults(clock, keys),
    log: createRequestLog(keys, options.keepRequests),
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
  } as const;
};

export type Context = ReturnType<typeof createContext>;
