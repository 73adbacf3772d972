import { header } from '../conventions.ts';
import {
  type Attempt,
  PagingError,
  RequestError,
  RestkinError,
  toOwnError,
} from '../errors/restkin-error.ts';
import { type Deprecation, parseDeprecation } from '../headers/dates.ts';
import type { ApiResponse } from '../http/message.ts';
import type { Mask } from '../http/secrets.ts';
import { maskUrl } from '../http/url.ts';
import type { FailureEvent } from './observers.ts';

/** The response behind a result; see {@link Call.withResponse}. */
export interface ResponseInfo {
  /** Status of the response (§7.1). */
  readonly status: number;
  /** Headers of the response; a browser shows only those that the server exposes. */
  readonly headers: Headers;
  /** Entity tag, for `ifNoneMatch`; undefined when the server gives none. */
  readonly etag: string | undefined;
  /** Absolute URL of the new resource, or of the work that was accepted; undefined when the server gives none (§4.2). */
  readonly location: string | undefined;
  /** What the response says about the end of its version (§9.4); undefined when it says nothing. */
  readonly deprecation: Deprecation | undefined;
  /** Every attempt, the successful one last. */
  readonly attempts: readonly Attempt[];
}

/** A result with the response behind it; see {@link Call.withResponse}. */
export interface WithResponse<T> {
  /** The result, as `await` of the call gives it. */
  readonly data: T;
  /** The response that the result was made from. */
  readonly response: ResponseInfo;
}

/**
 * A request in flight: `await` gives its result.
 *
 * @example
 * ```ts
 * const { data, response } = await orders.get(7).withResponse();
 * console.log(data.status, response.status, response.etag, response.attempts.length);
 * ```
 */
export interface Call<T> extends Promise<T> {
  /** The result together with the status, the headers and the attempts of its response. */
  withResponse(): Promise<WithResponse<T>>;
}

/** The `Location` of a response, absolute; undefined when there is none, or it is not a URL. */
export const locationOf = (headers: Headers, url: string): string | undefined => {
  const location = headers.get(header.location);
  return location !== null && URL.canParse(location, url) ? new URL(location, url).href : undefined;
};

/** What a response says besides its body. */
export const toResponseInfo = ({ url, status, headers, attempts }: ApiResponse): ResponseInfo => ({
  status,
  headers,
  etag: headers.get(header.etag) ?? undefined,
  location: locationOf(headers, url),
  deprecation: parseDeprecation(headers),
  attempts,
});

/** A result with the response that it was made from. */
export interface Received<T> {
  readonly data: T;
  readonly response: ApiResponse;
}

export const toWithResponse = <T>({ data, response }: Received<T>): WithResponse<T> => ({
  data,
  response: toResponseInfo(response),
});

/** Gives an object the methods of a promise. The promise is made when one of them is called. */
export const withPromise = <T, O extends object>(
  object: O,
  start: () => Promise<T>,
): O & Pick<Promise<T>, 'then' | 'catch' | 'finally'> => {
  const methods: Pick<Promise<T>, 'then' | 'catch' | 'finally'> = {
    // biome-ignore lint/suspicious/noThenProperty: calls and lists are awaited
    then: (onFulfilled, onRejected) => start().then(onFulfilled, onRejected),
    catch: (onRejected) => start().catch(onRejected),
    finally: (onFinally) => start().finally(onFinally),
  };
  return Object.assign(object, methods);
};

/** One call of the application. */
export interface OpenCall {
  readonly id: string;
  /** Makes the error that the caller gets, and reports it to `on.error`. */
  readonly fail: (error: unknown) => unknown;
}

export type BeginCall = () => OpenCall;

/** V8's function that gives an error the stack of the place where it is called. */
const { captureStackTrace } = Error as { readonly captureStackTrace?: (error: object) => void };

/** Gives the calls of one client their ids, and reports those that fail. */
export const createCalls = (onError: ((event: FailureEvent) => void) | undefined, mask: Mask): BeginCall => {
  const client = Math.random().toString(36).slice(2, 10);
  let calls = 0;
  return () => {
    const id = `${client}-${++calls}`;
    const fail = (error: unknown): unknown => {
      // The errors of `paging` have no call id, and their URLs are not masked.
      const own =
        error instanceof PagingError && error.callId === undefined
          ? toOwnError(error, { url: maskUrl(error.url, mask), callId: id })
          : error;
      // Here the asynchronous stack leads to the caller. The reason of an abort may be the error of another call.
      const isOwn = !(own instanceof RequestError) || (own.callId ?? id) === id;
      if (isOwn && own instanceof RestkinError) captureStackTrace?.(own);
      onError?.({ callId: id, error: own });
      return own;
    };
    return { id, fail };
  };
};

/** A call whose result is made from its response. If `send` throws for invalid arguments, it rejects and nothing is sent. */
export const callWith = <T, E extends { readonly response: ApiResponse }>(
  call: OpenCall,
  send: () => Promise<E>,
  toResult: (exchange: E) => T | Promise<T>,
): Call<T> => {
  let exchange: E;
  const run = async (): Promise<T> => {
    try {
      exchange = await send();
      return await toResult(exchange);
    } catch (error) {
      throw call.fail(error);
    }
  };
  const result = run();
  const withResponse = (): Promise<WithResponse<T>> =>
    result.then((data) => toWithResponse({ data, response: exchange.response }));
  return Object.assign(result, { withResponse });
};
