import { type ApiDeclaration, hasOwnScheme } from '../src/schema/define-api.ts';
import { createTokens, type IssuedTokens } from './auth/tokens.ts';
import { createClock, type ResettableClock } from './clock.ts';
import { declareCollections } from './collections/declare.ts';
import { declareEndpoints } from './collections/endpoints.ts';
import { type Collections, linkCollections } from './collections/link.ts';
import { createOwnEndpoints, createRoutes, type FindRoute } from './collections/routes.ts';
import { createDeprecate, type Deprecate } from './deprecation.ts';
import { createFaults, type WaitingFaults } from './faults/waiting.ts';
import { createLog, type RequestLog } from './log.ts';
import type { MockOptions } from './options.ts';
import { createSort, type SortRows } from './query/sort-rows.ts';

/** The parts of a mock, which its requests share. */
export interface Context {
  readonly options: MockOptions;
  readonly clock: ResettableClock;
  readonly collections: Collections;
  readonly sort: SortRows;
  /** The time between two resets: a request of an earlier run must leave nothing behind. */
  readonly run: { controller: AbortController };
  readonly tokens: IssuedTokens;
  /** Whether the option `authorize` is for every API, because none has a scheme of its own. */
  readonly authorizesAll: boolean;
  readonly faults: WaitingFaults;
  readonly log: RequestLog;
  readonly findRoute: FindRoute;
  readonly deprecate: Deprecate;
}

/**
 * The context of a mock, with empty tables.
 *
 * @throws `InvalidRequestError` for an option that does not fit the APIs
 */
export const createContext = (apis: readonly ApiDeclaration[], options: MockOptions): Context => {
  const clock = createClock();
  const collections = linkCollections(declareCollections(apis));
  const declared = declareEndpoints(apis, options.endpoints);
  const operations = collections.all.flatMap(({ key, operations: names }) =>
    [...names].map((name) => `${key}.${name}`),
  );
  const owns = createOwnEndpoints(apis, declared, options.endpoints);
  return {
    options,
    clock,
    collections,
    sort: createSort(collections),
    run: { controller: new AbortController() },
    tokens: createTokens(clock, options.tokens),
    authorizesAll: options.authorize !== undefined && !apis.some(hasOwnScheme),
    faults: createFaults(
      new Set(collections.all.map(({ key }) => key)),
      new Set([...declared.map(({ key }) => key), ...operations]),
    ),
    log: createLog(),
    findRoute: createRoutes(collections.all, owns, declared, options),
    deprecate: createDeprecate(apis, options.deprecated),
  };
};
