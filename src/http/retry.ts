import pRetry from 'p-retry';
import { type Method, methodRules } from '../conventions.ts';
import { ApiError, ServiceUnavailableError, TooManyRequestsError } from '../errors/api-error.ts';
import { AmbiguousOutcomeError, ConnectionError, TimeoutError } from '../errors/connection-error.ts';
import { UnexpectedResponseError } from '../errors/response-error.ts';
import { type Attempt, RequestError } from '../errors/restkin-error.ts';
import { TokenRequestError } from '../errors/token-error.ts';
import { isStream } from './body.ts';
import { type RequestObservers, toRequestEvent } from './events.ts';
import type { ApiRequest, ApiResponse, Send } from './message.ts';
import { backoffMs, wait } from './timing.ts';

/**
 * When a failed request is retried. Times are milliseconds.
 *
 * @example
 * ```ts
 * const client = createClient({ baseUrl, auth, retry: { attempts: 5, maxRetryAfterMs: 10_000 } });
 * await client.api(ordering).orders.delete(8, { retry: { idempotentWrites: true } });
 * ```
 */
export interface RetryPolicy {
  /** Attempts in all, the first one included; 4 by default. A pause after a 429 is limited by the deadline instead. */
  readonly attempts?: number | undefined;
  /** The first wait is between this and twice as long, each further one twice that; 200 by default. */
  readonly baseDelayMs?: number | undefined;
  /** Longest wait; 5,000 by default. */
  readonly maxDelayMs?: number | undefined;
  /** Longest `Retry-After` that is waited for; above it the error is thrown at once. 60,000 by default. */
  readonly maxRetryAfterMs?: number | undefined;
  /** Also resend PUT and DELETE after a lost connection, a 500, a 502 or a 504; false by default. */
  readonly idempotentWrites?: boolean | undefined;
  /** Also resend POST and PATCH after a 503; false by default. */
  readonly writesAfterUnavailable?: boolean | undefined;
}

export type WholeRetryPolicy = { readonly [K in keyof RetryPolicy]-?: Exclude<RetryPolicy[K], undefined> };

export const defaultRetryPolicy: WholeRetryPolicy = {
  attempts: 4,
  baseDelayMs: 200,
  maxDelayMs: 5_000,
  maxRetryAfterMs: 60_000,
  idempotentWrites: false,
  writesAfterUnavailable: false,
};

export const noRetry: WholeRetryPolicy = { ...defaultRetryPolicy, attempts: 1 };

const isStatus = (error: unknown, ...statuses: readonly number[]): error is ApiError =>
  error instanceof ApiError && statuses.includes(error.status);

/** True when the server may have processed the request: the connection, or a gateway's connection, was lost after sending. */
const mayHaveArrived = (error: unknown): boolean =>
  error instanceof ConnectionError ? error.sent : isStatus(error, 502, 504);

/**
 * Whether a failure may be followed by another attempt, by method and outcome.
 *
 * POST and PATCH are never resent when the connection was lost after sending, or after a 500, 502 or 504.
 */
export const isRetryable = (method: Method, error: unknown, policy: WholeRetryPolicy): boolean => {
  const { safe, idempotent } = methodRules[method];
  const mayRepeat = safe || (idempotent && policy.idempotentWrites);
  if (error instanceof TokenRequestError) return error.temporary;
  // The deadline passed before sending, so there is no time for another attempt either.
  if (error instanceof TimeoutError && !error.sent) return false;
  if (error instanceof ConnectionError) return !error.sent || mayRepeat;
  if (isStatus(error, 429)) return true;
  if (isStatus(error, 503)) return idempotent || policy.writesAfterUnavailable;
  if (isStatus(error, 500, 502, 504)) return mayRepeat;
  return safe && error instanceof ApiError && error.status > 500 && !isStatus(error, 501, 505);
};

/** The method by whose rules a request is retried: with an `Idempotency-Key` the caller says that a POST is as safe as a GET. */
const retriedAs = ({ method, headers }: ApiRequest): Method =>
  !methodRules[method].idempotent && headers['idempotency-key'] ? 'GET' : method;

/** `Retry-After` of the server or of the token endpoint, in milliseconds. */
export const retryAfterOf = (error: unknown): number | undefined =>
  error instanceof TooManyRequestsError ||
  error instanceof ServiceUnavailableError ||
  error instanceof TokenRequestError
    ? error.retryAfterMs
    : undefined;

const capacity = 500;
const retryCost = 5;

/**
 * Tokens for retries, shared by all requests of a client. While most requests fail, retries stop, so that they do not
 * worsen an outage (as in the standard retry mode of AWS's SDKs).
 */
export const createRetryBudget = () => {
  let tokens = capacity;
  return {
    /** Takes the cost of one retry; false when too few tokens are left. */
    take: (): boolean => {
      if (tokens < retryCost) return false;
      tokens -= retryCost;
      return true;
    },
    /** Returns one token after a success. */
    refund: (): void => {
      tokens = Math.min(capacity, tokens + 1);
    },
  };
};

export type RetryBudget = ReturnType<typeof createRetryBudget>;

/** Sends a request until it succeeds or must not be resent. */
export type Deliver = (request: ApiRequest, policy: WholeRetryPolicy) => Promise<ApiResponse>;

