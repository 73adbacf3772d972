import { type NamedAuthorizer, withAuthorization } from '../auth/authorize.ts';
import { CrossOriginUrlError } from '../errors/response-error.ts';
import type { RequestObservers } from '../http/events.ts';
import { withErrors } from '../http/failure.ts';
import type { HeaderFields } from '../http/fields.ts';
import type { ApiRequest, ApiResponse, Send } from '../http/message.ts';
import { type Deliver, type RetryBudget, withRetry } from '../http/retry.ts';
import type { Mask } from '../http/secrets.ts';
import { type Throttle, withThrottle } from '../http/throttle.ts';
import type { Trace, TracedOperation, TracedOutcome } from '../http/trace.ts';
import { type BaseUrl, originOf, resolveWithin } from '../http/url.ts';
import {
  type CallDefaults,
  type ConditionalOptions,
  type RequestParts,
  toApiRequest,
  toRetryPolicy,
} from './call-options.ts';
import type { AllObservers, BeginCall } from './observers.ts';
import type { CheckValues } from './validation.ts';

interface Shared {
  /** One attempt on the wire. */
  readonly transport: Send;
  readonly throttle: Throttle;
  readonly budget: RetryBudget;
  readonly observers: RequestObservers;
}

/**
 * The path of a request to its response. Retry is outermost, so that each attempt asks for its credentials anew; a 401 is
 * replayed inside, outside the retry budget.
 */
export const createPipeline = (
  schemes: readonly NamedAuthorizer[],
  { transport, throttle, budget, observers }: Shared,
): Deliver =>
  withRetry(withErrors(withAuthorization(withThrottle(transport, throttle), schemes)), budget, observers);

/** What the calls of one client to one API have in common. */
export interface ApiContext {
  /** Name of the API; undefined for a link and an own endpoint without one. */
  readonly name: string | undefined;
  readonly trace: Trace | undefined;
  readonly base: BaseUrl;
  readonly defaults: CallDefaults;
  readonly deliver: Deliver;
  /** Headers of a request without a body. */
  readonly readFields: HeaderFields;
  /** Headers of a request with a JSON body. */
  readonly writeFields: HeaderFields;
  /** Undefined without an observer. */
  readonly onResponse: ((request: ApiRequest, response: ApiResponse) => void) | undefined;
  readonly check: CheckValues;
  readonly on: Pick<AllObservers, 'drift' | 'page'>;
  readonly beginCall: BeginCall;
}

/** Names a collection, for messages and for `trace`. */
export interface EndpointName {
  /** Its name in the declaration. */
  readonly name: string;
  /** Its URL for its path parameters. */
  readonly url: string;
  /** The path of `url` as a template below the base URL, such as `/v1/companies/{companyId}/orders`. */
  readonly path: string;
}

export const toOperation = (
  { name: api, base }: ApiContext,
  kind: TracedOperation['kind'],
  callId: string,
  { method, url }: Pick<RequestParts, 'method' | 'url'>,
  outcome: TracedOutcome,
  endpoint?: EndpointName,
): TracedOperation => {
  const common = { kind, callId, api, method, baseUrl: base.href, outcome };
  if (endpoint === undefined) return common;
  const id = url.startsWith(`${endpoint.url}/`) ? '/{id}' : '';
  const template = base.href.slice(base.origin.length) + endpoint.path + id;
  return { ...common, collection: endpoint.name, template };
};

export interface Exchange {
  readonly request: ApiRequest;
  readonly response: ApiResponse;
  readonly check: CheckValues;
}

export const sendRequest = async (
  { deliver, defaults, onResponse, check }: ApiContext,
  parts: RequestParts,
  options: ConditionalOptions,
  callId: string,
): Promise<Exchange> => {
  const request = toApiRequest(parts, options, defaults, callId);
  const response = await deliver(request, toRetryPolicy(options.retry, defaults.retry));
  onResponse?.(request, response);
  return { request, response, check };
};

/** Resolves a link that is to be followed. @throws {@link CrossOriginUrlError} when it leads away from the base URL */
export const toFollowedUrl = (
  { base, defaults }: ApiContext,
  link: string,
  mask: Mask = defaults.secrets.mask,
): string => {
  const url = resolveWithin(base, link, `${base.href}/`);
  if (url !== undefined) return url;
  throw new CrossOriginUrlError({
    message: `not sent: the link leads to another origin than ${base.origin}; check \`baseUrl\``,
    status: undefined,
    method: 'GET',
    url: originOf(link, mask),
  });
};
