import { header } from '../conventions.ts';
import type { Attempt } from '../errors/restkin-error.ts';
import { type Deprecation, parseDeprecation } from '../headers/dates.ts';
import { requestIdOf } from '../http/message.ts';
import { nothingDone, type RunningOperation, traced } from '../http/trace.ts';
import { parseUrl } from '../http/url.ts';
import type { ApiContext } from './context.ts';
import { type Exchange, type RequestParts, toExchange, toRequest } from './exchange.ts';
import type { BeginCall, CallStart } from './observers.ts';
import type { ConditionalOptions } from './options.ts';

/** The response behind a result; see {@link Call.withResponse}. */
export interface ResponseInfo {
  /** Status of the response (§7.1). */
  readonly status: number;
  /** Headers of the response; a browser shows only those that the server exposes. */
  readonly headers: Headers;
  /** Entity tag, for `ifNoneMatch`; undefined when the server gives none. */
  readonly etag: string | undefined;
  /**
   * Absolute URL of the new resource, or of the work that was accepted; undefined when the server gives none
   * (§4.2).
   */
  readonly location: string | undefined;
  /** The id that the server gave the request, for its support; undefined when it gave none. */
  readonly requestId: string | undefined;
  /** What the response says about the end of its version (§9.4); undefined when it says nothing. */
  readonly deprecation: Deprecation | undefined;
  /** Every attempt, the successful one last. */
  readonly attempts: readonly Attempt[];
}

/** A request in flight: `await` gives its result. */
export interface Call<T> extends Promise<T> {
  /** The result together with the status, the headers and the attempts of its response. */
  withResponse(): Promise<{ readonly data: T; readonly response: ResponseInfo }>;
}

/** The `Location` of a response, absolute; undefined when there is none, or it is not a URL. */
export const locationOf = (headers: Headers, url: string): string | undefined => {
  const location = headers.get(header.location);
  return location === null ? undefined : parseUrl(location, url)?.href;
};

/** What a response says besides its body. */
export const toResponseInfo = ({
  request: { url, attempts },
  response: { status, headers },
}: Exchange): ResponseInfo => ({
  status,
  headers,
  etag: headers.get(header.etag) ?? undefined,
  location: locationOf(headers, url),
  requestId: requestIdOf(headers),
  deprecation: parseDeprecation(headers),
  attempts,
});

/**
 * A collection or a declared endpoint, and where it is. `template` is the path of its URL below the base URL,
 * as declared: `/v1/orders`.
 */
export interface EndpointName {
  readonly name: string;
  readonly url: string;
  readonly template: string;
}

/** Describes an operation for `trace`. */
export const toOperation = (
  { name: api, base }: ApiContext,
  kind: RunningOperation['kind'],
  callId: string,
  { method, url }: Pick<RequestParts, 'method' | 'url'>,
  endpoint: EndpointName | undefined,
): RunningOperation => {
  const id = url.startsWith(`${endpoint?.url}/`) ? '/{id}' : '';
  return {
    ...nothingDone,
    kind,
    callId,
    method,
    baseUrl: base.href,
    template: endpoint && endpoint.template + id,
    api,
    collection: endpoint?.name,
  };
};

/** A call before it is sent. */
export interface PreparedCall {
  readonly api: ApiContext;
  readonly parts: RequestParts;
  readonly options: ConditionalOptions;
  /** Undefined for a link and an own endpoint. */
  readonly endpoint?: EndpointName;
  /** Makes the result of the call from its response. */
  readonly toResult: (exchange: Exchange) => unknown;
}

/**
 * Makes a call. If `prepare` throws for invalid arguments, the call rejects and nothing is sent.
 *
 * @param given - the options of the call, which may name its id and have its signal
 */
export const callWith = (
  beginCall: BeginCall,
  prepare: () => PreparedCall,
  given?: CallStart,
): Call<unknown> => {
  const call = beginCall(given);
  let exchange: Exchange;
  const run = async (): Promise<unknown> => {
    try {
      const { api, parts, options, endpoint, toResult } = prepare();
      const { trace } = api;
      const operation = trace && toOperation(api, 'call', call.id, parts, endpoint);
      const request = toRequest(api, { ...parts, operation }, options, call.id);
      const send = async (): Promise<unknown> => {
        exchange = toExchange(api, request, await api.send(request));
        return toResult(exchange);
      };
      return await (operation ? traced(trace, operation, send) : send());
    } catch (error) {
      throw call.fail(error);
    }
  };
  const result = run();
  const withResponse = () => result.then((data) => ({ data, response: toResponseInfo(exchange) }));
  return Object.assign(result, { withResponse });
};
