import type { ApiDeclaration } from '../src/schema/define-api.ts';
import { createClock, type MockClock } from './clock.ts';
import { createEndpoints } from './endpoints.ts';
import { createFaults, type MockFaults } from './faults.ts';
import { createHandlers, type MockHandlers } from './handlers.ts';
import type { Apis, MockOptions, RowFilter } from './options.ts';
import { createOrderedRows } from './order.ts';
import { createRequestLog, type MockRequest } from './request-log.ts';
import { createRespond, type Respond } from './respond.ts';
import { createRoutes } from './routes.ts';
import { type Data, seed } from './seed.ts';
import type { Revision } from './store.ts';
import { createTokens } from './tokens.ts';
import { acceptedMethodsOf, type World } from './world.ts';

/** A stateful mock of one API or several. */
export interface Mock {
  /** Answers a request. Rejects only when the request is aborted while a fault delays it. */
  readonly respond: Respond;
  /** {@link Mock.respond} with the signature of `fetch`, for `createClient({ fetch })`. */
  readonly fetch: typeof globalThis.fetch;
  /** Handlers for msw; requests to anything but the declared collections and the token endpoint stay unhandled. */
  readonly handlers: MockHandlers;
  /** Every request since the start or the last {@link Mock.reset}, in the order they came. */
  readonly requests: readonly MockRequest[];
  /** The time that tokens expire by. */
  readonly clock: MockClock;
  /** Failures and delays for the next requests. */
  readonly faults: MockFaults;
  /** Brings back the data, and forgets tokens, faults, requests and the moves of the clock. */
  reset(): void;
}

const createFetch =
  (respond: Respond): typeof globalThis.fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const response = await respond(request);
    request.signal.throwIfAborted();
    return response;
  };

const createWorld = (apis: readonly ApiDeclaration[], options: MockOptions): World => {
  const clock = createClock();
  const revision: Revision = { count: 0 };
  const endpoints = createEndpoints(apis, (key) => options.data?.[key] !== undefined);
  const filters = Object.entries(options.filter ?? {}).filter(
    (entry): entry is [string, RowFilter] => entry[1] !== undefined,
  );
  return {
    clock,
    revision,
    endpoints,
    tokens: createTokens(clock, options.tokens),
    faults: createFaults(),
    log: createRequestLog(),
    findRoute: createRoutes(endpoints, options.baseUrl, options.authUrl),
    orderedRows: createOrderedRows(revision),
    filters: new Map(filters),
    users: options.users,
    acceptedMethods: acceptedMethodsOf(options.accepted),
    authorize: options.authorize ?? (() => true),
    defaultPerPage: options.defaultPerPage,
  };
};

const isList = (api: Apis): api is readonly ApiDeclaration[] => Array.isArray(api);

/**
 * Creates a mock of an API, or of several, from its declaration: the other half of every rule of the conventions.
 *
 * @param api - what `defineApi` returned, or a list of it
 * @throws Error for a key in `data` that is no collection, or a row that does not fit, with collection, index and path
 * @example
 * ```ts
 * const mock = createMock(ordering, { data: { companies: [{ name: 'Acme', city: 'Oslo' }] } });
 * const response = await mock.respond(new Request('https://api.example.com/v1/companies'));
 * ```
 */
export const createMock = <const A extends Apis>(api: A, options?: MockOptions<A>): Mock => {
  // Which keys there are was the compiler's question; from here on a key is a text that is looked up.
  const given = (options ?? {}) as MockOptions;
  const data: Data = copyData(given.data ?? {});
  const world = createWorld(isList(api) ? api : [api], given);
  const { clock, faults, log, tokens, revision, endpoints, findRoute } = world;
  const respond = createRespond(world);
  seed(endpoints, data, clock.now());
  return {
    respond,
    fetch: createFetch(respond),
    handlers: createHandlers(respond, findRoute),
    requests: log.entries,
    clock,
    faults,
    reset: () => {
      clock.reset();
      tokens.reset();
      faults.reset();
      log.reset();
      revision.count += 1;
      seed(endpoints, data, clock.now());
    },
  };
};

/** `reset` brings back what was given, whatever the caller has done to it since. */
const copyData = (data: Data): Data => JSON.parse(JSON.stringify(data));
