import { header } from '../conventions.ts';
import type { Attempt } from '../errors/restkin-error.ts';
import { type Deprecation, parseDeprecation } from '../headers/deprecation.ts';
import type { ApiResponse } from '../http/message.ts';

/** The answer behind a result. */
export interface ResponseInfo {
  /** Status of the answer (§7.1). */
  readonly status: number;
  /** Header fields of the answer; a browser shows only those that the server exposes. */
  readonly headers: Headers;
  /** For `ifNoneMatch`; undefined when the server gives none. */
  readonly etag: string | undefined;
  /** Absolute URL of the new resource, or of the work that was accepted; undefined when the server gives none (§4.2). */
  readonly location: string | undefined;
  /** What the answer says about the end of its version (§9.4); undefined when it says nothing. */
  readonly deprecation: Deprecation | undefined;
  /** Every attempt, the successful one last. */
  readonly attempts: readonly Attempt[];
}

/** A result with the answer behind it. */
export interface WithResponse<T> {
  /** The result, as `await` of the call gives it. */
  readonly data: T;
  /** The answer that the result was made from. */
  readonly response: ResponseInfo;
}

/** A request that is on its way: `await` gives the result. */
export interface Call<T> extends Promise<T> {
  /** The result together with the status, the header fields and the attempts of its answer. */
  withResponse(): Promise<WithResponse<T>>;
}

/** The `Location` of a response, absolute; undefined when there is none, or it is not a URL. */
export const locationOf = (headers: Headers, url: string): string | undefined => {
  const location = headers.get(header.location);
  return location !== null && URL.canParse(location, url) ? new URL(location, url).href : undefined;
};

const toResponseInfo = ({ url, status, headers, attempts }: ApiResponse): ResponseInfo => ({
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

/** A result with what its response says. */
export const toWithResponse = <T>({ data, response }: Received<T>): WithResponse<T> => ({
  data,
  response: toResponseInfo(response),
});

/**
 * A promise of the data that also gives the answer. It holds one promise, so that a failure nobody looks at is
 * reported once, by the runtime.
 */
export const toCall = <T>(result: Promise<Received<T>>): Call<T> => {
  const data = (): Promise<T> => result.then((value) => value.data);
  return {
    // biome-ignore lint/suspicious/noThenProperty: a call is awaited
    then: (onFulfilled, onRejected) => data().then(onFulfilled, onRejected),
    catch: (onRejected) => data().catch(onRejected),
    finally: (onFinally) => data().finally(onFinally),
    withResponse: () => result.then(toWithResponse),
    [Symbol.toStringTag]: 'Call',
  };
};
