import { header, jsonType } from '../conventions.ts';
import type { Wire } from '../families/wire.ts';
import { checkHeaderFields, type HeaderFields, secretsIn } from '../http/fields.ts';
import type { ApiRequest, ApiResponse } from '../http/message.ts';
import type { ApiContext } from './context.ts';
import { type ConditionalOptions, toRetryPolicy } from './options.ts';
import type { CheckValues } from './validation.ts';

/** The conditions of a call as header fields (§7.1). */
const conditionsOf = ({ ifNoneMatch, modifiedSince }: ConditionalOptions): HeaderFields => {
  const date = modifiedSince?.toUTCString();
  return {
    ...(ifNoneMatch !== undefined && { [header.ifNoneMatch]: ifNoneMatch }),
    ...(date !== undefined && { [header.modifiedSince]: date, [header.ifModifiedSince]: date }),
  };
};

/** The parts of a request that do not depend on the options of its call. Its headers are checked already. */
export type RequestParts = Pick<
  ApiRequest,
  'method' | 'url' | 'body' | 'readAs' | 'mayBeMissing' | 'template' | 'operation'
> & { readonly headers?: HeaderFields };

/** A request and its response, with what checks their values. */
export interface Exchange {
  readonly request: ApiRequest;
  readonly response: ApiResponse;
  readonly check: CheckValues;
  readonly wire: Wire;
}

/** The request of a call to an API. The conditions of the call override its header fields. */
export const toRequest = (
  api: ApiContext,
  parts: RequestParts,
  options: ConditionalOptions,
  callId: string,
): ApiRequest => {
  const own = options.headers && checkHeaderFields('headers', options.headers);
  const carried = secretsIn({ ...parts.headers, ...own });
  const type = typeof parts.body === 'string' ? { [header.contentType]: jsonType } : undefined;
  return {
    ...parts,
    headers: { ...api.headers, ...type, ...parts.headers, ...own, ...conditionsOf(options) },
    ...api.secrets.forRequest(carried),
    attempts: [],
    callId,
    wire: api.wire,
    signal: options.signal,
    timeoutMs: options.timeoutMs ?? api.timeoutMs,
    retry: toRetryPolicy(options.retry, api.retry),
    deadline: performance.now() + (options.deadlineMs ?? api.deadlineMs),
  };
};

/** Pairs a request with its response, and reports the end of a version that the response announces. */
export const toExchange = (api: ApiContext, request: ApiRequest, response: ApiResponse): Exchange => {
  api.onResponse?.(request, response);
  return { request, response, check: api.check, wire: api.wire };
};
