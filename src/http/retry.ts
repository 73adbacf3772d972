import pRetry from 'p-retry';
import { methodRules } from '../conventions.ts';
import { ApiError, TooManyRequestsError } from '../errors/api-error.ts';
import { AmbiguousOutcomeError, ConnectionError } from '../errors/connection-error.ts';
import { UnexpectedResponseError } from '../errors/response-error.ts';
import { type Attempt, isRestkinError, RequestError, whatOf } from '../errors/restkin-error.ts';
import type { ApiRequest, ApiResponse, Send } from './message.ts';
import { isRetryable, type RetryBudget, retryAfterOf, type WholeRetryPolicy } from './retry-policy.ts';
import { backoffMs, wait } from './timing.ts';
import { type RequestObservers, toRequestEvent } from './tracing.ts';

/** Sends a request until it succeeds or must not be resent. */
export type Deliver = (request: ApiRequest, policy: WholeRetryPolicy) => Promise<ApiResponse>;

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
}

/** The failure of a write of which one attempt may have arrived: whether the server processed it is unknown. */
const toAmbiguous = (error: unknown, { request, mayHaveArrived }: Run): unknown => {
  if (!(error instanceof ConnectionError) || !mayHaveArrived || methodRules[request.method].safe)
    return error;
  const message = `${whatOf(error)}; the server may have processed the request or not, so read the resource before you resend it`;
  return new AmbiguousOutcomeError(Object.assign({}, error, { message, sent: true }));
};

/** The status of the response behind an error; undefined when none arrived. */
const responseStatus = (error: unknown): number | undefined => {
  if (error instanceof TooManyRequestsError && !error.sent) return undefined;
  return error instanceof ApiError || error instanceof UnexpectedResponseError ? error.status : undefined;
};

const withAttempts = (error: unknown, attempts: readonly Attempt[]): unknown => {
  if (error instanceof RequestError) error.attempts = attempts;
  return error;
};

/**
 * Makes attempts until one succeeds, the failure must not be retried, or the deadline leaves no time for another.
 * Errors have every attempt.
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
      const status = responseStatus(error);
      const code = isRestkinError(error) ? error.code : 'aborted';
      record(status === undefined ? { error: code } : { status, error: code });
      if (error instanceof ConnectionError && error.sent) run.mayHaveArrived = true;
      throw error;
    }
  };

  /** Waits before the next attempt, or throws the failure where none follows. */
  const waitForNext = async (run: Run, error: unknown): Promise<void> => {
    const { request, policy, attempts } = run;
    const retry = attempts.length;
    if (retry >= policy.attempts || !isRetryable(request.method, error, policy)) throw error;
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

  return async (request, policy) => {
    const run: Run = { request, policy, attempts: [], mayHaveArrived: false };
    const { attempts } = run;
    try {
      const response = await pRetry(() => attemptOnce(run), {
        retries: policy.attempts - 1,
        // The wait depends on the failure, so `waitForNext` makes it.
        minTimeout: 0,
        onFailedAttempt: ({ error }) => waitForNext(run, error),
        ...(request.signal === undefined ? {} : { signal: request.signal }),
      });
      budget.refund();
      return { ...response, attempts };
    } catch (error) {
      throw withAttempts(toAmbiguous(error, run), attempts);
    }
  };
};
