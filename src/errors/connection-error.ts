import { hasCode, type RequestContext, RequestError } from './restkin-error.ts';

/**
 * The failure behind a {@link ConnectionError}, as the runtime names it. Its message may hold a secret, and
 * is left out.
 */
export type FailureCause = {
  /** Name of its class, for example `SocketError`. */
  readonly name: string;
  /** The system's name of the failure, for example `ECONNREFUSED`. */
  readonly code: string | undefined;
  /** The operation that failed, for example `connect` or `getaddrinfo`. */
  readonly syscall: string | undefined;
  /** The host that was looked up or connected to. */
  readonly hostname: string | undefined;
};

export interface ConnectionErrorInit extends Partial<RequestContext> {
  /** What happened; the method and the URL are put in front. */
  readonly message: string;
  readonly cause?: FailureCause | undefined;
  readonly sent: boolean;
}

/** No complete response arrived: the connection could not be made, or was lost. */
export class ConnectionError extends RequestError {
  readonly code: 'connection_failed' | 'timeout' | 'ambiguous_outcome' = 'connection_failed';
  /** The failure, as far as the runtime names it; undefined for a time limit. */
  override readonly cause: FailureCause | undefined;
  /** The system's name of the failure, for example `ECONNREFUSED`; undefined when the runtime gives none. */
  readonly reason: string | undefined;
  /** False only when it is proven that nothing of the request left this machine. */
  readonly sent: boolean;

  constructor(init: ConnectionErrorInit) {
    super(init.message, init);
    this.cause = init.cause;
    this.reason = init.cause?.code;
    this.sent = init.sent;
  }
}

/**
 * Not complete in time: `timeoutMs` for one attempt, `deadlineMs` for all; or the condition of `waitFor` did
 * not hold.
 */
export class TimeoutError extends ConnectionError {
  override readonly code = 'timeout';
}

/**
 * The outcome of a write is unknown: the server may have processed it or not. Read the resource before you
 * resend it. The status of a later attempt, such as 409, is in `attempts`.
 */
export class AmbiguousOutcomeError extends ConnectionError {
  override readonly code = 'ambiguous_outcome';
}

/** The errors of a connection; `code` tells them apart. {@link isConnectionError} narrows to this type. */
export type AnyConnectionError =
  | (ConnectionError & { readonly code: 'connection_failed' })
  | TimeoutError
  | AmbiguousOutcomeError;

interface IsConnectionError {
  (error: unknown): error is AnyConnectionError;
  /** @param code - narrows to this code alone */
  <K extends AnyConnectionError['code']>(
    error: unknown,
    code: K,
  ): error is Extract<AnyConnectionError, { readonly code: K }>;
}

const codes: ReadonlySet<string> = new Set(['connection_failed', 'timeout', 'ambiguous_outcome']);

/**
 * True when no complete response arrived, also for an error from another copy of the package.
 *
 * @example
 * ```ts
 * if (isConnectionError(error, 'ambiguous_outcome')) await lookBeforeSendingAgain();
 * ```
 */
export const isConnectionError: IsConnectionError = (
  error: unknown,
  code?: unknown,
  // Given to a callback of `filter`, whose second argument is an index.
  list?: unknown,
): error is AnyConnectionError => {
  if (!hasCode(error, codes)) return false;
  return code === undefined || list !== undefined || error.code === code;
};
