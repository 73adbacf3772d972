// `Symbol.for`, so that the guards recognise errors of a second copy of the package in the same program.
const brand = Symbol.for('restkin.error');

/**
 * The base of every error of restkin; see {@link isRestkinError}. It never holds a token, a password, a
 * request or another library's error, so that it is safe to log.
 */
export abstract class RestkinError extends Error {
  /** Stable name of the failure in lower snake case, one per class. */
  abstract readonly code: string;

  /** @internal */
  get [brand](): true {
    return true;
  }

  /** Name of the class for logs, derived from `code`; programs compare `code`. */
  override get name(): string {
    const words = this.code.replace(/_(?:failed|error)$/, '').split('_');
    return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Error`;
  }

  /** Programs set the name of an error. */
  override set name(value: string) {
    Object.defineProperty(this, 'name', { value, writable: true, configurable: true });
  }

  /** For `JSON.stringify`, which omits the name and the message of an error. */
  toJSON(): Readonly<Record<string, unknown>> {
    const fields: Record<string, unknown> = { name: this.name, message: this.message };
    return Object.assign(fields, this);
  }
}

/**
 * One try to send a request, in the `attempts` of an error or of {@link Call.withResponse}. Times are
 * milliseconds.
 */
export interface Attempt {
  /** Status of the response; absent when none arrived. */
  readonly status?: number;
  /** Code of the error that ended the attempt; absent on success. */
  readonly error?: string;
  /**
   * From the beginning of the attempt, with any wait for a token or a limit, to the last byte of the
   * response.
   */
  readonly durationMs: number;
  /** Wait after this attempt and before the next one; 0 after the last. */
  readonly waitedMs: number;
}

/** The request that an error is about. */
export interface RequestContext {
  readonly method: string;
  /** Masked; empty for a failure before there was one. */
  readonly url: string;
  readonly callId: string | undefined;
  readonly requestId: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly attempts: readonly Attempt[];
}

/** What the errors about one request have in common. The message begins with the method and the URL. */
export abstract class RequestError extends RestkinError implements RequestContext {
  /** Method of the request. */
  readonly method: string;
  /**
   * Absolute URL; empty for a failure before there was one. Values of parameters other than those of §4.4 are
   * masked.
   */
  readonly url: string;
  /** Identifies the call; its events have the same id. A reading of a list with all its pages is one call. */
  readonly callId: string | undefined;
  /**
   * The id that the server gave the request in its response, for its support; undefined when it gave none.
   */
  readonly requestId: string | undefined;
  /**
   * Headers of the response that identify the request to support, by name in lower case; empty when no
   * response arrived.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** Every attempt of the request, in order. */
  readonly attempts: readonly Attempt[];

  readonly #what: string;

  /**
   * @param what - what happened; the method and the URL are put in front
   * @param context - the request; by default the error is about none
   */
  constructor(what: string, context: Partial<RequestContext> = {}) {
    const { method = 'GET', url = '', callId, requestId, headers = {}, attempts = [] } = context;
    super(url === '' ? what : `${method} ${url}: ${what}`);
    this.#what = what;
    this.method = method;
    this.url = url;
    this.callId = callId;
    this.requestId = requestId;
    this.headers = headers;
    this.attempts = attempts;
  }

  /** @internal What happened, without the request. */
  get what(): string {
    return this.#what;
  }

  /** @internal The request that the error is about, for an error that takes the place of this one. */
  get context(): RequestContext {
    const { method, url, callId, requestId, headers, attempts } = this;
    return { method, url, callId, requestId, headers, attempts };
  }
}

/**
 * True for every error that restkin throws, also from another copy of the package in the same program.
 *
 * @see {@link isApiError} for error statuses of the server
 * @example
 * ```ts
 * if (isRestkinError(error)) console.error(error.code, error.message); // holds no token and no password
 * ```
 */
export const isRestkinError = (error: unknown): error is RestkinError =>
  typeof error === 'object' && error !== null && brand in error;

/** True for an error of restkin with one of these codes. */
export const hasCode = (error: unknown, codes: ReadonlySet<string>): error is RestkinError =>
  isRestkinError(error) && codes.has(error.code);

/**
 * The arguments, the options or the declaration are invalid. Nothing was sent, unless a given `fetch`, a
 * function of `customAuth` or of a schema, or the stream of a body gave something invalid.
 */
export class InvalidRequestError extends RestkinError {
  readonly code = 'invalid_request';
}

/** A list cannot be continued without losing or repeating records (§4.5). */
export class PagingError extends RequestError {
  readonly code = 'paging_failed';
}
