import type { Tokens } from './token-endpoint.ts';

/** What a token chain knows, as one record of its store. Times are milliseconds since the epoch. */
export interface TokenRecord {
  /** Counts the tokens of the chain; a higher one is newer. */
  readonly generation: number;
  readonly accessToken: string;
  readonly accessExpiresAt: number;
  /** Undefined when there is none, and from before it is sent: it works once. */
  readonly refreshToken?: string | undefined;
  readonly refreshExpiresAt: number;
  /** Who is renewing the chain, and until when others wait for that. */
  readonly claim?: { readonly by: string; readonly until: number } | undefined;
}

/** The record of a chain that has never had a token. */
export const noTokens: TokenRecord = {
  generation: 0,
  accessToken: '',
  accessExpiresAt: 0,
  refreshExpiresAt: 0,
};

export const toRecord = (generation: number, tokens: Tokens, startedAt: number): TokenRecord => ({
  generation,
  accessToken: tokens.accessToken,
  accessExpiresAt: startedAt + tokens.accessLifetimeMs,
  refreshToken: tokens.refreshToken,
  refreshExpiresAt: startedAt + tokens.refreshLifetimeMs,
});

/** A refresh token that was never sent, as far as anybody can know. */
export const freshRefreshToken = ({ refreshToken, refreshExpiresAt }: TokenRecord): string | undefined =>
  Date.now() < refreshExpiresAt ? refreshToken : undefined;

export const formatRecord = (record: TokenRecord): string => JSON.stringify(record);

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

const parseClaim = (value: unknown): TokenRecord['claim'] => {
  const { by, until } = (value ?? {}) as Record<string, unknown>;
  return typeof by === 'string' && isTime(until) ? { by, until } : undefined;
};

/** Reads a record. One that is damaged has no tokens, and a new login follows. */
export const parseRecord = (text: string): TokenRecord => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return noTokens;
  }
  const { generation, accessToken, accessExpiresAt, refreshToken, refreshExpiresAt, claim } = (value ??
    {}) as Record<string, unknown>;
  if (!isTime(generation) || typeof accessToken !== 'string') return noTokens;
  if (!isTime(accessExpiresAt) || !isTime(refreshExpiresAt)) return noTokens;
  return {
    generation,
    accessToken,
    accessExpiresAt,
    refreshToken: typeof refreshToken === 'string' ? refreshToken : undefined,
    refreshExpiresAt,
    claim: parseClaim(claim),
  };
};
