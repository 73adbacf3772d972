import { checkOf, isObject, toInvalidOption } from '../src/options.ts';
import type { ApiDeclaration } from '../src/schema/define-api.ts';
import { bodyUntilAborted, createRequest, untilAborted } from './abort.ts';
import { tokenPathOf } from './auth/tokens.ts';
import type { MockClock } from './clock.ts';
import { rowAt } from './collections/address.ts';
import type { MockCollection } from './collections/link.ts';
import { type Context, createContext } from './context.ts';
import type { Respond } from './exchange.ts';
import type { MockFaults } from './faults/waiting.ts';
import { generateRows } from './generate/rows.ts';
import type { MockRequest } from './log.ts';
import { Refusal } from './message.ts';
import { type MockOptions, readMockOptions } from './options.ts';
import { checkFilters } from './query/select-rows.ts';
import { createRespond } from './respond.ts';
import type { Apis, CollectionKey, MockRow, MockState } from './row.ts';
import { checkKeys, seedTables, setTables } from './rows/seed.ts';
import { keepTables } from './rows/store.ts';

/** A stateful mock of one API or several, made by {@link createMock}. */
export interface Mock<A extends Apis = Apis> {
  /**
   * Responds to a request. A fault that cuts the connection yields `Response.error()`, or a body that fails
   * halfway. Rejects only when the request is aborted.
   */
  readonly respond: Respond;
  /**
   * True for a URL of a declared collection or endpoint, of one of the `endpoints` in the options, or of the
   * token endpoint.
   */
  serves(url: string): boolean;
  /** `respond` with the signature of `fetch`, for `createClient({ fetch })`. */
  readonly fetch: typeof globalThis.fetch;
  /** The requests since the start or the last `reset`, in order of arrival: at least the latest 10,000. */
  readonly requests: readonly MockRequest<CollectionKey<A>>[];
  /** The option of that name. {@link serve} maps its requests to it, so that links begin with it. */
  readonly baseUrl: string | undefined;
  /** The option of that name. */
  readonly authUrl: string | undefined;
  /** The path of the token endpoint below `authUrl`: that of the option `tokens`, or `auth/token`. */
  readonly tokenPath: string;
  /** The time of the mock, which tokens follow. */
  readonly clock: MockClock;
  /** Makes requests fail or wait. */
  readonly faults: MockFaults<A>;
  /** The rows of each collection. */
  readonly state: MockState<A>;
  /**
   * Restores the data, and clears tokens, faults, requests and moves of the clock. A request in flight leaves
   * nothing behind: it stores nothing, uses up no fault and gets no valid token.
   */
  reset(): void;
}

const isList = (api: Apis): api is readonly ApiDeclaration[] => Array.isArray(api);

/** The end of the previous second, so that initial rows can match `Modified-Since` immediately. */
const secondBefore = (now: number): number => Math.floor(now / 1000) * 1000 - 1;

const createState = ({ collections, clock }: Context) => {
  const find = (key: string): readonly [MockCollection, ...MockCollection[]] => {
    const [first, ...more] = collections.all.filter((collection) => collection.key === key);
    if (first === undefined) throw toInvalidOption(`mock.state: there is no collection "${key}"`);
    return [first, ...more];
  };
  return {
    rows: (key: string): readonly MockRow[] =>
      [...find(key)[0].table.rows.values()].map(({ value }) => structuredClone(value)),
    row: (key: string, id: string | number): MockRow | undefined =>
      structuredClone(rowAt(find(key)[0], String(id))?.value),
    setRows: (key: string, rows: readonly MockRow[]): void => setTables(find(key), rows, clock.now()),
  };
};

/** `respond` as a `fetch`: it rejects when the request is aborted, and where a fault cuts the connection. */
const createFetch =
  (respond: Respond): typeof globalThis.fetch =>
  async (input, init) => {
    const request = createRequest(input, init);
    const { signal } = request;
    signal.throwIfAborted();
    const response = await untilAborted(respond(request), signal);
    if (response.type !== 'error') return bodyUntilAborted(response, signal);
    // Node's `fetch` fails like this when a connection ends. The error does not say whether the request was
    // sent.
    const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
    throw new TypeError('fetch failed', { cause });
  };

/**
 * Creates a stateful mock of an API, or of several, from its declaration. It behaves like a server that
 * follows the conventions.
 *
 * Use `mock.fetch` with `createClient({ fetch })`, `handlers(mock)` of `restkin/msw` with msw in Node or in a
 * browser's worker, or `serve(mock)` over HTTP. Mocks share nothing with each other.
 *
 * @param api - what `defineApi` returned, or an array of such declarations
 * @throws `InvalidRequestError` for an invalid option, a key in `data`, `generate` or `filter` that is not a
 * collection, a row that does not fit, a schema that no row or id can be made from, a filter of an unknown
 * parameter, a key in `endpoints` that is neither declared nor a path with the version of an API, and two
 * collections at one path
 * @example
 * ```ts
 * const mock = createMock(ordering, { data: { companies: [{ name: 'Acme', city: 'Oslo' }] } });
 * const client = createClient({ baseUrl, auth, fetch: mock.fetch });
 * for await (const { name } of client.api(ordering).companies.list()) console.log(name); // Acme
 * ```
 */
export const createMock = <const A extends Apis>(api: A, options?: NoInfer<MockOptions<A>>): Mock<A> => {
  // The compiler has checked the keys. From here on, keys are plain strings.
  const checked = readMockOptions(options as MockOptions | undefined, 'createMock');
  const apis: readonly ApiDeclaration[] = isList(api) ? api : [api];
  // A declaration is undefined where two modules import each other.
  const isDeclared = apis.every((declared: ApiDeclaration | undefined) => isObject(declared?.collections));
  checkOf(() => isDeclared, 'what defineApi returned, or an array of it')('The API of createMock', apis);
  const context = createContext(apis, checked);
  const { clock, collections, faults, log, tokens, run, findRoute } = context;
  const { data, generate, filter } = checked;
  for (const [option, given] of Object.entries({ data, generate, filter }))
    checkKeys(collections, option, given);
  checkFilters(collections, filter);
  const startedAt = secondBefore(clock.now());
  seedTables(collections, data, startedAt);
  generateRows(collections, checked, startedAt);
  const restore = keepTables(collections.all.map(({ table }) => table));
  // The state has the keys and rows of the declaration, which the type names.
  const state = createState(context) as unknown as MockState<A>;
  const respond = createRespond(context, state as unknown as MockState);
  return {
    respond,
    serves: (url) => findRoute(new URL(url), 'GET').kind !== 'nothing',
    fetch: createFetch(respond),
    // The requests have the keys of the declaration, too.
    requests: log.entries as Mock<A>['requests'],
    baseUrl: checked.baseUrl,
    authUrl: checked.authUrl,
    tokenPath: tokenPathOf(checked.tokens),
    clock,
    faults,
    state,
    reset: () => {
      // 500, because no client retries a write after it.
      run.controller.abort(new Refusal(500, 'The mock was reset while this request was on its way'));
      run.controller = new AbortController();
      clock.reset();
      tokens.reset();
      faults.clear();
      log.reset();
      restore(secondBefore(clock.now()));
    },
  };
};
