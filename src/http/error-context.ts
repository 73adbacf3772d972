import type { RequestErrorInit } from '../errors/restkin-error.ts';
import type { ApiRequest, ApiResponse } from './message.ts';
import { maskUrl } from './url.ts';

/** What an error about a request needs of it. */
export type RequestInErrors = Pick<ApiRequest, 'method' | 'url' | 'mask' | 'callId' | 'supportHeaders'>;

/** Header fields that name a request in the logs of servers and gateways. */
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

/** Of the response what the client allows. Any field may echo a secret. */
const supportFields = (
  { headers }: Pick<ApiResponse, 'headers'>,
  { supportHeaders, mask }: RequestInErrors,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    supportHeaders
      .filter((name) => headers.has(name))
      .map((name) => [name, mask(headers.get(name) ?? '').slice(0, longestValue)]),
  );

/** The part of an error that says which request it is about. */
export const contextOf = (
  request: RequestInErrors,
  response?: Pick<ApiResponse, 'headers'>,
): RequestErrorInit & { readonly method: string; readonly url: string } => {
  const { method, url, mask, callId } = request;
  const headers = response && supportFields(response, request);
  return { method, url: maskUrl(url, mask), callId, headers };
};
