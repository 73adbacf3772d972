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
  /** Attempts in all, the first one included; 3 by default. */
  readonly attempts?: number | undefined;
  /** The first backoff waits a random time up to this, each further one up to twice as long; 200 by default. */
  readonly baseDelayMs?: number | undefined;
  /** Longest backoff; 5,000 by default. */
  readonly maxDelayMs?: number | undefined;
  /** Longest `Retry-After` that is waited for; above it the error is thrown at once. 60,000 by default. */
  readonly maxRetryAfterMs?: number | undefined;
  /** Also resend PUT and DELETE after a lost connection or a 500; false by default. */
  readonly idempotentWrites?: boolean | undefined;
  /** Also resend POST and PATCH after a 503; false by default. */
  readonly writesAfterUnavailable?: boolean | undefined;
}

/** A policy with every option set. */
export type WholeRetryPolicy = { readonly [K in keyof RetryPolicy]-?: Exclude<RetryPolicy[K], undefined> };

export const defaultRetryPolicy: WholeRetryPolicy = {
  attempts: 3,
  baseDelayMs: 200,
  maxDelayMs: 5_000,
  maxRetryAfterMs: 60_000,
  idempotentWrites: false,
  writesAfterUnavailable: false,
};

/** A policy with a single attempt. */
export const noRetry: WholeRetryPolicy = { ...defaultRetryPolicy, attempts: 1 };

/**
 * Whether a failure may be followed by another attempt, by method and outcome.
 *
 * POST and PATCH are never resent when the connection was lost after sending, or after a 500.
 */
export const isRetryable = (method: Method, error: unknown, policy: WholeRetryPolicy): boolean => {
  const rule = methodRules[method];
  const mayRepeat = rule.safe || (rule.idempotent && policy.idempotentWrites);
  if (error instanceof TokenRequestError) return error.temporary;
  // The deadline passed before sending, so there is no time for another attempt either.
  if (error instanceof TimeoutError && !error.sent) return false;
  if (error instanceof ConnectionError) return !error.sent || mayRepeat;
  if (!(error instanceof ApiError)) return false;
  if (error.status === 503) return rule.idempotent || policy.writesAfterUnavailable;
  return error.status === 429 || (error.status === 500 && mayRepeat);
};

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

/** See {@link createRetryBudget}. */
export type RetryBudget = ReturnType<typeof createRetryBudget>;

/**
 * Sends a request until it succeeds or must not be resent.
 *
 * @param lost - the error and the attempts of a stream that was lost after its response, before the first byte of the body. The
 * request is resent only if the policy allows another attempt
 */
export type Deliver = (
  request: ApiRequest,
  policy: WholeRetryPolicy,
  lost?: { readonly error: Error; readonly attempts: readonly Attempt[] },
) => Promise<ApiResponse>;

/** The wait before the next attempt; undefined when it would end after the deadline. */
const delayBefore = (retry: number, error: unknown, deadline: number, policy: WholeRetryPolicy) => {
  const asked = retryAfterOf(error);
  if (asked !== undefined && asked > policy.maxRetryAfterMs) return undefined;
  const delay = (asked ?? 0) + backoffMs(retry, policy.baseDelayMs, policy.maxDelayMs);
  return performance.now() + delay < deadline ? delay : undefined;
};

/** The state of one request. */
interface Run {
  readonly request: ApiRequest;
  readonly policy: WholeRetryPolicy;
  readonly attempts: Attempt[];
  /** True once an attempt was lost after sending. */
  mayHaveArrived: boolean;
  /** What the latest attempt threw. p-retry would replace a value that is not an `Error` of its realm, as under Jest. */
  failure: unknown;
}

/**
 * False for what ends a call unchanged: the reason of its abort, and what a function of the application throws. Both may be
 * the error of another call.
 */
const isOwn = (error: unknown, { signal, callId }: ApiRequest): error is RequestError =>
  !signal?.aborted && error instanceof RequestError && (error.callId ?? callId) === callId;

