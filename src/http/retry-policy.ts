import { type Method, methodRules } from '../conventions.ts';
import { ApiError, ServiceUnavailableError, TooManyRequestsError } from '../errors/api-error.ts';
import { ConnectionError, TimeoutError } from '../errors/connection-error.ts';
import { TokenRequestError } from '../errors/token-error.ts';

/** When a failed request is retried. Times are milliseconds. */
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
 * POST and PATCH are never resent when the first one may have arrived.
 */
export const isRetryable = (method: Method, error: unknown, policy: WholeRetryPolicy): boolean => {
  const rule = methodRules[method];
  const mayRepeat = rule.safe || (rule.idempotent && policy.idempotentWrites);
  if (error instanceof TokenRequestError) return error.temporary;
  // The deadline passed before sending, so there is no time for another attempt either.
  if (error instanceof TimeoutError && !error.sent) return false;
  if (error instanceof ConnectionError) return !error.sent || mayRepeat;
  if (!(error instanceof ApiError)) return false;
  switch (error.status) {
    case 429:
      return true;
    case 503:
      return rule.idempotent || policy.writesAfterUnavailable;
    case 500:
      return mayRepeat;
    default:
      return false;
  }
};

/** `Retry-After` of the server or of the token endpoint, in milliseconds. */
export const retryAfterOf = (error: unknown): number | undefined =>
  error instanceof TooManyRequestsError ||
  error instanceof ServiceUnavailableError ||
  error instanceof TokenRequestError
    ? error.retryAfterMs
    : undefined;

/**
 * Tokens for retries, shared by all requests of a client. While most requests fail, retries stop, so that they do not
 * worsen an outage (as in the standard retry mode of AWS's SDKs).
 */
export interface RetryBudget {
  /** Takes the cost of one retry; false when too few tokens are left. */
  take(): boolean;
  /** Returns one token after a success. */
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
