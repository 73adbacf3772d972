import { header, jsonType, type Method } from '../conventions.ts';
import { InvalidRequestError } from '../errors/request-error.ts';
import { CrossOriginUrlError } from '../errors/response-error.ts';
import type { HeaderFields } from '../http/header-fields.ts';
import type { ApiResponse } from '../http/message.ts';
import { traced } from '../http/tracing.ts';
import { type BaseUrl, maskUrl, originOf, resolveWithin } from '../http/url.ts';
import type { Deliver } from '../http/with-retry.ts';
import type { DriftEvent } from '../paging/drift.ts';
import { type Call, toCall } from './call.ts';
import {
  type CallDefaults,
  type CallOptions,
  type RequestParts,
  toApiRequest,
  toRetryPolicy,
} from './call-options.ts';
import type { BeginCall, OpenCall } from './open-call.ts';
import type { Answer } from './outcome.ts';
import type { ValueCheck } from './validation.ts';

/** What the calls of one client to one API have in common. */
export interface Exchange {
  readonly base: BaseUrl;
  readonly defaults: CallDefaults;
  readonly deliver: Deliver;
  /** Header fields of a request without a body. */
  readonly readFields: HeaderFields;
  /** Header fields of a request with a JSON body. */
  readonly writeFields: HeaderFields;
  /** Looks at each response; undefined when nobody asked. */
  readonly onAnswer: ((response: ApiResponse, callId: string) => void) | undefined;
  /** How values are checked. */
  readonly check: ValueCheck;
  /** Told when a list changes while it is read. */
  readonly onDrift: (event: DriftEvent) => void;
  readonly beginCall: BeginCall;
}

/** What the requests of one call have in common. */
export interface CallExchange extends Exchange {
  readonly call: OpenCall;
}

/** Begins a call. */
export const openExchange = (api: Exchange): CallExchange => ({ ...api, call: api.beginCall() });

/** Prepares what every request of an API carries (§4.3). */
export const createExchange = (
  base: BaseUrl,
  defaults: CallDefaults,
  headers: HeaderFields,
  deliver: Deliver,
  watch: Pick<Exchange, 'onAnswer' | 'onDrift' | 'check' | 'beginCall'>,
): Exchange => {
  const readFields = { [header.accept]: jsonType, ...headers };
  const writeFields = { ...readFields, [header.contentType]: jsonType };
  return { base, defaults, deliver, readFields, writeFields, ...watch };
};

/** Sends a request and waits for its answer. */
export const exchange = async (
  { deliver, defaults, onAnswer, check, call }: CallExchange,
  parts: RequestParts,
  options: CallOptions,
  conditions?: HeaderFields,
): Promise<Answer> => {
  const request = toApiRequest(parts, options, defaults, call.id, conditions);
  const policy = toRetryPolicy(options.retry, defaults.retry);
  const response = await traced(
    'restkin:request',
    () => deliver(request, policy),
    () => ({ callId: call.id, method: request.method, url: maskUrl(request.url, request.mask) }),
  );
  onAnswer?.(response, call.id);
  return { request, response, check };
};

/** A call whose result is made from its answer. What is wrong with the arguments rejects it, and nothing is sent. */
export const callWith = <T>(
  call: OpenCall,
  send: () => Promise<Answer>,
  toResult: (answer: Answer) => T | Promise<T>,
): Call<T> => {
  const run = async () => {
    try {
      const answer = await send();
      return { data: await toResult(answer), response: answer.response };
    } catch (error) {
      throw call.fail(error);
    }
  };
  return toCall(run());
};

/** Writes a JSON body. @throws {@link InvalidRequestError} for a value that JSON cannot hold */
export const toJsonBody = (value: unknown): string => {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // A cycle or a bigint; the engine's message quotes names from the value.
  }
  if (text === undefined)
    throw new InvalidRequestError(
      'The body cannot be written as JSON; it holds a cycle, a bigint or nothing',
    );
  return text;
};

/**
 * Resolves a link that is to be followed.
 *
 * @throws {@link CrossOriginUrlError} when it leads away from the base URL; nothing is sent
 */
export const toFollowedUrl = (
  { base, defaults: { mask } }: Exchange,
  link: string,
  method: Method = 'GET',
): string => {
  const url = resolveWithin(base, link, `${base.href}/`);
  if (url !== undefined) return url;
  throw new CrossOriginUrlError({
    message: `not sent: the link leads to another origin than ${base.origin}; check \`baseUrl\``,
    status: undefined,
    method,
    url: originOf(link, mask),
  });
};
