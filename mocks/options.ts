import * as z from 'zod/mini';
import { type MockUser, usersSchema } from './auth/authorize.ts';
import { type MockTokenOptions, tokensSchema } from './auth/tokens.ts';
import { check, optional, type ShapeOf, value } from './check.ts';
import type { FakerInstance } from './generate/random.ts';
import type { Apis, CollectionKey, MockRow, MockRowOf, MockState } from './row.ts';

/** Methods that {@link MockOptions.accepted} makes respond with 202 (§7.1). */
export type AcceptedMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const acceptedMethods: readonly AcceptedMethod[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * What the responses of a deprecated major version say (§9.4).
 *
 * @example
 * ```ts
 * const mock = createMock(ordering, { deprecated: { sunset: new Date('2031-01-01') } });
 * ```
 */
export interface MockDeprecation {
  /** The `Deprecation` field (RFC 9745). */
  readonly since?: Date | undefined;
  /** The `Sunset` field (RFC 8594). The version keeps working after it. */
  readonly sunset?: Date | undefined;
  /** The `Link` to the successor. By default the same path in the newest major of the API that the mock has. */
  readonly link?: string | undefined;
  /**
   * The deprecated major. By default every major of an API except the newest in the mock, or its only major.
   */
  readonly version?: number | undefined;
}

/**
 * Responds to requests to an endpoint that no collection declares. The mock checks the credentials first, and refuses the
 * methods that the conventions disallow (§4.2); the handler gets every other method.
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

/**
 * Decides whether a row belongs to a list, by the endpoint's own query parameters.
 *
 * @example
 * ```ts
 * const mock = createMock(ordering, {
 *   filter: { companies: (row, params) => params['city'] === undefined || row['city'] === params['city'] },
 * });
 * ```
 */
export type RowFilter = (row: MockRow, params: MockRow) => boolean;

/** A limit on the requests in a window of time (§8). */
export interface RateLimit {
  /** How many requests one window allows. */
  readonly requests: number;
  /** Length of the window, in milliseconds. */
  readonly perMs: number;
}

/**
 * Options of {@link createMock}.
 *
 * @example
 * ```ts
 * const mock = createMock(ordering, {
 *   data: { companies: [{ id: 1, name: 'Acme', city: 'Oslo' }] },
 *   generate: { orders: 40 },
 *   accepted: ['DELETE'],
 *   rateLimit: { requests: 100, perMs: 60_000 },
 * });
 * ```
 */
export interface MockOptions<A extends Apis = Apis> {
  /**
   * Rows by collection key. If several APIs have the key, each gets a copy. Missing ids are assigned from 1. A nested
   * resource is an id, `{ id }` or the whole resource, and an id must be that of a row. Rows of a collection with path
   * parameters, for example `companies/:companyId/orders`, belong to the collection of all orders if the fields of an
   * order hold the parameters.
   */
  readonly data?: { readonly [K in CollectionKey<A>]?: readonly MockRowOf<A, K>[] | undefined } | undefined;
  /**
   * How many rows are generated from the schema, by collection key, in addition to `data`. A single number applies to every
   * collection without rows in `data` and without path parameters. Relations refer to rows that exist.
   */
  readonly generate?: number | { readonly [K in CollectionKey<A>]?: number | undefined } | undefined;
  /** The seed of generated rows. It makes the same rows again with the same version of faker. 1 by default. */
  readonly seed?: number | undefined;
  /**
   * The instance of `Faker` that makes generated rows realistic by the names of their fields, for example the `faker` of
   * `@faker-js/faker/locale/de`. Node, Bun and Deno use the English one by default if `@faker-js/faker` is installed; in a
   * browser, pass one. `false` for plain values.
   */
  readonly faker?: FakerInstance | false | undefined;
  /** Who may log in. By default any username and any password that are not empty. */
  readonly users?: readonly MockUser[] | undefined;
  /** Where the APIs are, for example `https://api.example.com`. By default at the root of every origin. */
  readonly baseUrl?: string | undefined;
  /** Where the token endpoint is (§4.1). By default at the root of every origin. */
  readonly authUrl?: string | undefined;
  /** Records per page in collections whose declaration has no `defaultPerPage`, from 1; 25 by default. */
  readonly defaultPerPage?: number | undefined;
  /**
   * Methods that respond with 202 as if processed later (§4.2). `true` for all four. POST does so only in collections that
   * declare `accepts: ['create']`.
   */
  readonly accepted?: boolean | readonly AcceptedMethod[] | undefined;
  /**
   * Milliseconds of the mock's clock until work accepted with 202 is done and visible; 0, immediately, by default.
   * Needs `accepted`.
   */
  readonly finishesAfterMs?: number | undefined;
  /**
   * How many requests are allowed in a window of the mock's clock, which begins with its first request. Further requests
   * get 429 with `Retry-After` until the window ends (§8). The token endpoint is not limited. No limit by default.
   */
  readonly rateLimit?: RateLimit | undefined;
  /** Which major version is deprecated, and what its responses say about it (§9.4). */
  readonly deprecated?: MockDeprecation | undefined;
  /** How the token endpoint behaves. */
  readonly tokens?: MockTokenOptions | undefined;
  /** Checks a request to an API whose style is neither `token` nor `basic` (§5). Accepts everything by default. */
  readonly authorize?: ((request: Request) => boolean | Promise<boolean>) | undefined;
  /**
   * Selects rows by a list's own query parameters, by collection key. By default, a parameter named like a field selects
   * the rows whose field has one of its values. A list matches by any of its items, a relation by its id. Other parameters
   * have no effect.
   */
  readonly filter?: { readonly [K in CollectionKey<A>]?: RowFilter | undefined } | undefined;
  /**
   * The APIs' own endpoints, by path with the version, for example `v1/recordings/:id`. They take precedence over
   * collections. Bodies are streamed in both directions, so that an application can test large ones.
   */
  readonly endpoints?: { readonly [path: string]: EndpointHandler<A> | undefined } | undefined;
  /**
   * How many of the latest requests `mock.requests` keeps at least. It discards older ones when it holds more than twice as
   * many. 10,000 by default, `Infinity` for all. Assertions that would need a discarded request fail.
   */
  readonly keepRequests?: number | undefined;
  /**
   * The most bytes of a request body that the mock reads. A larger bulk request gets 413, any other request 400. 64 MiB by
   * default; a larger `bulk.maxBytes` of a collection applies there.
   */
  readonly maxBodyBytes?: number | undefined;
}

const isFaker = (faker: unknown): boolean =>
  faker === false || (typeof faker === 'object' && faker !== null && 'rawDefinitions' in faker);

const isUrl = (input: unknown): boolean =>
  typeof input === 'string' && URL.canParse(input) && /^https?:$/.test(new URL(input).protocol);

const url = value
  .other<string>('type', 'a URL of http: or https:, for example https://api.example.com', isUrl)
  .check(
    z.refine((input) => !/[?#]/.test(input), {
      error: 'must have no query and no fragment',
      params: { kind: 'type' },
    }),
  );

const shape: ShapeOf<MockOptions> = {
  data: z.record(z.string(), z.optional(z.array(z.unknown()))),
  generate: z.union([value.number, z.record(z.string(), z.optional(value.number))], {
    error: 'must be a number of rows, or an object with one for each collection key',
  }),
  seed: value.number,
  faker: value.other('type', 'an instance of Faker from @faker-js/faker, or false', isFaker),
  users: usersSchema,
  baseUrl: url,
  authUrl: url,
  defaultPerPage: value.integer(1),
  accepted: z.union([value.boolean, z.array(value.oneOf(...acceptedMethods))], {
    error: `must be true, false or an array of ${acceptedMethods.join(', ')}`,
  }),
  finishesAfterMs: value.atLeast(0),
  rateLimit: z.strictObject({
    requests: value.atLeast(1),
    perMs: value.positive,
  } satisfies ShapeOf<RateLimit>),
  deprecated: optional<MockDeprecation>({
    since: value.date,
    sunset: value.date,
    link: value.string,
    version: value.number,
  }),
  tokens: tokensSchema,
  authorize: value.function,
  filter: z.record(z.string(), z.optional(value.function)),
  endpoints: z.record(z.string(), z.optional(value.function)),
  keepRequests: value.count(0),
  maxBodyBytes: value.integer(1),
};

const schema = optional<MockOptions>(shape).check(
  z.refine(({ accepted, finishesAfterMs = 0 }) => accepted !== undefined || finishesAfterMs === 0, {
    path: ['finishesAfterMs'],
    error: 'must be combined with `accepted`, the methods that respond with 202',
    params: { kind: 'type' },
  }),
);

/**
 * Checks the options of a mock. Collection keys and rows are checked where they are read.
 *
 * @returns a copy of the options in which nothing on `Object.prototype` is taken for an option
 * @throws TypeError for an unknown option or another type, RangeError for a value out of its range
 */
export const readMockOptions = (options: MockOptions): MockOptions => check('createMock', schema, options);
