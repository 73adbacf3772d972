import { header } from '../conventions/headers.ts';
import type { Attempt } from '../errors/restkin-error.ts';
import { type Deprecation, parseDeprecation } from '../headers/deprecation.ts';
import type { Delivery } from '../http/with-retry.ts';

/** The answer behind a result. */
export interface ResponseInfo {
  readonly status: number;
  readonly headers: Headers;
  /** For `ifNoneMatch`; undefined when the server gives none. */
  readonly etag: string | undefined;
  /** What the answer says about the end of its version (§9.4); undefined when it says nothing. */
  readonly deprecation: Deprecation | undefined;
  /** Every attempt, the successful one last. */
  readonly attempts: readonly Attempt[];
}

/** A result with the answer behind it. */
export interface WithResponse<T> {
  readonly data: T;
  readonly response: ResponseInfo;
}

/** A request that is on its way: `await` gives the result. */
export interface Call<T> extends Promise<T> {
  /** The result together with the status, the header fields and the attempts of its answer. */
  withResponse(): Promise<WithResponse<T>>;
}

export const toResponseInfo = ({ response, attempts }: Delivery): ResponseInfo => ({
  status: response.status,
  headers: response.headers,
  etag: response.headers.get(header.etag) ?? undefined,
  deprecation: parseDeprecation(response.headers),
  attempts,
});

/**
 * A promise of the data that also gives the answer. It holds one promise, so that a failure nobody looks at is
 * reported once, by the runtime.
 */
export const toCall = <T>(result: Promise<WithResponse<T>>): Call<T> => {
  const data = (): Promise<T> => result.then((value) => value.data);
  return {
    // biome-ignore lint/suspicious/noThenProperty: a call is awaited
    then: (onFulfilled, onRejected) => data().then(onFulfilled, onRejected),
    catch: (onRejected) => data().catch(onRejected),
    finally: (onFinally) => data().finally(onFinally),
    withResponse: () => result,
    [Symbol.toStringTag]: 'Call',
  };
};
