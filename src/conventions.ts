// The conventions as data, in their order. No behaviour: the client and the mock both read it.

// §2 Resources and their fields

/** Fields that every resource has, even when `fields` limits the response (§2.1). */
export const identityFields = ['id', 'self'] as const;

/** Separates the names in a nested field path (§2.1). */
export const pathSeparator = '.';

/** The response of the token endpoint, as on the wire (§2.2). */
export interface TokenResponse {
  readonly access_token: string;
  readonly expires_in: number;
  readonly token_type: string;
  readonly refresh_expires_in: number;
  readonly refresh_token: string;
}

/** One field in error (§2.3); see {@link isValidationError}. */
export interface ErrorItem {
  /** Name or dotted path of the offending field; empty for an error of the body as a whole. */
  readonly field: string;
  /**
   * Machine code; `missingField` and `invalid` are known, the list is open (§7.2). Undefined where a server
   * gives none.
   */
  readonly code?: ErrorItemCode | (string & {}) | undefined;
  /** Detail for a person. */
  readonly message?: string | undefined;
  /** A URI that describes the input requirements in more detail. */
  readonly reference?: string | undefined;
}

/** The error body, as on the wire (§2.3). */
export interface ErrorBody {
  readonly message: string;
  /** Only for validation failures: one item per field in error. */
  readonly errors?: readonly ErrorItem[];
}

/** Where an error body has what (§2.3). */
export const errorBodyNames = {
  message: 'message',
  items: 'errors',
  field: 'field',
  code: 'code',
  itemMessage: 'message',
  reference: 'reference',
} as const;

// §4 Endpoints

/** Header names of the conventions, in lower case, as `Headers` compares them. */
export const header = {
  /**
   * Content types that the client accepts (§4.3); in the response to OPTIONS, the available methods (§4.2).
   */
  accept: 'accept',
  /** RFC 9110 §10.2.1. Read only when the `Accept` of an OPTIONS response names no methods (§4.2). */
  allow: 'allow',
  authorization: 'authorization',
  contentType: 'content-type',
  contentLength: 'content-length',
  contentEncoding: 'content-encoding',
  /** RFC 9110 §6.6.1. */
  date: 'date',
  deprecation: 'deprecation',
  etag: 'etag',
  ifModifiedSince: 'if-modified-since',
  ifNoneMatch: 'if-none-match',
  lastModified: 'last-modified',
  link: 'link',
  location: 'location',
  /** §7.1 names this header where RFC 9110 has `If-Modified-Since`; a client sends both. */
  modifiedSince: 'modified-since',
  retryAfter: 'retry-after',
  sunset: 'sunset',
  wwwAuthenticate: 'www-authenticate',
} as const;

/** Path of the token endpoint below the auth URL (§4.1). */
export const tokenPath = 'auth/token';

/** The content type of a token request (§4.1). */
export const formType = 'application/x-www-form-urlencoded';

/** Values of `grant_type` (§4.1). */
export const grantType = { password: 'password', refreshToken: 'refresh_token' } as const;

/**
 * The statuses with which each method succeeds (§4.2), and whether its request has a body. A `safe` method
 * changes nothing (RFC 9110 §9.2.1). Sending an `idempotent` one twice has the same effect as sending it once
 * (RFC 9110 §9.2.2).
 */
export const methodRules = {
  GET: { success: [200, 304], body: false, safe: true, idempotent: true },
  POST: { success: [201, 202], body: true, safe: false, idempotent: false },
  PUT: { success: [204, 202], body: true, safe: false, idempotent: true },
  PATCH: { success: [204, 202], body: true, safe: false, idempotent: false },
  DELETE: { success: [204, 202], body: false, safe: false, idempotent: true },
  OPTIONS: { success: [200], body: false, safe: true, idempotent: true },
} as const;

/** A method that the conventions allow (§4.2), for {@link Client.request}. */
export type Method = keyof typeof methodRules;

/** Methods that every resource refuses with 405 (§4.2, §7.1). */
export const disallowedMethods = ['HEAD', 'TRACE', 'TRACK'] as const;

/** The operations of a collection, each with its method (§4.2). */
export const operationMethods = {
  list: 'GET',
  get: 'GET',
  create: 'POST',
  replace: 'PUT',
  update: 'PATCH',
  delete: 'DELETE',
} as const satisfies Readonly<Record<string, Method>>;

/**
 * An operation of a collection, as the `operations` of {@link collection} name it; see {@link Operations}.
 */
export type Operation = keyof typeof operationMethods;

/** Every operation, the default of a collection. The cast restores the type that `Object.keys` loses. */
export const operations = Object.keys(operationMethods) as readonly Operation[];

/** The content type of most APIs (§4.3). */
export const jsonType = 'application/json';

/** Query parameters of the conventions (§4.4), in the order a query is written. */
export const queryParameters = ['sort', 'fields', 'expand', 'page', 'perPage'] as const;
export type QueryParameter = (typeof queryParameters)[number];

/** Separates the names in `sort`, `fields` and `expand` (§4.4). */
export const listSeparator = ',';

/** Prefix of a sort field for descending order (§4.4). */
export const descendingPrefix = '-';

/** Paging response headers (§4.5). */
export const paginationHeader = {
  totalPages: 'x-pagination-total-pages',
  totalCount: 'x-pagination-total-count',
  currentPage: 'x-pagination-current-page',
  pageSize: 'x-pagination-page-size',
} as const;

/** Link relations of a paged response (§4.5). */
export const pageRelations = ['first', 'prev', 'next', 'last'] as const;
export type PageRelation = (typeof pageRelations)[number];

// §5 Authentication

/** Names of the authentication schemes (§5), as `Authorization` writes them (RFC 7617, RFC 6750). */
export const authScheme = { basic: 'Basic', bearer: 'Bearer' } as const;

// §7 Errors

/** The error statuses of §7.1, each with its phrase from RFC 9110 (RFC 6585 for 429). */
export const errorPhrases = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

/** A status of §7.1 that reports an error; see {@link isApiError}. */
export type ErrorStatus = keyof typeof errorPhrases;

/** Statuses of a validation failure: 400 (§7.2.1), and 422, which many servers send in its place. */
export const validationStatuses = [400, 422] as const;

/** Item codes that the conventions show (§7.2). */
export const errorItemCode = { missingField: 'missingField', invalid: 'invalid' } as const;
type ErrorItemCode = keyof typeof errorItemCode;

// §8 Limits

/** Access token lifetime, in seconds (§8). */
export const accessTokenLifetimeS = 600;

/** Refresh token lifetime, in seconds (§8). */
export const refreshTokenLifetimeS = 2_592_000;

// §9 Versioning

/** Prefix of the major version in a path: `/v<major>/<resource path>` (§9). */
export const versionPrefix = 'v';
