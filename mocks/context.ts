import type { ApiDeclaration } from '../src/schema/define-api.ts';
import { createTokens } from './auth/tokens.ts';
import { createClock } from './clock.ts';
import { declareCollections } from './collections/declare.ts';
import { declareEndpoints } from './collections/endpoints.ts';
import { linkCollections } from './collections/link.ts';
import { createOwnEndpoints, createRoutes } from './collections/routes.ts';
import { createDeprecate } from './deprecation.ts';
import { createFaults } from './faults.ts';
import { createLog } from './log.ts';
import type { MockOptions } from './options.ts';
import { createSort } from './query/sort-rows.ts';

/**
 * The parts of a mock, with empty tables.
 *
 * @throws Error for an option that does not fit the APIs
 */
export const createContext = (apis: readonly ApiDeclaration[], options: MockOptions) => {
  const clock = createClock();
  const collections = linkCollections(declareCollections(apis));
  const declared = declareEndpoints(apis, options.endpoints);
  const owns = createOwnEndpoints(apis, declared, options.endpoints);
  return {
    options,
    clock,
    collections,
    sort: createSort(collections),
    /** The time between two resets: a request of an earlier run must leave nothing behind. */
    run: { controller: new AbortController() },
    tokens: createTokens(clock, options.tokens),
    faults: createFaults(new Set(collections.all.map(({ key }) => key))),
    log: createLog(),
    findRoute: createRoutes(collections.all, owns, declared, options),
    deprecate: createDeprecate(apis, options.deprecated),
  };
};

export type Context = ReturnType<typeof createContext>;
