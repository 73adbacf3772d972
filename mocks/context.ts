import type { ApiDeclaration } from '../src/schema/define-api.ts';
import { createTokens } from './auth/tokens.ts';
import { createClock } from './clock.ts';
import { declareCollections } from './collections/declare.ts';
import { linkCollections } from './collections/link.ts';
import { createOwnEndpoints, createRoutes } from './collections/routes.ts';
import { createDeprecate } from './deprecation.ts';
import { createFaults } from './faults/faults.ts';
import { createLog } from './log.ts';
import { Refusal } from './message.ts';
import type { MockOptions } from './options.ts';
import { createThrottle } from './throttle.ts';

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
 * @throws Error for an option that does not fit the APIs
 */
export const createContext = (apis: readonly ApiDeclaration[], options: MockOptions) => {
  const clock = createClock();
  const { data, generate } = options;
  const isGiven = (key: string): boolean =>
    data?.[key] !== undefined || (typeof generate === 'object' && generate[key] !== undefined);
  const collections = linkCollections(declareCollections(apis), isGiven);
  const { baseUrl, authUrl } = options;
  const owns = createOwnEndpoints(apis, options.endpoints);
  return {
    options,
    clock,
    collections,
    run: createRun(),
    tokens: createTokens(clock, options.tokens),
    faults: createFaults(new Set(collections.all.map(({ key }) => key))),
    log: createLog(),
    throttle: createThrottle(options.rateLimit, clock),
    findRoute: createRoutes(collections.all, owns, baseUrl, authUrl),
    deprecate: createDeprecate(apis, options.deprecated),
  } as const;
};

export type Context = ReturnType<typeof createContext>;
