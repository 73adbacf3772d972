import type { TokenRecord } from './token-record.ts';

/** Sees whether a claim is still alive, by both clocks: neither a jump nor another host's clock keeps it for ever. */
export const createClaimWatch = (leaseMs: number) => {
  let seen: TokenRecord['claim'];
  let since = 0;
  return (claim: TokenRecord['claim']): boolean => {
    if (claim === undefined) return false;
    if (claim.by !== seen?.by || claim.until !== seen.until) {
      seen = claim;
      since = performance.now();
    }
    return Date.now() < claim.until && performance.now() - since < leaseMs;
  };
};
