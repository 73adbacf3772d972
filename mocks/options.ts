import { checkFunction, checkOf, checkPart, createReader, isObject, isPlain } from '../src/options.ts';
import { type MockTokenOptions, readTokenOptions } from './auth/tokens.ts';
import { checkUsers, type MockUser } from './auth/users.ts';
import { checkDate, checkInteger } from './checks.ts';
import type { DeclaredHandler, EndpointKey } from './handlers.ts';
import type { Apis, CollectionKey, MockParamsOf, MockRow, MockRowOf, MockState } from './row.ts';

/** Methods that {@link MockOptions.accepted} makes respond with 202 (§7.1). */
export type AcceptedMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const acceptedMethods: readonly AcceptedMethod[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Header fields of the responses of a deprecated major (§9.4). Every major but the newest one in the mock is
 * deprecated, and has a `Link` to the same path in the newest. A single major is deprecated too.
 */
export interface MockDeprecation {
  /** The `Deprecation` field (RFC 9745). */
  readonly since?: Date | undefined;
  /** The `Sunset` field (RFC 8594). The version keeps working after it. */
  readonly sunset?: Date | undefined;
}

/**
 * Responds to requests to an endpoint that no collection declares. The mock checks the credentials first, and
 * refuses the methods that the conventions disallow (§4.2); the handler gets every other method.
 *
 * @param parameters - the path parameters, decoded
 * @example
 * ```ts
 * const mock = createMock(ordering, {
 *   endpoints: { 'v1/reports/:id': (_request, _state, { id }) => Response.json({ report: id }) },
 * });
 * ```
 */
export type EndpointHandler<A extends Apis = Apis> = (
  request: Request,
  state: MockState<A>,
  parameters: Readonly<Record<string, string>>,
) => Response | Promise<Response>;

/** The handlers in {@link MockOptions.endpoints}. */
export type EndpointHandlers<A extends Apis = Apis> = {
  readonly [path: `${string}/${string}`]: EndpointHandler<A> | undefined;
} & { readonly [K in EndpointKey<A>]?: DeclaredHandler<A, K> | undefined };

/**
 * Decides whether a row belongs to a list, by the endpoint's own query parameters.
 *
 * @param row - as it goes over the wire, as the rows of {@link MockState} are
 * @param params - as the schema in `params` of the collection parses them, with what its codecs decode to
 */
export type RowFilter<Row = MockRow, Params = MockRow> = (row: Row, params: Params) => boolean;

/**
 * Decides by one query parameter each whether a row belongs to a list. A function is called with the value of
 * its parameter where the request has one. The other parameters select by the field of their name.
 *
 * @example
 * ```ts
 * const Note = resource({ text: z.string() });
 * const params = z.object({ q: z.optional(z.string()) });
 * const notes = collection('notes', Note, { params });
 * const api = defineApi({ name: 'notes', version: 1, auth: 'token', collections: { notes } });
 * const mock = createMock(api, { filter: { notes: { q: (row, q) => row.text.includes(q) } } });
 * ```
 */
export type ParameterFilters<Row = MockRow, Params = MockRow> = {
  readonly [K in keyof Params]?: ((row: Row, value: Exclude<Params[K], undefined>) => boolean) | undefined;
};

/** Rows that are generated from the schema of a collection. */
export interface GeneratedRows<Row = MockRow> {
  /** How many rows. */
  readonly count: number;
  /** Fields of the row with an index, from 0. The schema gives the others. */
  readonly row?: ((index: number) => Row) | undefined;
}

/**
 * Options of {@link createMock}.
 *
 * @example
 * ```ts
 * const mock = createMock(ordering, {
 *   data: { companies: [{ id: 1, name: 'Acme', city: 'Oslo' }] },
 *   generate: { orders: 40, companies: { count: 3, row: (index) => ({ name: `Company ${index}` }) } },
 *   accepted: ['DELETE'],
 * });
 * ```
 */
export interface MockOptions<A extends Apis = Apis> {
  /**
   * Rows by collection key. If several APIs have the key, each gets a copy. Missing ids are assigned from 1.
   * A nested resource is an id, `{ id }` or the whole resource.
   */
  readonly data?: { readonly [K in CollectionKey<A>]?: readonly MockRowOf<A, K>[] | undefined } | undefined;
  /**
   * How many rows are generated from the schemas, by collection key, in addition to `data`. A single number
   * applies to every collection without rows in `data`.
   */
  readonly generate?:
    | number
    | { readonly [K in CollectionKey<A>]?: number | GeneratedRows<MockRowOf<A, K>> | undefined }
    | undefined;
  /** The seed of generated rows; 1 by default. The same seed makes the same rows. */
  readonly seed?: number | undefined;
  /** Who may log in. By default, any username and password that are not empty. */
  readonly users?: readonly MockUser[] | undefined;
  /** Where the APIs are, for example `https://api.example.com`. By default at the root of every origin. */
  readonly baseUrl?: string | undefined;
  /** Where the token endpoint is (§4.1). By default at the root of every origin. */
  readonly authUrl?: string | undefined;
  /**
   * Methods that respond with 202 as if processed later (§4.2), although the work is done at once. `true` for
   * all four. POST does so only in collections that declare `accepts: ['create']`, PUT and PATCH only in
   * families whose servers respond to them with nothing.
   */
  readonly accepted?: boolean | readonly AcceptedMethod[] | undefined;
  /** Header fields of the responses of a deprecated major (§9.4). */
  readonly deprecated?: MockDeprecation | undefined;
  /** How the token endpoint behaves. */
  readonly tokens?: MockTokenOptions | undefined;
  /**
   * Checks a request, without its body, to an API whose style is neither `token` nor `basic` (§5). By default
   * it accepts everything but a wrong credential of another scheme that the API takes. In a mock without such
   * an API it checks requests whose token or Basic credentials the mock does not know, such as a fixed token.
   */
  readonly authorize?: ((request: Request) => boolean | Promise<boolean>) | undefined;
  /**
   * Selects rows by a list's own query parameters, by collection key: one function for all of them, or an
   * object with one for each. By default, a parameter selects the rows whose field of its name has one of its
   * values, and `all` of an enum selects every row. A request with a parameter that has neither a field nor a
   * function is refused with 400.
   */
  readonly filter?:
    | {
        readonly [K in CollectionKey<A>]?:
          | RowFilter<MockRowOf<A, K, 'stored'>, MockParamsOf<A, K>>
          | ParameterFilters<MockRowOf<A, K, 'stored'>, MockParamsOf<A, K>>
          | undefined;
      }
    | undefined;
  /**
   * Handlers of declared endpoints, by name, and of actions, by that of their collection too:
   * `orders.cancel`. Handlers of any other path by that path with the version, for example
   * `v1/recordings/:id`, or `/status` of a family without one; these precede all that is declared.
   */
  readonly endpoints?: EndpointHandlers<A> | undefined;
}

const isUrl = (value: unknown): boolean =>
  typeof value === 'string' && URL.canParse(value) && /^https?:[^?#]*$/i.test(value);

const checkUrl = checkOf(isUrl, 'a URL of http: or https: without query and fragment');

const checkObject = checkOf(isPlain, 'an object with a property for each collection or endpoint');

const isCounted = (value: unknown): boolean =>
  isObject(value) || (Number.isSafeInteger(value) && Number(value) >= 0);

const readRows = createReader<GeneratedRows>(
  { count: checkInteger, row: checkFunction },
  { required: ['count'] },
);

const checkGenerate = (name: string, given: unknown): void => {
  checkOf(isCounted, 'a number of rows, or an object with one for each collection')(name, given);
  for (const [key, rows] of Object.entries(isObject(given) ? given : {})) {
    const at = `${name}.${key}`;
    if (isObject(rows)) checkPart(readRows)(at, rows);
    else checkInteger(at, rows);
  }
};

const checkHandlers = (name: string, given: unknown): void => {
  checkObject(name, given);
  for (const [key, handler] of Object.entries(isObject(given) ? given : {}))
    if (handler !== undefined) checkFunction(`${name}[${JSON.stringify(key)}]`, handler);
};

/** The names of parameters are checked where the collections are known. */
const checkFilter = (name: string, given: unknown): void => {
  checkObject(name, given);
  for (const [key, filter] of Object.entries(isObject(given) ? given : {})) {
    const isFilter = typeof filter === 'function' || isPlain(filter);
    checkOf(() => isFilter, 'a function, or an object with one for each parameter')(`${name}.${key}`, filter);
    for (const [parameter, select] of Object.entries(isObject(filter) ? filter : {}))
      checkFunction(`${name}.${key}.${parameter}`, select);
  }
};

/** Whether {@link MockOptions.accepted} names a method. */
export const isAcceptedMethod = ({ accepted }: MockOptions, method: string): boolean =>
  accepted === true || (Array.isArray(accepted) && accepted.includes(method));

const isAccepted = (value: unknown): boolean =>
  typeof value === 'boolean' ||
  (Array.isArray(value) && value.every((method) => acceptedMethods.includes(method)));

const readDeprecation = createReader<MockDeprecation>({ since: checkDate, sunset: checkDate });

/** Checks the options of a mock. Collection keys and rows are checked where they are read. */
export const readMockOptions = createReader<MockOptions>({
  data: checkObject,
  generate: checkGenerate,
  seed: undefined,
  users: checkUsers,
  baseUrl: checkUrl,
  authUrl: checkUrl,
  accepted: checkOf(isAccepted, `true, false or an array of ${acceptedMethods.join(', ')}`),
  deprecated: checkPart(readDeprecation),
  tokens: checkPart(readTokenOptions),
  authorize: checkFunction,
  filter: checkFilter,
  endpoints: checkHandlers,
});
