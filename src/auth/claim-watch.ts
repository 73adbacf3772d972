import type { TokenRecord } from './token-record.ts';

/** Sees whether a claim is still alive, by both clocks: neither a jump nor another host's clock keeps it for ever. */
export const createClaimWatch = (leaseMs: number) => {
  let by: string | undefined;
  let since = 0;
  return (claim: TokenRecord['claim']): boolean => {
    if (claim === undefined) return false;
    if (claim.by !== by) {
      by = claim.by;
      since = performance.now();
    }
    return Date.now() < claim.until && performance.now() - since < leaseMs;
  };
};
