import type { ApiDeclaration, RateLimit } from '../src/schema/define-api.ts';
import type { FakerInstance } from './generate/faker.ts';
import type { MockUser } from './user.ts';

/** One API, or several that share tokens and users. */
export type Apis = ApiDeclaration | readonly ApiDeclaration[];

type KeysOf<One> = One extends { readonly collections: infer C } ? keyof C & string : never;

/** The collection keys of an API, or of several. */
export type CollectionKey<A extends Apis> = A extends readonly (infer One)[] ? KeysOf<One> : KeysOf<A>;

/** A row, or the query parameters of a request, as plain data. */
export type MockRow = Readonly<Record<string, unknown>>;

/** Methods that may be answered with 202 (§7.1). */
export type AcceptedMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** All of them. */
export const acceptedMethods: readonly AcceptedMethod[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** How the token endpoint behaves (§4.1, §5.2). */
export interface MockTokenOptions {
  /** Whole seconds; 600 by default (§8). */
  readonly accessLifetimeS?: number | undefined;
  /** Whole seconds; 2592000 by default (§8). */
  readonly refreshLifetimeS?: number | undefined;
  /** Whether presenting a used refresh token revokes every token of that login. `true` by default. */
  readonly reuseRevokesChain?: boolean | undefined;
  /** Status for a refresh token that is unknown, used, expired or revoked: 401, or 400 as in RFC 6749 §5.2. 401 by default. */
  readonly refusedRefreshStatus?: 400 | 401 | undefined;
  /** Whether a password grant revokes the earlier logins of that user. `false` by default. */
  readonly singleSession?: boolean | undefined;
}

/** What the answers of a deprecated major version say (§9.4). */
export interface MockDeprecation {
  /** The `Deprecation` field (RFC 9745). */
  readonly since?: Date | undefined;
  /** The `Sunset` field (RFC 8594). The version keeps answering after it. */
  readonly sunset?: Date | undefined;
  /** The `Link` to the successor. By default the same path in the newest major of the API that the mock has. */
  readonly link?: string | undefined;
  /**
   * The deprecated major. By default every major of an API but the newest that the mock has; the only one where it
   * has one.
   */
  readonly version?: number | undefined;
}

/** Says whether a row belongs to a list, by the endpoint's own query parameters. */
export type RowFilter = (row: MockRow, params: MockRow) => boolean;

/** What a mock starts with. */
export interface MockOptions<A extends Apis = Apis> {
  /**
   * Rows by collection key. Several APIs with the same key get a copy each. An id that a row lacks is assigned
   * from 1; a nested resource is given by its id, as `{ id }` or in full, and by its id leads to a row. Rows of a
   * collection below a path parameter, for example `companies/:companyId/orders`, are those of the collection that it
   * shows.
   */
  readonly data?: { readonly [K in CollectionKey<A>]?: readonly MockRow[] | undefined } | undefined;
  /**
   * How many rows are made from the schema, by collection key, besides those in `data`; a number alone is for every
   * collection that has no rows in `data` and no path parameters. Relations lead to rows that exist.
   */
  readonly generate?: number | { readonly [K in CollectionKey<A>]?: number | undefined } | undefined;
  /** Of generated rows: the same seed makes the same rows, with the same version of faker. 1 by default. */
  readonly seed?: number | undefined;
  /**
   * Makes generated rows realistic by the names of their fields: an instance of `Faker`, for example the `faker` of
   * `@faker-js/faker/locale/de`. By default the English one of `@faker-js/faker` where that package is installed, in
   * Node, Bun and Deno; in a browser it has to be given. `false` for plain values.
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
   * Methods that answer 202 as if processed later (§4.2). `true` for all four. POST does so only in collections that
   * declare `accepts: ['create']`.
   */
  readonly accepted?: boolean | readonly AcceptedMethod[] | undefined;
  /**
   * Milliseconds of the mock's clock until work answered with 202 is done and can be seen; 0, at once, by default.
   * Needs `accepted`.
   */
  readonly finishesAfterMs?: number | undefined;
  /**
   * At most so many requests in a window of the mock's clock, which begins with its first request; above it 429 with
   * `Retry-After` until the window ends (§8). The token endpoint is not limited. No limit by default: the one in the
   * declaration is what clients keep.
   */
  readonly rateLimit?: RateLimit | undefined;
  /** Which major version is deprecated, and what its answers say about it (§9.4). */
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
   * How many of the latest requests `mock.requests` keeps at least; it drops older ones at twice as many. 10,000 by
   * default, `Infinity` for all. Assertions fail that would need what was dropped.
   */
  readonly keepRequests?: number | undefined;
  /**
   * Bytes of a request body that the mock reads at most: above it a bulk request gets 413, any other 400. 64 MiB by
   * default; a larger `bulk.maxBytes` of a collection raises it for that collection.
   */
  readonly maxBodyBytes?: number | undefined;
}
