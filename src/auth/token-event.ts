import type { RenewalReason } from './token-chain.ts';
import type { GrantType } from './token-grants.ts';

/** What `on.token` is told. It never holds a token. */
export interface TokenEvent {
  /**
   * Why a new token was got: `first`, `early` before the old one expires, `expired`, `refused` by the server, or
   * `recovered` with the password after the refresh token was lost. `storeFailed` is a warning: the store did not do
   * what it was asked, and work goes on in memory.
   */
  readonly reason: RenewalReason | 'storeFailed';
  /** What the token was got with (§4.1); absent for a warning. */
  readonly grant?: GrantType;
}
