import { header } from '../conventions/headers.ts';
import type { Attempt } from '../errors/restkin-error.ts';
import { type Deprecation, parseDeprecation } from '../headers/deprecation.ts';
import type { Delivery } from '../http/with-retry.ts';

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

const toResponseInfo = ({ response, attempts }: Delivery, url: string): ResponseInfo => ({
  status: response.status,
  headers: response.headers,
  etag: response.headers.get(header.etag) ?? undefined,
  location: locationOf(response.headers, url),
  deprecation: parseDeprecation(response.headers),
  attempts,
});

/** A result with what its answer is read from, once somebody asks for that. */
export interface Delivered<T> {
  readonly data: T;
  readonly delivery: Delivery;
  /** URL of the request. */
  readonly url: string;
}

/** The answer of a result, read. */
export const toWithResponse = <T>({ data, delivery, url }: Delivered<T>): WithResponse<T> => ({
  data,
  response: toResponseInfo(delivery, url),
});

/**
 * A promise of the data that also gives the answer. It holds one promise, so that a failure nobody looks at is
 * reported once, by the runtime.
 */
export const toCall = <T>(result: Promise<Delivered<T>>): Call<T> => {
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
