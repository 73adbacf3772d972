import { formatStatus } from './api-error.ts';
import { type RequestContext, RequestError } from './restkin-error.ts';

/** One place where a body does not match the declaration; see {@link UnexpectedResponseError}. */
export interface Issue {
  /** Dotted path in the body; empty for the body as a whole. */
  readonly path: string;
  /** What the declaration requires there. */
  readonly message: string;
  /** In a list, the id of the record; absent where it has none. */
  readonly id?: string | number;
  /**
   * In a list, how many records have this issue, where more than one has. The path leads to the first; the
   * check ends after 20 issues.
   */
  readonly records?: number;
  /**
   * With the option `showValues`: the received value as JSON, at most 100 characters, with secrets masked.
   */
  readonly value?: string;
}

export interface UnexpectedResponseInit extends Partial<RequestContext> {
  /** What is wrong with the response; the method, the URL and the status are put in front. */
  readonly message: string;
  readonly status: number | undefined;
  readonly body?: string | undefined;
  readonly issues?: readonly Issue[];
}

/** The server responded with something that the conventions or the declaration do not allow. */
export class UnexpectedResponseError extends RequestError {
  readonly code: 'unexpected_response' | 'response_too_large' | 'redirect_refused' | 'cross_origin_url' =
    'unexpected_response';
  /** Status of the response; undefined when a link was refused before anything was sent. */
  readonly status: number | undefined;
  /** Where the body differs from the declaration; empty when it could not be read at all. */
  readonly issues: readonly Issue[];
  /** The beginning of a body that is not JSON, at most 2,000 characters, with secrets masked. */
  readonly body: string | undefined;

  constructor(init: UnexpectedResponseInit) {
    // A browser shows a redirect that was not followed as status 0.
    super(init.status ? `${formatStatus(init.status)}: ${init.message}` : init.message, init);
    this.status = init.status;
    this.body = init.body;
    this.issues = init.issues ?? [];
  }
}

/** The decoded body is larger than `maxResponseBytes`. The rest was not read. */
export class ResponseTooLargeError extends UnexpectedResponseError {
  override readonly code = 'response_too_large';
}

/** The server responded with a redirect. Redirects are never followed: credentials would travel with them. */
export class RedirectRefusedError extends UnexpectedResponseError {
  override readonly code = 'redirect_refused';
}

/**
 * A link, self link or `Location` leads to another origin than `baseUrl`, or is not an `http:` or `https:`
 * URL. Nothing was sent there.
 */
export class CrossOriginUrlError extends UnexpectedResponseError {
  override readonly code = 'cross_origin_url';
}
