import pRetry from 'p-retry';
import { methodRules } from '../conventions/methods.ts';
import { ApiError } from '../errors/api-error.ts';
import { AmbiguousOutcomeError, ConnectionError } from '../errors/connection-error.ts';
import { UnexpectedResponseError } from '../errors/response-error.ts';
import { type Attempt, isRestkinError } from '../errors/restkin-error.ts';
import type { ApiRequest, ApiResponse, Send } from './message.ts';
import type { RetryBudget } from './retry-budget.ts';
import { isRetryable, type RetryPolicy, retryAfterOf } from './retry-policy.ts';
import { backoffMs, wait } from './wait.ts';

/** An answer with the attempts that led to it. */
export interface Delivery {
  readonly response: ApiResponse;
  readonly attempts: readonly Attempt[];
}

/** Sends a request until it succeeds or may not be sent again. */
export type Deliver = (request: ApiRequest, policy: Required<RetryPolicy>) => Promise<Delivery>;

/** The wait before the next attempt; undefined when there is none in time. */
const delayBefore = (retry: number, error: unknown, deadline: number, policy: Required<RetryPolicy>) => {
  const asked = retryAfterOf(error);
  if (asked !== undefined && asked > policy.maxRetryAfterMs) return undefined;
  const delay = (asked ?? 0) + backoffMs(retry, policy.baseDelayMs, policy.maxDelayMs);
  return performance.now() + delay < deadline ? delay : undefined;
};

/** A lost write that is not sent again: whether the server did it is not known. */
const toAmbiguous = (error: unknown, request: ApiRequest): unknown => {
  if (!(error instanceof ConnectionError) || !error.sent || methodRules[request.method].safe) return error;
  const { reason, sent, method, url } = error;
  const message = `${error.message}; the server may have done it or not`;
  return new AmbiguousOutcomeError({ message, reason, sent, method, url });
};

const withAttempts = (error: unknown, attempts: readonly Attempt[]): unknown => {
  if (
    error instanceof ApiError ||
    error instanceof ConnectionError ||
    error instanceof UnexpectedResponseError
  ) {
    error.attempts = attempts;
  }
  return error;
};

/**
 * Makes attempts until one succeeds, the failure may not be tried again, or the deadline leaves no time for it.
 * Errors carry every attempt.
 *
 * @throws {@link AmbiguousOutcomeError} for a write whose connection was lost after sending
 */
export const withRetry = (send: Send, budget: RetryBudget): Deliver => {
  return async (request, policy) => {
    const attempts: Attempt[] = [];
    const { signal } = request;

    const attempt = async (): Promise<ApiResponse> => {
      const start = performance.now();
      const timeoutMs = Math.max(0, Math.min(request.timeoutMs, request.deadline - start));
      const record = (outcome: Pick<Attempt, 'status' | 'error'>): void => {
        attempts.push({ ...outcome, durationMs: performance.now() - start, waitedMs: 0 });
      };
      try {
        const response = await send({ ...request, timeoutMs });
        record({ status: response.status });
        return response;
      } catch (error) {
        const status = error instanceof ApiError ? { status: error.status } : {};
        record({ ...status, error: isRestkinError(error) ? error.code : 'aborted' });
        throw error;
      }
    };

    // The one place between two attempts that p-retry waits for, and the only one where the wait depends on the error.
    const shouldRetry = async ({
      error,
      attemptNumber,
    }: {
      error: Error;
      attemptNumber: number;
    }): Promise<boolean> => {
      if (!isRetryable(request.method, error, policy)) return false;
      const delay = delayBefore(attemptNumber - 1, error, request.deadline, policy);
      if (delay === undefined || !budget.take()) return false;
      await wait(delay, signal);
      const last = attempts.pop();
      if (last !== undefined) attempts.push({ ...last, waitedMs: delay });
      return true;
    };

    try {
      const response = await pRetry(attempt, {
        retries: policy.attempts - 1,
        minTimeout: 0,
        shouldRetry,
        ...(signal === undefined ? {} : { signal }),
      });
      budget.refund();
      return { response, attempts };
    } catch (error) {
      throw withAttempts(toAmbiguous(error, request), attempts);
    }
  };
};
