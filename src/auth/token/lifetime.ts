import type { TokenRecord } from './record.ts';

/** An access token in use, with its times on both clocks: the wall clock may jump, the monotonic one may stand still. */
export interface TokenInUse {
  readonly accessToken: string;
  readonly generation: number;
  readonly expiresAt: number;
  readonly expiresAtMonotonic: number;
  readonly earlyMs: number;
}

const longestEarlyMs = 120_000;
const earlyShare = 0.2;

/** A fifth of the lifetime before the end, two minutes at most; a little later at random, so that a fleet spreads. */
const earlyMsOf = (lifetimeMs: number): number =>
  Math.min(longestEarlyMs, lifetimeMs * earlyShare) * (0.5 + Math.random() / 2);

export const toTokenInUse = ({ accessToken, accessExpiresAt, generation }: TokenRecord): TokenInUse => {
  const lifetimeMs = accessExpiresAt - Date.now();
  return {
    accessToken,
    generation,
    expiresAt: accessExpiresAt,
    expiresAtMonotonic: performance.now() + lifetimeMs,
    earlyMs: earlyMsOf(lifetimeMs),
  };
};

/** What is left of a token, in milliseconds; not above 0 when it has expired. */
export const leftMs = ({ expiresAt, expiresAtMonotonic }: TokenInUse): number =>
  Math.min(expiresAt - Date.now(), expiresAtMonotonic - performance.now());
