import { header } from '../conventions.ts';
import type { Attempt } from '../errors/restkin-error.ts';
import { type Deprecation, parseDeprecation } from '../headers/dates.ts';
import { createProgress, traced } from '../http/trace.ts';
import type { ConditionalOptions, RequestParts } from './call-options.ts';
import type { BeginCall } from './observers.ts';
import { type ApiContext, type EndpointName, type Exchange, sendRequest, toOperation } from './pipeline.ts';

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
  /** The id that the server gave the request, for its support; undefined when it gave none. */
  readonly requestId: string | undefined;
  /** What the response says about the end of its version (§9.4); undefined when it says nothing. */
  readonly deprecation: Deprecation | undefined;
  /** Every attempt, the successful one last. */
  readonly attempts: readonly Attempt[];
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
  withResponse(): Promise<{ readonly data: T; readonly response: ResponseInfo }>;
}

/** The `Location` of a response, absolute; undefined when there is none, or it is not a URL. */
export const locationOf = (headers: Headers, url: string): string | undefined => {
  const location = headers.get(header.location);
  return location !== null && URL.canParse(location, url) ? new URL(location, url).href : undefined;
};

/** What a response says besides its body. */
export const toResponseInfo = ({
  request: { url, attempts },
  response: { status, headers, requestId },
}: Exchange): ResponseInfo => ({
  status,
  headers,
  etag: headers.get(header.etag) ?? undefined,
  location: locationOf(headers, url),
  requestId,
  deprecation: parseDeprecation(headers),
  attempts,
});

/** What a call sends: to which API, the parts of its request, and the options that it was given. */
export interface Prepared {
  readonly api: ApiContext;
  readonly parts: RequestParts;
  readonly options: ConditionalOptions;
  /** Undefined for a link and an own endpoint. */
  readonly endpoint?: EndpointName;
}

/** A call whose result is made from its response. If `prepare` throws for invalid arguments, it rejects and nothing is sent. */
export const callWith = <T, P extends Prepared>(
  beginCall: BeginCall,
  prepare: () => P,
  toResult: (exchange: Exchange, prepared: P) => T | Promise<T>,
): Call<T> => {
  const call = beginCall();
  let exchange: Exchange;
  const run = async (): Promise<T> => {
    try {
      const prepared = prepare();
      const { api, parts, options, endpoint } = prepared;
      if (api.trace === undefined) {
        exchange = await sendRequest(api, parts, options, call.id);
        return await toResult(exchange, prepared);
      }
      const progress = createProgress();
      const operation = toOperation(api, 'call', call.id, parts, progress, endpoint);
      return await traced(api.trace, operation, async () => {
        exchange = await sendRequest(api, { ...parts, progress }, options, call.id);
        return toResult(exchange, prepared);
      });
    } catch (error) {
      throw call.fail(error);
    }
  };
  const result = run();
  const withResponse = () => result.then((data) => ({ data, response: toResponseInfo(exchange) }));
  return Object.assign(result, { withResponse });
};
