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
