import type { Method } from 'restkin';
import type { RequestObservers } from '../../../src/http/events.ts';
import type { ApiRequest, ApiResponse } from '../../../src/http/message.ts';
import { defaultRetryPolicy } from '../../../src/http/retry.ts';

/** A request for the steps of the pipeline. */
export const requestOf = (parts: Partial<ApiRequest> & { method?: Method } = {}): ApiRequest => ({
  method: 'GET',
  url: 'https://a.test/v1/orders',
  headers: {},
  carry: () => undefined,
  attempts: [],
  retry: defaultRetryPolicy,
  mask: (shown) => shown,
  callId: 'call-1',
  timeoutMs: 1_000,
  deadline: Number.POSITIVE_INFINITY,
  ...parts,
});

export const responseOf = (status: number, headers: Record<string, string> = {}, body = ''): ApiResponse => ({
  status,
  headers: new Headers(headers),
  body,
});

/** Nobody watches. */
export const silent: RequestObservers = {
  request: () => undefined,
  response: () => undefined,
  retry: () => undefined,
};
