import type { ApiRequest, Send } from './message.ts';
import { maskUrl } from './url.ts';

/**
 * The event of `on.request`: an attempt begins. It may wait for a token or a limit before it is sent; see
 * {@link Observers}.
 */
export type RequestEvent = {
  /** Identifies the call that the attempt is part of. A list and all its pages are one call. */
  readonly callId: string;
  /** `token` for a request to the token endpoint; its call is one of those that wait for the token. */
  readonly purpose: 'api' | 'token';
  /** Method of the request. */
  readonly method: string;
  /** Absolute. Values of parameters other than those of §4.4 are masked. */
  readonly url: string;
  /** From 1. */
  readonly attempt: number;
};

/** The event of `on.response`: a response to an attempt arrived, with any status; see {@link Observers}. */
export type ResponseEvent = RequestEvent & {
  /** Status of the response, which may be an error status. */
  readonly status: number;
  /**
   * From the beginning of the attempt, with any wait for a token or a limit, to the last byte, in
   * milliseconds.
   */
  readonly durationMs: number;
};

/** The event of `on.retry`: an attempt failed, and another one follows; see {@link Observers}. */
export type RetryEvent = RequestEvent & {
  /** Status of the failed attempt; undefined when there was no response. */
  readonly status: number | undefined;
  /** `code` of the error. */
  readonly error: string;
  /** Wait before the next attempt, in milliseconds. */
  readonly delayMs: number;
};

/** Observers of requests. */
export interface RequestObservers {
  readonly request?: ((event: RequestEvent) => void) | undefined;
  readonly response?: ((event: ResponseEvent) => void) | undefined;
  readonly retry?: ((event: RetryEvent) => void) | undefined;
  readonly pause?: ((event: { readonly callId: string; readonly pauseMs: number }) => void) | undefined;
}

/** What the events of one attempt have in common. */
export const toRequestEvent = (
  { callId, method, url, mask, wire }: ApiRequest,
  attempt: number,
  purpose: RequestEvent['purpose'] = 'api',
): RequestEvent => ({ callId, purpose, method, url: maskUrl(url, mask, wire?.parameters), attempt });

/** Reports token requests; each is a single attempt. */
export const withTokenRequestEvents =
  (send: Send, on: RequestObservers): Send =>
  async (request) => {
    const event = toRequestEvent(request, 1, 'token');
    on.request?.(event);
    const start = performance.now();
    const response = await send(request);
    on.response?.({ ...event, status: response.status, durationMs: performance.now() - start });
    return response;
  };
