/** The state of a token chain, as its store holds it. Times are milliseconds since the epoch. */
export interface TokenRecord {
  /**
   * Orders the tokens of the chain; a higher one is newer. A refresh adds 1 and a password login 2, so that the login of
   * the process that took over a claim is newer than the late refresh of the process that lost it.
   */
  readonly generation: number;
  readonly accessToken: string;
  readonly accessExpiresAt: number;
  /** Undefined when there is none, and as soon as the record is claimed: it works once. */
  readonly refreshToken?: string | undefined;
  readonly refreshExpiresAt: number;
  /** Who is renewing the chain, and until when others wait. */
  readonly claim?: { readonly by: string; readonly until: number } | undefined;
  /** True when the login was ended on purpose: there are no tokens, and who took part in it does not log in again. */
  readonly isSignedOut?: boolean | undefined;
}

/** The record of a chain that has never had a token. */
export const noTokens: TokenRecord = {
  generation: 0,
  accessToken: '',
  accessExpiresAt: 0,
  refreshExpiresAt: 0,
};

/** The expiry of a token that is used until the server refuses it. */
export const endless = Number.MAX_SAFE_INTEGER;

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

const parseClaim = (value: unknown): TokenRecord['claim'] => {
  const { by, until } = (value ?? {}) as Record<string, unknown>;
  return typeof by === 'string' && isTime(until) ? { by, until } : undefined;
};

/** A record is stored as JSON. A damaged one has no tokens, so that a new login follows. */
export const parseRecord = (stored: string): TokenRecord => {
  let value: unknown;
  try {
    value = JSON.parse(stored);
  } catch {
    return noTokens;
  }
  const fields = (value ?? {}) as Record<string, unknown>;
  const { generation, accessToken, accessExpiresAt, refreshToken, refreshExpiresAt, claim } = fields;
  if (!isTime(generation) || typeof accessToken !== 'string') return noTokens;
  if (!isTime(accessExpiresAt) || !isTime(refreshExpiresAt)) return noTokens;
  return {
    generation,
    accessToken,
    accessExpiresAt,
    refreshToken: typeof refreshToken === 'string' ? refreshToken : undefined,
    refreshExpiresAt,
    claim: parseClaim(claim),
    isSignedOut: fields.isSignedOut === true,
  };
};
