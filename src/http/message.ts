import type { Method } from '../conventions.ts';
import type { Attempt, RequestErrorInit } from '../errors/restkin-error.ts';
import type { Mask } from './secrets.ts';
import { maskUrl } from './url.ts';

/** A body that can be sent more than once, so that a retry and a replay after a 401 are possible. */
export type RequestBody = string | Uint8Array<ArrayBuffer> | ArrayBuffer | Blob | FormData | URLSearchParams;

/**
 * A request as data. A web `Request` can be sent once and costs a clone per retry; this one is a value, which the
 * transport gives to `fetch` for each attempt.
 */
export interface ApiRequest {
  readonly method: Method;
  /** Absolute. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody | undefined;
  /** How the response's body is read when the status is a success; an error body is always read as a string. */
  readonly readAs?: 'text' | 'bytes';
  /** True when a 404 is a result, not an error: the caller asked whether the resource exists. */
  readonly mayBeMissing?: boolean;
  /** Whose credentials it carries, so that responses to different users are not mixed up. */
  readonly user?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Removes the secrets of the client and of the request from what errors and events show. */
  readonly mask: Mask;
  /** The call that the request is part of, in errors and events. */
  readonly callId: string;
  /** Names of the response headers that errors show, in lower case. */
  readonly supportHeaders: readonly string[];
  /** For one attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** For all attempts and waits: the time on `performance.now()` at which the request gives up. */
  readonly deadline: number;
}

/** A response, read to its end. */
export interface ApiResponse {
  /** URL of the request. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** True when a browser shows only the headers that the server exposes to other origins. */
  readonly filtered?: boolean;
  /** A string, or bytes where the request asked for them; empty when the response has no body. */
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** Every attempt, the successful one last; empty inside the pipeline. */
  readonly attempts: readonly Attempt[];
}

/** One step of the pipeline: a request in, its response out. */
export type Send = (request: ApiRequest) => Promise<ApiResponse>;

/** The part of a request that an error shows. */
export type RequestInErrors = Pick<ApiRequest, 'method' | 'url' | 'mask' | 'callId' | 'supportHeaders'>;

/** Headers that identify a request in the logs of servers and gateways. */
export const defaultSupportHeaders: readonly string[] = [
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'correlation-id',
  'traceparent',
  'x-trace-id',
  'x-amzn-trace-id',
  'cf-ray',
];

const longestValue = 200;

/** The allowed headers of a response, masked: any of them may echo a secret. */
const supportHeadersOf = (
  { headers }: Pick<ApiResponse, 'headers'>,
  { supportHeaders, mask }: RequestInErrors,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    supportHeaders
      .filter((name) => headers.has(name))
      .map((name) => [name, mask(headers.get(name) ?? '').slice(0, longestValue)]),
  );

/** The part of an error that identifies its request. */
export const contextOf = (
  request: RequestInErrors,
  response?: Pick<ApiResponse, 'headers'>,
): RequestErrorInit & { readonly method: string; readonly url: string } => {
  const { method, url, mask, callId } = request;
  const headers = response && supportHeadersOf(response, request);
  return { method, url: maskUrl(url, mask), callId, headers };
};