/** Marks the failure of a write as ambiguous if one of its attempts may have arrived and been processed. */
const toAmbiguous = (error: RequestError, { request, mayHaveArrived }: Run): RequestError => {
  if (!(error instanceof ConnectionError) || !mayHaveArrived || methodRules[request.method].safe)
    return error;
  const advice =
    'the server may have processed the request or not, so read the resource before you resend it';
  const message = `${error.what}; ${advice}`;
  return new AmbiguousOutcomeError(Object.assign({}, error, { message, sent: true }));
};

/** The status of the response behind an error; undefined when none arrived. */
const responseStatus = (error: unknown): number | undefined => {
  if (error instanceof TooManyRequestsError && !error.sent) return undefined;
  return error instanceof ApiError || error instanceof UnexpectedResponseError ? error.status : undefined;
};

/**
 * Makes attempts until one succeeds, the failure must not be retried, or the deadline leaves no time for another.
 * An error has all attempts.
 *
 * @throws {@link AmbiguousOutcomeError} for a write whose connection was lost after sending
 */
export const withRetry = (send: Send, budget: RetryBudget, on: RequestObservers): Deliver => {
  const attemptOnce = async (run: Run): Promise<ApiResponse> => {
    const { request, attempts } = run;
    on.request?.(toRequestEvent(request, attempts.length + 1));
    const start = performance.now();
    const record = (outcome: Pick<Attempt, 'status' | 'error'>): void => {
      const durationMs = performance.now() - start;
      attempts.push({ ...outcome, durationMs, waitedMs: 0 });
      const { status } = outcome;
      if (status !== undefined)
        on.response?.({ ...toRequestEvent(request, attempts.length), status, durationMs });
    };
    try {
      const response = await send(request);
      record({ status: response.status });
      return response;
    } catch (error) {
      run.failure = error;
      if (!isOwn(error, request)) throw error;
      const status = responseStatus(error);
      record(status === undefined ? { error: error.code } : { status, error: error.code });
      if (error instanceof ConnectionError && error.sent) run.mayHaveArrived = true;
      throw error;
    }
  };

  /** Waits before the next attempt; throws the failure if there is none. */
  const waitForNext = async (run: Run): Promise<void> => {
    const { request, policy, attempts, failure: error } = run;
    const retry = attempts.length;
    if (!isOwn(error, request) || retry >= policy.attempts || !isRetryable(request.method, error, policy))
      throw error;
    if (isStream(request.body)) throw error;
    const delayMs = delayBefore(retry - 1, error, request.deadline, policy);
    if (delayMs === undefined || !budget.take()) throw error;
    // The failed attempt is the last one that was recorded.
    const last = { ...(attempts.pop() as Attempt), waitedMs: delayMs };
    attempts.push(last);
    on.retry?.({
      ...toRequestEvent(request, attempts.length),
      status: last.status,
      error: last.error ?? '',
      delayMs,
    });
    await wait(delayMs, request.signal);
  };

  /** Makes the attempts after a failed one. */
  const resend = (run: Run): Promise<ApiResponse> => {
    const { policy, attempts } = run;
    return pRetry((attempt) => (attempt === 1 ? Promise.reject(run.failure) : attemptOnce(run)), {
      retries: policy.attempts - attempts.length,
      // The wait depends on the failure, so `waitForNext` makes it.
      minTimeout: 0,
      onFailedAttempt: () => waitForNext(run),
    });
  };

  return async (request, policy, lost) => {
    const attempts = lost ? [...lost.attempts] : [];
    const run: Run = { request, policy, attempts, mayHaveArrived: false, failure: lost?.error };
    try {
      request.signal?.throwIfAborted();
      // The first attempt is made without p-retry, whose loop costs 5 % of a request.
      const response = await (lost === undefined ? attemptOnce(run).catch(() => resend(run)) : resend(run));
      budget.refund();
      return { ...response, attempts };
    } catch (error) {
      if (!isOwn(error, request)) throw error;
      throw Object.assign(toAmbiguous(error, run), { attempts });
    }
  };
};