/** The state of one request, which has its attempts. */
interface Run {
  readonly request: ApiRequest;
  readonly policy: WholeRetryPolicy;
  /** Failed attempts, without those that a 429 ended. */
  failures: number;
  /** True once an attempt may have been processed. */
  isUnknown: boolean;
  /** What the latest attempt threw. p-retry would replace a value that is not an `Error` of its realm, as under Jest. */
  failure: unknown;
}

/** A 429 of this request. Another request's pause ends a request without one, and it is not sent. */
const isThrottled = (error: unknown): boolean => error instanceof TooManyRequestsError && error.sent;

/** The wait before the next attempt; undefined when it would end after the deadline, or is too long. */
const delayBefore = ({ request, policy, failures, failure }: Run): number | undefined => {
  const { baseDelayMs, maxDelayMs, maxRetryAfterMs } = policy;
  const asked = retryAfterOf(failure) ?? 0;
  if (asked > maxRetryAfterMs) return undefined;
  // The throttle waits for the end of the pause.
  const extra = isThrottled(failure)
    ? Math.random() * baseDelayMs
    : backoffMs(failures - 1, baseDelayMs, maxDelayMs);
  return performance.now() + asked + extra < request.deadline ? asked + extra : undefined;
};

/**
 * False for what ends a call unchanged: the reason of its abort, and what a function of the application throws. Both may be
 * the error of another call.
 */
const isOwn = (error: unknown, { signal, callId }: ApiRequest): error is RequestError =>
  !signal?.aborted && error instanceof RequestError && (error.callId ?? callId) === callId;

/** Marks the failure of a write as ambiguous if one of its attempts may have been processed. */
const toAmbiguous = (error: RequestError, { request: { method }, isUnknown }: Run): RequestError => {
  const isRemoved = method === 'DELETE' && isStatus(error, 404);
  const isLost = error instanceof ConnectionError || mayHaveArrived(error) || isRemoved;
  if (!isUnknown || methodRules[method].safe || !isLost) return error;
  const advice = isRemoved
    ? 'an earlier attempt of this call may have deleted the resource'
    : 'the server may have processed the request or not, so read the resource before you resend it';
  const cause = error instanceof ConnectionError ? error.cause : undefined;
  return new AmbiguousOutcomeError(
    Object.assign({}, error, { cause, message: `${error.what}; ${advice}`, sent: true }),
  );
};

/** The status of the response behind an error; undefined when none arrived. */
const statusOf = (error: RequestError): number | undefined => {
  if (error instanceof TooManyRequestsError && !error.sent) return undefined;
  return error instanceof ApiError || error instanceof UnexpectedResponseError ? error.status : undefined;
};

/**
 * Makes attempts until one succeeds, the failure must not be retried, or the deadline leaves no time for another.
 *
 * @throws {@link AmbiguousOutcomeError} for a write that the server may have processed or not
 */
export const withRetry = (send: Send, budget: RetryBudget, on: RequestObservers): Deliver => {
  const attempt = (run: Run) => async (): Promise<ApiResponse> => {
    const { request } = run;
    const { attempts } = request;
    on.request?.(toRequestEvent(request, attempts.length + 1));
    const start = performance.now();
    const record = (status: number | undefined, error?: string): void => {
      const durationMs = performance.now() - start;
      attempts.push({ ...(status && { status }), ...(error && { error }), durationMs, waitedMs: 0 });
      Object.assign(request.operation ?? {}, { status, attempts: attempts.length });
      if (status) on.response?.({ ...toRequestEvent(request, attempts.length), status, durationMs });
    };
    try {
      const response = await send(request);
      record(response.status);
      return response;
    } catch (error) {
      run.failure = error;
      if (!isOwn(error, request)) throw error;
      record(statusOf(error), error.code);
      run.isUnknown ||= mayHaveArrived(error);
      if (!isThrottled(error)) run.failures++;
      throw error;
    }
  };

  /** Waits before the next attempt; false when there is none. */
  const waitForNext = async (run: Run): Promise<boolean> => {
    const { request, policy, failures, failure } = run;
    const { attempts } = request;
    if (!isOwn(failure, request) || isStream(request.body)) return false;
    // A policy of one attempt has no pauses either.
    if (failures >= policy.attempts || policy.attempts === 1) return false;
    if (!isRetryable(retriedAs(request), failure, policy)) return false;
    const delayMs = delayBefore(run);
    if (delayMs === undefined || !(isThrottled(failure) || budget.take())) return false;
    // The failed attempt is the last one that was recorded.
    const last = { ...(attempts.pop() as Attempt), waitedMs: delayMs };
    attempts.push(last);
    const { status, error = '' } = last;
    on.retry?.({ ...toRequestEvent(request, attempts.length), status, error, delayMs });
    await wait(delayMs, request.signal);
    if (isThrottled(failure) && request.operation) request.operation.throttledMs += delayMs;
    return true;
  };

  return async (request, policy) => {
    const run: Run = { request, policy, failures: 0, isUnknown: false, failure: undefined };
    request.signal?.throwIfAborted();
    try {
      // The wait depends on the failure, so `waitForNext` makes it.
      const response = await pRetry(attempt(run), {
        retries: Number.POSITIVE_INFINITY,
        minTimeout: 0,
        shouldRetry: () => waitForNext(run),
      });
      budget.refund();
      return response;
    } catch {
      request.signal?.throwIfAborted();
      const { failure } = run;
      throw isOwn(failure, request) ? toAmbiguous(failure, run) : failure;
    }
  };
};
