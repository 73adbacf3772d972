import { type Attempt, brand, type Family, type RequestContext, RestkinError } from './restkin-error.ts';

/** One place where a body is not what the declaration says. */
export interface Issue {
  /** Dotted path in the body; empty for the body as a whole. */
  readonly path: string;
  /** What the declaration wants there. */
  readonly message: string;
}

/** What an {@link UnexpectedResponseError} is made of. */
export interface UnexpectedResponseInit extends RequestContext {
  readonly message: string;
  readonly status: number | undefined;
  readonly issues?: readonly Issue[];
}

/** The server answered something that the conventions or the declaration do not allow. */
export class UnexpectedResponseError extends RestkinError implements RequestContext {
  readonly code: 'unexpected_response' | 'response_too_large' | 'redirect_refused' | 'cross_origin_url' =
    'unexpected_response';
  /** Status of the answer; undefined when a link was refused before anything was sent. */
  readonly status: number | undefined;
  readonly method: string;
  readonly url: string;
  /** Where the body differs from the declaration; empty when it could not be read at all. */
  readonly issues: readonly Issue[];
  /** Every attempt of the request, the last one last. */
  attempts: readonly Attempt[] = [];

  constructor(init: UnexpectedResponseInit) {
    super(init.message);
    this.status = init.status;
    this.method = init.method;
    this.url = init.url;
    this.issues = init.issues ?? [];
  }

  /** @internal */
  override get [brand](): Family {
    return 'response';
  }
  override get name(): string {
    return 'UnexpectedResponseError';
  }
}

/** The decoded body is larger than `maxResponseBytes`; the rest of it was not read. */
export class ResponseTooLargeError extends UnexpectedResponseError {
  override readonly code = 'response_too_large';
  override get name(): string {
    return 'ResponseTooLargeError';
  }
}

/** The server answered with a redirect. Redirects are never followed: credentials would travel with them. */
export class RedirectRefusedError extends UnexpectedResponseError {
  override readonly code = 'redirect_refused';
  override get name(): string {
    return 'RedirectRefusedError';
  }
}

/** A link, self link or `Location` leads away from the configured base URL. Nothing was sent there. */
export class CrossOriginUrlError extends UnexpectedResponseError {
  override readonly code = 'cross_origin_url';
  override get name(): string {
    return 'CrossOriginUrlError';
  }
}
