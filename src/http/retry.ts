import pRetry from 'p-retry';
import { ApiError, TooManyRequestsError } from '../errors/api-error.ts';
import { UnexpectedResponseError } from '../errors/response-error.ts';
import { type Attempt, RequestError } from '../errors/restkin-error.ts';
import { TokenRequestError } from '../errors/token-error.ts';
import { addFailure, isAmbiguous, isRetryable, isStatus, noneFailed, toAmbiguous } from './after-failure.ts';
import { isStream } from './body.ts';
import { type RequestObservers, toRequestEvent } from './events.ts';
import type { ApiRequest, ApiResponse, Send, WholeRetryPolicy } from './message.ts';
import { backoffMs, wait } from './timing.ts';

/** The `retry` of a client that sets nothing. */
export const defaultRetryPolicy: WholeRetryPolicy = {
  attempts: 4,
  baseDelayMs: 200,
  maxDelayMs: 5_000,
  maxRetryAfterMs: 60_000,
  idempotentWrites: false,
  writesAfterUnavailable: false,
};

/** `retry: false`: a single attempt. */
export const noRetry: WholeRetryPolicy = { ...defaultRetryPolicy, attempts: 1 };

/** The most that a budget holds. Each success adds 1. */
const capacity = 500;
/** What each retry takes from the budget, except after a 429. */
const retryCost = 5;

/**
 * What is left for retries, shared by the requests of a client: in an outage retries stop (as in the SDKs of
 * AWS).
 */
export interface RetryBudget {
  left: number;
}

/** A full budget, for one client. */
export const createRetryBudget = (): RetryBudget => ({ left: capacity });

/**
 * A 429 that the server sent to this request. During the pause that a 429 of another request began, a request
 * may fail with the same error without being sent.
 */
const isThrottled = (error: unknown): boolean => error instanceof TooManyRequestsError && error.sent;

/**
 * True for an error about this request. Any other ends the call unchanged: the reason of an abort, and what a
 * function of the application throws, which may be an error about another call.
 */
const isOwn = (error: unknown, { signal, callId }: ApiRequest): error is RequestError =>
  !signal?.aborted && error instanceof RequestError && error.callId === callId;

/**
 * The wait before the next attempt, in milliseconds; infinite when none may follow.
 *
 * @param failures - attempts that failed, without those that a 429 ended
 */
const delayBeforeNext = (request: ApiRequest, error: unknown, failures: number): number => {
  const { attempts, baseDelayMs, maxDelayMs, maxRetryAfterMs } = request.retry;
  // A 429 is no failure, but a policy of one attempt allows no second one after it.
  const isLast = failures >= attempts || attempts === 1 || isStream(request.body);
  if (isLast || !isOwn(error, request)) return Infinity;
  if (!isRetryable(request, error)) return Infinity;
  // The errors that may have a `Retry-After`.
  const asks = isStatus(error, 429, 503) || error instanceof TokenRequestError;
  const asked = asks ? (error.retryAfterMs ?? 0) : 0;
  if (asked > maxRetryAfterMs) return Infinity;
  // Without `Retry-After` the throttle decides how long: it holds all requests back.
  if (isThrottled(error)) return asked + Math.random() * baseDelayMs;
  return asked + backoffMs(failures - 1, baseDelayMs, maxDelayMs);
};

/** The status of the response behind an error; undefined when none arrived. */
const statusOf = (error: RequestError): number | undefined => {
  if (error instanceof TooManyRequestsError && !error.sent) return undefined;
  return error instanceof ApiError || error instanceof UnexpectedResponseError ? error.status : undefined;
};

type Outcome = Pick<Attempt, 'status' | 'error'>;

/** Begins an attempt. The function that it returns records how it ended. */
const beginAttempt = (request: ApiRequest, on: RequestObservers): ((outcome: Outcome) => void) => {
  const { attempts, operation } = request;
  on.request?.(toRequestEvent(request, attempts.length + 1));
  const start = performance.now();
  return (outcome) => {
    const durationMs = performance.now() - start;
    const { status } = outcome;
    attempts.push({ ...outcome, durationMs, waitedMs: 0 });
    if (operation) {
      operation.status = status;
      operation.attempts = attempts.length;
    }
    if (status) on.response?.({ ...toRequestEvent(request, attempts.length), status, durationMs });
  };
};

/**
 * Makes attempts until one succeeds, the failure must not be retried, or the deadline leaves no time for
 * another. A 429 counts neither as one of the `attempts` nor against the budget: the server did nothing, and
 * says when to come back.
 *
 * @throws {@link AmbiguousOutcomeError} for a write that the server may have processed or not
 */
export const withRetry =
  (send: Send, budget: RetryBudget, on: RequestObservers): Send =>
  async (request) => {
    const { attempts, signal, operation } = request;
    // Failed attempts, without those that a 429 ended.
    let failures = 0;
    let earlier = noneFailed;
    // The latest 429 of this request, with what the server said; the error of a pause lacks that.
    let throttled: unknown;

    const attempt = async (): Promise<ApiResponse> => {
      const record = beginAttempt(request, on);
      try {
        const response = await send(request);
        record({ status: response.status });
        return response;
      } catch (error) {
        if (isOwn(error, request)) {
          const status = statusOf(error);
          record({ ...(status && { status }), error: error.code });
          earlier = addFailure(earlier, error);
          if (isThrottled(error)) throttled = error;
          else failures++;
        }
        // p-retry would replace a value that is not an `Error` of its realm, as under Jest.
        throw new Error('', { cause: error });
      }
    };

    /** Waits before the next attempt; false when there is none. */
    const waitForNext = async (failure: unknown): Promise<boolean> => {
      const delayMs = delayBeforeNext(request, failure, failures);
      const cost = isThrottled(failure) ? 0 : retryCost;
      if (performance.now() + delayMs >= request.deadline || budget.left < cost) return false;
      budget.left -= cost;
      // The delay is finite, so that the failure is one that `attempt` has recorded.
      const failed = attempts.at(-1) as Attempt;
      attempts[attempts.length - 1] = { ...failed, waitedMs: delayMs };
      const { status, error = '' } = failed;
      on.retry?.({ ...toRequestEvent(request, attempts.length), status, error, delayMs });
      await wait(delayMs, signal);
      if (isThrottled(failure) && operation) operation.throttledMs += delayMs;
      return true;
    };

    /** The error of the request, after its last attempt failed. */
    const toFinal = (error: unknown): unknown => {
      const final = isStatus(error, 429) ? (throttled ?? error) : error;
      if (!isOwn(final, request) || !isAmbiguous(final, request.method, earlier)) return final;
      return toAmbiguous(final, request.method);
    };

    signal?.throwIfAborted();
    try {
      // `waitForNext` alone decides how often and when, because both depend on the failure.
      const response = await pRetry(attempt, {
        retries: Infinity,
        minTimeout: 0,
        shouldRetry: ({ error }) => waitForNext(error.cause),
      });
      budget.left = Math.min(capacity, budget.left + 1);
      return response;
    } catch (failed) {
      signal?.throwIfAborted();
      throw toFinal((failed as Error).cause);
    }
  };
