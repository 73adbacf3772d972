/** An attempt is about to be sent. */
export interface RequestEvent {
  /** Method of the request. */
  readonly method: string;
  /** Absolute. Values of parameters other than those of §4.4 are masked. */
  readonly url: string;
  /** From 1. */
  readonly attempt: number;
}

/** An attempt was answered, with whatever status. */
export interface ResponseEvent extends RequestEvent {
  /** Status of the answer, an error status too. */
  readonly status: number;
  /** From sending to the last byte, in milliseconds. */
  readonly durationMs: number;
}

/** An attempt failed, and another one follows. */
export interface RetryEvent extends RequestEvent {
  /** Status of the failed attempt; undefined when there was no answer. */
  readonly status: number | undefined;
  /** `code` of the error. */
  readonly error: string;
  /** Wait before the next attempt, in milliseconds. */
  readonly delayMs: number;
}

/** Observers of requests; each is undefined when nobody asked, and nothing is prepared for it. */
export interface RequestObservers {
  readonly request: ((event: RequestEvent) => void) | undefined;
  readonly response: ((event: ResponseEvent) => void) | undefined;
  readonly retry: ((event: RetryEvent) => void) | undefined;
}
