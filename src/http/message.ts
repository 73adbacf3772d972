import { header, type Method, methodRules } from '../conventions.ts';
import { type Mask, toShown } from '../errors/error-body.ts';
import type { Attempt, RequestContext } from '../errors/restkin-error.ts';
import type { Wire } from '../families/wire.ts';
import { parseMediaType } from '../headers/media-type.ts';
import type { RequestBody } from './fetch.ts';
import type { RunningOperation } from './trace.ts';
import { maskUrl } from './url.ts';

/** When a failed request is retried. Times are milliseconds. */
export interface RetryPolicy {
  /**
   * Attempts in all, the first one included; 4 by default. A pause after a 429 is limited by the deadline
   * instead.
   */
  readonly attempts?: number | undefined;
  /** The first wait is between this and twice as long, each further one twice that; 200 by default. */
  readonly baseDelayMs?: number | undefined;
  /** Longest wait without `Retry-After`; 5,000 by default. */
  readonly maxDelayMs?: number | undefined;
  /** Longest `Retry-After` that is waited for; above it the error is thrown at once. 60,000 by default. */
  readonly maxRetryAfterMs?: number | undefined;
  /**
   * Also resend PUT and DELETE after a lost connection, a 500, or a status of a gateway; false by default.
   */
  readonly idempotentWrites?: boolean | undefined;
  /**
   * Also resend POST and PATCH after a 503; false by default. Some gateways send it once the request has
   * reached the server.
   */
  readonly writesAfterUnavailable?: boolean | undefined;
}

export type WholeRetryPolicy = { readonly [K in keyof RetryPolicy]-?: Exclude<RetryPolicy[K], undefined> };

/** A request as data: a web `Request` can be sent once. */
export interface ApiRequest {
  readonly method: Method;
  /** Absolute. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody | undefined;
  /**
   * How the body of a success is read: `response` and `fetch` leave it to the caller. An error body is read
   * as a string, and for `fetch` as bytes.
   */
  readonly readAs?: 'text' | 'bytes' | 'response' | 'fetch';
  /** True when a 404 is a result, not an error: the caller asked whether the resource exists. */
  readonly mayBeMissing?: boolean;
  /** The declared path of a collection or an endpoint; a 404 may mean that it is another one. */
  readonly template?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Removes the secrets of the client and of the request from what errors and events show. */
  readonly mask: Mask;
  /** Adds credentials that the request carries to what `mask` removes. */
  readonly carry: (secrets: readonly string[]) => void;
  /** Its attempts so far, in its errors and its result. `withRetry` records them, and nothing else does. */
  readonly attempts: Attempt[];
  /** The call that the request is part of, in errors and events. */
  readonly callId: string;
  /** Time limit for one attempt, in milliseconds. */
  readonly timeoutMs: number;
  readonly retry: WholeRetryPolicy;
  /** For all attempts and waits: the time on `performance.now()` at which the request gives up. */
  readonly deadline: number;
  /** How the API is spoken to; undefined for a token request. */
  readonly wire?: Wire | undefined;
  /** Undefined without `trace`. */
  readonly operation?: RunningOperation | undefined;
}

/** A response, read to its end, unless the caller reads it. */
export interface ApiResponse {
  readonly status: number;
  /** For a caller that gets a web `Response`. */
  readonly statusText?: string | undefined;
  readonly headers: Headers;
  /** True when a browser shows only the headers that the server exposes to other origins. */
  readonly filtered?: boolean;
  /**
   * A string, or bytes where the request asked for them; empty when the response has no body, or is unread.
   */
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** True when the connection was lost before the end of the body. */
  readonly isCut?: boolean;
  /** A success that the caller reads. */
  readonly unread?: Response | undefined;
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/**
 * True for a web page, such as that of a proxy, a login form or another server. PHP names this type for any
 * body.
 */
export const isWebPage = ({ headers, body }: Pick<ApiResponse, 'headers' | 'body'>): boolean =>
  parseMediaType(headers.get(header.contentType)) === 'text/html' &&
  typeof body === 'string' &&
  /^\s*</.test(body);

/** One step of the pipeline: a request in, its response out. */
export type Send = (request: ApiRequest) => Promise<ApiResponse>;

/** Headers that servers and gateways have in their logs. */
const supportHeader = /(?:request|correlation|trace)-?id$|^(?:traceparent|cf-ray)$/;

/**
 * The id that a server gave a request. Headers are sorted by name, so that the last match is `x-request-id`
 * where the server sent several.
 */
export const requestIdOf = (headers: Iterable<readonly [string, string]>): string | undefined =>
  [...headers].findLast(([name]) => /(?:request|correlation)-?id$/.test(name))?.[1];

const words: Readonly<Record<number, string>> = { 201: 'created', 202: 'accepted' };

/** Ends the message of an error about the success of a write: resent, it would be done twice. */
export const processedNote = ({ method }: ApiRequest, status: number): string => {
  // Only `client.fetch` has other methods, and it reads no body of a success.
  if (!isSuccess(status) || methodRules[method].safe) return '';
  return `; ${status} means ${words[status] ?? 'processed'}, so do not resend it`;
};

/** The `Location` of a success: where to find what was created, also if the response is refused. */
const locationIn = ({ status, headers }: Pick<ApiResponse, 'status' | 'headers'>): string | null =>
  isSuccess(status) ? headers.get(header.location) : null;

/** The context of an error: its request with all attempts, and the support headers of its response. */
export const contextOf = (
  request: ApiRequest,
  response?: Pick<ApiResponse, 'status' | 'headers'>,
): RequestContext => {
  const { method, url, mask, callId, attempts, wire } = request;
  const shown = [...(response?.headers ?? [])].filter(([name]) => supportHeader.test(name));
  // Any header may echo a secret, or have a control character of C1.
  const show = (value: string): string => toShown(value, mask).slice(0, 200);
  const support = Object.fromEntries(shown.map(([name, value]) => [name, show(value)]));
  const requestId = requestIdOf(Object.entries(support));
  const location = response && locationIn(response);
  const headers = location ? { ...support, [header.location]: toShown(location, mask) } : support;
  return { method, url: maskUrl(url, mask, wire?.parameters), callId, attempts, requestId, headers };
};
