import { type Method, methodRules } from '../conventions.ts';
import { ApiError, ServiceUnavailableError, TooManyRequestsError } from '../errors/api-error.ts';
import { ConnectionError, TimeoutError } from '../errors/connection-error.ts';
import { TokenRequestError } from '../errors/token-error.ts';

/** When a failed attempt is made again. Times are milliseconds. */
export interface RetryPolicy {
  /** Attempts in all, the first one included; 3 by default. */
  readonly attempts?: number | undefined;
  /** The first backoff waits a random time up to this, each further one up to twice as long; 200 by default. */
  readonly baseDelayMs?: number | undefined;
  /** Longest backoff; 5,000 by default. */
  readonly maxDelayMs?: number | undefined;
  /** Longest `Retry-After` that is waited for; above it the error is thrown at once. 60,000 by default. */
  readonly maxRetryAfterMs?: number | undefined;
  /** Also send PUT and DELETE again after a lost connection or a 500; false by default. */
  readonly idempotentWrites?: boolean | undefined;
  /** Also send POST and PATCH again after a 503; false by default. */
  readonly writesAfterUnavailable?: boolean | undefined;
}

/** A policy that says everything. */
export type WholeRetryPolicy = { readonly [K in keyof RetryPolicy]-?: Exclude<RetryPolicy[K], undefined> };

export const defaultRetryPolicy: WholeRetryPolicy = {
  attempts: 3,
  baseDelayMs: 200,
  maxDelayMs: 5_000,
  maxRetryAfterMs: 60_000,
  idempotentWrites: false,
  writesAfterUnavailable: false,
};

/** A policy that makes one attempt. */
export const noRetry: WholeRetryPolicy = { ...defaultRetryPolicy, attempts: 1 };

/**
 * Whether a failure may be followed by another attempt, by method and outcome.
 *
 * POST and PATCH are never sent again when the first one may have arrived.
 */
export const isRetryable = (method: Method, error: unknown, policy: WholeRetryPolicy): boolean => {
  const rule = methodRules[method];
  const again = rule.safe || (rule.idempotent && policy.idempotentWrites);
  if (error instanceof TokenRequestError) return error.temporary;
  // Not sent for want of time: there is no more of it in another attempt.
  if (error instanceof TimeoutError && !error.sent) return false;
  if (error instanceof ConnectionError) return !error.sent || again;
  if (!(error instanceof ApiError)) return false;
  switch (error.status) {
    case 429:
      return true;
    case 503:
      return rule.idempotent || policy.writesAfterUnavailable;
    case 500:
      return again;
    default:
      return false;
  }
};

/** What the server, or the token endpoint, asked for with `Retry-After`, in milliseconds. */
export const retryAfterOf = (error: unknown): number | undefined =>
  error instanceof TooManyRequestsError ||
  error instanceof ServiceUnavailableError ||
  error instanceof TokenRequestError
    ? error.retryAfterMs
    : undefined;

/**
 * Tokens for retries, shared by all requests of a client: while most of them fail, retries stop, so that an outage
 * is not made worse (as AWS's standard retry mode does).
 */
export interface RetryBudget {
  /** Takes what one retry costs; false when there is not enough. */
  take(): boolean;
  /** Gives back a little after a success. */
  refund(): void;
}

const capacity = 500;
const retryCost = 5;

export const createRetryBudget = (): RetryBudget => {
  let tokens = capacity;
  return {
    take: () => {
      if (tokens < retryCost) return false;
      tokens -= retryCost;
      return true;
    },
    refund: () => {
      tokens = Math.min(capacity, tokens + 1);
    },
  };
};
