import * as z from 'zod/mini';
import type { RateLimit } from '../src/schema/define-api.ts';
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
   * The deprecated major. By default every major of an API but the newest that the mock has; the only one where it
   * has one.
   */
  readonly version?: number | undefined;
}

/**
 * Responds to the requests to an endpoint that no collection declares, whatever their method. The mock checks the
 * credentials before it calls the handler.
 *
 * @param parameters - those of the path, decoded
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
   * Rows by collection key. Several APIs with the same key get a copy each. An id that a row lacks is assigned
   * from 1; a nested resource is an id, `{ id }` or the whole resource; an id must be that of a row. Rows of a
   * collection below a path parameter, for example `companies/:companyId/orders`, are those of the collection that it
   * shows.
   */
  readonly data?: { readonly [K in CollectionKey<A>]?: readonly MockRowOf<A, K>[] | undefined } | undefined;
  /**
   * How many rows are made from the schema, by collection key, besides those in `data`; a number alone is for every
   * collection that has no rows in `data` and no path parameters. Relations refer to rows that exist.
   */
  readonly generate?: number | { readonly [K in CollectionKey<A>]?: number | undefined } | undefined;
  /** Of generated rows: the same seed makes the same rows, with the same version of faker. 1 by default. */
  readonly seed?: number | undefined;
  /**
   * Makes generated rows realistic by the names of their fields: an instance of `Faker`, for example the `faker` of
   * `@faker-js/faker/locale/de`. By default the English one of `@faker-js/faker` where that package is installed, in
   * Node, Bun and Deno; in a browser it has to be passed. `false` for plain values.
   */
  readonly faker?: FakerInstance | false | undefined;
  /** Who may log in. By default any username and password that is not empty. */
  readonly users?: readonly MockUser[] | undefined;
  /** Where the APIs are, for example `https://api.example.com`. By default at the root of every origin. */
  readonly baseUrl?: string | undefined;
  /** Where the token endpoint is (§4.1). By default at the root of every origin. */
  readonly authUrl?: string | undefined;
  /** Records per page where the declaration names no number, from 1; 25 by default. */
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
   * At most so many requests in a window of the mock's clock, which begins with its first request; above it 429 with
   * `Retry-After` until the window ends (§8). The token endpoint is not limited. No limit by default: the one in the
   * declaration is what clients keep.
   */
  readonly rateLimit?: RateLimit | undefined;
  /** Which major version is deprecated, and what its responses say about it (§9.4). */
  readonly deprecated?: MockDeprecation | undefined;
  /** How the token endpoint behaves. */
  readonly tokens?: MockTokenOptions | undefined;
  /** Checks a request to an API whose style is neither `token` nor `basic` (§5). Accepts everything by default. */
  readonly authorize?: ((request: Request) => boolean | Promise<boolean>) | undefined;
  /**
   * What the own query parameters of a list select, by collection key. By default a parameter that is named like
   * a field selects the rows that have its value: one of a list of them, in a list, as the id of a relation. Any other
   * has no effect.
   */
  readonly filter?: { readonly [K in CollectionKey<A>]?: RowFilter | undefined } | undefined;
  /**
   * The own endpoints of the APIs, by their path with its version, for example `v1/recordings/:id`; they come before the
   * collections. A body is streamed both ways, so that an application can test large ones.
   */
  readonly endpoints?: { readonly [path: string]: EndpointHandler<A> | undefined } | undefined;
  /**
   * How many of the latest requests `mock.requests` keeps at least; it discards older ones at twice as many. 10,000 by
   * default, `Infinity` for all. Assertions that would need a discarded request fail.
   */
  readonly keepRequests?: number | undefined;
  /**
   * Bytes of a request body that the mock reads at most: above it a bulk request gets 413, any other 400. 64 MiB by
   * default; a larger `bulk.maxBytes` of a collection raises it for that collection.
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
    error: 'needs `accepted`: the methods that respond with 202',
    params: { kind: 'type' },
  }),
);

/**
 * Checks the options of a mock, except what the parts check that read them: keys and rows.
 *
 * @returns the options, each of them the object's own, so that nothing on `Object.prototype` is taken for one
 * @throws TypeError for an unknown option or another type, RangeError for a value out of its range
 */
export const readMockOptions = (options: MockOptions): MockOptions => check('createMock', schema, options);
